// Package terraformcli finds a terraform program that development can use: the
// one on PATH, else one that cmd/install-terraform brings into a folder of
// the caller's; and it prepares its surroundings. Tests, attacks and the benchmarks
// use it; the provider doesn't.
package terraformcli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hashicorp/go-version"
)

// Usable are the versions that everything but the newest features works with.
var Usable = version.MustConstraints(version.NewConstraint(">= 1.8, < 2.0"))

// Find returns the absolute path of a usable terraform: from PATH, else from
// cacheDir, else installed into cacheDir. When none of that works out, the error
// says in one line what to install.
func Find(ctx context.Context, cacheDir string) (string, error) {
	return find(ctx, cacheDir, install)
}

func find(ctx context.Context, cacheDir string, install func(context.Context, string) (string, error)) (string, error) {
	onPath, pathErr := fromPath(ctx)
	if pathErr == nil {
		return onPath, nil
	}
	cacheDir, err := filepath.Abs(cacheDir)
	if err != nil {
		return "", err
	}
	cached := filepath.Join(cacheDir, programName())
	if check(ctx, cached) == nil {
		return cached, nil
	}
	installed, err := install(ctx, cacheDir)
	if err != nil {
		return "", fmt.Errorf("install Terraform (%s) from https://developer.hashicorp.com/terraform/install and put it "+
			"on PATH: %w, and it could not be downloaded: %w", Usable, pathErr, err)
	}
	return installed, nil
}

func fromPath(ctx context.Context) (string, error) {
	path, err := exec.LookPath("terraform")
	if err != nil {
		return "", errors.New("there is none on PATH")
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return path, check(ctx, path)
}

// check says why the program can't be used. The configuration of the command line
// is kept out of it: a broken one is no fault of the program's.
func check(ctx context.Context, path string) error {
	cmd := exec.CommandContext(ctx, path, "version", "-json")
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1")
	output, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s doesn't run: %w", path, err)
	}
	var answer struct {
		Version *version.Version `json:"terraform_version"`
	}
	if err := json.Unmarshal(output, &answer); err != nil || answer.Version == nil {
		return fmt.Errorf("%s doesn't say which version it is", path)
	}
	if !Usable.Check(answer.Version.Core()) {
		return fmt.Errorf("%s is version %s", path, answer.Version)
	}
	return nil
}

// install brings the latest release by a program of its own: compiling what checks the release's signature takes longer
// than most of what is done with terraform here.
func install(ctx context.Context, cacheDir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "run", "github.com/seed-a7382548/terraform-provider-neon/cmd/install-terraform",
		"-into", cacheDir)
	output, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return strings.TrimSpace(string(output)), err
}

func programName() string {
	if runtime.GOOS == "windows" {
		return "terraform.exe"
	}
	return "terraform"
}
