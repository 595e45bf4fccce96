package client

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// LevelTrace is below slog's debug level: the bodies of requests and answers.
const LevelTrace = slog.LevelDebug - 4

const masked = "***"

// secretFields are the JSON fields that hold a secret, or a URL that is one.
var secretFields = map[string]bool{
	"key": true, "password": true, "connection_string": true, "connection_uri": true, "uri": true,
	"claim_url": true, "token": true, "access_token": true, "refresh_token": true,
}

// secretText finds tokens and passwords in text that isn't in such a field.
var secretText = regexp.MustCompile(`napi_[A-Za-z0-9_-]+|npg_[A-Za-z0-9_-]+|://[^/\s"]+@`)

// claimableID finds the ids of claimable databases.
var claimableID = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)

// shownPath is the path as errors and logs show it. The id of a claimable database opens
// it to whoever knows it, so there the route stands for it.
func (r call) shownPath() string {
	if r.api == claimAPI {
		return r.api.prefix() + r.route
	}
	return r.api.prefix() + r.path()
}

// hideID takes the ids of claimable databases out of what their API says.
func (r call) hideID(text string) string {
	if r.api == claimAPI {
		return claimableID.ReplaceAllString(text, masked)
	}
	return text
}

// secrets are the values that are known to be secret, wherever they stand.
type secrets []string

func secretsOf(values ...string) secrets {
	var secrets secrets
	for _, value := range values {
		if value != "" {
			secrets = append(secrets, value)
		}
	}
	return secrets
}

func (e *exchange) log(
	ctx context.Context, request *http.Request, response *http.Response, body []byte, err error, took time.Duration,
) {
	if !e.logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	what := routeOf(ctx)
	fields := []slog.Attr{
		slog.String("method", request.Method),
		slog.String("path", what.shownPath()),
		slog.String("query", request.URL.RawQuery),
		slog.String("request_id", request.Header.Get("X-Request-Id")),
		slog.Int64("duration_ms", took.Milliseconds()),
	}
	if response != nil {
		fields = append(fields, slog.Int("status", response.StatusCode))
	}
	if err != nil {
		fields = append(fields, slog.String("error", what.hideID(e.secrets.maskText(err.Error()))))
	}
	e.logger.LogAttrs(ctx, slog.LevelDebug, "request to the platform", fields...)
	if !e.logger.Enabled(ctx, LevelTrace) {
		return
	}
	fields = append(fields, slog.String("response_body", what.hideID(e.secrets.mask(body))))
	if request.GetBody != nil {
		if sent, err := request.GetBody(); err == nil {
			fields = append(fields, slog.String("request_body", what.hideID(e.secrets.mask(readAll(sent)))))
		}
	}
	e.logger.LogAttrs(ctx, LevelTrace, "bodies of the request", fields...)
}

// mask takes the secrets out of a body. It parses, because secrets come in
// answers of many shapes; what isn't JSON is not shown.
func (s secrets) mask(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	var value any
	if json.Unmarshal(body, &value) != nil {
		return "(not JSON, not shown)"
	}
	text, err := json.Marshal(s.maskValue(value))
	if err != nil {
		return "(not shown)"
	}
	return s.maskText(string(text))
}

func (s secrets) maskText(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, masked)
	}
	return secretText.ReplaceAllString(text, masked)
}

// maskValue masks texts before they are encoded, since a secret may look
// different in JSON.
func (s secrets) maskValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			if field != nil && secretFields[strings.ToLower(name)] {
				value[name] = masked
				continue
			}
			value[name] = s.maskValue(field)
		}
	case []any:
		for i := range value {
			value[i] = s.maskValue(value[i])
		}
	case string:
		return s.maskText(value)
	}
	return value
}
