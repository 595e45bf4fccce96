// Package people is what nouns about people share: their addresses, and their roles in an organization.
package people

import (
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// emailPattern is the form of an email address, as loose as Neon's description of its API, but without the blanks that
// splitting a list of them leaves.
var emailPattern = regexp.MustCompile(`^[^@\s]+@[^@<>",\s]+$`)

// EmailValidators refuses what can't be an email address.
func EmailValidators() []validator.String {
	return []validator.String{stringvalidator.LengthBetween(1, 256),
		stringvalidator.RegexMatches(emailPattern, "must be an email address")}
}

// OrgRoleValidators refuses what isn't a role in an organization.
func OrgRoleValidators() []validator.String {
	return []validator.String{stringvalidator.OneOf("admin", "editor", "member", "viewer", "collaborator")}
}

// EmailAttribute is the address of somebody to whom Neon writes.
func EmailAttribute(text string) schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: text + " At most 256 bytes. The case of letters doesn't matter. Changing it replaces the " +
			"resource.",
		Required: true, Validators: EmailValidators(), PlanModifiers: SameEmail(),
	}
}

// SameEmail plans no change if only the case of letters differs. Another address replaces the resource.
func SameEmail() []planmodifier.String {
	return []planmodifier.String{kit.KeepsSpelling(strings.EqualFold), stringplanmodifier.RequiresReplace()}
}

// SameOrgRole plans no change if a role in an organization, of which one has two names, only has the other.
func SameOrgRole() planmodifier.String { return kit.KeepsSpelling(client.IsSameRole) }

// Email is the address as it was written, unless the actual one is another. None is known where nothing was written
// and Neon returns none.
func Email(written types.String, actual string) types.String {
	if actual == "" {
		return kit.Known(written, types.StringNull())
	}
	return keep(written, actual, strings.EqualFold)
}

// OrgRole is the role as it was written, unless the actual one is another.
func OrgRole(written types.String, actual string) types.String {
	return keep(written, actual, client.IsSameRole)
}

func keep(written types.String, actual string, same func(one, other string) bool) types.String {
	if same(written.ValueString(), actual) {
		return written
	}
	return kit.OptionalString(actual)
}

// Invites notes that this run invites somebody to an organization, whom it may then give another role by the address.
func Invites(p kit.Planning, orgID, email types.String) {
	p.Names("invitation", orgID.ValueString(), strings.ToLower(email.ValueString()))
}

// WarnOfTwo warns of the second resource of one plan that has Neon write to somebody for a place.
func WarnOfTwo(p kit.Planning, noun string, place, email types.String) {
	p.WarnOfTwo(noun, path.Root("email"), place.ValueString(), strings.ToLower(email.ValueString()))
}

// IsInvited reports whether this run does: see Invites.
func IsInvited(p kit.Planning, orgID, email types.String) bool {
	return p.IsNaming("invitation", orgID.ValueString(), strings.ToLower(email.ValueString()))
}
