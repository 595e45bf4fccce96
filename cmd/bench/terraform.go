package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// aPlan is a plan in which nothing changes.
var aPlan = []string{"plan", "-detailed-exitcode"}

// workspace is a folder with a configuration, in which terraform is run.
type workspace struct {
	program   string
	folder    string
	variables map[string]string
}

// newWorkspace makes a folder with a configuration for one of the providers.
func (b *bench) newWorkspace(of provider, config string, variables map[string]string) (*workspace, error) {
	folder, err := os.MkdirTemp(b.folder, of.name+"-")
	if err != nil {
		return nil, err
	}
	override := filepath.Join(b.folder, "bench.tfrc")
	if err := terraformcli.WriteOverride(override, process.ProgramsFolder(b.folder), neon.source, empty.source); err != nil {
		return nil, err
	}
	own := map[string]string{
		"TF_CLI_CONFIG_FILE": override,
		"TF_CLI_ARGS":        "-no-color",
		"TF_INPUT":           "0",
		"TF_IN_AUTOMATION":   "1",
		"CHECKPOINT_DISABLE": "1",
		"TMPDIR":             b.folder,
	}
	maps.Copy(own, variables)
	w := &workspace{program: b.terraform, folder: folder, variables: own}
	requirement := fmt.Sprintf("terraform {\n  required_providers {\n    %s = { source = %q }\n  }\n}\n", of.name, of.source)
	err = w.write("main.tf", requirement+config)
	return w, err
}

// with is the workspace with another value of a variable.
func (w *workspace) with(variable, value string) *workspace {
	other := *w
	other.variables = maps.Clone(w.variables)
	other.variables[variable] = value
	return &other
}

func (w *workspace) write(file, text string) error {
	return os.WriteFile(filepath.Join(w.folder, file), []byte(text), 0o600)
}

// run runs one terraform command.
func (w *workspace) run(ctx context.Context, arguments ...string) error {
	return w.runWith(ctx, nil, arguments...)
}

// runWith runs it with more variables in its environment.
func (w *workspace) runWith(ctx context.Context, variables map[string]string, arguments ...string) error {
	cmd := process.Command(ctx, w.program, arguments...)
	cmd.Dir = w.folder
	cmd.Env = terraformcli.Environment(os.Environ(), w.variables, variables)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := process.Finish(ctx, cmd); err != nil {
		return fmt.Errorf("terraform %s: %w\n%s", strings.Join(arguments, " "), err, output.String())
	}
	return nil
}

// planInto plans once more what has been applied, and adds the time that it took. A
// plan with changes would be a mistake here.
func (w *workspace) planInto(ctx context.Context, taken *[]seconds, arguments ...string) error {
	return w.runInto(ctx, taken, slices.Concat(aPlan, arguments)...)
}

func (w *workspace) runInto(ctx context.Context, taken *[]seconds, arguments ...string) error {
	started := time.Now()
	err := w.run(ctx, arguments...)
	*taken = append(*taken, seconds(time.Since(started)))
	return err
}

// importAll lets an apply take in what exists, for the runs that are measured. The
// blocks don't stay: they would be part of every later plan.
func (w *workspace) importAll(ctx context.Context, blocks string, arguments ...string) error {
	if err := w.write("import.tf", blocks); err != nil {
		return err
	}
	if err := w.run(ctx, append([]string{"apply", "-auto-approve"}, arguments...)...); err != nil {
		return err
	}
	return os.Remove(filepath.Join(w.folder, "import.tf"))
}
