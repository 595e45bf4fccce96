// Package process runs the programs of benchmarks, attacks and tests, and sees to
// it that none of them, nor anything that they started, outlives their end. The
// provider doesn't use it.
package process

import (
	"context"
	"os/exec"
	"time"
)

// Patience is how long a program may take to stop when it is told to.
const Patience = 10 * time.Second

// Command prepares a program that runs in a process group of its own, so that a
// Ctrl-C reaches it through us: it is interrupted when the context ends, and killed
// with all that it started when it doesn't stop then.
func Command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, arguments...)
	ownGroup(cmd)
	cmd.Cancel = func() error { return interruptGroup(cmd) }
	cmd.WaitDelay = Patience
	return cmd
}

// Finish runs the command. What is left of its group afterwards is ended.
func Finish(ctx context.Context, cmd *exec.Cmd) error {
	err := cmd.Run()
	if cmd.Process != nil {
		endGroup(cmd)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// FinishSlowly runs the command on what is to it a machine of a fifth of the speed: its group is stopped for four
// fifths of the time.
func FinishSlowly(ctx context.Context, cmd *exec.Cmd) error {
	const runs, stops = 20 * time.Millisecond, 80 * time.Millisecond
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			endGroup(cmd)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		case <-time.After(runs):
		}
		if err := stopGroup(cmd); err == nil {
			time.Sleep(stops)
		}
		_ = continueGroup(cmd) // Where it has ended, that is seen above.
	}
}
