// Package database is a database of a branch, owned by one of its roles. A branch begins with a copy of its parent's
// databases.
package database

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/postgresname"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

const (
	branchText  = "Id of the branch that the database belongs to."
	idText      = "Neon's id of the database, which stays when it is renamed."
	ownerText   = "Name of the role that owns the database."
	createdText = "When the database was created."
)

var key = kit.NamedInBranch("database", "shop")

var noun = kit.Introduce(kit.Noun{
	Called: "database", ListedBy: "databases", NamedIn: "database_name",
	InMessages: map[string]string{"database_name": "database not found"},
})

// NewResource returns the managed resource neon_database.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:     "database",
		First:    "branch_id created_at database_id deletion_protection id name owner_name project_id timeouts",
		ListedBy: noun.ListedBy,
		Key:      key,
		Schema: schema.Schema{
			MarkdownDescription: "A database of a branch. Branches that are created from " +
				"that branch later have a copy of it.",
			Attributes: attributes(),
		},
		MovedFrom: kit.MovedAs("neon_database",
			"kislerdm/neon", "neondatabase/neon", "kenchan0130/neon", "terraform-community-providers/neon"),
		Remembers:  "id",
		Holds:      "the database and all its data",
		ReplacedBy: []string{"project_id", "branch_id"}, IsExclusive: true,
		FindAgain: func(ctx context.Context, run kit.Run, state model, branchID types.String) (model, error) {
			state.BranchID, state.DatabaseID = branchID, types.Int64Null()
			return read(ctx, run, state)
		},
		Plan:   plan,
		Create: create,
		Read:   read,
		Update: update,
		Delete: remove,
	})
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":  kit.FollowedBranch(branchText),
		"name": schema.StringAttribute{
			MarkdownDescription: "Name of the database, 1 to 63 bytes. Changing it renames the database, which drops " +
				"its connections; connection strings with the old name stop working.",
			Required:   true,
			Validators: postgresname.Database(),
		},
		"owner_name": schema.StringAttribute{
			MarkdownDescription: ownerText + " It must be a role of the same branch.",
			Required:            true,
			Validators:          kit.PostgresName(),
		},
		"deletion_protection": kit.DeletionProtection("database"),
		"final_snapshot":      rootbranch.FinalSnapshot("the database"),
		"id": schema.StringAttribute{
			MarkdownDescription: "`project_id/branch_id/name`. It follows the name.",
			Computed:            true,
		},
		"database_id": schema.Int64Attribute{
			MarkdownDescription: idText + " A database that was renamed outside Terraform is recognized by it.",
			Computed:            true,
			PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
		},
		"created_at": kit.ComputedTime(createdText),
		"timeouts":   kit.Timeouts(timeouts.Opts{Create: true, Update: true, Delete: true}),
	}
}

type model struct {
	kit.InBranch

	ID                 types.String      `tfsdk:"id"`
	Name               types.String      `tfsdk:"name"`
	OwnerName          types.String      `tfsdk:"owner_name"`
	DeletionProtection types.Bool        `tfsdk:"deletion_protection"`
	FinalSnapshot      types.Object      `tfsdk:"final_snapshot"`
	DatabaseID         types.Int64       `tfsdk:"database_id"`
	CreatedAt          timetypes.RFC3339 `tfsdk:"created_at"`
	Timeouts           timeouts.Value    `tfsdk:"timeouts"`
}

// with returns the model with the values of Neon's database.
func (m model) with(database *client.Database) model {
	m.ID = m.IDOf(database.Name)
	m.Name = types.StringValue(database.Name)
	m.OwnerName = types.StringValue(database.OwnerName)
	m.DeletionProtection = types.BoolValue(m.DeletionProtection.ValueBool()) // After an import, it is null.
	m.DatabaseID = types.Int64Value(database.ID)
	m.CreatedAt = kit.OptionalTime(&database.CreatedAt)
	return m
}

// called names the database in messages.
func (m model) called() string {
	return fmt.Sprintf("database %s of branch %s", kit.Quoted(m.Name.ValueString()), m.BranchID.ValueString())
}

// plan completes the id, and refuses a final snapshot that can't be taken or would be lost.
func plan(ctx context.Context, p kit.Planning) {
	kit.PlanNamedID(ctx, p)
	if p.IsUnchanged() || p.Diags.HasError() {
		return
	}
	state, planned, _ := kit.ModelsOf[model](ctx, p)
	if !p.IsDestruction() {
		rootbranch.CheckFinal(ctx, p, planned.InBranch, planned.FinalSnapshot)
	}
	if p.IsReplacedByForce(ctx) { // The plan of its Data API, which comes later, reads this.
		p.Goes("database " + planned.IDOf(planned.Name.ValueString()).ValueString())
	}
	if !p.IsCreation() && (p.IsDestruction() || p.Replaces()) {
		rootbranch.CheckGoes(p, state.ProjectID, state.called(), state.FinalSnapshot)
		rootbranch.CheckDatabaseGoes(p, state.BranchID, state.called(), state.FinalSnapshot)
	}
	if p.IsChange() && !planned.Name.Equal(state.Name) && !p.Replaces() && !p.IsApplying() {
		warnOfName(ctx, p, state, planned)
	}
	p.CheckNeeded(ctx, "owner_name", []string{"project_id"},
		func(api *client.Client, branch client.BranchRef, name string) error {
			_, err := api.GetSharedRole(ctx, branch, name)
			return err
		})
}

