package provider

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

func TestLogHandlerForwards(t *testing.T) {
	t.Parallel()
	var output bytes.Buffer
	ctx := tflogtest.RootLogger(context.Background(), &output)
	logger := slog.New(logHandler{lowest: client.LevelTrace})
	logger.Log(ctx, client.LevelTrace, "bodies", "response_body", "{}")
	logger.DebugContext(ctx, "request", "status", 200)
	logger.With("project", "p-1").WithGroup("wait").InfoContext(ctx, "waiting", "left", 2)
	logger.WarnContext(ctx, "failed once")
	logger.ErrorContext(ctx, "given up", "error", errors.New("no more"))
	got, err := tflogtest.MultilineJSONDecode(&output)
	if err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{
		{"@level": "trace", "@message": "bodies", "response_body": "{}"},
		{"@level": "debug", "@message": "request", "status": 200.0},
		{"@level": "info", "@message": "waiting", "project": "p-1", "wait.left": 2.0},
		{"@level": "warn", "@message": "failed once"},
		{"@level": "error", "@message": "given up", "error": "no more"},
	}
	for _, line := range got {
		delete(line, "@module")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestLogHandlerMasks(t *testing.T) {
	t.Parallel()
	const secret = "napi_abc123"
	var output bytes.Buffer
	ctx := tflogtest.RootLogger(context.Background(), &output)
	logger := slog.New(logHandler{lowest: slog.LevelDebug})
	logger.DebugContext(ctx, "made "+secret, "key", "s3cret-one", "password", "s3cret-two", "body", "the key "+secret,
		"url", "postgresql://owner:s3cret-three@host.example/db", "path", "/roles/postgresql:%2F%2Fowner:s3cret-four@host.example",
		"query", "role_name=postgresql%3A%2F%2Fowner%3As3cret-five%40host.example", "error", errors.New("no "+secret),
		"bare_path", "/roles/owner:s3cret-six@host.example", "bare_query", "a=b&role_name=owner%3As3cret-seven%40host.example")
	if !bytes.Contains(output.Bytes(), []byte("made ***")) {
		t.Errorf("the log is %s", output.String())
	}
	for _, unwanted := range []string{secret, "s3cret"} {
		if bytes.Contains(output.Bytes(), []byte(unwanted)) {
			t.Errorf("%q is in the log: %s", unwanted, output.String())
		}
	}
}

// Where nobody reads a log, none is written, also by a program that has turned the framework's
// off: masking what each request has would take time for nothing.
func TestLogIsWrittenWhereItIsRead(t *testing.T) {
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "TF_") {
			t.Setenv(name, "")
		}
	}
	t.Setenv("TF_LOG_SDK", "")
	quietUnlessAsked()
	if newLogger() != nil {
		t.Error("a log is written, which nobody has asked for")
	}
	for level, bodies := range map[string]bool{"debug": false, "WARN": false, "trace": true, "JSON": true,
		"unknown": true} {
		t.Setenv("TF_LOG", level)
		logger := newLogger()
		if logger == nil || !logger.Enabled(t.Context(), slog.LevelDebug) {
			t.Errorf("%s: no log is written", level)
		} else if logger.Enabled(t.Context(), client.LevelTrace) != bodies {
			t.Errorf("%s: bodies are written: %t", level, !bodies)
		}
	}
}
