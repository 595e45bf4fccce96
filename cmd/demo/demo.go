package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const (
	quickstart     = "examples/quickstart"
	terraformCache = ".cache/terraform"

	// The change that the demo makes, away from the quickstart's default.
	changedBranch   = "neon_branch.preview"
	changedVariable = "suspend_timeout_seconds=600"

	lastLine = "For a configuration of your own: docs/guides/getting-started.md"

	// indent is what stands before all lines but the titles.
	indent = "  "
)

// steps are what the demo does, in order.
var steps = []struct {
	title string
	do    func(*demo, context.Context) error
}{
	{"Build the provider and an emulator of Neon", (*demo).build},
	{"Start the emulator: from here on, this machine has a Neon of its own", (*demo).start},
	{"Create a project, a branch with two endpoints, a role, a database and keys", (*demo).create},
	{"Plan again: nothing to do", (*demo).planAgain},
	{"Change one setting: in place, and no other endpoint is touched", (*demo).change},
	{"Write three rows into the branch main", (*demo).write},
	{"Open pull request 17, and lose Neon's answer to the creation of its branch", (*demo).openPullRequest},
	{"Read the rows through the connection string of the pull request", (*demo).read},
	{"Close pull request 17", (*demo).closePullRequest},
	{"Destroy everything", (*demo).destroy},
	{"Count what Neon holds", (*demo).count},
}

// options say how the demo shows what it does.
type options struct {
	// all shows everything that terraform prints, with each attribute of each plan.
	all bool
	// colors are for a terminal.
	colors bool
}

// demo is one run: its folder, the programs in it and the world they work on.
type demo struct {
	options

	out     io.Writer
	folder  string
	started time.Time
	// program is the path of terraform.
	program  string
	emulator *emulator
	tour     *terraform
	preview  *terraform
	// What the world held before the first apply and after it.
	before, during objects
}

// run does the whole demo. The errors of cleaning up count, too.
func run(ctx context.Context, out io.Writer, options options) (err error) {
	if _, err := os.Stat(quickstart); err != nil {
		return fmt.Errorf("run this in the repository's root folder: %w", err)
	}
	folder, err := os.MkdirTemp("", "neon-demo-")
	if err != nil {
		return err
	}
	d := &demo{options: options, out: out, folder: folder, started: time.Now()}
	defer func() { err = errors.Join(err, d.close()) }()

	for i, step := range steps {
		d.show("\n"+headline("%d/%d  %s"), i+1, len(steps), step.title)
		if err := step.do(d, ctx); err != nil {
			return err
		}
	}
	d.show("\n"+headline("Done in %.0f seconds.")+" "+lastLine, time.Since(d.started).Seconds())
	return nil
}

// close stops the emulator and removes the folder.
func (d *demo) close() error {
	if d.emulator != nil {
		d.emulator.stop()
	}
	return os.RemoveAll(d.folder)
}

func (d *demo) build(ctx context.Context) error {
	if err := process.Build(ctx, d.out, d.folder, ".", "./cmd/neon-emulator"); err != nil {
		return err
	}
	program, err := terraformcli.Find(ctx, terraformCache)
	d.program = program
	return err
}

// start starts the emulator, and deletes the project that it begins with: the demo creates
// its own.
func (d *demo) start(ctx context.Context) (err error) {
	if d.emulator, err = startEmulator(ctx, d.folder); err != nil {
		return err
	}
	d.say("It listens on %s, where a page shows what follows. No account, no key, no network.", d.emulator.variables["NEON_BASE_URL"])
	api, err := d.client()
	if err != nil {
		return err
	}
	return api.DeleteProject(ctx, d.emulator.variables["NEON_PROJECT_ID"])
}

func (d *demo) client() (*client.Client, error) {
	variables := d.emulator.variables
	return client.New(client.Config{BaseURL: variables["NEON_BASE_URL"], APIKey: variables["NEON_API_KEY"]})
}

// create applies the quickstart in an organization that has no project.
func (d *demo) create(ctx context.Context) (err error) {
	if d.before, err = d.emulator.objects(ctx); err != nil {
		return err
	}
	if d.tour, err = d.terraform(ctx, quickstart); err != nil {
		return err
	}
	if err := d.tour.run(ctx, "apply", "-auto-approve"); err != nil {
		return err
	}
	if d.emulator.variables["NEON_PROJECT_ID"], err = d.tour.output(ctx, "project_id"); err != nil {
		return err
	}
	d.during, err = d.emulator.objects(ctx)
	return err
}

func (d *demo) planAgain(ctx context.Context) error {
	err := d.tour.run(ctx, "plan", "-detailed-exitcode")
	if process.ExitCode(err) == changesPlanned {
		return errors.New("the second plan has changes")
	}
	return err
}

// change sets one attribute to another value, and shows that this is an update.
func (d *demo) change(ctx context.Context) error {
	plan := filepath.Join(d.folder, "change.tfplan")
	if err := d.tour.execute(ctx, io.Discard, "plan", "-var", changedVariable, "-out", plan); err != nil {
		return err
	}
	if err := d.tour.checkUpdate(ctx, plan, changedBranch); err != nil {
		return err
	}
	return d.tour.withPlans().run(ctx, "apply", "-auto-approve", "-var", changedVariable)
}

func (d *demo) destroy(ctx context.Context) error {
	return d.tour.run(ctx, "destroy", "-auto-approve", "-var", changedVariable)
}

// count compares the world with that before the first apply.
func (d *demo) count(ctx context.Context) error {
	after, err := d.emulator.objects(ctx)
	if err != nil {
		return err
	}
	return report(d.out, d.before, d.during, after)
}

func (d *demo) say(format string, values ...any) { d.show(indent+format, values...) }

// show prints a line, with its colors where they make sense.
func (d *demo) show(format string, values ...any) {
	line := fmt.Sprintf(format, values...)
	if !d.colors {
		line = colors.ReplaceAllString(line, "")
	}
	_, _ = fmt.Fprintln(d.out, line)
}

func headline(text string) string { return "\x1b[1;36m" + text + "\x1b[0m" }

// shell is how a command looks at a terminal.
func shell(words ...string) string { return indent + "\x1b[32m$\x1b[0m " + strings.Join(words, " ") }
