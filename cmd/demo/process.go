package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// patience is how long a program may take to stop when it is told to.
const patience = 10 * time.Second

// command prepares a program that runs in a process group of its own, so that a
// Ctrl-C reaches it through us: it is interrupted when the context ends, and killed
// with all that it started when it doesn't stop then.
func command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, arguments...)
	ownGroup(cmd)
	cmd.Cancel = func() error { return interruptGroup(cmd) }
	cmd.WaitDelay = patience
	return cmd
}

// finish runs the command. What is left of its group afterwards is killed.
func finish(ctx context.Context, cmd *exec.Cmd) error {
	err := cmd.Run()
	if cmd.Process != nil {
		killGroup(cmd)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// build compiles packages of this module into the folder bin of the given one.
func build(ctx context.Context, out io.Writer, folder string, packages ...string) error {
	cmd := command(ctx, "go", append([]string{"build", "-o", programsFolder(folder) + "/"}, packages...)...)
	// An interrupted compiler may leave files there.
	cmd.Env = append(os.Environ(), "GOTMPDIR="+folder)
	cmd.Stdout, cmd.Stderr = out, out
	if err := finish(ctx, cmd); err != nil {
		return fmt.Errorf("unable to build: %w", err)
	}
	return nil
}

func programsFolder(folder string) string { return filepath.Join(folder, "bin") }

// exitCode is what the program left with, or -1 where that isn't the error.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}
