package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const (
	// starts is how often each provider is started: a start is short, and varies.
	starts = 10
	// peaks is how often the memory of each is measured.
	peaks = 3
	// protocolVersion is that of Terraform's protocol which all of them speak.
	protocolVersion = 6
)

// measureStart starts the providers as Terraform does.
func measureStart(ctx context.Context, b *bench) ([]result, error) {
	taken, err := takeTurns(starts,
		func() (float64, error) { return b.start(ctx, neon) },
		func() (float64, error) { return b.start(ctx, empty) })
	if err != nil {
		return nil, err
	}
	return []result{compare(slices.Min(taken[0]), slices.Min(taken[1]), 0)}, nil
}

// measureMemory compares what the providers have in memory.
func measureMemory(ctx context.Context, b *bench) ([]result, error) {
	world, err := b.manyBranchesWorld(ctx)
	if err != nil {
		return nil, err
	}
	taken, err := takeTurns(peaks,
		func() (float64, error) { return b.planWith(ctx, neon, world.neon) },
		func() (float64, error) { return b.planWith(ctx, empty, world.empty) })
	if err != nil {
		return nil, err
	}
	return []result{compare(median(taken[0]), median(taken[1]), 0)}, nil
}

// profile plans over 1,000 branches with a provider that writes its profiles to the folder.
func (b *bench) profile(ctx context.Context, out io.Writer) error {
	folder := b.options.profiles
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	if err := process.Build(ctx, os.Stderr, b.folder, "./cmd/bench/profiledprovider"); err != nil {
		return err
	}
	world, err := b.manyBranchesWorld(ctx)
	if err != nil {
		return err
	}
	profiled := provider{neon.name, neon.source, "profiledprovider"}
	if _, err := b.planWith(ctx, profiled, world.neon.with("NEON_BENCH_PROFILES", folder)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "go tool pprof -top %[1]s/cpu.pprof\ngo tool pprof -top -sample_index=alloc_space %[1]s/allocations.pprof\n", folder)
	return err
}

// start starts a provider, asks for its schema, and ends it.
func (b *bench) start(ctx context.Context, of provider) (float64, error) {
	started := b.plugin(ctx, of, nil)
	defer started.Kill()
	began := time.Now()
	protocol, err := started.Client()
	if err != nil {
		return 0, err
	}
	connection, ok := protocol.(*plugin.GRPCClient)
	if !ok {
		return 0, fmt.Errorf("%s speaks another protocol", of.program)
	}
	// What is in the schema is of no interest here, so it isn't decoded: it all ends
	// among the answer's unknown fields.
	var answer emptypb.Empty
	if err := connection.Conn.Invoke(ctx, "/tfplugin6.Provider/GetProviderSchema", &emptypb.Empty{}, &answer); err != nil {
		return 0, err
	}
	took := time.Since(began)
	if len(answer.ProtoReflect().GetUnknown()) == 0 {
		return 0, fmt.Errorf("%s answers with an empty schema", of.program)
	}
	return took.Seconds(), nil
}

// planWith plans with a provider whose process is ours rather than Terraform's, so that it is
// still there to be asked for its peak of memory when the plan is done.
func (b *bench) planWith(ctx context.Context, of provider, in *workspace) (peak float64, err error) {
	// The end of the context doesn't stop it: terraform, which is being interrupted
	// then, may still need it.
	started := b.plugin(context.WithoutCancel(ctx), of, in)
	defer started.Kill()
	if _, err := started.Start(); err != nil {
		return 0, err
	}
	at := started.ReattachConfig()
	attach, err := json.Marshal(map[string]any{"registry.terraform.io/" + of.source: map[string]any{
		"Protocol": at.Protocol, "ProtocolVersion": protocolVersion, "Pid": at.Pid,
		"Test": true, // Terraform lets such a provider run on.
		"Addr": map[string]string{"Network": at.Addr.Network(), "String": at.Addr.String()},
	}})
	if err != nil {
		return 0, err
	}
	if err := in.with("TF_REATTACH_PROVIDERS", string(attach)).plan(ctx); err != nil {
		return 0, err
	}
	return peakOf(at.Pid)
}

// plugin is a provider that is about to be started as Terraform starts it. Where it is for a
// workspace, Terraform can be attached to it, which has no part in an encryption of ours.
func (b *bench) plugin(ctx context.Context, of provider, in *workspace) *plugin.Client {
	variables := map[string]string{"TMPDIR": b.folder}
	if in != nil {
		variables = in.variables
	}
	cmd := process.Command(ctx, b.programOf(of))
	cmd.Env = terraformcli.Environment(os.Environ(), variables)
	return plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			// What every provider expects (terraform-plugin-go, tf6server).
			MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{protocolVersion: {}}, // Nothing is used but the connection.
		Cmd:              cmd,
		SkipHostEnv:      true,
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         in == nil,
		Logger:           hclog.NewNullLogger(),
	})
}

// peakOf tells how many bytes of memory a process had at most. What the system tells of a
// process that has ended isn't the same: that includes what ours had when it started
// it.
func peakOf(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("only Linux tells how much memory a process had: %w", err)
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes float64
	if _, err := fmt.Sscan(peak, &kilobytes); err != nil {
		return 0, fmt.Errorf("the process doesn't say how much memory it had: %w", err)
	}
	return 1024 * kilobytes, nil
}
