package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Kills says how many runs of terraform are killed.
type Kills struct {
	Programs

	Count int
	Seed  uint64
	// Folder is where the runs have their folders.
	Folder string
	// Probability is that of each kind of fault, in every other killed run.
	Probability float64
	SideBySide  int
	// Limits is how the platform reads its limits, as in emulator.Config.
	Limits string
	// Readings are the alternatives that each platform plays; drawn by the seed where they are nil.
	Readings map[string]string
}

// killed is one run that is killed, and what follows.
type killed struct {
	story
	*workspace

	name   string
	random *rand.Rand
	report *Report
	// settings has where each setting is, by its resource.
	settings map[string]place
}

// Run kills runs, applies again without faults, and accounts for all that exists
// afterwards.
func (k Kills) Run(ctx context.Context) (*Report, error) {
	report := NewReport()
	failures := make([]error, k.Count)
	places := make(chan struct{}, max(1, k.SideBySide))
	var all sync.WaitGroup
	for number := range k.Count {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			failures[number] = k.one(ctx, number, report)
		})
	}
	all.Wait()
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	return report, ctx.Err()
}

// one tries until a run was killed before it had ended by itself.
func (k Kills) one(ctx context.Context, number int, report *Report) error {
	random := rand.New(rand.NewPCG(k.Seed, uint64(number)+1_000_000))
	for again := 0; ctx.Err() == nil; again++ {
		done, err := k.try(ctx, fmt.Sprintf("kill-%05d-%d", number, again), number, random, report)
		if done || err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (k Kills) try(ctx context.Context, name string, number int, random *rand.Rand, report *Report) (bool, error) {
	conflicts := []string{emulator.ConflictsProject, emulator.ConflictsBranch, emulator.ConflictsNone}[number%3]
	readings := k.Readings
	if readings == nil {
		readings = drawReadings(rand.New(rand.NewPCG(k.Seed, uint64(number)+2_000_000)))
	}
	p, err := startPlatform(ctx, emulator.Config{OperationDuration: 10 * operationDuration, Conflicts: conflicts, Limits: k.Limits, Readings: readings})
	if err != nil {
		return false, err
	}
	defer func() { _ = p.close() }()
	folder := filepath.Join(k.Folder, name)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return false, err
	}
	w, err := newWorkspace(k.Programs, folder, p)
	if err != nil {
		return false, err
	}
	run := &killed{workspace: w, name: name, random: random, report: report, settings: map[string]place{}}
	run.tell("Neon plays %s", playedReadings(readings))
	if err := writeCode(folder); err != nil {
		return false, err
	}
	for _, resource := range []string{schedule, projectRole, organizationRole, spendingLimit} {
		if run.settings[resource], err = p.makePlace(ctx, resource, name+"-"+resource); err != nil {
			return false, err
		}
	}
	faults := []fault(nil)
	if number%2 == 1 {
		faults = mixture(random, k.Probability, p.limited)
	}
	return run.play(ctx, faults)
}

// play kills a run that makes everything, changes it or destroys it.
func (k *killed) play(ctx context.Context, faults []fault) (done bool, err error) {
	if err := k.configure(0); err != nil {
		return false, err
	}
	arguments := []string{"apply", "-auto-approve", "-json"}
	switch k.random.IntN(5) {
	case 0:
		arguments = []string{"destroy", "-auto-approve", "-json"}
		k.follow(ctx, "apply", "-auto-approve", "-json")
	case 1:
		k.follow(ctx, "apply", "-auto-approve", "-json")
		if err := k.configure(1); err != nil {
			return false, err
		}
	}
	if err := k.platform.addFaults(ctx, faults); err != nil {
		return false, err
	}
	done = k.kill(ctx, arguments)
	hits, err := k.platform.endFaults(ctx)
	if err == nil { // Nobody was left to hear of what comes late, so that it comes before the next run.
		err = k.platform.settle(ctx)
	}
	if err != nil || !done {
		return false, err
	}
	k.report.mu.Lock()
	k.report.Kills++
	k.report.addFaults(hits)
	k.report.mu.Unlock()
	if err := k.mendState(); err != nil {
		return true, err
	}
	k.converge(ctx, arguments)
	if arguments[0] == "apply" {
		k.follow(ctx, "plan", "-detailed-exitcode", "-json")
	}
	if err := k.account(ctx); err != nil {
		return true, err
	}
	k.follow(ctx, "destroy", "-auto-approve", "-json")
	if err := k.account(ctx); err != nil {
		return true, err
	}
	k.finish()
	return true, ctx.Err()
}

// mendState does what a person does about a state file that isn't whole: terraform
// empties the file before it writes it, so a kill in between leaves less than there
// was. The state from before the run is beside it, unless there was none.
func (k *killed) mendState() error {
	path := filepath.Join(k.folder, "terraform.tfstate")
	state, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && json.Valid(state) {
		return nil
	}
	if err != nil {
		return err
	}
	k.tell("terraform had not written all of its state: %d bytes are there; the state from before the run is put back", len(state))
	k.report.mu.Lock()
	k.report.Mended++
	k.report.mu.Unlock()
	err = os.Rename(path+".backup", path)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Remove(path)
	}
	return err
}

