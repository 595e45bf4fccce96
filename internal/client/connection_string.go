package client

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// poolerSuffix ends the first label of the host name of an endpoint's pooler.
const poolerSuffix = "-pooler"

// What is wrong with a text that should be a connection URL. None repeats the text, which may hold a password.
var (
	errConnectionScheme = errors.New("must be a connection URL that begins with postgresql:// or postgres://")
	errConnectionURL    = errors.New("must be a valid connection URL, such as postgresql://user:password@host/database; " +
		"special characters in the user and the password must be percent-encoded")
	errConnectionHost = errors.New("must be a connection URL with one host name, which is that of an endpoint, such as " +
		"ep-cool-breeze-a1b2c3d4.us-east-2.aws.neon.tech")
)

// endpointHost is a host name with a domain, and maybe a port.
var endpointHost = regexp.MustCompile(`^([A-Za-z0-9_-]+)(\.[A-Za-z0-9_-]+)+\.?(:[0-9]*)?$`)

// ConnectionString is a connection URL, split around the first label of the host name,
// in which pooled and direct differ. Everything else is kept byte for byte.
type ConnectionString struct {
	before, endpoint, suffix, after string
}

// ParseConnectionString splits a connection URL. Its error says what is expected, and never repeats the text.
func ParseConnectionString(text string) (ConnectionString, error) {
	scheme, rest, _ := strings.Cut(text, "://")
	if scheme != "postgresql" && scheme != "postgres" {
		return ConnectionString{}, errConnectionScheme
	}
	parsed, err := url.Parse(text)
	if err != nil {
		return ConnectionString{}, errConnectionURL
	}
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	host := authority[strings.LastIndex(authority, "@")+1:]
	// Where parsers could disagree about the host, the wrong part might change.
	if _, err := netip.ParseAddr(parsed.Hostname()); err == nil || host != parsed.Host || !endpointHost.MatchString(host) {
		return ConnectionString{}, errConnectionHost
	}
	start := len(scheme) + len("://") + len(authority) - len(host)
	end := start + strings.Index(host, ".")
	endpoint := withoutPooler(text[start:end])
	if endpoint == "" {
		return ConnectionString{}, errConnectionHost
	}
	return ConnectionString{text[:start], endpoint, text[start+len(endpoint) : end], text[end:]}, nil
}

// withoutPooler removes the suffix from a label, in any case and number.
func withoutPooler(label string) string {
	for strings.HasSuffix(strings.ToLower(label), poolerSuffix) {
		label = label[:len(label)-len(poolerSuffix)]
	}
	return label
}

// Direct is the URL that goes to the endpoint itself.
func (c ConnectionString) Direct() string { return c.before + c.endpoint + c.after }

// Pooled is the URL that goes through the endpoint's pooler.
func (c ConnectionString) Pooled() string {
	if strings.EqualFold(c.suffix, poolerSuffix) {
		return c.before + c.endpoint + c.suffix + c.after
	}
	return c.before + c.endpoint + poolerSuffix + c.after
}

// PooledConnectionString is the pooled form of a URL of Neon's. Any other text is returned unchanged.
func PooledConnectionString(direct string) string { return formOf(direct, ConnectionString.Pooled) }

// DirectConnectionString is the direct form of a URL of Neon's. Any other text is returned unchanged.
func DirectConnectionString(pooled string) string { return formOf(pooled, ConnectionString.Direct) }

func formOf(text string, form func(ConnectionString) string) string {
	parsed, err := ParseConnectionString(text)
	if err != nil {
		return text
	}
	return form(parsed)
}
