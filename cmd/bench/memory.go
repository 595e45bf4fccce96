package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

var (
	// reattachLine is where a provider that was started by hand says how to reach it.
	reattachLine = regexp.MustCompile(`TF_REATTACH_PROVIDERS='(.*)'`)
	// peakLine is where Linux says how much memory a process had at most.
	peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
)

// peaks is how often each is measured.
const peaks = 3

// memoryBenchmark compares what the providers have in memory.
func memoryBenchmark() benchmark {
	return benchmark{
		rows: []row{{
			measured: "peak memory of the provider in the 1,000-branch plan", bound: "of an empty provider", most: 1,
		}},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			world, err := b.manyBranchesWorld(ctx)
			if err != nil {
				return nil, err
			}
			var ours, bounds []memory
			for range peaks {
				run, err := b.use(ctx, neon, world.neon, aPlan...)
				if err != nil {
					return nil, err
				}
				bound, err := b.use(ctx, empty, world.empty, aPlan...)
				if err != nil {
					return nil, err
				}
				ours, bounds = append(ours, run), append(bounds, bound)
			}
			return []result{compare(median(ours), median(bounds), 0)}, nil
		},
	}
}

// use runs terraform with a provider whose process is ours rather than Terraform's, so that
// it is still there to be asked for its memory when the run is done.
func (b *bench) use(ctx context.Context, of provider, in *workspace, arguments ...string) (peak memory, err error) {
	// The end of the context doesn't stop it: terraform, which is being interrupted
	// then, may still need it.
	cmd := process.Command(context.WithoutCancel(ctx), b.programOf(of), "-debug")
	cmd.Env = terraformcli.Environment(os.Environ(), in.variables)
	attach, exited, err := startByHand(cmd)
	if err != nil {
		return 0, err
	}
	defer process.Stop(cmd, exited)
	if err := in.runWith(ctx, map[string]string{"TF_REATTACH_PROVIDERS": attach}, arguments...); err != nil {
		return 0, err
	}
	return peakOf(cmd.Process.Pid)
}

// startByHand starts a provider with -debug, and returns what it says for Terraform.
func startByHand(cmd *exec.Cmd) (attach string, exited <-chan struct{}, err error) {
	output, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	said, ended := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		defer close(said)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			if match := reattachLine.FindSubmatch(lines.Bytes()); match != nil {
				said <- string(bytes.ReplaceAll(match[1], []byte(`'"'"'`), []byte(`'`)))
			}
		}
		_ = cmd.Wait()
	}()
	attach, ok := <-said
	if !ok {
		<-ended
		return "", nil, errors.New("the provider doesn't say how to reach it")
	}
	return attach, ended, nil
}

// peakOf tells how much memory a process had at most. What the system tells of a
// process that has ended isn't the same: that includes what ours had when it started
// it.
func peakOf(pid int) (memory, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("only Linux tells how much memory a process had: %w", err)
	}
	match := peakLine.FindSubmatch(status)
	if match == nil {
		return 0, errors.New("the process says nothing of its memory")
	}
	kilobytes, err := strconv.ParseInt(string(match[1]), 10, 64)
	return memory(kilobytes << 10), err
}