// configure writes the configuration of all resources, in one of two versions.
func (k *killed) configure(version int) error {
	project := k.platform.ProjectID
	return k.write("main.tf", k.settingsConfiguration(version)+k.backendConfiguration(version)+fmt.Sprintf(`
terraform {
  required_providers {
    neon = { source = %[1]q }
  }
}
resource "neon_branch" "plain" {
  project_id = %[2]q
  name       = "%[3]s-plain"
  endpoints  = {
    app   = { type = "read_write", suspend_timeout_seconds = %[4]d }
    named = { type = "read_only", name = "named" }
  }
}
resource "neon_branch" "renamed" {
  project_id = %[2]q
  name       = "%[3]s-renamed%[5]s"
  endpoints  = { app = { type = "read_write" } }
}
resource "neon_api_key" "personal" {
  name              = "%[3]s-personal"
  rotation_triggers = { version = "%[4]d" }
}
resource "neon_org_api_key" "org" {
  name = "%[3]s-org%[5]s"
}
resource "neon_claimable_database" "trial" {
  ref = "%[3]s"
}
resource "neon_endpoint" "reader" {
  project_id              = %[2]q
  branch_id               = %[6]q
  name                    = "%[3]s-reader"
  type                    = "read_only"
  suspend_timeout_seconds = %[4]d
}
resource "neon_role" "app" {
  project_id                 = %[2]q
  branch_id                  = neon_branch.plain.id
  name                       = "%[3]s-app"
  password_rotation_triggers = { version = "%[4]d" }
}
resource "neon_database" "app" {
  project_id = %[2]q
  branch_id  = neon_branch.plain.id
  name       = "%[3]s-app%[5]s"
  owner_name = neon_role.app.name
}
resource "neon_snapshot" "before" {
  project_id = %[2]q
  branch_id  = %[6]q
  name       = "%[3]s-before%[5]s"
}
resource "neon_project" "shop" {
  name = "%[3]s-shop%[5]s"
}
resource "neon_jwks_url" "tokens" {
  project_id    = %[2]q
  jwks_url      = "https://%[3]s.example.com/jwks.json"
  provider_name = "%[3]s%[5]s"
}
resource "neon_project_permission" "colleague" {
  project_id = %[2]q
  email      = "%[3]s%[5]s@example.com"
}
`, k.Address, project, k.name, 300*(version+1), strings.Repeat("-renamed", version), k.platform.BranchID))
}

// settingsConfiguration is that of resources which set what is there by itself. Who was invited
// is invited once: a run that is killed may not say what it forgot.
func (k *killed) settingsConfiguration(version int) string {
	at := k.settings
	return fmt.Sprintf(`
resource "neon_branch_backup_schedule" "nightly" {
  project_id = %q
  branch_id  = %q
  schedule   = [{ frequency = "daily", hour = %d }]
}
resource "neon_project_member_role" "max" {
  project_id = %q
  member_id  = %q
  role       = %[6]q
}
resource "neon_org_member_role" "max" {
  member_id = %[7]q
  role      = %[6]q
}
resource "neon_org_spending_limit" "month" {
  org_id               = %[8]q
  spending_limit_cents = %[9]d
}
resource "neon_org_invitation" "new" {
  email = %[10]q
  role  = "viewer"
}
`, at[schedule].projectID, at[schedule].branchID, scheduledHours(1)[version], k.platform.ProjectID, at[projectRole].memberID,
		settingRoles[version], at[organizationRole].memberID, at[spendingLimit].orgID, spendingLimits[version], addressOf(k.name))
}

// kill starts terraform and kills it, its provider, or both, a little after a
// request that was drawn. It tells whether that came before the end.
func (k *killed) kill(ctx context.Context, arguments []string) bool {
	after := k.platform.requests.Load() + 1 + k.random.Int64N(60)
	pause := time.Duration(k.random.IntN(40)) * time.Millisecond
	victim := k.random.IntN(5)
	now := make(chan struct{})
	var once sync.Once
	tell := func(number int64) {
		if number >= after {
			once.Do(func() { close(now) })
		}
	}
	k.platform.arrived.Store(&tell)
	defer k.platform.arrived.Store(nil)
	var output bytes.Buffer
	cmd := k.command(ctx, arguments...)
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		return false
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	select {
	case <-now:
	case <-ended:
		return false
	}
	time.Sleep(pause)
	who := "terraform and its provider"
	switch {
	case victim == 0 && killChildren(cmd):
		who = "the provider"
		<-ended
	case victim == 1:
		who = "terraform"
		_ = cmd.Process.Kill()
		time.Sleep(10 * pause)
	}
	_ = killGroup(cmd)
	<-ended
	k.tell("%s, and %s killed %s after request %d\n%s", strings.Join(arguments, " "), who, pause, after, output.String())
	return true
}
