// Package release holds the tests of what a release consists of: its archives, the
// workflows that make them, and the entries of its changelog.
package release

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/joho/godotenv"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const (
	root       = "../.."
	quickstart = root + "/examples/quickstart"
	// archivesVariable names the folder with the archives to test.
	archivesVariable = "RELEASE_ARCHIVES"
)

var (
	archiveName  = regexp.MustCompile(`^terraform-provider-neon_([^_]+)_([^_]+_[^_]+)\.zip$`)
	sourceLine   = regexp.MustCompile(`source\s*=\s*"([^"]+)"`)
	checksumLine = regexp.MustCompile(`(?m)^([0-9a-f]{64})  (\S+)$`)
)

// archives are those of one release, for the platform that the tests run on.
type archives struct {
	folder, version, platform string
}

// findArchives skips the test where none are to be tested.
func findArchives(t *testing.T) archives {
	t.Helper()
	folder := os.Getenv(archivesVariable)
	if folder == "" {
		t.Skip("this tests a release's archives: make test-archives")
	}
	platform := runtime.GOOS + "_" + runtime.GOARCH
	for _, path := range glob(t, filepath.Join(folder, "*.zip")) {
		match := archiveName.FindStringSubmatch(filepath.Base(path))
		if len(match) == 3 && match[2] == platform {
			return archives{folder, match[1], platform}
		}
	}
	t.Fatalf("%s has no archive for %s", folder, platform)
	return archives{}
}

func (a archives) provider() string {
	return filepath.Join(a.folder, "terraform-provider-neon_"+a.version+"_"+a.platform+".zip")
}

// sums is the list of checksums.
func (a archives) sums() string { return "terraform-provider-neon_" + a.version + "_SHA256SUMS" }

// workspace is a copy of the quickstart that asks for just this version.
func (a archives) workspace(t *testing.T) string {
	t.Helper()
	workspace := filepath.Join(t.TempDir(), "quickstart")
	if err := os.CopyFS(workspace, os.DirFS(quickstart)); err != nil {
		t.Fatal(err)
	}
	// Without a constraint, a version that is none yet isn't chosen.
	write(t, filepath.Join(workspace, "version_override.tf"), "terraform {\n  required_providers {\n"+
		"    neon = {\n      source  = \""+source(t)+"\"\n      version = \""+a.version+"\"\n    }\n  }\n}\n")
	return workspace
}

// source is where configurations take the provider from.
func source(t *testing.T) string {
	t.Helper()
	return sourceLine.FindStringSubmatch(read(t, filepath.Join(quickstart, "main.tf")))[1]
}

