package emulator

import (
	"net"
	"net/http"
	"net/url"
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
	foreign := r.Header.Get("Sec-Fetch-Site") == "cross-site"
	if origin := r.Header.Get("Origin"); origin != "" {
		page, err := url.Parse(origin)
		foreign = foreign || err != nil || page.Host != r.Host
	}
	if foreign {
		return refuse(http.StatusForbidden, "the emulator answers no web pages but its own")
	}
	return nil
}

// hostname is a host without its port, and without the brackets of an IPv6 address.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// loopback reports whether a host is this machine whatever DNS says (RFC 6761).
func loopback(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}