// warnOfName warns of a new name that another database of the branch has.
func warnOfName(ctx context.Context, p kit.Planning, state, planned model) {
	if !kit.IsSet(planned.Name) {
		return
	}
	p.LookUps(func(run kit.Run) {
		other, err := run.API.GetSharedDatabase(ctx, state.Branch(), planned.Name.ValueString(), 0)
		if err == nil && other.ID != state.DatabaseID.ValueInt64() {
			kit.WarnOfOthersName(state.called(), other.Name, run.Diags)
		}
	})
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	branch := plan.Branch()
	created, err := run.API.CreateDatabase(ctx, branch,
		client.DatabaseCreate{Name: plan.Name.ValueString(), OwnerName: plan.OwnerName.ValueString()})
	if err != nil {
		return adviseOwner(ctx, run.API, err, plan)
	}
	save(plan.with(&created.Object))
	return run.API.WaitForOperations(ctx, branch.ProjectID, created.Operations)
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedDatabase(ctx, state.Branch(), state.Name.ValueString(),
		state.DatabaseID.ValueInt64()))
}

// update finds the database by its id, as remove does. An earlier run may have renamed it although its request failed
// or got no answer.
func update(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
	if plan.Name.Equal(state.Name) && plan.OwnerName.Equal(state.OwnerName) {
		save(plan)
		return nil
	}
	branch := plan.Branch()
	present, err := run.API.GetDatabase(ctx, branch, state.Name.ValueString(), state.DatabaseID.ValueInt64())
	if err != nil {
		return err
	}
	change := client.DatabaseUpdate{Name: changed(present.Name, plan.Name),
		OwnerName: changed(present.OwnerName, plan.OwnerName)}
	if change == (client.DatabaseUpdate{}) {
		save(plan.with(present))
		return nil
	}
	updated, err := run.API.UpdateDatabase(ctx, branch, present.Name, present.ID, change)
	if client.HasStatus(err, http.StatusConflict) {
		return kit.Blame(kit.Advise(err, "There is a database "+kit.Quoted(plan.Name.ValueString())+" already: choose "+
			"another name. If another resource of this configuration gives that name up in this run, apply that first, with a "+
			"name of its own here."), path.Root("name"))
	}
	if err != nil {
		return adviseOwner(ctx, run.API, err, plan)
	}
	save(plan.with(&updated.Object))
	return run.API.WaitForOperations(ctx, branch.ProjectID, updated.Operations)
}

// changed returns the planned text if it differs from the present one, otherwise nil.
func changed(present string, planned types.String) *string {
	if planned.ValueString() == present {
		return nil
	}
	return planned.ValueStringPointer()
}

// adviseOwner lists the branch's roles if Neon doesn't find the owner.
func adviseOwner(ctx context.Context, api *client.Client, err error, plan model) error {
	var answer *client.Error
	if !errors.As(err, &answer) || answer.StatusCode != http.StatusNotFound ||
		!strings.HasPrefix(strings.ToLower(answer.Message), "role ") {
		return err
	}
	branch := plan.Branch()
	roles, _ := client.All(api.ListRoles(ctx, branch)) // If they can't be read, the advice only lacks them.
	has := ""
	if names := kit.TextsOf(roles, func(role client.Role) string { return kit.Quoted(role.Name) }); len(names) > 0 {
		has = " Branch " + branch.ID + " has the roles " + strings.Join(names, ", ") + "."
	}
	return kit.Advise(err, "The owner must be a role of the same branch."+has+" If "+
		kit.Quoted(plan.OwnerName.ValueString())+" is created by this "+
		"configuration too, refer to it, such as owner_name = neon_role.NAME.name, so that it is created first.")
}

// remove deletes the database under its present name. The state's name may be old, and may even belong to another
// database by now.
func remove(ctx context.Context, run kit.Run, state model) error {
	branch := state.Branch()
	database, err := run.API.GetDatabase(ctx, branch, state.Name.ValueString(), state.DatabaseID.ValueInt64())
	if client.IsAbsent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	err = rootbranch.TakeFinal(ctx, run, branch, state.called(), database.CreatedAt, state.FinalSnapshot)
	if err != nil {
		return err
	}
	operations, err := run.API.DeleteDatabase(ctx, branch, database.Name)
	return kit.Finish(ctx, run.API, branch.ProjectID, operations, err)
}

// NewListResource returns the list resource neon_database: the databases of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "database", key, "Lists the databases of a branch, in Neon's order.",
		(*client.Client).ListDatabases, model.with,
		func(database client.Database) (id, name string) { return database.Name, database.Name })
}
