package provider

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// newLogger returns a logger that writes to Terraform's log, or nil if no log is enabled: masking takes much of the
// time of a large plan, most of it for bodies, which only TRACE shows.
func newLogger() *slog.Logger {
	var levels []string
	for _, variable := range os.Environ() {
		name, level, _ := strings.Cut(variable, "=")
		isLog := strings.HasPrefix(name, "TF_LOG") || strings.HasPrefix(name, "TF_ACC_LOG")
		if isLog && level != "" && !strings.EqualFold(level, "OFF") { // As quietUnlessAsked sets it.
			levels = append(levels, strings.ToUpper(level))
		}
	}
	if levels == nil {
		return nil
	}
	// Terraform treats unknown levels as TRACE.
	isBrief := func(level string) bool { return slices.Contains([]string{"DEBUG", "INFO", "WARN", "ERROR"}, level) }
	if slices.ContainsFunc(levels, func(level string) bool { return !isBrief(level) }) {
		return slog.New(logHandler{lowest: client.LevelTrace})
	}
	return slog.New(logHandler{lowest: slog.LevelDebug})
}

// logHandler forwards slog records to Terraform's log, whose logger is in the context of each request and filters by
// level.
type logHandler struct {
	lowest slog.Level
	attrs  []slog.Attr
	group  string
}

// Enabled skips records below the lowest level that Terraform's log may show.
func (h logHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.lowest }

func (h logHandler) Handle(ctx context.Context, record slog.Record) error {
	fields := map[string]any{}
	for _, attr := range h.attrs {
		fields[attr.Key] = fieldValue(attr)
	}
	record.Attrs(func(attr slog.Attr) bool {
		fields[h.group+attr.Key] = fieldValue(attr)
		return true
	})
	// The client masks secrets itself; this masks them again.
	ctx = tflog.MaskFieldValuesWithFieldKeys(ctx, client.SecretFields()...)
	ctx = tflog.MaskAllFieldValuesRegexes(ctx, client.SecretText)
	ctx = tflog.MaskMessageRegexes(ctx, client.SecretText)
	switch {
	case record.Level <= client.LevelTrace:
		tflog.Trace(ctx, record.Message, fields)
	case record.Level <= slog.LevelDebug:
		tflog.Debug(ctx, record.Message, fields)
	case record.Level <= slog.LevelInfo:
		tflog.Info(ctx, record.Message, fields)
	case record.Level <= slog.LevelWarn:
		tflog.Warn(ctx, record.Message, fields)
	default:
		tflog.Error(ctx, record.Message, fields)
	}
	return nil
}

// fieldValue returns an error's text, since only text is masked.
func fieldValue(attr slog.Attr) any {
	value := attr.Value.Resolve().Any()
	if err, ok := value.(error); ok {
		return err.Error()
	}
	return value
}

// WithAttrs returns a handler that adds fields to every record.
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.attrs = slices.Clone(h.attrs)
	for _, attr := range attrs {
		h.attrs = append(h.attrs, slog.Attr{Key: h.group + attr.Key, Value: attr.Value})
	}
	return h
}

// WithGroup returns a handler that puts a group's name before the fields' names.
func (h logHandler) WithGroup(name string) slog.Handler {
	if name != "" {
		h.group += name + "."
	}
	return h
}
