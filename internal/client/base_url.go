package client

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// ValidateBaseURL returns an error unless raw is an absolute https URL without user,
// query or fragment. http is allowed to loopback only, since requests carry the key.
func ValidateBaseURL(raw string) error {
	_, err := parseBaseURL(raw, "")
	return err
}

// parseBaseURL parses an address with or without the path prefix, and returns it with
// the prefix.
func parseBaseURL(raw, prefix string) (*url.URL, error) {
	address, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		// The parser's own message repeats the text, which may hold a password.
		return nil, errors.New("not a URL")
	}
	switch {
	case address.Scheme != "https" && address.Scheme != "http", address.Hostname() == "":
		return nil, errors.New("not an absolute URL, such as https://console.neon.tech")
	case address.User != nil:
		return nil, errors.New("a user name or password can't be part of it")
	case address.RawQuery != "", address.Fragment != "":
		return nil, errors.New("a query or fragment can't be part of it")
	case address.Scheme == "http" && !isLoopback(address.Hostname()):
		return nil, errors.New("http is allowed to loopback only; use https")
	}
	path := strings.TrimRight(address.Path, "/")
	if prefix != "" {
		path = strings.TrimSuffix(path, prefix) + prefix
	}
	return &url.URL{Scheme: address.Scheme, Host: address.Host, Path: path}, nil
}

// isLoopback takes any name below .localhost for loopback without asking a
// resolver (RFC 6761, section 6.3).
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
