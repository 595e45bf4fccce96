package client

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// LevelTrace is a level below slog's debug, for the bodies of requests and answers.
const LevelTrace = slog.LevelDebug - 4

const masked = "***"

// secretIDs matches ids that are secrets (hidesIDs).
var secretIDs = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)

// hideID masks ids that are secrets in what an API says about them.
func (r call) hideID(text string) string {
	if r.hidesIDs() {
		return secretIDs.ReplaceAllString(text, masked)
	}
	return text
}

func (t *attemptTransport) log(
	ctx context.Context, request *http.Request, response *http.Response, err error, waited, took time.Duration,
) {
	if !t.client.logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	what := attemptsOf(ctx)
	fields := []slog.Attr{
		slog.String("method", what.method),
		slog.String("path", what.shownPath()),
		slog.String("query", request.URL.RawQuery),
		slog.String("request_id", what.requestID),
		slog.Int64("duration_ms", took.Milliseconds()),
		slog.Int64("waited_ms", waited.Milliseconds()), // for the rate limits, before it was sent
	}
	if response != nil {
		fields = append(fields, slog.Int("status", response.StatusCode))
	}
	if err != nil {
		fields = append(fields, slog.String("error", what.hideID(t.client.apiKey.maskText(err.Error()))))
	}
	t.client.logger.LogAttrs(ctx, slog.LevelDebug, "request to the platform", fields...)
	if !t.client.logger.Enabled(ctx, LevelTrace) {
		return
	}
	fields = append(fields, slog.String("response_body", what.hideID(t.client.apiKey.mask(what.received))))
	if what.body != nil {
		sent, _ := json.Marshal(what.body) // It was sent, so it can be encoded.
		fields = append(fields, slog.String("request_body", what.hideID(t.client.apiKey.mask(sent))))
	}
	t.client.logger.LogAttrs(ctx, LevelTrace, "bodies of the request", fields...)
}

// ownKey is the client's own key, which is masked wherever it stands; empty for none.
type ownKey string

// mask removes the secrets from a body. It parses, since answers have many shapes, and shows nothing that isn't JSON.
func (k ownKey) mask(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	var value any
	if json.Unmarshal(body, &value) != nil {
		return "(not JSON, not shown)"
	}
	text, _ := json.Marshal(k.maskValue(value)) // What was decoded can be encoded.
	return k.maskText(string(text))
}

func (k ownKey) maskText(text string) string {
	if k != "" {
		text = strings.ReplaceAll(text, string(k), masked)
	}
	return SecretText.ReplaceAllString(text, masked)
}

// maskValue masks texts before they are encoded, since a secret may look different in JSON.
func (k ownKey) maskValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			if field != nil && IsSecretField(name) {
				value[name] = masked
				continue
			}
			value[name] = k.maskValue(field)
		}
	case []any:
		for i := range value {
			value[i] = k.maskValue(value[i])
		}
	case string:
		return k.maskText(value)
	}
	return value
}

// secretFields are the JSON fields that hold a secret, or a URL that is one, for all that masks secrets.
var secretFields = map[string]bool{
	"key": true, "password": true, "connection_string": true, "connection_uri": true, "uri": true,
	"claim_url": true, "token": true, "access_token": true, "client_secret": true, "secret_server_key": true,
	"refresh_token": true, "webhook_url": true,
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

// SecretText matches such keys, passwords and tokens, and the credentials of a URL, in other text, also in another URL
// and where the URL's scheme is missing.
var SecretText = regexp.MustCompile(`(?:` + SecretPrefixes + `)[A-Za-z0-9_-]+|(?::|%3A)(?:/|%2F){2}[^/\s"]+(?:@|%40)|` +
	`[^/\s":&=@]+(?::|%3A)[^/\s"&@]+(?:@|%40)`)
