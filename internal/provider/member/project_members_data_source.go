package member

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewProjectMembersDataSource returns neon_project_members: who may do what with a project.
func NewProjectMembersDataSource() datasource.DataSource {
	return kit.NewListSourceInProject(kit.ListSource[client.ProjectMember, projectMember]{
		Name: "project_members", Called: "project members", Attribute: "members", Objects: "The members.",
		Model: newProjectMember,
		Text: "The members of a project's organization, and what each may do with the project, in Neon's order. A key that " +
			"doesn't administer the project sees only members with access to it. Neon answers with 404 if roles in projects " +
			"aren't enabled for the organization.",
		Schema: map[string]schema.Attribute{
			"id":            kit.ReturnedString("Id of the member in the organization, a UUID."),
			"user_id":       kit.ReturnedString("Id of the user, a UUID."),
			"email":         kit.ReturnedString("Email address of the user."),
			"name":          kit.ReturnedString("Name of the user."),
			"org_role":      kit.ReturnedString("The member's role in the organization."),
			"role":          kit.ReturnedString(projectRoleText + " Null for nothing."),
			"explicit_role": kit.ReturnedString("The member's own role in this project. Null for none."),
			"grant_source": kit.ReturnedString("Origin of the role: `explicit` for one that is set in this project, " +
				"`org_role_default` or `org_admin_override` for one that follows from the role in the organization, or " +
				"`unassigned`."),
		},
	}, listProjectMembers)
}

type projectMember struct {
	ID           types.String `tfsdk:"id"`
	UserID       types.String `tfsdk:"user_id"`
	Email        types.String `tfsdk:"email"`
	Name         types.String `tfsdk:"name"`
	OrgRole      types.String `tfsdk:"org_role"`
	Role         types.String `tfsdk:"role"`
	ExplicitRole types.String `tfsdk:"explicit_role"`
	GrantSource  types.String `tfsdk:"grant_source"`
}

func newProjectMember(member client.ProjectMember) projectMember {
	return projectMember{
		ID:           types.StringValue(member.ID),
		UserID:       kit.OptionalString(member.UserID),
		Email:        kit.OptionalString(member.Email),
		Name:         kit.OptionalString(member.Name),
		OrgRole:      kit.OptionalString(member.OrgRole),
		Role:         kit.OptionalString(member.Role),
		ExplicitRole: kit.OptionalString(member.ExplicitRole()),
		GrantSource:  kit.OptionalString(member.GrantSource),
	}
}

func listProjectMembers(api *client.Client, ctx context.Context, projectID string) iter.Seq2[client.ProjectMember, error] { //nolint:revive // Like the client's methods.
	return func(yield func(client.ProjectMember, error) bool) {
		for member, err := range api.ListProjectMembers(ctx, projectID) {
			if !yield(member, adviseNoRoles(err)) {
				return
			}
		}
	}
}
