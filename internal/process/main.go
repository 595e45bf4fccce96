package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Main does the work of a program until it is done, is interrupted or has taken too
// long, and returns the program's exit code. What failed is told after the words given.
func Main(longest time.Duration, stderr io.Writer, failed string, work func(context.Context) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeoutCause(ctx, longest, fmt.Errorf("not done after %s", longest))
	defer cancel()
	err := work(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(context.Cause(ctx), context.Canceled):
		_, _ = fmt.Fprintln(stderr, "\nInterrupted; everything is cleaned up.")
		return 130
	}
	_, _ = fmt.Fprintf(stderr, "\n%s: %v\n", failed, err)
	return 1
}
