package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/chaos"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const (
	terraformCache = ".cache/terraform"
	// configurations are applied side by side, and so are killed runs.
	configurations = 180
	killedRuns     = 2
	// With limits, each account has so many cycles, whose configurations are applied two at a time:
	// more would only wait for each other.
	cyclesPerAccount         = 24
	configurationsPerAccount = 2
	progressEvery            = 10 * time.Second
)

// sourceLine is where main.go says what the provider's place in the registry is.
var sourceLine = regexp.MustCompile(`"registry\.terraform\.io/([^"]+)"`)

// limitsOf are the readings of the platform's limits, in the emulator's words.
var limitsOf = map[string]string{"off": emulator.LimitsOff, "window": emulator.LimitsWindow,
	"paced": emulator.LimitsPaced}

// errFound ends an attack that is to end at its first finding.
var errFound = errors.New("something was found")

// attack is what the flags ask for.
type attack struct {
	out           io.Writer
	cycles, kills int
	seed          uint64
	conflicts     string
	limits        string
	readings      map[string]string
	only          *regexp.Regexp
	probability   float64
	outages       bool
	// first ends the attack at the first finding of a run; what exists is accounted for only at the end of all.
	first   bool
	started time.Time
	// ended counts the cycles.
	ended atomic.Int64
}

// run attacks, and shows what came of it.
func (a *attack) run(t *testing.T) (total *chaos.Report, err error) {
	a.started = time.Now()
	total = chaos.NewReport()
	a.say("%d cycles, conflicts: %s, limits: %s", a.cycles, strings.Join(a.ways(), ", "), a.limits)
	ctx, end := context.WithCancel(t.Context())
	go a.showProgress(ctx)
	// Nearly all of an attack is waiting, which takes no time here: the clock goes on when nobody has anything to do.
	synctest.Test(t, func(t *testing.T) {
		err = a.playCycles(t.Context(), total)
		time.Sleep(time.Hour) // What is to come late has come before the clock ends.
	})
	if end(); err != nil {
		return nil, err
	}
	killing, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if isOver := a.first && !total.Good(); !isOver {
		if err := a.killRuns(killing, total); err != nil {
			return nil, err
		}
	}
	total.Write(a.out)
	_, err = fmt.Fprintf(a.out, "seed %d, %s\n", a.seed, time.Since(a.started).Round(time.Second))
	return total, err
}

// ways are those in which platforms refuse overlapping work.
func (a *attack) ways() []string {
	if a.conflicts != "" {
		return []string{a.conflicts}
	}
	return []string{emulator.ConflictsProject, emulator.ConflictsBranch, emulator.ConflictsNone}
}

// playCycles shares the cycles out between platforms with one way each to refuse
// overlapping work.
func (a *attack) playCycles(ctx context.Context, total *chaos.Report) error {
	ways := a.ways()
	count, sideBySide := len(ways), configurations/len(ways)
	if a.limits != "off" {
		count, sideBySide = max(count, a.cycles/cyclesPerAccount), configurationsPerAccount
	}
	reports, failures := make([]*chaos.Report, count), make([]error, count)
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var found func()
	if a.first {
		found = func() { end(errFound) }
	}
	var platforms sync.WaitGroup
	for i := range count {
		platforms.Go(func() {
			reports[i], failures[i] = chaos.Cycles{
				Count: (a.cycles + count - 1 - i) / count, Seed: a.seed + uint64(i), Conflicts: ways[i%len(ways)],
				Limits: limitsOf[a.limits], Readings: a.readings, Probability: a.probability, SideBySide: sideBySide, Only: a.only,
				Outages: a.outages, Found: found, Ended: func(cycles int) { a.ended.Add(int64(cycles)) },
			}.Run(ctx)
		})
	}
	platforms.Wait()
	if err := errors.Join(failures...); err != nil && !errors.Is(context.Cause(ctx), errFound) {
		return err
	}
	for _, report := range reports {
		if report != nil { // Else it had not begun when something was found elsewhere.
			total.Add(report)
		}
	}
	return nil
}

// showProgress says now and then how many cycles have ended, until the context ends. It has the real clock.
func (a *attack) showProgress(ctx context.Context) {
	for {
		select {
		case <-time.After(progressEvery):
			a.say("%d of %d cycles have ended", a.ended.Load(), a.cycles)
		case <-ctx.Done():
			return
		}
	}
}

// killRuns builds the provider and kills it.
func (a *attack) killRuns(ctx context.Context, total *chaos.Report) (err error) {
	if a.kills == 0 {
		return nil
	}
	folder, err := os.MkdirTemp("", "neon-chaos-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	a.say("build the provider")
	programs, err := prepare(ctx, folder)
	if err != nil {
		return err
	}
	a.say("%d runs of terraform are killed", a.kills)
	report, err := chaos.Kills{
		Programs: programs, Count: a.kills, Seed: a.seed, Folder: folder, Probability: a.probability, SideBySide: killedRuns,
		Limits: limitsOf[a.limits], Readings: a.readings,
	}.Run(ctx)
	if err != nil {
		return err
	}
	total.Add(report)
	return nil
}

func prepare(ctx context.Context, folder string) (chaos.Programs, error) {
	bin := filepath.Join(folder, "bin")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin+string(filepath.Separator), ".")
	if output, err := cmd.CombinedOutput(); err != nil {
		return chaos.Programs{}, fmt.Errorf("go build in the repository's root folder: %w\n%s", err, output)
	}
	source, err := os.ReadFile("main.go")
	if err != nil {
		return chaos.Programs{}, err
	}
	address := sourceLine.FindSubmatch(source)
	if address == nil {
		return chaos.Programs{}, errors.New("main.go doesn't say what the provider's place in the registry is")
	}
	terraform, err := terraformcli.Find(ctx, terraformCache)
	return chaos.Programs{Terraform: terraform, Provider: bin, Address: string(address[1])}, err
}

func (a *attack) say(format string, values ...any) {
	_, _ = fmt.Fprintf(a.out, "==> [%s] "+format+"\n",
		append([]any{time.Since(a.started).Round(time.Second)}, values...)...)
}
