package acctest

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-version"

	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// Write writes a file into the folder.
func (r Run) Write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.Folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// SignaledWhen sends the signal once something is true, and returns how the command ended, too.
func (r Run) SignaledWhen(t *testing.T, signal os.Signal, ready func() bool, arguments ...string) (string, error) {
	t.Helper()
	command := r.StartingProvider().Command(t, arguments...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	// What a killed terraform leaves holds the output open.
	command.WaitDelay = time.Second
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for !ready() {
		time.Sleep(20 * time.Millisecond)
	}
	if err := command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	err := command.Wait()
	return output.String(), err
}

// ReadTree reads all files below a folder, and what is packed in those that are
// archives.
func ReadTree(t *testing.T, folder string, contents map[string][]byte) {
	t.Helper()
	if err := readFiles(os.DirFS(folder), folder+"/", contents); err != nil {
		t.Fatal(err)
	}
}

func readFiles(files fs.FS, prefix string, contents map[string][]byte) error {
	return fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		contents[prefix+path] = content
		archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if errors.Is(err, zip.ErrFormat) {
			return nil
		}
		return cmp.Or(err, readFiles(archive, prefix+path+"!", contents))
	})
}

// ContainsFile reports whether a path ends in the name.
func ContainsFile(contents map[string][]byte, name string) bool {
	for path := range contents {
		if strings.HasSuffix(path, name) {
			return true
		}
	}
	return false
}

// With is the same folder with more in its environment.
func (r Run) With(environment ...string) Run {
	more := Run{r.Folder, slices.Concat(r.Environment, environment), r.world, nil}
	if r.provider != nil {
		more.provider = &attachedProvider{test: r.provider.test}
	}
	return more
}

// builtProgram names the variable with the path of the provider as a program, where it
// was built for all packages of a run.
const builtProgram = "NEON_ACC_PROVIDER"

// BuiltProvider is the path of the provider as a program, built once.
var BuiltProvider = sync.OnceValues(func() (string, error) {
	if program := os.Getenv(builtProgram); program != "" {
		return program, nil
	}
	folder, err := os.MkdirTemp(testFolder, "provider-")
	if err != nil {
		return "", err
	}
	program := filepath.Join(folder, "terraform-provider-neon")
	output, err := exec.CommandContext(context.Background(), "go", "build", "-trimpath", "-o", program,
		RepositoryDir).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, output)
	}
	return program, nil
})

// Run is a folder with a configuration, in which the terraform program is run
// with the provider as a program of its own, one for all commands of the same environment.
type Run struct {
	Folder      string
	Environment []string
	world       *World
	provider    *attachedProvider
}

