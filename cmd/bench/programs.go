package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// start starts a provider, asks for its schema, ends it, and has its CPU.
func start(of provider) measure {
	return func(ctx context.Context, b *bench) (result, error) {
		served, err := b.serve(ctx, of, nil)
		if err != nil {
			return result{}, err
		}
		connection, err := grpc.NewClient("unix:"+served.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return result{}, errors.Join(err, served.stop())
		}
		// The schema isn't decoded: it ends among the answer's unknown fields.
		var answer emptypb.Empty
		err = connection.Invoke(ctx, "/tfplugin6.Provider/GetProviderSchema", &emptypb.Empty{}, &answer, grpc.MaxCallRecvMsgSize(1<<30))
		if err == nil && len(answer.ProtoReflect().GetUnknown()) == 0 {
			err = fmt.Errorf("%s answers with an empty schema", of.program)
		}
		err = errors.Join(err, connection.Close(), served.stop())
		return result{value: (served.cmd.ProcessState.UserTime() + served.cmd.ProcessState.SystemTime()).Seconds()}, err
	}
}

// peak plans over many objects with a provider that is still there afterwards to be asked how much memory it had.
func peak(of provider) measure {
	return func(ctx context.Context, b *bench) (r result, err error) {
		w, err := b.inMany(ctx, of)
		if err != nil {
			return r, err
		}
		served, err := b.serve(ctx, of, w.variables)
		if err != nil {
			return r, err
		}
		attached := *w
		attached.variables = maps.Clone(w.variables)
		attached.variables["TF_REATTACH_PROVIDERS"] = served.attach
		err = attached.plan(ctx)
		bytes, err2 := peakOf(served.cmd.Process.Pid)
		return result{value: bytes}, errors.Join(err, err2, served.stop())
	}
}

// served is a provider that waits for Terraform.
type served struct {
	cmd             *exec.Cmd
	attach, address string
	stop            func() error
}

// serve starts a provider as for a debugger: it is a process of ours, to which Terraform attaches itself.
func (b *bench) serve(ctx context.Context, of provider, variables map[string]string) (*served, error) {
	// Terraform, which is being interrupted at the end of the context, may still need it then.
	cmd := process.Command(context.WithoutCancel(ctx), b.programOf(of), "-debug")
	cmd.Env = terraformcli.Environment(os.Environ(), map[string]string{"TMPDIR": b.folder}, variables)
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &served{cmd: cmd, stop: func() error {
		exited := make(chan struct{})
		go func() {
			_ = cmd.Wait() // It is told to stop.
			close(exited)
		}()
		process.Stop(cmd, exited)
		return nil
	}}
	for lines := bufio.NewScanner(output); s.attach == "" && lines.Scan(); {
		_, s.attach, _ = strings.Cut(strings.TrimSuffix(lines.Text(), "'"), "TF_REATTACH_PROVIDERS='")
	}
	var at map[string]struct{ Addr struct{ String string } }
	if err := json.Unmarshal([]byte(s.attach), &at); err != nil {
		return nil, errors.Join(fmt.Errorf("%s doesn't say where it serves: %w", of.program, err), s.stop())
	}
	s.address = at["registry.terraform.io/"+of.source].Addr.String
	return s, nil
}

// peakOf returns how many bytes of memory a process had at most. What the system says of a process that has ended isn't
// the same: it includes what ours had when it started that one.
func peakOf(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("only Linux says how much memory a process had: %w", err)
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes float64
	if _, err := fmt.Sscan(peak, &kilobytes); err != nil {
		return 0, fmt.Errorf("the process doesn't say how much memory it had: %w", err)
	}
	return 1024 * kilobytes, nil
}
