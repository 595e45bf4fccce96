package role

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_role: one role of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[client.Role]{
		Name: "role", Called: "role", By: "name", Given: kit.RequiredText("Exact name of the role."), Returns: returned,
		Text: "A PostgreSQL role of a branch, without its password.",
		Read: (*client.Client).GetSharedRole,
	})
}

// NewListDataSource returns neon_roles: the roles of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfBranch, kit.ListSource[client.Role]{
		Name: "roles", Returns: returned,
		Text: "The PostgreSQL roles of a branch, without their passwords, in Neon's order.",
	}, (*client.Client).ListRoles)
}

func returned(role client.Role) kit.Returned {
	return kit.Returned{
		"name":      kit.Returns("Name of the role.", types.StringValue(role.Name)),
		"protected": kit.Returns(protectedText, types.BoolValue(role.Protected)),
		"no_login": kit.Returns("Whether the role can't log in.",
			types.BoolValue(role.AuthenticationMethod == client.AuthenticationNoLogin)),
		"authentication_method": kit.Returns(methodText, kit.OptionalString(role.AuthenticationMethod)),
		"created_at":            kit.Returns(createdText, kit.OptionalTime(&role.CreatedAt)),
		"updated_at": kit.Returns("When the role last changed, as by a new password.",
			kit.OptionalTime(&role.UpdatedAt)),
	}
}
