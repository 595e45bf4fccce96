// Package role is a PostgreSQL role of a branch: it owns databases and, unless it is created without login, has a
// password that Neon chooses. A branch begins with a copy of its parent's roles.
package role

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/postgresname"
)

const (
	branchText    = "Id of the branch that the role belongs to."
	protectedText = "Whether the role is Neon's own, which can't be deleted."
	methodText    = "How the role logs in, such as `password` or `no_login`."
	createdText   = "When the role was created."
)

var key = kit.NamedInBranch("role", "app")

var noun = kit.Introduce(kit.Noun{Called: "role", ListedBy: "roles"})

// NewResource returns the managed resource neon_role.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name: "role",
		First: "authentication_method branch_id created_at id name no_login password_rotation_triggers project_id " +
			"protected timeouts",
		ListedBy: noun.ListedBy,
		Key:      key,
		Schema: schema.Schema{
			MarkdownDescription: "A PostgreSQL role of a branch, with a password that Neon chooses. The password is never in " +
				"the state: read it with the ephemeral resource `neon_role_password` or `neon_connection_uri`. A role that owns " +
				"databases can't be deleted: to rename it, add `lifecycle { create_before_destroy = true }`, so that its " +
				"databases get their new owner first.",
			Attributes: attributes(),
		},
		MovedFrom: kit.MovedAs("neon_role",
			"kislerdm/neon", "neondatabase/neon", "kenchan0130/neon", "terraform-community-providers/neon"),
		FindAgain:   kit.SameInBranch(read),
		Plan:        plan,
		IsExclusive: true,
		Create:      create,
		Read:        read,
		Update:      update,
		Delete:      remove,
	})
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":  kit.FollowedBranch(branchText),
		"name": kit.ImmutableString("Name of the role, 1 to 63 bytes. Neon reserves `neon_superuser`, `cloud_admin`, "+
			"`zenith_admin`, `public`, `none` and names that begin with `pg`.", postgresname.Role()),
		"no_login": kit.ImmutableFlag("Whether the role can't log in, and so has no password. Defaults to `false`. " +
			"Changing it replaces the role."),
		"password_rotation_triggers": schema.MapAttribute{
			MarkdownDescription: "Arbitrary values. A change makes Neon choose a new password: the old one stops working and " +
				"the role's connections are dropped. Setting triggers for the first time, or removing all, changes nothing, " +
				"and neither does any change for a role that can't log in. A null value counts as not set.",
			Optional:    true,
			ElementType: types.StringType,
		},
		"id":                    kit.ComputedString("`project_id/branch_id/name`."),
		"protected":             kit.ComputedBool(protectedText),
		"authentication_method": kit.ComputedString(methodText),
		"created_at":            kit.ComputedTime(createdText),
		"timeouts":              kit.Timeouts(timeouts.Opts{Create: true, Update: true, Delete: true}),
	}
}

type model struct {
	kit.InBranch

	ID                       types.String      `tfsdk:"id"`
	Name                     types.String      `tfsdk:"name"`
	NoLogin                  types.Bool        `tfsdk:"no_login"`
	PasswordRotationTriggers types.Map         `tfsdk:"password_rotation_triggers"`
	Protected                types.Bool        `tfsdk:"protected"`
	AuthenticationMethod     types.String      `tfsdk:"authentication_method"`
	CreatedAt                timetypes.RFC3339 `tfsdk:"created_at"`
	Timeouts                 timeouts.Value    `tfsdk:"timeouts"`
}

// with returns the model with the values of Neon's role.
func (m model) with(role *client.Role) model {
	m.ID = m.IDOf(role.Name)
	m.Name = types.StringValue(role.Name)
	m.Protected = types.BoolValue(role.Protected)
	m.AuthenticationMethod = kit.Known(m.AuthenticationMethod, types.StringNull())
	if role.AuthenticationMethod != "" { // Some answers leave it out.
		m.AuthenticationMethod = types.StringValue(role.AuthenticationMethod)
		m.NoLogin = types.BoolValue(role.AuthenticationMethod == client.AuthenticationNoLogin)
	}
	m.CreatedAt = kit.OptionalTime(&role.CreatedAt)
	return m
}

// plan completes the id, and warns that a replacement loses the password.
func plan(ctx context.Context, p kit.Planning) {
	kit.PlanNamedID(ctx, p)
	id, name := p.TextOf("id"), p.TextOf("name")
	if p.TextOf("authentication_method") != client.AuthenticationNoLogin {
		p.WarnOfLoss(ctx, []string{"project_id", "name", "no_login"}, "A password will be lost ("+id+")",
			fmt.Sprintf("Neon deletes role %s, and its password stops working. The new role has another password.",
				kit.Quoted(name)))
	}
	if p.IsChange() && !p.Diags.HasError() && p.Changed(ctx, "name", "no_login") != "" {
		warnOfOwner(ctx, p)
	}
}

