package claimable_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/joho/godotenv"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// The env file that the example writes has the values that Neon gave, in
// the eyes of parsers of other people's.
func TestAccExamples_claimableEnv(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
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
			r := acctest.NewExampleRun(t, w, "claimable-env", "hashicorp/local")
			said := r.Terraform(t, append([]string{"apply", "-auto-approve"}, test.variables...)...)
			database := databaseInState(t, r)
			want := map[string]string{
				test.key: database["connection_string"], test.key + "_DIRECT": database["direct_connection_string"],
				test.urlName: database["claim_url"],
			}
			file := filepath.Join(r.Folder, filepath.FromSlash(test.file))
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
			r.Terraform(t, append([]string{"plan", "-detailed-exitcode"}, test.variables...)...)
			t.Run("node", func(t *testing.T) { wantNodeReads(t, file, want) })
			r.Terraform(t, append([]string{"destroy", "-auto-approve"}, test.variables...)...)
			if _, err := os.Stat(file); !os.IsNotExist(err) {
				t.Errorf("the file is still there: %v", err)
			}
		})
	}
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

// databaseInState returns the texts among the attributes of the example's database.
func databaseInState(t *testing.T, r acctest.Run) map[string]string {
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
	if err := json.Unmarshal([]byte(r.Terraform(t, "show", "-json")), &state); err != nil {
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
