package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-version"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// builtProvider is the path of the provider as a program, built once.
var builtProvider = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp(testFolder, "provider-")
	if err != nil {
		return "", err
	}
	program := filepath.Join(folder, "terraform-provider-neon")
	output, err := exec.CommandContext(context.Background(), "go", "build", "-o", program, "../..").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, output)
	}
	return program, nil
})

// run is a folder with a configuration, in which the terraform program is run
// with the provider as a program of its own.
type run struct {
	folder      string
	environment []string
}

func newRun(t *testing.T, w *world, config string, environment ...string) run {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("this runs terraform; set TF_ACC=1")
	}
	if testing.Short() {
		t.Skip("this takes its time")
	}
	program, err := builtProvider()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	// The examples say where the provider comes from; the other configurations
	// don't.
	source := exampleSource.FindStringSubmatch(readExample(t, "provider/provider.tf"))[1]
	cliConfig := fmt.Sprintf(
		"provider_installation {\n  dev_overrides {\n    \"hashicorp/neon\" = %[1]q\n    \"%[2]s/neon\" = %[1]q\n  }\n  direct {}\n}\n",
		filepath.ToSlash(filepath.Dir(program)), source)
	environment = append(environment,
		"TF_CLI_CONFIG_FILE="+filepath.Join(folder, "dev.tfrc"), "TF_IN_AUTOMATION=1", "NEON_API_KEY="+w.apiKey,
		"NEON_BASE_URL="+w.baseURL, "NEON_CLAIM_BASE_URL="+w.claimBaseURL, "NEON_ORG_ID="+w.orgID)
	r := run{folder, append(os.Environ(), environment...)}
	r.write(t, "dev.tfrc", cliConfig)
	r.configure(t, config)
	return r
}

// configure writes the configuration that the next command finds.
func (r run) configure(t *testing.T, config string) {
	t.Helper()
	r.write(t, "main.tf", config)
}

// terraform runs one command, which must succeed, and gives what it says.
func (r run) terraform(t *testing.T, arguments ...string) string {
	t.Helper()
	output, err := r.command(t, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("terraform %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	return string(output)
}

// shell runs a line of shell that the provider printed.
func shell(t *testing.T, line string, environment ...string) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the command that was printed needs curl, which isn't there")
	}
	command := exec.CommandContext(t.Context(), "sh", "-c", line)
	command.Env = append(os.Environ(), environment...)
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, output)
	}
}

// fails runs one command, which must fail, and gives what it says in one line.
func (r run) fails(t *testing.T, arguments ...string) string {
	t.Helper()
	output, err := r.command(t, arguments...).CombinedOutput()
	if err == nil {
		t.Fatalf("terraform %s succeeded\n%s", strings.Join(arguments, " "), output)
	}
	return inOneLine(string(output))
}

// inOneLine takes the frames and line breaks out of what terraform says.
func inOneLine(output string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(output, "│", " ")), " ")
}

// command is one command of terraform that isn't started yet.
func (r run) command(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), terraformProgram(), append(arguments, "-no-color")...)
	command.Dir, command.Env = r.folder, r.environment
	return command
}

func terraformProgram() string {
	if program := os.Getenv("TF_ACC_TERRAFORM_PATH"); program != "" {
		return program
	}
	return "terraform"
}

// needsTerraform skips a test where the terraform at hand is older.
func needsTerraform(t *testing.T, oldest string) {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("this runs terraform; set TF_ACC=1")
	}
	output, err := exec.CommandContext(t.Context(), terraformProgram(), "version", "-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Version *version.Version `json:"terraform_version"`
	}
	if err := json.Unmarshal(output, &answer); err != nil || answer.Version == nil {
		t.Fatalf("terraform says %q: %v", output, err)
	}
	if answer.Version.Core().LessThan(version.Must(version.NewVersion(oldest))) {
		t.Skipf("this needs Terraform %s, and there is %s", oldest, answer.Version)
	}
}

// everything is a configuration with all that the provider has.
func everything(w *world) string {
	return fmt.Sprintf(`
resource "neon_api_key" "k" {
  name = "k"
}
resource "neon_org_api_key" "o" {
  name = "o"
}
resource "neon_org_api_key" "p" {
  name       = "p"
  project_id = %[1]q
}
resource "neon_branch" "b" {
  project_id = %[1]q
  name       = "b"
  endpoints  = { app = { type = "read_write" } }
}
resource "neon_claimable_database" "d" {
  ref = "test"
}
data "neon_projects" "all" {}
data "neon_operations" "all" {
  project_id = %[1]q
}
`, w.projectID)
}

