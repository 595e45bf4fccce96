package member

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewProjectMembersDataSource returns neon_project_members: who may do what with a project.
func NewProjectMembersDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[projectMembersModel]{
		Name: "project_members",
		Schema: schema.Schema{
			MarkdownDescription: "The members of a project's organization, and what each may do with the project, in Neon's order. A key that doesn't " +
				"administer the project sees only members with access to it. Neon answers with 404 if roles in projects aren't enabled for the " +
				"organization.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID(projectText),
				"members": kit.ReturnedObjects("The members.", map[string]schema.Attribute{
					"id":            kit.ReturnedString("Id of the member in the organization, a UUID."),
					"user_id":       kit.ReturnedString("Id of the user, a UUID."),
					"email":         kit.ReturnedString("Email address of the user."),
					"name":          kit.ReturnedString("Name of the user."),
					"org_role":      kit.ReturnedString("The member's role in the organization."),
					"role":          kit.ReturnedString(projectRoleText + " Null for nothing."),
					"explicit_role": kit.ReturnedString("The member's own role in this project. Null for none."),
					"grant_source": kit.ReturnedString("Origin of the role: `explicit` for one that is set in this project, `org_role_default` or " +
						"`org_admin_override` for one that follows from the role in the organization, or `unassigned`."),
				}),
			},
		},
		Read: listProjectMembers,
	})
}

type projectMembersModel struct {
	ProjectID types.String    `tfsdk:"project_id"`
	Members   []projectMember `tfsdk:"members"`
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

func listProjectMembers(ctx context.Context, platform *kit.Platform, m *projectMembersModel, diags *diag.Diagnostics) {
	api := platform.Control(diags)
	if api == nil {
		return
	}
	m.Members = []projectMember{}
	for member, err := range api.ListProjectMembers(ctx, m.ProjectID.ValueString()) {
		if err != nil {
			kit.AddError(diags, "Unable to list project members", adviseNoRoles(err))
			return
		}
		m.Members = append(m.Members, projectMember{
			ID:           types.StringValue(member.ID),
			UserID:       kit.OptionalString(member.UserID),
			Email:        kit.OptionalString(member.Email),
			Name:         kit.OptionalString(member.Name),
			OrgRole:      kit.OptionalString(member.OrgRole),
			Role:         kit.OptionalString(member.Role),
			ExplicitRole: kit.OptionalString(member.ExplicitRole()),
			GrantSource:  kit.OptionalString(member.GrantSource),
		})
	}
}
