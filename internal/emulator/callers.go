package emulator

import (
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// checkCaller refuses what web pages of others could send to this machine: requests
// under a name that leads here by an entry in somebody's DNS, and requests of pages
// that the emulator didn't serve. Programs send neither Origin nor Sec-Fetch-Site.
func checkCaller(r *http.Request) error {
	if !loopback(hostname(r.Host)) {
		return refuse(http.StatusForbidden,
			"the emulator answers only on loopback addresses, localhost and names below it, not on %q", r.Host)
	}
	foreign := r.Header.Get("Sec-Fetch-Site") == "cross-site" && !followsLink(r)
	if origin := r.Header.Get("Origin"); origin != "" {
		page, err := url.Parse(origin)
		foreign = foreign || err != nil || page.Host != r.Host
	}
	if foreign {
		return refuse(http.StatusForbidden, "the emulator answers no web pages but its own")
	}
	return nil
}

// followsLink reports whether a person has followed a link to the emulator's page. The page that has the link can't
// read where it leads.
func followsLink(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.Path == "/" &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// hostname is a host without its port, and without the brackets of an IPv6 address.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// localName is a name below localhost. Hosts get into lines that people run in a shell, so one has the characters of
// host names alone.
var localName = regexp.MustCompile(`(?i)^([a-z0-9-]+\.)*localhost$`)

// loopback reports whether a host is this machine whatever DNS says (RFC 6761).
func loopback(host string) bool {
	return localName.MatchString(host) || net.ParseIP(host).IsLoopback()
}
