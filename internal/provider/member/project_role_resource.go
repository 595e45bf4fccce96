// Package member is a member of an organization: a user with a role in the organization, and perhaps other roles in
// single projects.
package member

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	memberText      = "Id of the member in the organization, a UUID, which the data source `neon_org_members` returns."
	projectRoleText = "What the member may do with the project: `viewer`, `editor` or `admin`."
	exampleMember   = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
)

var projectRoleKey = kit.KeyInProject("The role of a member in a project", exampleMember,
	kit.KeyPart{Name: "member_id", Description: memberText, Valid: kit.IsUUID})

// NewProjectRoleResource returns the managed resource neon_project_member_role.
func NewProjectRoleResource() resource.Resource {
	return kit.NewResource(kit.Resource[projectRoleModel]{
		Name:     "project_member_role",
		First:    "confirm_self_demotion email member_id project_id role",
		ListedBy: "project_members",
		Key:      projectRoleKey,
		Schema: schema.Schema{
			MarkdownDescription: "The role of an organization's member in one of its projects. It adds to what the member's " +
				"role in the organization grants: somebody who should see one project only must be a `collaborator` of the " +
				"organization. Neon answers with 404 if roles in projects aren't enabled for the organization.",
			Attributes: projectRoleAttributes(),
		},
		MovedFrom:   map[string]string{"neondatabase/neon": "neon_project_member_role"},
		IsExclusive: true,
		Plan:        planProjectRole,
		Create:      createProjectRole,
		Read:        readProjectRole,
		Update:      updateProjectRole,
		Delete:      removeProjectRole,
	})
}

func projectRoleAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"member_id":  kit.ImmutableString(memberText, kit.UUIDValidators()...),
		"role": schema.StringAttribute{
			MarkdownDescription: projectRoleText, Required: true,
			Validators: []validator.String{stringvalidator.OneOf("viewer", "editor", "admin")},
		},
		"confirm_self_demotion": schema.BoolAttribute{
			MarkdownDescription: "Whether the user whose API key the provider has may lower its own role or remove it, which " +
				"Neon refuses otherwise. Neon doesn't store this: it only affects this resource. Defaults to `false`.",
			Optional: true,
		},
		"email": kit.ComputedString("Email address of the member. Null if Neon doesn't say."),
	}
}

type projectRoleModel struct {
	ProjectID           types.String `tfsdk:"project_id"`
	MemberID            types.String `tfsdk:"member_id"`
	Role                types.String `tfsdk:"role"`
	ConfirmSelfDemotion types.Bool   `tfsdk:"confirm_self_demotion"`
	Email               types.String `tfsdk:"email"`
}

func (m projectRoleModel) ref() client.Ref[client.ProjectMember] {
	return kit.RefOf[client.ProjectMember](m.ProjectID, m.MemberID)
}

// with returns the model with the values of Neon's member.
func (m projectRoleModel) with(member *client.ProjectMember) projectRoleModel {
	m.Role, m.Email = kit.OptionalString(member.ExplicitRole()), kit.OptionalString(member.Email)
	return m
}

// planProjectRole checks, for a replacement, that the new member exists.
func planProjectRole(ctx context.Context, p kit.Planning) {
	p.CheckReplacement(ctx, "project member role", "member_id", []string{"project_id", "member_id"},
		func(api *client.Client) error {
			_, planned, _ := kit.ModelsOf[projectRoleModel](ctx, p)
			if _, err := api.GetSharedProjectMember(ctx, planned.ref()); client.IsAbsent(err) {
				return adviseNoMember(err)
			}
			return nil
		})
}

func adviseNoMember(err error) error {
	return kit.Advise(err, "Only a member of the project's organization can have a role in the project. The data source "+
		"neon_org_members returns the ids of all.")
}

func createProjectRole(ctx context.Context, run kit.Run, plan projectRoleModel, save func(projectRoleModel)) error {
	ref := plan.ref()
	member, err := run.API.GetSharedProjectMember(ctx, ref)
	switch {
	case client.IsAbsent(err):
		return adviseNoMember(err)
	case err != nil:
		return adviseNoRoles(err)
	case member.ExplicitRole() != "":
		return kit.Exists(fmt.Sprintf("member %s has the role %s in project %s already", ref.ID, member.ExplicitRole(),
			ref.ProjectID), "neon_project_member_role", ref.ProjectID, ref.ID)
	}
	plan.Email = kit.OptionalString(member.Email)
	return updateProjectRole(ctx, run, projectRoleModel{}, plan, save)
}

func readProjectRole(ctx context.Context, run kit.Run, state projectRoleModel) (projectRoleModel, error) {
	ref := state.ref()
	member, err := run.API.GetSharedProjectMember(ctx, ref)
	if err != nil {
		return state, adviseNoRoles(err)
	}
	if state = state.with(member); state.Role.IsNull() {
		return state, &client.AbsentError{Err: fmt.Errorf("member %s has no role of its own in project %s", ref.ID,
			ref.ProjectID)}
	}
	return state, nil
}

