package project

import (
	"context"
	"net/netip"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// addressesValidator refuses what can't be in a list of addresses that may connect.
type addressesValidator struct{}

// Description says what is allowed.
func (addressesValidator) Description(context.Context) string {
	return "must be an address such as 203.0.113.7, a range such as 203.0.113.7-203.0.113.20, or a CIDR block such as " +
		"203.0.113.0/24"
}

// MarkdownDescription says the same.
func (v addressesValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

// ValidateString checks a value that is known.
func (v addressesValidator) ValidateString(
	ctx context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	text := req.ConfigValue.ValueString()
	if kit.IsSet(req.ConfigValue) && !areAddresses(text) {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid address",
			"Each of "+req.Path.ParentPath().String()+" "+v.Description(ctx)+", got: "+kit.Quoted(text)+".")
	}
}

// areAddresses reports whether a text is an address, a range of them, or a CIDR block.
func areAddresses(text string) bool {
	if _, err := netip.ParsePrefix(text); err == nil {
		return true
	}
	first, last, isRange := strings.Cut(text, "-")
	from, err := netip.ParseAddr(strings.TrimSpace(first))
	if err != nil || !isRange {
		return err == nil
	}
	to, err := netip.ParseAddr(strings.TrimSpace(last))
	return err == nil && from.Is4() == to.Is4() && from.Compare(to) <= 0
}
