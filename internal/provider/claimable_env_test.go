package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/joho/godotenv"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// otherProviders is a folder with the providers of other people that examples
// use, built once from their Go modules.
var otherProviders = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp(testFolder, "other-providers-")
	if err != nil {
		return "", err
	}
	command := exec.CommandContext(context.Background(), "go", "build", "-o", folder+string(filepath.Separator), "tool")
	command.Dir = filepath.Join("..", "..", "tools", "providers")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build in %s: %w\n%s", command.Dir, err, output)
	}
	return folder, nil
})

// newExampleRun is a run of an example that is a folder, with the providers of
// other people that it names.
func newExampleRun(t *testing.T, w *world, example string, others ...string) run {
	t.Helper()
	r := newRun(t, w, "")
	for _, file := range exampleEntries(t, example) {
		r.write(t, file, readExample(t, filepath.Join(example, file)))
	}
	own, err := builtProvider()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := otherProviders()
	if err != nil {
		t.Fatal(err)
	}
	source := exampleSource.FindStringSubmatch(readExample(t, "provider/provider.tf"))[1] + "/neon"
	overrides := fmt.Sprintf("    %q = %q\n", source, filepath.ToSlash(filepath.Dir(own)))
	for _, other := range others {
		overrides += fmt.Sprintf("    %q = %q\n", other, filepath.ToSlash(folder))
	}
	r.write(t, "dev.tfrc", "provider_installation {\n  dev_overrides {\n"+overrides+"  }\n  direct {}\n}\n")
	return r
}

func (r run) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The env file that the example writes has the values that the platform gave, in
// the eyes of parsers of other people's.
func TestAccExamples_claimableEnv(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	for name, test := range map[string]struct {
		variables          []string
		file, key, urlName string
	}{
		"defaults": {nil, ".env", "DATABASE_URL", "PUBLIC_POSTGRES_CLAIM_URL"},
		"all that can be chosen": {
			[]string{
				"-var=env_file=config/app.env", "-var=key=main_url_2", "-var=prefix=VITE_", "-var=ref=somebody",
				"-var=enable_logical_replication=true",
			}, "config/app.env", "main_url_2", "VITE_POSTGRES_CLAIM_URL",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newExampleRun(t, w, "claimable-env", "hashicorp/local")
			said := r.terraform(t, append([]string{"apply", "-auto-approve"}, test.variables...)...)
			database := r.databaseInState(t)
			want := map[string]string{
				test.key: database["connection_string"], test.key + "_DIRECT": database["direct_connection_string"],
				test.urlName: database["claim_url"],
			}
			file := filepath.Join(r.folder, filepath.FromSlash(test.file))
			read, err := godotenv.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, read); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(said, database["connection_string"]) {
				t.Error("the connection string is on the terminal")
			}
			r.terraform(t, append([]string{"plan", "-detailed-exitcode"}, test.variables...)...)
			t.Run("node", func(t *testing.T) { wantNodeReads(t, file, want) })
			r.terraform(t, append([]string{"destroy", "-auto-approve"}, test.variables...)...)
			if _, err := os.Stat(file); !os.IsNotExist(err) {
				t.Errorf("the file is still there: %v", err)
			}
		})
	}
}

// databaseInState gives the texts among the attributes of the example's database.
func (r run) databaseInState(t *testing.T) map[string]string {
	t.Helper()
	var state struct {
		Values struct {
			RootModule struct {
				Resources []struct {
					Type   string
					Values map[string]any
				}
			} `json:"root_module"`
		}
	}
	if err := json.Unmarshal([]byte(r.terraform(t, "show", "-json")), &state); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, resource := range state.Values.RootModule.Resources {
		if resource.Type != "neon_claimable_database" {
			continue
		}
		for name, value := range resource.Values {
			if text, ok := value.(string); ok {
				texts[name] = text
			}
		}
	}
	return texts
}

// wantNodeReads holds what Node.js makes of an env file against what it should.
func wantNodeReads(t *testing.T, file string, want map[string]string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	help, err := exec.CommandContext(t.Context(), node, "--help").Output()
	if err != nil || !strings.Contains(string(help), "--env-file") {
		t.Skipf("this node reads no env files: %v", err)
	}
	names, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	script := "const names = Object.keys(JSON.parse(process.argv[1]));" +
		"console.log(JSON.stringify(Object.fromEntries(names.map((name) => [name, process.env[name]]))))"
	output, err := exec.CommandContext(t.Context(), node, "--env-file="+file, "-e", script, string(names)).Output()
	if err != nil {
		t.Fatalf("node --env-file: %v", err)
	}
	var read map[string]string
	if err := json.Unmarshal(output, &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Error(diff)
	}
}
