package client

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// LongestBaseURL is far above any address that a host serves.
const LongestBaseURL = 2048

// ValidateBaseURL returns an error unless raw is an absolute https URL without user, query,
// fragment, or a path but that of an API. http is allowed to loopback only, since requests carry the key.
func ValidateBaseURL(raw string) error {
	_, err := parseBaseURL(raw, "")
	return err
}

// parseBaseURL parses an address with or without the path prefix, and returns it with the prefix.
func parseBaseURL(raw, prefix string) (*url.URL, error) {
	if len(raw) > LongestBaseURL {
		return nil, fmt.Errorf("it has %d characters, of which an address has %d at most", len(raw), LongestBaseURL)
	}
	address, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		// The parser's own message repeats the text, which may hold a password.
		return nil, errors.New("not a URL")
	}
	switch {
	case address.Scheme == "":
		return nil, errors.New("it has no scheme; write https:// before the host, as in https://console.neon.tech")
	case address.Hostname() == "":
		return nil, errors.New("it names no host, as https://console.neon.tech does")
	case address.Scheme != "https" && address.Scheme != "http":
		return nil, errors.New("its scheme must be https, as in https://console.neon.tech")
	case address.User != nil:
		return nil, errors.New("a user name or password can't be part of it")
	case address.RawQuery != "", address.Fragment != "":
		return nil, errors.New("a query or fragment can't be part of it")
	case address.Scheme == "http" && !isLoopback(address.Hostname()):
		return nil, errors.New("http is allowed to loopback only; use https")
	}
	path := strings.TrimRight(address.Path, "/")
	if path != "" && !slices.ContainsFunc([]api{controlAPI, claimAPI, claimableNeonAPI},
		func(a api) bool { return strings.HasSuffix(path, a.prefix()) }) {
		return nil, errors.New("its path must be empty or end with /api/v2 (/api/v1 for claim_base_url, /v1 for " +
			"claimable_neon_base_url), as in https://console.neon.tech or https://proxy.example/neon/api/v2")
	}
	if other := map[string]string{controlAPI.prefix(): claimAPI.prefix(),
		claimAPI.prefix(): controlAPI.prefix()}[prefix]; other != "" && strings.HasSuffix(path, other) {
		return nil, fmt.Errorf("its path ends in %s, which is that of another API; leave it out, or write %s", other, prefix)
	}
	if prefix != "" {
		path = strings.TrimSuffix(path, prefix) + prefix
	}
	return &url.URL{Scheme: address.Scheme, Host: address.Host, Path: path}, nil
}

// isLoopback takes any name below .localhost for loopback without asking a resolver (RFC 6761, section 6.3).
func isLoopback(host string) bool {
	if isLocalhost(host) {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func isLocalhost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
