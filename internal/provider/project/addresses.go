package project

import (
	"net/netip"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// checkAddresses refuses what can't be in a list of addresses that may connect.
func checkAddresses(at path.Path, text string, diags *diag.Diagnostics) {
	if !areAddresses(text) {
		diags.AddAttributeError(at, "Invalid address", "Each of "+at.ParentPath().String()+" must be an address such as "+
			"203.0.113.7, a range such as 203.0.113.7-203.0.113.20, or a CIDR block such as 203.0.113.0/24, got: "+
			kit.Quoted(text)+".")
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
