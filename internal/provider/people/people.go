// Package people is what nouns about people share: their addresses, and their roles in an organization.
package people

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// emailPattern is the form of an email address, as loose as Neon's description of its API.
var emailPattern = regexp.MustCompile(`^[^@]+@[^@<>",\s]+$`)

// EmailValidators refuses what can't be an email address.
func EmailValidators() []validator.String {
	return []validator.String{stringvalidator.LengthBetween(1, 256),
		stringvalidator.RegexMatches(emailPattern, "must be an email address")}
}

// OrgRoleValidators refuses what isn't a role in an organization.
func OrgRoleValidators() []validator.String {
	return []validator.String{stringvalidator.OneOf("admin", "editor", "member", "viewer", "collaborator")}
}

// Spelling keeps a text as it is written in the state where another one means the same.
type Spelling struct {
	kit.Unsaid

	same func(one, other string) bool
	// replaces is true where a text that means something else replaces the resource.
	replaces bool
}

// SameEmail is the spelling of an email address, of which the case of letters doesn't matter.
// Another address replaces the resource.
func SameEmail() Spelling { return Spelling{same: strings.EqualFold, replaces: true} }

// SameOrgRole is the spelling of a role in an organization, of which one has two names.
func SameOrgRole(replaces bool) Spelling {
	return Spelling{same: client.IsSameRole, replaces: replaces}
}

// Keep returns the text as it was written, unless the actual one means something else.
func (s Spelling) Keep(written types.String, actual string) types.String {
	if s.same(written.ValueString(), actual) {
		return written
	}
	return kit.OptionalString(actual)
}

// PlanModifyString plans a change of a resource that exists.
func (s Spelling) PlanModifyString(
	_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse,
) {
	switch {
	case req.State.Raw.IsNull() || req.Plan.Raw.IsNull():
	case !req.PlanValue.IsUnknown() && s.same(req.PlanValue.ValueString(), req.StateValue.ValueString()):
		resp.PlanValue = req.StateValue
	default:
		resp.RequiresReplace = s.replaces
	}
}
