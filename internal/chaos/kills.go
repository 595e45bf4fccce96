package chaos

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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
}

// killed is one run that is killed, and what follows.
type killed struct {
	story
	*workspace

	name   string
	random *rand.Rand
	report *Report
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
	p, err := startPlatform(ctx, emulator.Config{OperationDuration: 10 * operationDuration, Conflicts: conflicts})
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
	run := &killed{workspace: w, name: name, random: random, report: report}
	faults := []fault(nil)
	if number%2 == 1 {
		faults = mixture(random, k.Probability)
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
	if err != nil || !done {
		return false, err
	}
	k.report.mu.Lock()
	k.report.Kills++
	k.report.addFaults(hits)
	k.report.mu.Unlock()
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

// configure writes the configuration of all resources, in one of two versions.
func (k *killed) configure(version int) error {
	project := k.platform.ProjectID
	return k.write("main.tf", fmt.Sprintf(`
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
resource "neon_branch" "adopting" {
  project_id  = %[2]q
  name        = "%[3]s-adopting%[5]s"
  on_conflict = "adopt"
  endpoints   = { app = { type = "read_write" } }
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
`, k.Address, project, k.name, 300*(version+1), strings.Repeat("-renamed", version)))
}

// kill starts terraform and kills it, its provider, or both, a little after a
// request that was drawn. It tells whether that came before the end.
func (k *killed) kill(ctx context.Context, arguments []string) bool {
	after := k.platform.requests.Load() + 1 + k.random.Int64N(40)
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

// converge applies again as a person does: what an error names is taken in with
// the import block that it prints.
func (k *killed) converge(ctx context.Context, arguments []string) {
	for range 3 {
		said, err := k.hear(ctx, arguments...)
		if err == nil {
			return
		}
		imports := importBlocks(said)
		if imports == "" {
			k.surprise("after a kill, terraform %s failed and names nothing to take in: %v", arguments[0], err)
			return
		}
		k.taken += strings.Count(imports, "import {")
		if err := k.write("imports.tf", imports); err != nil {
			k.surprise("%v", err)
		}
	}
	k.surprise("after a kill, terraform %s doesn't converge", arguments[0])
}

// importBlocks are those that errors print, each for its resource.
func importBlocks(said []diagnostic) string {
	var blocks strings.Builder
	for _, d := range said {
		if id := importID.FindStringSubmatch(d.Detail); id != nil && d.Severity == "error" {
			fmt.Fprintf(&blocks, "import {\n  to = %s\n  id = %q\n}\n", d.Address, id[1])
		}
	}
	return blocks.String()
}

func (k *killed) hear(ctx context.Context, arguments ...string) ([]diagnostic, error) {
	said, err := k.run(ctx, arguments...)
	k.tell("terraform %s: %v", strings.Join(arguments, " "), err)
	for _, d := range said {
		k.heard(arguments[0], d.String(), nil)
		if d.Severity == "error" && !advice.MatchString(d.Summary+d.Detail) {
			k.helpless = append(k.helpless, d.String())
		}
	}
	return said, err
}

// follow runs a command that must succeed.
func (k *killed) follow(ctx context.Context, arguments ...string) {
	if _, err := k.hear(ctx, arguments...); err != nil && ctx.Err() == nil {
		k.surprise("terraform %s: %v", arguments[0], err)
	}
}

// account compares what exists with the state, and removes what was named.
func (k *killed) account(ctx context.Context) error {
	all, err := k.platform.objects(ctx)
	if err != nil {
		return err
	}
	held, err := k.ids(ctx)
	if err != nil {
		return err
	}
	k.report.mu.Lock()
	defer k.report.mu.Unlock()
	var extra []object
	missing := slices.Clone(held)
	for _, o := range named(all, k.name) {
		missing = slices.DeleteFunc(missing, func(id string) bool { return id == o.id() })
		if !slices.Contains(held, o.id()) && !k.report.seen[o.id()] {
			extra = append(extra, o)
		}
	}
	for _, id := range missing {
		k.surprise("%s is in state and doesn't exist", id)
	}
	for _, o := range alone(extra) {
		k.report.seen[o.id()] = true
		switch {
		case o.kind == claimables:
			k.report.Expiring++
		case k.names(o.id()):
			k.report.Named++
			if err := k.platform.remove(ctx, o); err != nil {
				return err
			}
		default:
			k.report.Orphans = append(k.report.Orphans, withStory(o.String(), k.String()))
		}
	}
	return nil
}

func (k *killed) finish() {
	k.report.mu.Lock()
	defer k.report.mu.Unlock()
	k.report.Taken += k.taken
	k.report.Helpless = append(k.report.Helpless, k.helpless...)
	for _, surprise := range k.surprises {
		k.report.Surprises = append(k.report.Surprises, withStory(k.name+": "+surprise, k.String()))
	}
}
