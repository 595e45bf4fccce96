//go:build unix

package main

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestFinishEndsTheWholeGroup(t *testing.T) {
	ended := errors.New("ended")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 200*time.Millisecond, ended)
	defer cancel()
	// The shell and its child both hold the pipe: were one left, Run would wait.
	cmd := command(ctx, "sh", "-c", "sleep 60 & sleep 60")
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	if err := finish(ctx, cmd); !errors.Is(err, ended) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(started); took > patience/2 {
		t.Errorf("took %s", took)
	}
}

func TestExitCode(t *testing.T) {
	err := finish(t.Context(), command(t.Context(), "sh", "-c", "exit 2"))
	if code := exitCode(err); code != changesPlanned {
		t.Errorf("got %d", code)
	}
	if code := exitCode(nil); code != -1 {
		t.Errorf("got %d for no error", code)
	}
}
