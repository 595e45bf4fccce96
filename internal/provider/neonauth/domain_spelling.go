package neonauth

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// sameDomain plans the spelling of the state where another one is configured.
type sameDomain struct{}

// Description says what is planned.
func (sameDomain) Description(context.Context) string { return "another spelling changes nothing" }

// MarkdownDescription says the same.
func (m sameDomain) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

// PlanModifyString compares both as Neon does.
func (sameDomain) PlanModifyString(
	_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse,
) {
	if kit.IsSet(req.StateValue) && kit.IsSet(req.PlanValue) &&
		(client.AuthDomain{Domain: req.StateValue.ValueString()}).IsDomain(req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}

var (
	// trustedHost is the host of an address on the web, which may begin with any, and may have a port.
	trustedHost = regexp.MustCompile(`^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9*]{1,5})?/?$|` +
		`^\[[0-9A-Fa-f:.]+\](:[0-9*]{1,5})?/?$`)
	// anyHost has only what each host has, such as https://*.
	anyHost = regexp.MustCompile(`^\*(\.\*)*(:[0-9*]{1,5})?/?$`)
)

// trustedValidator refuses what nobody can be sent back to, and warns of what sends people anywhere.
type trustedValidator struct{}

// Description says what is allowed.
func (trustedValidator) Description(context.Context) string {
	return "must be a scheme and a host without a path, such as https://shop.example.com, https://*.example.com or " +
		"http://localhost:3000, or the scheme of an app, such as myapp://"
}

// MarkdownDescription says the same.
func (v trustedValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a value that is known.
func (v trustedValidator) ValidateString(
	ctx context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	scheme, rest, isFound := strings.Cut(req.ConfigValue.ValueString(), "://")
	if !kit.IsSet(req.ConfigValue) || !isFound {
		return
	}
	isRefused := strings.ContainsAny(rest, " \t\r\n?#@")
	switch strings.ToLower(scheme) {
	case "http", "https":
		if anyHost.MatchString(rest) {
			resp.Diagnostics.AddAttributeWarning(req.Path, "Any address is trusted", req.ConfigValue.ValueString()+
				" sends people who have signed in to any address, with what signs them in there. Name the hosts of your "+
				"application instead, such as https://*.example.com.")
			return
		}
		isRefused = isRefused || !trustedHost.MatchString(rest)
	case "javascript", "data", "vbscript", "file", "about", "blob":
		isRefused = true
	}
	if isRefused {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid domain", req.Path.String()+" "+v.Description(ctx)+", got: "+
			kit.Quoted(req.ConfigValue.ValueString())+".")
	}
}
