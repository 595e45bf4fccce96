package role

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// nameValidator refuses what PostgreSQL doesn't take as a name, and warns of the names that
// Neon keeps for itself: that list is Neon's, and may change.
type nameValidator struct{}

// Description says what is allowed.
func (nameValidator) Description(context.Context) string { return "must be 1 to 63 bytes long" }

// MarkdownDescription says the same.
func (v nameValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a name that is known.
func (v nameValidator) ValidateString(
	ctx context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	if !kit.IsSet(req.ConfigValue) {
		return
	}
	name := req.ConfigValue.ValueString()
	reserved := []string{"neon_superuser", "cloud_admin", "zenith_admin"}
	switch {
	case name == "" || len(name) > kit.LongestName:
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid name of a role",
			fmt.Sprintf("%s %s, got: %s, which has %d.", req.Path, v.Description(ctx), kit.Quoted(name), len(name)))
	case strings.HasPrefix(name, "pg_") || name == "public" || name == "none":
		resp.Diagnostics.AddAttributeError(req.Path, "Reserved name of a role", fmt.Sprintf(
			"PostgreSQL refuses %s = %s: names that begin with pg_, public and none are its own. Choose another name.", req.Path,
			kit.Quoted(name)))
	case strings.HasPrefix(name, "pg") || slices.Contains(reserved, name):
		resp.Diagnostics.AddAttributeWarning(req.Path, "Reserved name of a role", fmt.Sprintf(
			"Neon keeps the name %s for itself, so it will probably refuse to create the role. Choose another name.",
			kit.Quoted(name)))
	}
}
