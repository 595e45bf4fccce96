package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// changesPlanned is how `terraform plan -detailed-exitcode` says that there are any.
const changesPlanned = 2

// sourceLine is where a configuration names the provider.
var sourceLine = regexp.MustCompile(`source\s*=\s*"([^"]+)"`)

// terraform runs the program in a copy of an example.
type terraform struct {
	program     string
	workspace   string
	environment []string
	demo        *demo
	// plans says that plans are shown with their attributes.
	plans bool
}

// terraform copies an example into the folder and installs the provider that was built
// there, as terraform init does with one of the Registry.
func (d *demo) terraform(ctx context.Context, example string) (*terraform, error) {
	workspace := filepath.Join(d.folder, filepath.Base(example))
	if err := os.CopyFS(workspace, os.DirFS(example)); err != nil {
		return nil, err
	}
	config := filepath.Join(d.folder, "demo.tfrc")
	if err := writeMirror(config, filepath.Join(workspace, "main.tf"), d.folder); err != nil {
		return nil, err
	}
	own := map[string]string{
		"TF_CLI_CONFIG_FILE": config,
		"TF_DATA_DIR":        filepath.Join(workspace, ".terraform"),
		"TF_VAR_project_id":  d.emulator.variables["NEON_PROJECT_ID"],
		"TF_INPUT":           "0",
		"TF_IN_AUTOMATION":   "1",
		"CHECKPOINT_DISABLE": "1",
		"TMPDIR":             d.folder,
	}
	if !d.colors {
		own["TF_CLI_ARGS"] = "-no-color"
	}
	t := &terraform{
		program:     d.program,
		workspace:   workspace,
		environment: terraformcli.Environment(os.Environ(), d.emulator.variables, own),
		demo:        d,
	}
	d.say("In a copy of %s:", example)
	err := t.execute(ctx, io.Discard, "init")
	return t, err
}

// withPlans shows the attributes of what is planned.
func (t terraform) withPlans() *terraform {
	t.plans = true
	return &t
}

// writeMirror writes a command line configuration with which terraform init installs the
// provider of the configuration in mainFile from the folder.
func writeMirror(path, mainFile, folder string) error {
	content, err := os.ReadFile(mainFile)
	if err != nil {
		return err
	}
	source := sourceLine.FindSubmatch(content)
	if source == nil {
		return fmt.Errorf("%s names no provider", mainFile)
	}
	program := "terraform-provider-neon"
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	program = filepath.Join(process.ProgramsFolder(folder), program)
	return terraformcli.WriteMirror(path, filepath.Join(folder, "mirror"), program, string(source[1]), "0.1.0")
}

// isTerminal reports whether colors make sense.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// run shows one terraform command, and what it prints.
func (t *terraform) run(ctx context.Context, arguments ...string) error {
	t.demo.show("%s", shell(append([]string{"terraform"}, arguments...)...))
	if t.demo.all {
		return t.execute(ctx, t.demo.out, arguments...)
	}
	return t.execute(ctx, &condensed{out: t.demo.out, plans: t.plans}, arguments...)
}

// output returns one output of the configuration.
func (t *terraform) output(ctx context.Context, name string) (string, error) {
	var value bytes.Buffer
	err := t.execute(ctx, &value, "output", "-raw", name)
	return value.String(), err
}

// execute runs one terraform command. What goes wrong is in the error.
func (t *terraform) execute(ctx context.Context, out io.Writer, arguments ...string) error {
	var problems bytes.Buffer
	cmd := process.Command(ctx, t.program, arguments...)
	cmd.Dir = t.workspace
	cmd.Env = t.environment
	cmd.Stdout, cmd.Stderr = out, &problems
	if err := process.Finish(ctx, cmd); err != nil {
		return fmt.Errorf("terraform %s: %w\n%s", arguments[0], err, &problems)
	}
	return nil
}

// checkUpdate fails unless the saved plan updates this resource in place and leaves
// all others alone.
func (t *terraform) checkUpdate(ctx context.Context, plan, resource string) error {
	var document bytes.Buffer
	if err := t.execute(ctx, &document, "show", "-json", plan); err != nil {
		return err
	}
	changes, err := plannedChanges(document.Bytes())
	if err != nil {
		return err
	}
	if len(changes) != 1 || changes[resource] != "update" {
		return fmt.Errorf("the plan should update %s in place and nothing else; it has %v", resource, changes)
	}
	return nil
}

// plannedChanges reads a plan's JSON document: what is to happen to each resource
// that doesn't stay as it is.
func plannedChanges(document []byte) (map[string]string, error) {
	var plan struct {
		ResourceChanges []struct {
			Address string `json:"address"`
			Mode    string `json:"mode"`
			Change  struct {
				Actions []string `json:"actions"`
			} `json:"change"`
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal(document, &plan); err != nil {
		return nil, fmt.Errorf("unable to read the plan: %w", err)
	}
	changes := map[string]string{}
	for _, resource := range plan.ResourceChanges {
		actions := strings.Join(resource.Change.Actions, ", ")
		if resource.Mode == "managed" && actions != "no-op" {
			changes[resource.Address] = actions
		}
	}
	return changes, nil
}
