package branch

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var (
	agePattern = regexp.MustCompile(`^[1-9]\d{0,5}[mhd]$`)
	ageUnits   = map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
)

// optionalAge is an age that a list can be narrowed by.
func optionalAge(text string) schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: text + " For example `30d`, `36h` or `90m`, by Neon's clock.", Optional: true,
		Validators: []validator.String{stringvalidator.RegexMatches(agePattern, "must be a number of days, hours or "+
			"minutes, such as 30d, 36h or 90m")},
	}
}

// durationOf is the duration of an age; 0 where there is none.
func durationOf(configured types.String) time.Duration {
	text := configured.ValueString()
	if !agePattern.MatchString(text) {
		return 0
	}
	unit := text[len(text)-1:]
	count, _ := strconv.Atoi(strings.TrimSuffix(text, unit)) // The pattern says so.
	return time.Duration(count) * ageUnits[unit]
}
