package terraformcli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for terraform is a shell script")
	}
	tests := map[string]struct {
		onPath, cached string
		want           string
	}{
		"on PATH":                          {onPath: "1.8.0", cached: "1.9.0", want: "path"},
		"a prerelease on PATH":             {onPath: "1.15.0-beta1", want: "path"},
		"too old on PATH, cached":          {onPath: "1.7.5", cached: "1.9.0", want: "cache"},
		"too new on PATH, none cached":     {onPath: "2.0.0", want: "installed"},
		"none on PATH, cached":             {cached: "1.14.3", want: "cache"},
		"none on PATH, cached one too old": {cached: "1.5.7", want: "installed"},
		"none at all":                      {want: "installed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			pathDir, cacheDir := t.TempDir(), t.TempDir()
			standIn(t, pathDir, test.onPath)
			standIn(t, cacheDir, test.cached)
			t.Setenv("PATH", pathDir)

			got, err := find(t.Context(), cacheDir, func(context.Context, string) (string, error) {
				return "installed", nil
			})
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{
				"path":      filepath.Join(pathDir, "terraform"),
				"cache":     filepath.Join(cacheDir, "terraform"),
				"installed": "installed",
			}[test.want]
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestFindSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	offline := errors.New("no route to host")
	_, err := find(t.Context(), t.TempDir(), func(context.Context, string) (string, error) { return "", offline })
	if !errors.Is(err, offline) {
		t.Fatalf("the reason is missing: %v", err)
	}
	for _, part := range []string{"install Terraform (>= 1.8", "none on PATH", "could not be downloaded"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %q in %q", part, err)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %q", err)
	}
}

func TestCheckRefusesWhatIsNotTerraform(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for terraform is a shell script")
	}
	path := filepath.Join(t.TempDir(), "terraform")
	for name, script := range map[string]string{
		"fails":         "#!/bin/sh\nexit 3\n",
		"says nothing":  "#!/bin/sh\n",
		"says no JSON":  "#!/bin/sh\necho Terraform v1.9.0\n",
		"has no number": "#!/bin/sh\necho '{}'\n",
	} {
		if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := check(t.Context(), path); err == nil {
			t.Errorf("a program that %s is taken for terraform", name)
		}
	}
}

// standIn puts a program into dir that says it is that version of Terraform.
func standIn(t *testing.T, dir, version string) {
	t.Helper()
	if version == "" {
		return
	}
	script := "#!/bin/sh\necho '{\"terraform_version\": \"" + version + "\"}'\n"
	if err := os.WriteFile(filepath.Join(dir, "terraform"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestEnvironmentKeepsOthersOut(t *testing.T) {
	got := Environment(
		[]string{"HOME=/home/user", "TF_CLI_CONFIG_FILE=/gone", "TF_VAR_project_id=theirs", "NEON_API_KEY=real",
			"CLAIMABLE_NEON_HOST=https://example.com", "PATH=/bin"},
		map[string]string{"NEON_API_KEY": "emulated"}, map[string]string{"TF_DATA_DIR": "/tmp/data"},
	)
	want := []string{"HOME=/home/user", "PATH=/bin", "NEON_API_KEY=emulated", "TF_DATA_DIR=/tmp/data"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What finds terraform is compiled with each program here, and needs none of what a download takes.
func TestFind_compilesNoInstaller(t *testing.T) {
	t.Parallel()
	packages, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil || !strings.Contains(string(packages), "hashicorp/go-version") {
		t.Fatalf("%v: %s", err, packages)
	}
	if strings.Contains(string(packages), "hashicorp/hc-install") {
		t.Error("it compiles hc-install")
	}
}