// warnOfOwner warns that a role owns databases: Neon deletes it only after they have another owner.
func warnOfOwner(ctx context.Context, p kit.Planning) {
	state := kit.ModelOf[model](ctx, p.State, p.Diags)
	p.LookUps(func(run kit.Run) {
		databases, err := run.API.ListSharedDatabases(ctx, state.Branch())
		owned := state.owned(databases)
		if err != nil || len(owned) == 0 { // Neon refuses only the deletion, whose error says why.
			return
		}
		at, advice := "name", "They get another owner only after the new role is there, so that must come before the old "+
			"one goes. Unless this resource has it, add:\n\n"+createFirst
		if p.Changed(ctx, at) == "" {
			at, advice = "no_login", "The new role has the same name, so it can't be there before the old one goes. First give "+
				"them another owner, by owner_name of neon_database, and apply that; then change no_login and give them back."
		}
		run.Diags.AddAttributeWarning(path.Root(at), "The role owns databases ("+state.ID.ValueString()+")",
			fmt.Sprintf("Neon refuses to delete role %s while it owns databases: %s. %s", kit.Quoted(state.Name.ValueString()),
				strings.Join(owned, ", "), advice))
	})
}

// owned returns the names of the databases that the role owns.
func (m model) owned(databases []client.Database) (names []string) {
	for _, database := range databases {
		if database.OwnerName == m.Name.ValueString() {
			names = append(names, database.Name)
		}
	}
	slices.Sort(names)
	return names
}

const createFirst = "  lifecycle {\n    create_before_destroy = true\n  }"

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	branch := plan.Branch()
	created, err := run.API.CreateRole(ctx, branch, client.RoleCreate{Name: plan.Name.ValueString(),
		NoLogin: plan.NoLogin.ValueBool()})
	if err != nil {
		return err
	}
	save(plan.with(&created.Object))
	return run.API.WaitForOperations(ctx, branch.ProjectID, created.Operations)
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedRole(ctx, state.Branch(), state.Name.ValueString()))
}

// update resets the password if the triggers changed and the role has one.
func update(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
	if plan.NoLogin.ValueBool() || !kit.Rotates(state.PasswordRotationTriggers, plan.PasswordRotationTriggers) {
		save(plan)
		return nil
	}
	branch := plan.Branch()
	operations, err := client.OperationsOf(run.API.ResetRolePassword(ctx, branch, plan.Name.ValueString()))
	if err != nil {
		return err
	}
	save(plan)
	err = run.API.WaitForOperations(ctx, branch.ProjectID, operations)
	if kit.Is[*client.OperationError](err) { // Neon gave it up: the next apply asks for it again.
		plan.PasswordRotationTriggers = state.PasswordRotationTriggers
		save(plan)
	}
	return err
}

func remove(ctx context.Context, run kit.Run, state model) error {
	branch := state.Branch()
	operations, err := run.API.DeleteRole(ctx, branch, state.Name.ValueString())
	if client.IsRefused(err) {
		return kit.Advise(err, refusalAdvice(ctx, run.API, state))
	}
	return kit.Finish(ctx, run.API, branch.ProjectID, operations, err)
}

// refusalAdvice explains why Neon keeps a role: mostly since it owns databases.
func refusalAdvice(ctx context.Context, api *client.Client, state model) string {
	databases, err := client.All(api.ListDatabases(ctx, state.Branch()))
	owned := state.owned(databases)
	if err != nil || len(owned) == 0 {
		return "If the role is to stay on Neon, as the first role of a project may have to, replace this resource in the " +
			"configuration with:\n\n" +
			kit.RemovedBlock("neon_role.NAME") + "\n"
	}
	return fmt.Sprintf("The role owns these databases: %s. Give them another owner (owner_name of neon_database) or "+
		"delete them first. If this run does so, as with another name for the role, the new role must come before the old "+
		"one goes. Add to this resource:\n\n"+createFirst+"\n\nIf its block was removed, change the databases first, by "+
		"terraform apply -target with the address of each neon_database. For -replace and for another no_login there is no "+
		"such order, as the new role has the same name: for another password, change password_rotation_triggers; for "+
		"another no_login, give the databases another owner and apply that first. The role was not deleted.",
		strings.Join(owned, ", "))
}

// NewListResource returns the list resource neon_role: the roles of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "role", key,
		"Lists the PostgreSQL roles of a branch, without their passwords, in Neon's order.",
		(*client.Client).ListRoles, model.with,
		func(role client.Role) (id, name string) { return role.Name, role.Name })
}
