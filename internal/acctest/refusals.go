package acctest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// Refusal is a configuration over which a command of terraform fails.
type Refusal struct {
	Config string
	// Want is what the error says, and Says are words that are in it in any order.
	Want *regexp.Regexp
	Says []string
	// Command is apply where none is named.
	Command []string
}

// Plan as the command of a refusal, is for errors that are found before anything is done.
var Plan = []string{"plan"}

// RunErrors checks refusals side by side.
func RunErrors(t *testing.T, w *World, tests map[string]Refusal) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.Config = w.ProviderConfig() + test.Config
			w.Refuses(t, test)
		})
	}
}

// Refuses runs one command, which must fail with an error that matches, and destroys what
// it created nonetheless. It runs terraform once, where a step of the testing framework
// runs it six times.
func (w *World) Refuses(t *testing.T, refusal Refusal) {
	t.Helper()
	if refusal.Command == nil {
		refusal.Command = apply
	}
	if inProcess(t) && inprocess.Knows(refusal.Config, refusal.Command) {
		w.refusesInProcess(t, refusal)
		return
	}
	if os.Getenv("TF_ACC") == "" {
		t.Skip("this runs terraform; set TF_ACC=1")
	}
	r := Run{t.TempDir(), os.Environ(), w, nil}
	r.Configure(t, refusal.Config)
	r.Write(t, "providers.tf", "terraform {\n  required_providers {\n    neon = {\n      source = "+
		"\"hashicorp/neon\"\n    }\n  }\n}\n")
	said, err := r.served(t, refusal.Command...)
	refusal.check(t, said, err)
	if !r.hasState(t) {
		return
	}
	if said, err := r.served(t, append(slices.Clone(apply), "-destroy")...); err != nil {
		t.Errorf("what is left can't be destroyed: %v\n%s", err, said)
	}
}

var apply = []string{"apply", "-auto-approve"}

func (r Refusal) check(t *testing.T, said string, err error) {
	t.Helper()
	command := "terraform " + strings.Join(r.Command, " ")
	if err == nil {
		t.Errorf("%s succeeded; it should say %v %q", command, r.Want, r.Says)
		return
	}
	if r.Want != nil && !r.Want.MatchString(said) {
		t.Errorf("%s should say %s, and says:\n%s", command, r.Want, said)
	}
	for _, words := range r.Says {
		if !InWords(words).MatchString(said) {
			t.Errorf("%s should say %q, and says:\n%s", command, words, said)
		}
	}
}

func (w *World) refusesInProcess(t *testing.T, refusal Refusal) {
	t.Helper()
	rest, said := inprocess.RunCommand(t.Context(), w.Factories()["neon"], refusal.Config, refusal.Command)
	refusal.check(t, fmt.Sprint(said), said)
	if err := rest(); err != nil {
		t.Errorf("what is left can't be destroyed: %v", err)
	}
}

// served runs one command with the provider in this process, and returns its errors.
func (r Run) served(t *testing.T, arguments ...string) (said string, err error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	address := ProviderHost() + "/hashicorp/neon"
	text, err := json.Marshal(map[string]attachment{address: serve(ctx, t, address)})
	if err != nil {
		t.Fatal(err)
	}
	var problems bytes.Buffer
	command := r.With("TF_REATTACH_PROVIDERS="+string(text)).Command(t, arguments...)
	command.Stderr = &problems
	err = command.Run()
	return problems.String(), err
}

// ProviderHost is the registry that the program which runs the tests has a provider without a host from.
func ProviderHost() string {
	if host := os.Getenv("TF_ACC_PROVIDER_HOST"); host != "" {
		return host
	}
	return "registry.terraform.io"
}

// attachment is where a provider is served, as terraform reads it.
type attachment struct {
	Protocol             plugin.Protocol
	ProtocolVersion, Pid int
	Test                 bool
	Addr                 struct{ Network, String string }
}

func serve(ctx context.Context, t *testing.T, address string) attachment {
	t.Helper()
	configs, ended := make(chan *plugin.ReattachConfig), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		failed <- tf6server.Serve(address, provider.NewServer("test").New,
			tf6server.WithDebug(ctx, configs, ended), tf6server.WithGoPluginLogger(hclog.NewNullLogger()),
			tf6server.WithoutLogStderrOverride())
	}()
	select {
	case config := <-configs:
		t.Cleanup(func() { <-ended })
		at := attachment{Protocol: config.Protocol, ProtocolVersion: config.ProtocolVersion, Pid: config.Pid,
			Test: config.Test}
		at.Addr.Network, at.Addr.String = config.Addr.Network(), config.Addr.String()
		return at
	case err := <-failed:
		t.Fatalf("%s can't be served: %v", address, err)
		return attachment{}
	}
}

// hasState reports whether there is anything in state.
func (r Run) hasState(t *testing.T) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.Folder, "terraform.tfstate"))
	if os.IsNotExist(err) {
		return false
	}
	var state struct{ Resources []json.RawMessage }
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		t.Fatal(err)
	}
	return len(state.Resources) > 0
}
