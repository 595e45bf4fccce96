// Demo shows the provider at work on a machine that has nothing but Go: it builds
// the provider and the emulator, and lets the real terraform create, change and
// destroy everything in examples/quickstart. It runs in the repository's root
// folder, writes to a temporary folder alone, and removes it at the end, also when
// it is interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// longest is more than a slow machine needs.
const longest = 5 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeoutCause(ctx, longest, fmt.Errorf("not done after %s", longest))
	err := run(ctx, os.Stdout)
	interrupted := errors.Is(context.Cause(ctx), context.Canceled)
	cancel()
	stop()

	switch {
	case err == nil:
	case interrupted:
		fmt.Fprintln(os.Stderr, "\nInterrupted; everything is cleaned up.")
		os.Exit(130)
	default:
		fmt.Fprintln(os.Stderr, "\nThe demo failed:", err)
		os.Exit(1)
	}
}
