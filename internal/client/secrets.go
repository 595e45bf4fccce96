package client

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// secretFields are the JSON fields that hold a secret, or a URL that is one, for all that masks secrets.
var secretFields = map[string]bool{
	"key": true, "password": true, "connection_string": true, "connection_uri": true, "uri": true,
	"claim_url": true, "token": true, "access_token": true, "client_secret": true, "secret_server_key": true,
	"refresh_token":      true,
	"identity_assertion": true, "claim_token": true, "database_url": true, "user_code": true,
	"verification_uri_complete": true, "start_url": true,
	"api_token": true, "s3_secret_access_key": true, "url": true, "headers": true,
	"api_key": true, "direct_connection_string": true, "authorization": true,
}

// SecretFields returns the names of the fields that hold a secret, in lower case and in order.
func SecretFields() []string { return slices.Sorted(maps.Keys(secretFields)) }

// IsSecretField reports whether a field of that name holds a secret.
func IsSecretField(name string) bool { return secretFields[strings.ToLower(name)] }

// SecretPrefixes matches what Neon's keys, passwords and tokens begin with.
const SecretPrefixes = `napi_|npg_|n(?:t|sk)_live_` //nolint:gosec // None is a secret.

// SecretText matches such keys, passwords and tokens, and the credentials of a URL, in other text.
var SecretText = regexp.MustCompile(`(?:` + SecretPrefixes + `)[A-Za-z0-9_-]+|://[^/\s"]+@`)
