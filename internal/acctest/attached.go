package acctest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// attachedProvider is a provider that serves all commands of a run, once the first needs it. Terraform by itself starts
// three for most commands, which takes as long as all else that such a command does.
type attachedProvider struct {
	test      *testing.T
	once      sync.Once
	variables []string
}

// StartingProvider is the same folder with a terraform that starts the provider for each command, and ends it: for what
// is about that.
func (r Run) StartingProvider() Run {
	r.provider = nil
	return r
}

// ownProviders is in configurations of more than one provider, which each need their own, or of what is only seen where
// the provider ends.
var ownProviders = regexp.MustCompile(`(?m)^\s*alias\s*=|^ephemeral "|^run "`)

// attach returns what tells terraform where the provider is; nothing where terraform starts it, as it does where its
// log is looked at, which has what such a provider says.
func (r Run) attach(t *testing.T) []string {
	t.Helper()
	isLogged := func(variable string) bool { return strings.HasPrefix(variable, "TF_LOG=") }
	if r.provider == nil || slices.ContainsFunc(r.Environment, isLogged) {
		return nil
	}
	for _, pattern := range []string{"*.tf", "*/*.tf", "*.tftest.hcl", "*/*.tftest.hcl"} {
		files, err := filepath.Glob(filepath.Join(r.Folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if text, err := os.ReadFile(file); err != nil || ownProviders.Match(text) {
				return nil
			}
		}
	}
	r.provider.once.Do(func() { r.provider.variables = r.serveAll(r.provider.test) })
	return r.provider.variables
}

var reattached = regexp.MustCompile(`TF_REATTACH_PROVIDERS='{"[^"]*":(.*)}'`)

// serveAll starts it in the run's folder, where paths of the configuration begin.
func (r Run) serveAll(t *testing.T) []string {
	t.Helper()
	program, err := BuiltProvider()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, "-debug")
	command.Dir, command.Env = r.Folder, append(slices.Clone(r.Environment), "GOGC=200")
	command.Cancel, command.WaitDelay = func() error { return command.Process.Signal(os.Interrupt) }, 10*time.Second
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Wait() }) // It was interrupted.
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if at := reattached.FindStringSubmatch(lines.Text()); at != nil {
			return []string{fmt.Sprintf(`TF_REATTACH_PROVIDERS={"%[1]s/hashicorp/neon":%[3]s,"%[1]s/%[2]s":%[3]s}`,
				ProviderHost(), ownSource(t), at[1])}
		}
	}
	t.Fatalf("%s -debug doesn't say where it is", program)
	return nil
}
