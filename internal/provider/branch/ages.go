package branch

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// optionalAge is an age that a list can be narrowed by.
func optionalAge(text string) schema.Attribute {
	return kit.OptionalText(text+" For example `30d`, `36h` or `90m`, by Neon's clock.", kit.TextRule(checkAge))
}

func checkAge(at path.Path, text string, diags *diag.Diagnostics) {
	if age, err := kit.ParseDuration(text); err != nil || age <= 0 {
		diags.AddAttributeError(at, "Invalid age",
			at.String()+" must be a duration above zero, such as 30d, 36h or 90m, got: "+kit.Quoted(text)+".")
	}
}

// durationOf is the duration that an attribute has; 0 for none.
func durationOf(configured types.String) time.Duration {
	duration, err := kit.ParseDuration(configured.ValueString())
	if err != nil {
		return 0
	}
	return duration
}
