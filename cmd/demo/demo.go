package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
)

// demo is one run: its folder, the programs in it and the world they work on.
type demo struct {
	out       io.Writer
	folder    string
	started   time.Time
	emulator  *emulator
	terraform *terraform
}

// run does the whole demo. The errors of cleaning up count, too.
func run(ctx context.Context, out io.Writer) (err error) {
	if _, err := os.Stat(quickstart); err != nil {
		return fmt.Errorf("run this in the repository's root folder: %w", err)
	}
	folder, err := os.MkdirTemp("", "neon-demo-")
	if err != nil {
		return err
	}
	d := &demo{out: out, folder: folder, started: time.Now()}
	defer func() { err = errors.Join(err, d.close()) }()

	if err := d.prepare(ctx); err != nil {
		return err
	}
	return d.perform(ctx)
}

// close stops the emulator and removes the folder.
func (d *demo) close() error {
	if d.emulator != nil {
		d.emulator.stop()
	}
	return os.RemoveAll(d.folder)
}

// prepare builds the programs, starts the emulator and sets Terraform's table.
func (d *demo) prepare(ctx context.Context) error {
	d.step("Build the provider and the emulator")
	if err := process.Build(ctx, d.out, d.folder, ".", "./cmd/neon-emulator"); err != nil {
		return err
	}
	program, err := terraformcli.Find(ctx, terraformCache)
	if err != nil {
		return err
	}
	d.say("terraform: %s", program)

	d.step("Start the emulator of the Neon platform")
	d.emulator, err = startEmulator(ctx, d.folder)
	if err != nil {
		return err
	}
	d.say("listening on %s, where a page shows what follows", d.emulator.variables["NEON_BASE_URL"])
	if err := d.empty(ctx); err != nil {
		return err
	}

	d.terraform, err = newTerraform(ctx, program, d.folder, quickstart, d.out, d.emulator.variables)
	return err
}

// empty deletes the project that the emulator begins with: the demo creates its own.
func (d *demo) empty(ctx context.Context) error {
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

// perform lets Terraform go round once and compares the world before and after.
func (d *demo) perform(ctx context.Context) error {
	before, err := d.emulator.objects(ctx)
	if err != nil {
		return err
	}
	if err := d.create(ctx); err != nil {
		return err
	}
	during, err := d.emulator.objects(ctx)
	if err != nil {
		return err
	}
	if err := d.change(ctx); err != nil {
		return err
	}
	if err := d.preview(ctx); err != nil {
		return err
	}
	expiry, err := d.terraform.output(ctx, "trial_expires_at")
	if err != nil {
		return err
	}
	d.step("Destroy")
	if err := d.terraform.run(ctx, "destroy", "-auto-approve", "-var", changedVariable); err != nil {
		return err
	}
	after, err := d.emulator.objects(ctx)
	if err != nil {
		return err
	}
	d.step("Compare what the platform holds")
	if err := report(d.out, expiry, before, during, after); err != nil {
		return err
	}
	d.step("Done: made, planned again, changed and destroyed, and a preview environment come and gone")
	return nil
}

// create applies the quickstart and shows that the plan after it is empty.
func (d *demo) create(ctx context.Context) error {
	d.step("Apply " + quickstart + ", in an organization that has no project")
	if err := d.terraform.run(ctx, "apply", "-auto-approve", "-compact-warnings"); err != nil {
		return err
	}
	projectID, err := d.terraform.output(ctx, "project_id")
	if err != nil {
		return err
	}
	d.emulator.variables["NEON_PROJECT_ID"] = projectID
	return d.planAgain(ctx)
}

func (d *demo) planAgain(ctx context.Context, options ...string) error {
	d.step("Plan again: nothing to do")
	err := d.terraform.run(ctx, append([]string{"plan", "-detailed-exitcode", "-compact-warnings"}, options...)...)
	if process.ExitCode(err) == changesPlanned {
		return errors.New("the second plan has changes")
	}
	return err
}

// change gives one attribute another value, and shows that this is an update.
func (d *demo) change(ctx context.Context) error {
	d.step("Change the branch in place: " + changedVariable)
	plan := filepath.Join(d.folder, "change.tfplan")
	err := d.terraform.run(ctx, "plan", "-compact-warnings", "-var", changedVariable, "-out", plan)
	if err != nil {
		return err
	}
	if err := d.terraform.checkUpdate(ctx, plan, changedBranch); err != nil {
		return err
	}
	if err := d.terraform.run(ctx, "apply", "-compact-warnings", plan); err != nil {
		return err
	}
	return d.planAgain(ctx, "-var", changedVariable)
}

// step begins a section of the output.
func (d *demo) step(title string) {
	_, _ = fmt.Fprintf(d.out, "\n==> %s [%.1fs]\n", title, time.Since(d.started).Seconds())
}

func (d *demo) say(format string, values ...any) {
	_, _ = fmt.Fprintf(d.out, "    "+format+"\n", values...)
}
