package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// provider is one of them, as configurations name it and as a program.
type provider struct{ name, source, program string }

var (
	neon  = provider{"neon", "seed-a7382548/neon", "terraform-provider-neon"}
	empty = provider{"empty", "seed-a7382548/empty", "terraform-provider-empty"}
)

// Configurations, each with places for a count, a project and its default branch.
const (
	branchesConfig = `resource "neon_branch" "b" {
  count      = %[1]d
  project_id = %[2]q
  name       = "branch-${count.index + 1}"
  endpoints  = { primary = { type = "read_write" } }
}
`
	rolesConfig = `resource "neon_role" "r" {
  count      = %[1]d
  project_id = %[2]q
  branch_id  = %[3]q
  name       = "role-${count.index + 1}"
}

resource "neon_database" "d" {
  count      = %[1]d
  project_id = %[2]q
  branch_id  = %[3]q
  name       = "database-${count.index + 1}"
  owner_name = neon_role.r[count.index].name
}
`
	projectsConfig = `resource "neon_project" "p" {
  count  = %[1]d
  name   = "project-${count.index + 1}"
}

resource "neon_branch" "b" {
  count      = %[1]d
  project_id = neon_project.p[count.index].id
  name       = "branch"
}
`
	thingsConfig = `resource "empty_thing" "t" {
  count = %[1]d
  name  = "thing-${count.index + 1}"
}
`
)

// workspace is a folder with a configuration, in which terraform is run.
type workspace struct {
	of        provider
	program   string
	folder    string
	variables map[string]string
	// cpu is how much terraform has used, with the providers that it started.
	cpu time.Duration
	// isSlowed stops terraform and its providers for four fifths of the time.
	isSlowed bool
}

// newWorkspace creates a folder with a configuration for one of the providers, and for the first project of a platform.
func (b *bench) newWorkspace(of provider, p *platform, config string, count int) (*workspace, error) {
	folder, err := os.MkdirTemp(b.folder, of.name+"-")
	if err != nil {
		return nil, err
	}
	override := filepath.Join(folder, "bench.tfrc")
	if err := terraformcli.WriteOverride(override, filepath.Dir(b.programOf(of)), of.source); err != nil {
		return nil, err
	}
	w := &workspace{of: of, program: b.terraform, folder: folder, variables: map[string]string{
		"TF_CLI_CONFIG_FILE": override, "TF_CLI_ARGS": "-no-color", "TF_INPUT": "0", "TF_IN_AUTOMATION": "1",
		"CHECKPOINT_DISABLE": "1", "TMPDIR": b.folder,
		"NEON_BASE_URL": p.address, "NEON_CLAIM_BASE_URL": p.address, "NEON_API_KEY": p.world.APIKey, "NEON_ORG_ID": p.world.OrgID,
	}}
	err = w.configure(p, config, count)
	return w, err
}

// configure writes the configuration.
func (w *workspace) configure(p *platform, config string, count int) error {
	text := fmt.Sprintf("terraform {\n  required_providers {\n    %s = { source = %q }\n  }\n}\n", w.of.name, w.of.source) +
		fmt.Sprintf(config+"# %[2]s %[3]s\n", count, p.world.ProjectID, p.world.BranchID)
	return os.WriteFile(filepath.Join(w.folder, "main.tf"), []byte(text), 0o600)
}

// with returns the workspace with another value of a variable.
func (w *workspace) with(variable, value string) *workspace {
	other := *w
	other.variables = maps.Clone(w.variables)
	other.variables[variable] = value
	return &other
}

// run runs one terraform command.
func (w *workspace) run(ctx context.Context, arguments ...string) error {
	cmd := process.Command(ctx, w.program, arguments...)
	cmd.Dir = w.folder
	cmd.Env = terraformcli.Environment(os.Environ(), w.variables)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	finish := process.Finish
	if w.isSlowed {
		finish = process.FinishSlowly
	}
	err := finish(ctx, cmd)
	if cmd.ProcessState != nil {
		w.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if err != nil {
		return fmt.Errorf("terraform %s: %w\n%s", strings.Join(arguments, " "), err, output.String())
	}
	return nil
}

// apply creates what the configuration has, so many objects at a time.
func (w *workspace) apply(ctx context.Context, parallelism int) error {
	return w.run(ctx, "apply", "-auto-approve", fmt.Sprintf("-parallelism=%d", parallelism))
}

// plan plans what has been applied. A plan with changes is an error here.
func (w *workspace) plan(ctx context.Context, arguments ...string) error {
	return w.run(ctx, append([]string{"plan", "-detailed-exitcode"}, arguments...)...)
}