func updateProjectRole(
	ctx context.Context, run kit.Run, state, plan projectRoleModel, save func(projectRoleModel),
) error {
	if plan.Role.Equal(state.Role) {
		save(plan)
		return nil
	}
	ref := plan.ref()
	member, err := run.API.GetSharedProjectMember(ctx, ref)
	if err != nil {
		return adviseNoRoles(err)
	}
	withoutEffect := isLower(plan.Role.ValueString(), member.DefaultRole())
	if withoutEffect && member.OrgRole == "admin" {
		return kit.Advise(fmt.Errorf("member %s administers the organization of project %s, and so the project", ref.ID,
			ref.ProjectID),
			"Nothing was changed. Lower its role in the organization first, with neon_org_member_role, and then apply again.")
	}
	set, err := run.API.SetProjectMemberRole(ctx, ref, plan.Role.ValueString(), plan.ConfirmSelfDemotion.ValueBool())
	if err != nil {
		return adviseRefusal(err)
	}
	if withoutEffect {
		if err := checkKept(ctx, run, plan, member); err != nil {
			return err
		}
	}
	save(plan)
	warnOfSecrets(run, plan, set)
	return nil
}

// isLower compares two roles in a project. Unknown roles are never lower.
func isLower(role, than string) bool {
	ranks := map[string]int{"viewer": 1, "editor": 2, "admin": 3}
	return ranks[role] > 0 && ranks[role] < ranks[than]
}

// checkKept warns if the role is below the member's role in the organization, which then counts. If Neon didn't store
// the role at all, it returns an error: every plan would set it again.
func checkKept(ctx context.Context, run kit.Run, plan projectRoleModel, member *client.ProjectMember) error {
	ref := plan.ref()
	reason := fmt.Sprintf("Member %s of project %s is %s in the organization, which makes it %s in each of its "+
		"projects, and the higher role counts. For less in this project, lower its role in the organization with "+
		"neon_org_member_role.", ref.ID, ref.ProjectID, member.OrgRole, member.DefaultRole())
	present, err := run.API.GetSharedProjectMember(ctx, ref)
	switch {
	case err != nil: // The role was set, so it is saved; the next refresh reads it.
		run.Warn("Unable to see whether Neon has kept the role ("+ref.ID+")", reason+" "+kit.Sentence(err.Error()))
		return nil
	case present.ExplicitRole() != plan.Role.ValueString():
		return kit.Advise(fmt.Errorf("neon didn't keep the role %s of member %s in project %s", plan.Role.ValueString(),
			ref.ID, ref.ProjectID), reason)
	}
	run.Warn("The role has no effect ("+ref.ID+")", reason)
	return nil
}

func removeProjectRole(ctx context.Context, run kit.Run, state projectRoleModel) error {
	ref := state.ref()
	set, err := run.API.DeleteProjectMemberRole(ctx, ref, state.ConfirmSelfDemotion.ValueBool())
	if err != nil {
		return adviseRefusal(err)
	}
	warnOfSecrets(run, state, set)
	return nil
}

// warnOfSecrets warns of passwords and keys that the member may still know after a lower role.
func warnOfSecrets(run kit.Run, of projectRoleModel, set *client.ProjectRoleSet) {
	ref := of.ref()
	called := fmt.Sprintf("Member %s of project %s", ref.ID, ref.ProjectID)
	if set.RotateCredentials {
		run.Warn("Passwords may be known to member "+ref.ID, called+" may do less than before, and Neon recommends to "+
			"reset the passwords of the project's roles: change password_rotation_triggers of neon_role.")
	}
	if set.RotateAPIKeys {
		run.Warn("API keys may be known to member "+ref.ID, called+" may do less than before, and Neon recommends to "+
			"replace the API keys of the project that the member has created: change rotation_triggers of neon_org_api_key.")
	}
}

// adviseRefusal explains which changes of roles Neon refuses.
func adviseRefusal(err error) error {
	if client.IsRefused(err) {
		return kit.Advise(err, "To lower the role of the user whose API key the provider has, or to take it back, set\n\n"+
			"  confirm_self_demotion = true\n\nand to take it back, apply that first.")
	}
	if client.HasStatus(err, http.StatusForbidden) {
		return kit.Advise(err, "Only who administers the project changes roles in it.")
	}
	return adviseNoRoles(err)
}

// adviseNoRoles explains that roles in projects may not be enabled for the organization.
func adviseNoRoles(err error) error {
	var unseen *client.UnseenProjectError
	if !client.HasStatus(err, http.StatusNotFound) || client.IsAbsent(err) || errors.As(err, &unseen) {
		return err
	}
	return kit.Advise(err, "Members have roles of their own in a project only where it belongs to an organization for "+
		"which Neon has turned that on, and only a key that may see the project finds them. Check the ids, too.")
}
