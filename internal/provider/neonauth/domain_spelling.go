package neonauth

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// isSameDomain compares two spellings as Neon does.
func isSameDomain(one, other string) bool { return (client.AuthDomain{Domain: one}).IsDomain(other) }

var (
	// trustedHost is the host of an address on the web, which may begin with any, and may have a port.
	trustedHost = regexp.MustCompile(`^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9*]{1,5})?/?$|` +
		`^\[[0-9A-Fa-f:.]+\](:[0-9*]{1,5})?/?$`)
	// anyHost has only what each host has, such as https://*.
	anyHost = regexp.MustCompile(`^\*(\.\*)*(:[0-9*]{1,5})?/?$`)
	// namedPort is the port of an address that says which one.
	namedPort = regexp.MustCompile(`:([0-9]+)/?$`)
)

// checkTrusted refuses what nobody can be sent back to, and warns of what sends people anywhere.
func checkTrusted(at path.Path, domain string, diags *diag.Diagnostics) {
	scheme, rest, isFound := strings.Cut(domain, "://")
	if !isFound {
		return
	}
	isRefused := strings.ContainsAny(rest, " \t\r\n?#@")
	switch strings.ToLower(scheme) {
	case "http", "https":
		if port := namedPort.FindStringSubmatch(rest); port != nil {
			if _, err := strconv.ParseUint(port[1], 10, 16); err != nil {
				diags.AddAttributeError(at, "Invalid domain", at.String()+" must have a port of at most 65535, got: "+
					kit.Quoted(domain)+".")
				return
			}
		}
		if anyHost.MatchString(rest) {
			diags.AddAttributeWarning(at, "Any address is trusted", domain+" sends people who have signed in to any "+
				"address, with what signs them in there. Name the hosts of your application instead, such as "+
				"https://*.example.com.")
			return
		}
		isRefused = isRefused || !trustedHost.MatchString(rest)
	case "javascript", "data", "vbscript", "file", "about", "blob":
		isRefused = true
	}
	if isRefused {
		diags.AddAttributeError(at, "Invalid domain", at.String()+" must be a scheme and a host without a path, such as "+
			"https://shop.example.com, https://*.example.com or http://localhost:3000, or the scheme of an app, such as "+
			"myapp://, got: "+kit.Quoted(domain)+".")
	}
}