// Nothing secret is in the most talkative log, nor on the terminal.
func TestAccTerraform_logHasNoSecrets(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	log := filepath.Join(t.TempDir(), "trace.log")
	r := newRun(t, w, everything(w), "TF_LOG=TRACE", "TF_LOG_PATH="+log)
	said := r.terraform(t, "apply", "-auto-approve")
	said += r.terraform(t, "plan")
	said += r.terraform(t, "destroy", "-auto-approve")
	traced, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{"request to the platform", "bodies of the request", "***"} {
		if !strings.Contains(string(traced), wanted) {
			t.Errorf("the log doesn't say %q", wanted)
		}
	}
	secrets := w.emulator.Secrets()
	// The first key, three more, and the password of a database at the least.
	if len(secrets) < 5 {
		t.Errorf("the emulator handed out %d secrets", len(secrets))
	}
	for i, secret := range secrets {
		if strings.Contains(string(traced), secret) {
			t.Errorf("secret %d is in the log", i)
		}
		if strings.Contains(said, secret) {
			t.Errorf("secret %d is on the terminal", i)
		}
	}
}

// many is a configuration with so many keys and branches.
func many(w *world, keys, branches int) string {
	return fmt.Sprintf(`
resource "neon_api_key" "personal" {
  count = %[1]d
  name  = "personal-${count.index}"
}
resource "neon_org_api_key" "organization" {
  count = %[1]d
  name  = "organization-${count.index}"
}
resource "neon_branch" "b" {
  count      = %[2]d
  project_id = %[3]q
  name       = "branch-${count.index}"
}
`, keys/2, branches, w.projectID)
}

// The provider keeps the platform's limits before the platform has to.
func TestAccTerraform_keepsTheLimits(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{Limits: true})
	r := newRun(t, w, many(w, 60, 60))
	r.terraform(t, "apply", "-auto-approve", "-parallelism=50")
	r.terraform(t, "plan", "-detailed-exitcode", "-parallelism=50")
	if refused := w.requests(t).ByStatus["429"]; refused > 0 {
		t.Errorf("%d requests were refused: %v", refused, w.requests(t))
	}
	if made := len(w.objects(t).APIKeys); made != 61 {
		t.Errorf("there are %d keys, want the first one and 60", made)
	}
	if made := len(w.objects(t).Branches); made != 61 {
		t.Errorf("there are %d branches, want main and 60", made)
	}
	r.terraform(t, "destroy", "-auto-approve", "-parallelism=50")
}

// Another client uses up the limit: the provider waits until the platform takes
// requests again.
func TestAccTerraform_waitsOutTheLimits(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{Limits: true})
	r := newRun(t, w, many(w, 20, 10))
	other := &otherClient{world: w}
	for other.taken < 690 {
		other.send(t)
		// Six routes of 40 a second take as much.
		time.Sleep(5 * time.Millisecond)
	}
	ctx, stop := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	busy.Go(func() {
		for ctx.Err() == nil {
			other.send(t)
			time.Sleep(200 * time.Millisecond)
		}
	})
	r.terraform(t, "apply", "-auto-approve", "-parallelism=50")
	stop()
	busy.Wait()
	if refused := w.requests(t).ByStatus["429"] - other.refused; refused <= 0 {
		t.Error("no request of the provider was refused, so nothing was waited out")
	}
	if made := len(w.objects(t).APIKeys); made != 21 {
		t.Errorf("there are %d keys, want the first one and 20", made)
	}
}

// otherClient is somebody else with the same account.
type otherClient struct {
	*world

	sent, taken, refused int
}

// send sends one request, each time of another route, since routes have limits
// of their own.
func (c *otherClient) send(t *testing.T) {
	project := "/api/v2/projects/" + c.projectID
	routes := []string{
		"/api/v2/api_keys", "/api/v2/organizations/" + c.orgID + "/api_keys", "/api/v2/projects?org_id=" + c.orgID,
		project + "/branches", project + "/endpoints", project + "/operations",
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.baseURL+routes[c.sent%len(routes)], nil)
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Authorization", "Bearer "+c.apiKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	_ = response.Body.Close()
	c.sent++
	if response.StatusCode == http.StatusTooManyRequests {
		c.refused++
	} else {
		c.taken++
	}
}
