// Package postgresname has the rules for names that PostgreSQL keeps, which several nouns create or go by.
package postgresname

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// Database refuses what can't be the name of a database. No path leads to what is called "." or "..".
func Database() []validator.String {
	return append(kit.PostgresName(), stringvalidator.NoneOf(".", ".."))
}

// CheckDatabase looks for the database that a plan names anew in database_name.
func CheckDatabase(ctx context.Context, p kit.Planning, in kit.InBranch, name types.String) {
	p.CheckNamed(ctx, in, "database_name", name,
		func(api *client.Client, branch client.BranchRef, name string) error {
			_, err := api.GetSharedDatabase(ctx, branch, name, 0)
			return err
		})
}

// Role refuses what PostgreSQL doesn't take as the name of a role, and warns of the names that Neon keeps for itself.
func Role() validator.String { return kit.TextRule(checkRole) }

// checkRole refuses what PostgreSQL doesn't take as a name, and warns of the names that Neon keeps for itself: that
// list is Neon's, and may change.
func checkRole(at path.Path, name string, diags *diag.Diagnostics) {
	reserved := []string{"neon_superuser", "cloud_admin", "zenith_admin"}
	switch {
	case name == "" || len(name) > kit.LongestName:
		diags.AddAttributeError(at, "Invalid name of a role",
			fmt.Sprintf("%s must be 1 to 63 bytes long, got: %s, which has %d.", at, kit.Quoted(name), len(name)))
	case name == "." || name == "..":
		diags.AddAttributeError(at, "Invalid name of a role", fmt.Sprintf("%s = %s: no path leads to what is called so, so "+
			"that Neon couldn't be asked for the role. Choose another name.", at, kit.Quoted(name)))
	case strings.HasPrefix(name, "pg_") || name == "public" || name == "none":
		diags.AddAttributeError(at, "Reserved name of a role", fmt.Sprintf("PostgreSQL refuses %s = %s: names that begin "+
			"with pg_, public and none are its own. Choose another name.", at, kit.Quoted(name)))
	case strings.HasPrefix(name, "pg") || slices.Contains(reserved, name):
		diags.AddAttributeWarning(at, "Reserved name of a role", fmt.Sprintf("Neon keeps the name %s for itself, so it "+
			"will probably refuse to create the role. Choose another name.", kit.Quoted(name)))
	}
}
