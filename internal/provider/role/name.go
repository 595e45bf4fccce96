package role

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NameRule is checkName for the roles that other nouns create.
func NameRule() validator.String { return kit.TextRule(checkName) }

// checkName refuses what PostgreSQL doesn't take as a name, and warns of the names that Neon keeps for itself: that
// list is Neon's, and may change.
func checkName(at path.Path, name string, diags *diag.Diagnostics) {
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
