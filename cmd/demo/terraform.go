package main

import (
	"bytes"
	"context"
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

var (
	// events are the lines of terraform's output that say what has happened.
	events = regexp.MustCompile(`^neon_.*complete after|^(Apply|Destroy) complete|^Plan:|^No changes|Warning:`)
	// planned are those that show what a plan does.
	planned = regexp.MustCompile(`^ {2}# |^ +[-+~}]|^ +# \(`)
)

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
	if err := terraformcli.WriteMirror(config, filepath.Join(d.folder, "mirror"), d.provider(), "seed-a7382548/neon", "0.1.0"); err != nil {
		return nil, err
	}
	own := map[string]string{
		"NEON_BASE_URL":       d.address,
		"NEON_CLAIM_BASE_URL": d.address,
		"NEON_API_KEY":        d.world.APIKey,
		"NEON_ORG_ID":         d.world.OrgID,
		"TF_CLI_CONFIG_FILE":  config,
		"TF_CLI_ARGS":         "-no-color",
		"TF_DATA_DIR":         filepath.Join(workspace, ".terraform"),
		"TF_VAR_project_id":   d.projectID,
		"TF_INPUT":            "0",
		"TF_IN_AUTOMATION":    "1",
		"CHECKPOINT_DISABLE":  "1",
		"TMPDIR":              d.folder,
	}
	t := &terraform{program: d.program, workspace: workspace, environment: terraformcli.Environment(os.Environ(), own), demo: d}
	d.say("In a copy of %s:", example)
	err := t.execute(ctx, io.Discard, "init")
	return t, err
}

// provider is the path of the built program.
func (d *demo) provider() string {
	name := "terraform-provider-neon"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(process.ProgramsFolder(d.folder), name)
}

// withPlans shows the attributes of what is planned.
func (t terraform) withPlans() *terraform {
	t.plans = true
	return &t
}

// isTerminal reports whether colors make sense.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// run shows one terraform command, and what it prints, which it returns.
func (t *terraform) run(ctx context.Context, arguments ...string) (string, error) {
	t.demo.say("%s terraform %s", t.demo.colored(command, "$"), strings.Join(arguments, " "))
	var said bytes.Buffer
	err := t.execute(ctx, io.MultiWriter(&said, &lines{show: t.shows, to: t.demo}), arguments...)
	return said.String(), err
}

// shows says whether a line is shown: what happens is, unless everything is wanted.
func (t *terraform) shows(line string) bool {
	return t.demo.all || events.MatchString(line) || t.plans && planned.MatchString(line)
}

// lines passes on the lines that are to be shown, as they come.
type lines struct {
	show func(string) bool
	to   *demo
	rest string
}

// Write takes any part of the output.
func (l *lines) Write(part []byte) (int, error) {
	l.rest += string(part)
	for {
		line, rest, whole := strings.Cut(l.rest, "\n")
		if !whole {
			return len(part), nil
		}
		if l.rest = rest; l.show(line) {
			l.to.say("%s", line)
		}
	}
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
	cmd.Dir, cmd.Env = t.workspace, t.environment
	cmd.Stdout, cmd.Stderr = out, &problems
	if err := process.Finish(ctx, cmd); err != nil {
		return fmt.Errorf("terraform %s: %w\n%s", arguments[0], err, &problems)
	}
	return nil
}