// NewRun writes the configuration into a folder, for terraform to run there.
func NewRun(t *testing.T, w *World, config string, environment ...string) Run {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("this runs terraform; set TF_ACC=1")
	}
	if testing.Short() {
		t.Skip("this takes its time")
	}
	program, err := BuiltProvider()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	environment = append(environment,
		"TF_CLI_CONFIG_FILE="+filepath.Join(folder, "dev.tfrc"), "TF_IN_AUTOMATION=1", "NEON_API_KEY="+w.APIKey,
		"NEON_BASE_URL="+w.BaseURL, "NEON_CLAIM_BASE_URL="+w.ClaimBaseURL, "CLAIMABLE_NEON_HOST="+w.ClaimableNeonBaseURL,
		"NEON_ORG_ID="+w.OrgID)
	r := Run{folder, append(os.Environ(), environment...), w, &attachedProvider{test: t}}
	// The examples say where the provider comes from; the other configurations
	// don't.
	r.Override(t, map[string]string{"hashicorp/neon": filepath.Dir(program), ownSource(t): filepath.Dir(program)})
	r.Configure(t, config)
	if strings.Contains(config, "${path.module}/api\"") { // The code of the functions in examples.
		if err := os.CopyFS(filepath.Join(folder, "api"),
			os.DirFS(filepath.Join(ExamplesDir, "resources", "neon_function", "api"))); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// Override has terraform take providers from the folders with their programs.
func (r Run) Override(t *testing.T, folders map[string]string) {
	t.Helper()
	if err := terraformcli.WriteOverride(filepath.Join(r.Folder, "dev.tfrc"), folders); err != nil {
		t.Fatal(err)
	}
}

// ownSource is where examples say that the provider comes from.
func ownSource(t *testing.T) string {
	t.Helper()
	return ExampleSource.FindStringSubmatch(ReadExample(t, "provider/provider.tf"))[1] + "/neon"
}

// Configure writes the configuration that the next command finds, or skips a test whose terraform can't read it.
func (r Run) Configure(t *testing.T, config string) {
	t.Helper()
	needsTerraformFor(t, config)
	r.Write(t, "main.tf", config)
}

// Terraform runs one command, which must succeed, and returns what it says.
func (r Run) Terraform(t *testing.T, arguments ...string) string {
	t.Helper()
	output, err := r.Command(t, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("terraform %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	return string(output)
}

// Fails runs one command, which must fail, and returns what it says in one line.
func (r Run) Fails(t *testing.T, arguments ...string) string {
	t.Helper()
	output, err := r.Command(t, arguments...).CombinedOutput()
	if err == nil {
		t.Fatalf("terraform %s succeeded\n%s", strings.Join(arguments, " "), output)
	}
	return InOneLine(string(output))
}

// InOneLine takes the frames and line breaks out of what terraform says.
func InOneLine(output string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(output, "│", " ")), " ")
}

// Command is one command of terraform that isn't started yet.
func (r Run) Command(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	r.world.suspendComputes()
	command := exec.CommandContext(t.Context(), TerraformProgram(), append(arguments, "-no-color")...)
	command.Dir, command.Env = r.Folder, slices.Concat(r.Environment, r.attach(t))
	return command
}

// TerraformProgram is the terraform that tests run.
func TerraformProgram() string {
	if program := os.Getenv("TF_ACC_TERRAFORM_PATH"); program != "" {
		return program
	}
	return "terraform"
}

// The first versions of Terraform that have actions, and terraform query.
const (
	ActionsSince = "1.14.0"
	QueriesSince = "1.14.0"
)

// sinceInOpenTofu is the first OpenTofu that has what came with a version of Terraform, where its own is another:
// ephemeral resources.
var sinceInOpenTofu = map[string]string{"1.10.0": "1.11.0"}

// NeedsTerraform skips a test where the terraform at hand is older.
func NeedsTerraform(t *testing.T, oldest string) {
	t.Helper()
	if IsOpenTofu() {
		oldest = cmp.Or(sinceInOpenTofu[oldest], oldest)
	}
	if os.Getenv("TF_ACC") == "" {
		t.Skip("this runs terraform; set TF_ACC=1")
	}
	found, err := terraformVersion()
	if err != nil {
		t.Fatal(err)
	}
	if found.Core().LessThan(version.Must(version.NewVersion(oldest))) {
		countTooOld(t)
		t.Skipf("this needs Terraform %s, and there is %s", oldest, found)
	}
}

var terraformVersion = sync.OnceValues(func() (*version.Version, error) {
	output, err := exec.CommandContext(context.Background(), TerraformProgram(), "version", "-json").Output()
	if err != nil {
		return nil, err
	}
	var answer struct {
		Version *version.Version `json:"terraform_version"`
	}
	if err := json.Unmarshal(output, &answer); err != nil || answer.Version == nil {
		return nil, fmt.Errorf("terraform says %q: %w", output, err)
	}
	return answer.Version, nil
})

// blocksSince is what a terraform can't read that is older.
var blocksSince = map[string]*regexp.Regexp{
	"1.10.0": regexp.MustCompile(`(?m)^ephemeral "`),
	"1.11.0": regexp.MustCompile(`(?m)^\s*\w+_wo\s*=`),
	"1.14.0": regexp.MustCompile(`(?m)^action "`),
}

// TerraformFor is the oldest terraform that can read a configuration; empty for any.
func TerraformFor(config string) (oldest string) {
	for since, block := range blocksSince {
		if since > oldest && block.MatchString(config) { // All have two digits.
			oldest = since
		}
	}
	return oldest
}

// needsTerraformFor skips a test where the terraform at hand is older than what a configuration is written with.
func needsTerraformFor(t *testing.T, config string) {
	t.Helper()
	if oldest := TerraformFor(config); oldest != "" {
		NeedsTerraform(t, oldest)
	}
}

// IsOpenTofu reports whether OpenTofu runs the tests in place of terraform.
func IsOpenTofu() bool {
	return ProviderHost() == "registry.opentofu.org"
}

// tooOld names the file that gets a line for each test that needs a newer terraform, so
// that such skips don't pass in silence.
const tooOld = "NEON_ACC_TOO_OLD"

func countTooOld(t *testing.T) {
	t.Helper()
	path := os.Getenv(tooOld)
	if path == "" {
		return
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintln(file, t.Name())
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}
