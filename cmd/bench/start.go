package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// starts is how often each provider is started: a start is short, and varies.
const starts = 10

// startBenchmark starts the provider as Terraform does.
func startBenchmark() benchmark {
	return benchmark{
		rows: []row{{
			measured: "provider start, until the schema is answered", bound: "an empty provider", most: 1.3,
		}},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			var ours, bounds []seconds
			for range starts {
				for of, taken := range map[provider]*[]seconds{neon: &ours, empty: &bounds} {
					took, err := b.start(ctx, of)
					if err != nil {
						return nil, err
					}
					*taken = append(*taken, took)
				}
			}
			return []result{compare(fastest(ours), fastest(bounds), 0)}, nil
		},
	}
}

// start starts a provider, asks for its schema, and ends it.
func (b *bench) start(ctx context.Context, of provider) (seconds, error) {
	cmd := process.Command(ctx, b.programOf(of))
	cmd.Env = terraformcli.Environment(os.Environ(), map[string]string{"TMPDIR": b.folder})
	connection := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			// What every provider expects (terraform-plugin-go, tf6server).
			MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{6: {"provider": connectionOnly{}}},
		Cmd:              cmd,
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		Logger:           hclog.NewNullLogger(),
		SyncStdout:       io.Discard,
		SyncStderr:       io.Discard,
	})
	defer connection.Kill()
	started := time.Now()
	protocol, err := connection.Client()
	if err != nil {
		return 0, err
	}
	dispensed, err := protocol.Dispense("provider")
	if err != nil {
		return 0, err
	}
	channel, ok := dispensed.(*grpc.ClientConn)
	if !ok {
		return 0, fmt.Errorf("%s speaks another protocol", of.program)
	}
	// What is in the schema is of no interest here, so it isn't decoded: it all ends
	// among the answer's unknown fields.
	var answer emptypb.Empty
	if err := channel.Invoke(ctx, "/tfplugin6.Provider/GetProviderSchema", &emptypb.Empty{}, &answer); err != nil {
		return 0, err
	}
	took := seconds(time.Since(started))
	if len(answer.ProtoReflect().GetUnknown()) == 0 {
		return 0, fmt.Errorf("%s answers with an empty schema", of.program)
	}
	return took, nil
}

// connectionOnly is a plugin of which nothing is used but the connection to it.
type connectionOnly struct{ plugin.NetRPCUnsupportedPlugin }

// GRPCServer serves nothing.
func (connectionOnly) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }

// GRPCClient returns the connection.
func (connectionOnly) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, connection *grpc.ClientConn) (any, error) {
	return connection, nil
}
