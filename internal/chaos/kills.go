package chaos

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2/hclwrite"

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
	// lives are those of all resources.
	lives []*cycle
	// parent is the branch whose backend previews begin with.
	parent place
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

// mostTries is after how many runs that ended by themselves something else than their speed is wrong.
const mostTries = 100

// one tries until a run was killed before it had ended by itself.
func (k Kills) one(ctx context.Context, number int, report *Report) error {
	random := rand.New(rand.NewPCG(k.Seed, uint64(number)+1_000_000))
	for again := range mostTries {
		if ctx.Err() != nil {
			break
		}
		done, err := k.try(ctx, fmt.Sprintf("kill%05dx%d", number, again), number, random, report)
		if done || err != nil {
			return err
		}
	}
	return cmp.Or(ctx.Err(), fmt.Errorf("%d runs ended before they could be killed: look whether terraform works in %s",
		mostTries, k.Folder))
}

func (k Kills) try(ctx context.Context, name string, number int, random *rand.Rand, report *Report) (bool, error) {
	conflicts := []string{emulator.ConflictsProject, emulator.ConflictsBranch, emulator.ConflictsNone}[number%3]
	readings := k.Readings
	if readings == nil {
		readings = drawReadings(rand.New(rand.NewPCG(k.Seed, uint64(number)+2_000_000)))
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return false, err
	}
	p, err := startPlatform(listener, emulator.Config{OperationDuration: 10 * operationDuration, Conflicts: conflicts,
		Limits: k.Limits, Readings: readings})
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
	run.tell("Neon plays %s", playedReadings(readings))
	if err := writeFiles(folder); err != nil {
		return false, err
	}
	if err := run.makePlaces(ctx); err != nil {
		return false, err
	}
	if run.parent, err = p.makeParent(ctx); err != nil {
		return false, err
	}
	faults := []fault(nil)
	if number%2 == 1 {
		faults = mixture(random, k.Probability, p.limited)
	}
	return run.play(ctx, faults)
}

// makePlaces makes what the resources don't create themselves: they are on one branch, as far as they can be.
func (k *killed) makePlaces(ctx context.Context) (err error) {
	p := k.platform
	shared := project{id: p.ProjectID, origin: p.BranchID, root: p.BranchID, orgID: p.OrgID}
	// It isn't the default branch, of which others come.
	if shared.home, err = p.makeBranch(ctx, shared.id, map[string]string{"name": "home"}); err != nil {
		return err
	}
	if err := p.furnish(ctx, shared.id, shared.home); err != nil {
		return err
	}
	for i, resource := range slices.Sorted(maps.Keys(told())) {
		// An even number has nothing besides: of a last snapshot that a killed destruction has taken, nobody would hear, and
		// no state has it.
		life := newCycle(2*i, k.name, resource, shared)
		if of := needOf(life.of()); !of.isOnBranch() || of.isOne() || of["$authed"] {
			if life.place, err = p.makePlace(ctx, life.of(), k.name+"-"+resource); err != nil {
				return err
			}
		}
		k.lives = append(k.lives, life)
	}
	return nil
}

// configure writes the configuration of all resources, in one of two versions.
func (k *killed) configure(version int) error {
	file := hclwrite.NewEmptyFile()
	for _, life := range k.lives {
		values, err := life.values(min(version, len(life.of().Versions(nil))-1))
		if err != nil {
			return err
		}
		block := file.Body().AppendNewBlock("resource", []string{life.resource, "killed"}).Body()
		for _, name := range slices.Sorted(maps.Keys(values)) {
			block.SetAttributeValue(name, values[name])
		}
	}
	return k.write("main.tf", fmt.Sprintf("terraform {\n  required_providers {\n    neon = { source = %q }\n  }\n}\n",
		k.Address)+
		string(file.Bytes())+k.previewConfiguration(version))
}

// play kills a run that makes everything, changes it or destroys it.
func (k *killed) play(ctx context.Context, faults []fault) (done bool, err error) {
	parents, err := k.ofParent(ctx)
	if err != nil {
		return false, err
	}
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
	if err := k.checkParent(ctx, parents); err != nil {
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
	k.tell("terraform had not written all of its state: %d bytes are there; the state from before the run is put back",
		len(state))
	k.report.mu.Lock()
	k.report.Mended++
	k.report.mu.Unlock()
	err = os.Rename(path+".backup", path)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Remove(path)
	}
	return err
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