// program is the terraform to try them with.
func (a archives) program(t *testing.T) string {
	t.Helper()
	if chosen := os.Getenv("TF_ACC_TERRAFORM_PATH"); chosen != "" {
		return chosen
	}
	program, err := terraformcli.Find(t.Context(), filepath.Join(root, ".cache", "terraform"))
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// The Registry takes what is named as it wants, and refuses a release whose list of
// checksums names anything else.
func TestArchives_areWhatTheRegistryTakes(t *testing.T) {
	a := findArchives(t)
	archive, err := zip.OpenReader(a.provider())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	members := map[string]fs.FileMode{}
	for _, file := range archive.File {
		members[file.Name] = file.Mode()
	}
	program := "terraform-provider-neon_v" + a.version
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if len(members) != 2 || members[program] != 0o755 || members["LICENSE"] != 0o644 {
		t.Errorf("the archive holds %v, want %s and LICENSE", members, program)
	}

	sums := read(t, filepath.Join(a.folder, a.sums()))
	var named []string
	for _, match := range checksumLine.FindAllStringSubmatch(sums, -1) {
		named = append(named, match[2])
		content := filepath.Join(a.folder, match[2])
		if strings.HasSuffix(match[2], "_manifest.json") {
			content = filepath.Join(root, "terraform-registry-manifest.json")
		}
		if sum := sha256.Sum256([]byte(read(t, content))); hex.EncodeToString(sum[:]) != match[1] {
			t.Errorf("the checksum of %s is another", match[2])
		}
	}
	want := []string{"terraform-provider-neon_" + a.version + "_manifest.json"}
	for _, path := range glob(t, filepath.Join(a.folder, "terraform-provider-neon_*.zip")) {
		want = append(want, filepath.Base(path))
	}
	slices.Sort(named)
	slices.Sort(want)
	if !slices.Equal(named, want) {
		t.Errorf("the checksums are those of %q, want %q", named, want)
	}
}

// Each archive has a list of what is in it: this program, and each module at the version that go.mod has.
func TestArchives_haveTheirContentsListed(t *testing.T) {
	a := findArchives(t)
	if os.Getenv("RELEASE_SBOMS") == "" {
		t.Skip("nothing was listed: make test-archives SBOMS=")
	}
	version := regexp.MustCompile(`(?m)^\s*github\.com/jackc/pgx/v5 (\S+)`).FindStringSubmatch(read(t, root+"/go.mod"))
	if version == nil {
		t.Fatal("go.mod has no github.com/jackc/pgx/v5, which both programs use")
	}
	found := glob(t, filepath.Join(a.folder, "*_"+a.platform+".*[pz]"))
	if len(found) != 2 {
		t.Fatalf("the archives are %q, want the provider's and the emulator's", found)
	}
	for _, archive := range found {
		var sbom struct {
			Version  string `json:"spdxVersion"`
			Packages []struct {
				Name    string `json:"name"`
				Version string `json:"versionInfo"`
			} `json:"packages"`
		}
		if err := json.Unmarshal([]byte(read(t, archive+".spdx.json")), &sbom); err != nil ||
			!strings.HasPrefix(sbom.Version, "SPDX-") {
			t.Errorf("%s.spdx.json is no SPDX document (%q, %v)", archive, sbom.Version, err)
		}
		versions := map[string]string{}
		for _, p := range sbom.Packages {
			versions[p.Name] = p.Version
		}
		if _, listed := versions["github.com/seed-a7382548/terraform-provider-neon"]; !listed ||
			versions["github.com/jackc/pgx/v5"] != version[1] {
			t.Errorf("%s.spdx.json lists %v", archive, versions)
		}
	}
}

// From a mirror that is nothing but the archive in a folder, terraform installs the
// provider; and with it, it manages what the emulator from its own archive serves.
func TestArchives_work(t *testing.T) {
	a := findArchives(t)
	folder, workspace := t.TempDir(), a.workspace(t)
	world := a.startEmulator(t, folder)
	environment := terraformcli.Environment(os.Environ(), world, map[string]string{
		"TF_CLI_CONFIG_FILE": a.mirror(t, folder, source(t)),
		"TF_INPUT":           "0", "TF_IN_AUTOMATION": "1", "CHECKPOINT_DISABLE": "1",
	})
	for _, arguments := range [][]string{
		{"init"}, {"apply", "-auto-approve"}, {"plan", "-detailed-exitcode"}, {"destroy", "-auto-approve"},
	} {
		run(t, workspace, environment, a.program(t), append(arguments, "-no-color")...)
	}
}

// mirror writes a configuration of the command line that knows of no other place
// to take providers from than a folder with the archive, and gives its path.
func (a archives) mirror(t *testing.T, folder, source string) string {
	t.Helper()
	archive := read(t, a.provider())
	mirror := filepath.Join(folder, "mirror")
	// OpenTofu takes the same name for one in its own registry.
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		place := filepath.Join(mirror, host, filepath.FromSlash(source))
		if err := os.MkdirAll(place, 0o750); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(place, filepath.Base(a.provider())), archive)
	}
	config := filepath.Join(folder, "mirror.tfrc")
	write(t, config, "provider_installation {\n  filesystem_mirror {\n    path = \""+filepath.ToSlash(mirror)+
		"\"\n  }\n}\n")
	return config
}

// startEmulator unpacks the emulator as people do, and starts it.
func (a archives) startEmulator(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := glob(t, filepath.Join(a.folder, "neon-emulator_"+a.version+"_"+a.platform+".*[pz]"))
	if len(found) != 1 {
		t.Fatalf("the emulator's archive is one of %q", found)
	}
	archive, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	run(t, folder, os.Environ(), "tar", "-xf", archive)
	return serve(t, folder, filepath.Join(folder, "neon-emulator"))
}

// serve starts the emulator for as long as the test runs, and gives the variables that it tells.
func serve(t *testing.T, folder, program string) map[string]string {
	t.Helper()
	envFile := filepath.Join(folder, "neon.env")
	ctx, stop := context.WithCancel(t.Context())
	emulator := process.Command(ctx, program,
		"-listen", "127.0.0.1:0", "-postgres", "off", "-env-file", envFile)
	var log bytes.Buffer
	emulator.Stderr = &log
	if err := emulator.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() {
		_ = emulator.Wait()
		close(exited)
	}()
	t.Cleanup(func() {
		stop()
		<-exited
	})
	for range 1200 {
		if variables, err := godotenv.Read(envFile); err == nil {
			return variables
		}
		time.Sleep(100 * time.Millisecond)
	}
	stop()
	<-exited // Then its log is whole.
	t.Fatalf("the emulator doesn't say where it is\n%s", log.String())
	return nil
}

// run runs a program in a folder, which must succeed, and returns what it says.
func run(t *testing.T, folder string, environment []string, program string, arguments ...string) string {
	t.Helper()
	said, err := attempt(t, folder, environment, program, arguments...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(arguments, " "), err, said)
	}
	return said
}

// attempt runs a program in a folder.
func attempt(t *testing.T, folder string, environment []string, program string, arguments ...string) (string, error) {
	t.Helper()
	cmd := process.Command(t.Context(), program, arguments...)
	var said bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = folder, environment, &said, &said
	err := process.Finish(t.Context(), cmd)
	return said.String(), err
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
