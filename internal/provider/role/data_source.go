package role

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_role: one role of a branch.
func NewDataSource() datasource.DataSource {
	attributes := listedAttributes()
	attributes["name"] = kit.RequiredText("Exact name of the role.")
	return kit.NewBranchSource(kit.BranchSource[dataModel]{
		Name: "role", Called: "role", By: "name", Schema: attributes,
		Text: "A PostgreSQL role of a branch, without its password.",
		Read: func(ctx context.Context, api *client.Client, m *dataModel) error {
			role, err := api.GetSharedRole(ctx, m.Branch(), m.Name.ValueString())
			if err == nil {
				m.listedRole = newListedRole(*role)
			}
			return err
		},
	})
}

// NewListDataSource returns neon_roles: the roles of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInBranch(kit.ListSource[client.Role, listedRole]{
		Name: "roles", Called: "roles", Attribute: "roles", Objects: "The roles.", Model: newListedRole,
		Text:   "The PostgreSQL roles of a branch, without their passwords, in Neon's order.",
		Schema: listedAttributes(),
	}, (*client.Client).ListRoles)
}

func listedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":                  kit.ReturnedString("Name of the role."),
		"protected":             kit.ReturnedBool(protectedText),
		"no_login":              kit.ReturnedBool("Whether the role can't log in."),
		"authentication_method": kit.ReturnedString(methodText),
		"created_at":            kit.ReturnedTime(createdText),
		"updated_at":            kit.ReturnedTime("When the role last changed, as by a new password."),
	}
}

type dataModel struct {
	kit.InBranch
	listedRole
}

type listedRole struct {
	Name                 types.String      `tfsdk:"name"`
	Protected            types.Bool        `tfsdk:"protected"`
	NoLogin              types.Bool        `tfsdk:"no_login"`
	AuthenticationMethod types.String      `tfsdk:"authentication_method"`
	CreatedAt            timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt            timetypes.RFC3339 `tfsdk:"updated_at"`
}

func newListedRole(role client.Role) listedRole {
	return listedRole{
		Name:                 types.StringValue(role.Name),
		Protected:            types.BoolValue(role.Protected),
		NoLogin:              types.BoolValue(role.AuthenticationMethod == client.AuthenticationNoLogin),
		AuthenticationMethod: kit.OptionalString(role.AuthenticationMethod),
		CreatedAt:            kit.OptionalTime(&role.CreatedAt),
		UpdatedAt:            kit.OptionalTime(&role.UpdatedAt),
	}
}
