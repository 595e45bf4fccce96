package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const (
	quickstart     = "examples/quickstart"
	terraformCache = ".cache/terraform"

	// The change that the demo makes, away from the quickstart's default.
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
	{"Build the provider", (*demo).build},
	{"Start an emulator of Neon: from here on, this machine has a Neon of its own", (*demo).start},
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
	program string
	// address is that of the emulator's server, and api calls it.
	address   string
	databases bool
	world     emulator.World
	api       *client.Client
	projectID string
	cleanup   []func() error

	tour    *terraform
	preview *terraform
	// What Neon held before the first apply and after it.
	before, during held
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
	defer func() {
		for _, undo := range d.cleanup {
			err = errors.Join(err, undo())
		}
		err = errors.Join(err, os.RemoveAll(folder))
	}()

	for i, step := range steps {
		d.show("\n"+d.colored(headline, "%d/%d  %s"), i+1, len(steps), step.title)
		if err := step.do(d, ctx); err != nil {
			return err
		}
	}
	d.show("\n"+d.colored(headline, "Done in %.0f seconds.")+" "+lastLine, time.Since(d.started).Seconds())
	return nil
}

func (d *demo) build(ctx context.Context) (err error) {
	if err := process.Build(ctx, d.out, d.folder, "."); err != nil {
		return err
	}
	d.program, err = terraformcli.Find(ctx, terraformCache)
	return err
}

// start starts the emulator, and deletes the project that it begins with: the demo creates
// its own.
func (d *demo) start(ctx context.Context) error {
	_, missing := postgres.FindPrograms(ctx)
	d.databases = missing == nil
	emulated, err := emulator.New(ctx, emulator.Options{Databases: d.databases})
	if err != nil {
		return err
	}
	d.cleanup = append(d.cleanup, emulated.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: emulated, ReadHeaderTimeout: time.Minute}
	d.cleanup = append([]func() error{server.Close}, d.cleanup...)
	go func() { _ = server.Serve(listener) }() // It ends when the server is closed.
	d.address, d.world = "http://"+listener.Addr().String(), emulated.World()
	d.say("It listens on %s, where a page shows what follows. No account, no key, no network.", d.address)
	if d.api, err = client.New(client.Config{BaseURL: d.address, APIKey: d.world.APIKey}); err != nil {
		return err
	}
	return d.api.DeleteProject(ctx, d.world.ProjectID)
}

// create applies the quickstart in an organization that has no project.
func (d *demo) create(ctx context.Context) (err error) {
	if d.before, err = d.holds(ctx); err != nil {
		return err
	}
	if d.tour, err = d.terraform(ctx, quickstart); err != nil {
		return err
	}
	if _, err := d.tour.run(ctx, "apply", "-auto-approve"); err != nil {
		return err
	}
	if d.projectID, err = d.tour.output(ctx, "project_id"); err != nil {
		return err
	}
	d.during, err = d.holds(ctx)
	return err
}

func (d *demo) planAgain(ctx context.Context) error {
	_, err := d.tour.run(ctx, "plan", "-detailed-exitcode")
	if process.ExitCode(err) == changesPlanned {
		return errors.New("the second plan has changes")
	}
	return err
}

// change sets one attribute to another value, and shows that this is an update.
func (d *demo) change(ctx context.Context) error {
	said, err := d.tour.withPlans().run(ctx, "apply", "-auto-approve", "-var", changedVariable)
	if err == nil && !strings.Contains(said, "0 added, 1 changed, 0 destroyed") {
		return errors.New("one branch should be changed, and nothing else")
	}
	return err
}

func (d *demo) destroy(ctx context.Context) error {
	_, err := d.tour.run(ctx, "destroy", "-auto-approve", "-var", changedVariable)
	return err
}

// held counts what the account and its organization have, by kind. A claimable database is in no account.
type held [3]int

var kinds = []string{"projects", "keys", "organization keys"}

func (d *demo) holds(ctx context.Context) (held, error) {
	projects, err := client.All(d.api.ListProjects(ctx, client.ProjectQuery{OrgID: d.world.OrgID}))
	keys, err2 := client.All(d.api.ListAPIKeys(ctx, client.APIKeyScope{}))
	organizationKeys, err3 := client.All(d.api.ListAPIKeys(ctx, client.APIKeyScope{OrgID: d.world.OrgID}))
	return held{len(projects), len(keys), len(organizationKeys)}, errors.Join(err, err2, err3)
}

// count compares what Neon holds with what it held before the first apply.
func (d *demo) count(ctx context.Context) error {
	after, err := d.holds(ctx)
	if err != nil {
		return err
	}
	d.say("%-18s %8s %8s %10s", "", "at first", "applied", "destroyed")
	for i, kind := range kinds {
		d.say("%-18s %8d %8d %10d", kind, d.before[i], d.during[i], after[i])
	}
	d.say("The claimable database is in no account, and expires by itself.")
	if after != d.before {
		return errors.New("something is left behind, or gone")
	}
	return nil
}

func (d *demo) say(format string, values ...any) { d.show(indent+format, values...) }

func (d *demo) show(format string, values ...any) { _, _ = fmt.Fprintf(d.out, format+"\n", values...) }

// The colors of titles and of commands.
const (
	headline = "\x1b[1;36m"
	command  = "\x1b[32m"
)

func (d *demo) colored(color, text string) string {
	if !d.colors {
		return text
	}
	return color + text + "\x1b[0m"
}
