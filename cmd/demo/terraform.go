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
	out         io.Writer
}

// newTerraform copies an example into the folder and installs the provider that was built
// there, as terraform init does with one of the Registry.
func newTerraform(ctx context.Context, program, folder, example string, out io.Writer, variables map[string]string) (*terraform, error) {
	workspace := filepath.Join(folder, filepath.Base(example))
	if err := os.CopyFS(workspace, os.DirFS(example)); err != nil {
		return nil, err
	}
	config := filepath.Join(folder, "demo.tfrc")
	if err := writeMirror(config, filepath.Join(workspace, "main.tf"), folder); err != nil {
		return nil, err
	}
	own := map[string]string{
		"TF_CLI_CONFIG_FILE": config,
		"TF_DATA_DIR":        filepath.Join(workspace, ".terraform"),
		"TF_VAR_project_id":  variables["NEON_PROJECT_ID"],
		"TF_INPUT":           "0",
		"TF_IN_AUTOMATION":   "1",
		"CHECKPOINT_DISABLE": "1",
		"TMPDIR":             folder,
	}
	if !isTerminal(out) {
		own["TF_CLI_ARGS"] = "-no-color"
	}
	t := &terraform{
		program:     program,
		workspace:   workspace,
		environment: terraformcli.Environment(os.Environ(), variables, own),
		out:         out,
	}
	err := t.runTo(ctx, io.Discard, "init")
	return t, err
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

// isTerminal tells whether colors make sense.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// run shows the output of one terraform command.
func (t *terraform) run(ctx context.Context, arguments ...string) error {
	return t.runTo(ctx, t.out, arguments...)
}

// output gives one output of the configuration.
func (t *terraform) output(ctx context.Context, name string) (string, error) {
	var value bytes.Buffer
	err := t.runTo(ctx, &value, "output", "-raw", name)
	return value.String(), err
}

func (t *terraform) runTo(ctx context.Context, stdout io.Writer, arguments ...string) error {
	cmd := process.Command(ctx, t.program, arguments...)
	cmd.Dir = t.workspace
	cmd.Env = t.environment
	cmd.Stdout, cmd.Stderr = stdout, t.out
	if err := process.Finish(ctx, cmd); err != nil {
		return fmt.Errorf("terraform %s: %w", arguments[0], err)
	}
	return nil
}

// checkUpdate fails unless the saved plan updates this resource in place and leaves
// all others alone.
func (t *terraform) checkUpdate(ctx context.Context, plan, resource string) error {
	var document bytes.Buffer
	if err := t.runTo(ctx, &document, "show", "-json", plan); err != nil {
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
