package main

import (
	"bufio"
	"context"
	"encoding/json"
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
	return func(ctx context.Context, b *bench) result {
		served := b.serve(ctx, of, nil)
		defer served.stop()
		connection := must(grpc.NewClient("unix:"+served.address, grpc.WithTransportCredentials(insecure.NewCredentials())))
		// The schema isn't decoded: it ends among the answer's unknown fields.
		var answer emptypb.Empty
		check(connection.Invoke(ctx, "/tfplugin6.Provider/GetProviderSchema", &emptypb.Empty{}, &answer,
			grpc.MaxCallRecvMsgSize(1<<30)))
		if len(answer.ProtoReflect().GetUnknown()) == 0 {
			check(fmt.Errorf("%s answers with an empty schema", of.program))
		}
		check(connection.Close())
		served.stop()
		return result{value: (served.cmd.ProcessState.UserTime() + served.cmd.ProcessState.SystemTime()).Seconds()}
	}
}

// peak plans over many objects with a provider that is still there afterwards to be asked how much memory it had.
func peak(what work) measure {
	return func(ctx context.Context, b *bench) result {
		attached := *b.applied(ctx, what)
		served := b.serve(ctx, what.of, attached.variables)
		defer served.stop()
		attached.variables = maps.Clone(attached.variables)
		attached.variables["TF_REATTACH_PROVIDERS"] = served.attach
		attached.plan(ctx)
		return result{value: peakOf(served.cmd.Process.Pid)}
	}
}

// served is a provider that waits for Terraform.
type served struct {
	cmd             *exec.Cmd
	attach, address string
	stop            func()
}

// serve starts a provider as for a debugger: it is a process of ours, to which Terraform attaches itself.
func (b *bench) serve(ctx context.Context, of provider, variables map[string]string) *served {
	// Terraform, which is being interrupted at the end of the context, may still need it then.
	ctx, interrupt := context.WithCancel(context.WithoutCancel(ctx))
	cmd := process.Command(ctx, b.programOf(of), "-debug")
	cmd.Env = terraformcli.Environment(os.Environ(), map[string]string{"TMPDIR": b.folder}, variables)
	output := must(cmd.StdoutPipe())
	check(cmd.Start())
	s := &served{cmd: cmd, stop: func() {
		interrupt()
		_ = cmd.Wait() // It was told to stop.
	}}
	for lines := bufio.NewScanner(output); s.attach == "" && lines.Scan(); {
		_, s.attach, _ = strings.Cut(strings.TrimSuffix(lines.Text(), "'"), "TF_REATTACH_PROVIDERS='")
	}
	var at map[string]struct{ Addr struct{ String string } }
	if err := json.Unmarshal([]byte(s.attach), &at); err != nil {
		s.stop()
		check(fmt.Errorf("%s doesn't say where it serves: %w", of.program, err))
	}
	s.address = at["registry.terraform.io/"+of.source].Addr.String
	return s
}

// peakOf returns how many bytes of memory a process had at most. What the system says of a process that has ended isn't
// the same: it includes what ours had when it started that one.
func peakOf(pid int) float64 {
	_, peak, _ := strings.Cut(string(must(os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)))),
		"VmHWM:") // Only Linux has it.
	var kilobytes float64
	must(fmt.Sscan(peak, &kilobytes))
	return 1024 * kilobytes
}
