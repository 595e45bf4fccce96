//go:build unix

package process

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
	cmd := Command(ctx, "sh", "-c", "sleep 60 & sleep 60")
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	if err := Finish(ctx, cmd); !errors.Is(err, ended) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(started); took >= Patience {
		t.Errorf("took %s", took)
	}
}
