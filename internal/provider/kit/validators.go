package kit

import (
	"net/url"
	"regexp"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// uuidPattern is a UUID as Neon writes it, by which it is found in lists.
var uuidPattern = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// IsUUID reports whether a text is a UUID.
func IsUUID(text string) bool { return uuidPattern.MatchString(text) }

// UUIDValidators refuses what isn't a UUID.
func UUIDValidators() []validator.String {
	return []validator.String{stringvalidator.RegexMatches(uuidPattern, "must be a UUID in lower case")}
}

// IsBaseURL refuses what can't be the address of an API.
func IsBaseURL() validator.String {
	return TextRule(func(at path.Path, address string, diags *diag.Diagnostics) {
		if problem := BaseURLProblem(address); problem != "" {
			diags.AddAttributeError(at, "Invalid "+at.String(), at.String()+" "+problem)
		}
	})
}

// BaseURLProblem returns what is wrong with the address of an API, or "". It doesn't repeat an address that may hold a
// password.
func BaseURLProblem(address string) string {
	err := client.ValidateBaseURL(address)
	if err == nil {
		return ""
	}
	problem := "isn't the address of an API: " + err.Error()
	if parsed, err := url.Parse(address); err == nil && parsed.User == nil && parsed.RawQuery == "" &&
		parsed.Fragment == "" && len(address) <= client.LongestBaseURL {
		problem += ", got: " + Quoted(address)
	}
	return problem + "."
}

// httpsURL is an address that begins with https:// and a host.
var httpsURL = regexp.MustCompile(`^https://[^\s/?#@]+([/?#]\S*)?$`)

// IsHTTPS refuses what isn't the https address of a page.
func IsHTTPS() validator.String {
	return stringvalidator.RegexMatches(httpsURL, "must be an address that begins with https:// and a host, such as "+
		"https://shop.example.com/path")
}

// IsTimeout refuses what isn't a time to wait, such as "0s".
func IsTimeout() validator.String {
	return TextRule(func(at path.Path, text string, diags *diag.Diagnostics) {
		if timeout, err := time.ParseDuration(text); err != nil || timeout <= 0 {
			diags.AddAttributeError(at, "Invalid timeout", at.String()+" must be a duration above zero, such as 30s, 10m or "+
				"1h30m, got: "+Quoted(text)+".")
		}
	})
}
