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
var secretText = regexp.MustCompile(`napi_[A-Za-z0-9]+|npg_[A-Za-z0-9]+|://[^/\s"@]+@`)

func secretsOf(values ...string) []string {
	var secrets []string
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
	fields := []slog.Attr{
		slog.String("method", request.Method),
		slog.String("path", request.URL.Path),
		slog.String("query", request.URL.RawQuery),
		slog.String("request_id", request.Header.Get("X-Request-Id")),
		slog.Int64("duration_ms", took.Milliseconds()),
	}
	if response != nil {
		fields = append(fields, slog.Int("status", response.StatusCode))
	}
	if err != nil {
		fields = append(fields, slog.String("error", e.maskText(err.Error())))
	}
	e.logger.LogAttrs(ctx, slog.LevelDebug, "request to the platform", fields...)
	if !e.logger.Enabled(ctx, LevelTrace) {
		return
	}
	fields = append(fields, slog.String("response_body", e.mask(body)))
	if request.GetBody != nil {
		if sent, err := request.GetBody(); err == nil {
			fields = append(fields, slog.String("request_body", e.mask(readAll(sent))))
		}
	}
	e.logger.LogAttrs(ctx, LevelTrace, "bodies of the request", fields...)
}

// mask takes the secrets out of a body. It parses, because secrets come in
// answers of many shapes; what isn't JSON is not shown.
func (e *exchange) mask(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	var value any
	if json.Unmarshal(body, &value) != nil {
		return "(not JSON, not shown)"
	}
	text, err := json.Marshal(maskValue(value))
	if err != nil {
		return "(not shown)"
	}
	return e.maskText(string(text))
}

func (e *exchange) maskText(text string) string {
	for _, secret := range e.secrets {
		text = strings.ReplaceAll(text, secret, masked)
	}
	return secretText.ReplaceAllString(text, masked)
}

func maskValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			if _, isText := field.(string); isText && secretFields[name] {
				value[name] = masked
				continue
			}
			value[name] = maskValue(field)
		}
	case []any:
		for i := range value {
			value[i] = maskValue(value[i])
		}
	}
	return value
}
