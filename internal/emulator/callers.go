package emulator

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// checkCaller refuses what web pages of others could send to this machine: requests
// under a name that leads here by an entry in somebody's DNS, and requests of pages
// that the emulator didn't serve. Programs send neither Origin nor Sec-Fetch-Site. Other machines know one that is
// exposed to them by names of their own.
func (e *Emulator) checkCaller(r *http.Request) error {
	if !e.config.Exposed && !loopback(hostname(r.Host)) {
		return wire.Refuse(http.StatusForbidden,
			"the emulator answers only on loopback addresses, localhost and names below it, not on %q", r.Host)
	}
	foreign := r.Header.Get("Sec-Fetch-Site") == "cross-site" && !followsLink(r)
	if origin := r.Header.Get("Origin"); origin != "" {
		page, err := url.Parse(origin)
		foreign = foreign || err != nil || page.Host != r.Host
	}
	if foreign && !e.allowsPage(r) {
		return wire.Refuse(http.StatusForbidden, "the emulator answers no web pages but its own, and those of "+
			"-allow-origin at /sql, /v2 and signed addresses")
	}
	return nil
}

// allowsPage reports whether a request is of a page that the emulator's owner named, to where each request bears a
// secret of its own: the databases without sockets, and signed addresses of files.
func (e *Emulator) allowsPage(r *http.Request) bool {
	isFile := strings.HasPrefix(r.URL.Path, "/_storage/")
	return slices.Contains(e.config.AllowedOrigins, r.Header.Get("Origin")) &&
		(isFile || slices.Contains([]string{"/sql", "/v1", "/v2"}, r.URL.Path))
}

// allowFiles lets a page that is allowed to read a signed address's answer do so. It reports whether the request only
// asks for that.
func (e *Emulator) allowFiles(w http.ResponseWriter, r *http.Request) (isAsked bool) {
	if !strings.HasPrefix(r.URL.Path, "/_storage/") || !e.allowsPage(r) {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	w.Header().Set("Access-Control-Expose-Headers", "ETag")
	w.Header().Set("Vary", "Origin")
	if r.Method != http.MethodOptions {
		return false
	}
	w.Header().Set("Access-Control-Allow-Methods", "GET, HEAD, PUT")
	w.Header().Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	w.WriteHeader(http.StatusNoContent)
	return true
}

// checkPeer refuses what needs no key, the control path and the page, to other machines. Where there is a token, who
// bears it may come from anywhere, and nobody else from here; a browser asks for it as a password.
func (e *Emulator) checkPeer(r *http.Request) error {
	if e.config.Token != "" {
		_, given, _ := r.BasicAuth()
		if token, bears := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); bears {
			given = token
		}
		if subtle.ConstantTimeCompare([]byte(given), []byte(e.config.Token)) != 1 {
			return wire.Refuse(http.StatusUnauthorized, "the control path and the page need the emulator's token, as a bearer "+
				"token or as a password for any name")
		}
		return nil
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() || !loopback(hostname(r.Host)) {
		return wire.Refuse(http.StatusForbidden, "the control path is for this machine alone")
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
