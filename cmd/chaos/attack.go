package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
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
var limitsOf = map[string]string{"off": emulator.LimitsOff, "window": emulator.LimitsWindow, "paced": emulator.LimitsPaced}

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
	started       time.Time
}

// run attacks, and shows what came of it.
func (a *attack) run(ctx context.Context) (total *chaos.Report, err error) {
	a.started = time.Now()
	total = chaos.NewReport()
	if err := a.playCycles(ctx, total); err != nil {
		return nil, err
	}
	if err := a.killRuns(ctx, total); err != nil {
		return nil, err
	}
	total.Write(a.out)
	_, err = fmt.Fprintf(a.out, "seed %d, %s\n", a.seed, time.Since(a.started).Round(time.Second))
	return total, err
}

// playCycles shares the cycles out between platforms with one way each to refuse
// overlapping work.
func (a *attack) playCycles(ctx context.Context, total *chaos.Report) error {
	ways := []string{"project", "branch", "none"}
	if a.conflicts != "" {
		ways = []string{a.conflicts}
	}
	a.say("%d cycles, conflicts: %s, limits: %s", a.cycles, strings.Join(ways, ", "), a.limits)
	count, sideBySide := len(ways), configurations/len(ways)
	if a.limits != "off" {
		count, sideBySide = max(count, a.cycles/cyclesPerAccount), configurationsPerAccount
	}
	reports, failures := make([]*chaos.Report, count), make([]error, count)
	ended := a.showProgress()
	var platforms sync.WaitGroup
	for i := range count {
		platforms.Go(func() {
			reports[i], failures[i] = chaos.Cycles{
				Count: (a.cycles + count - 1 - i) / count, Seed: a.seed + uint64(i), Conflicts: ways[i%len(ways)],
				Limits: limitsOf[a.limits], Readings: a.readings, Probability: a.probability, SideBySide: sideBySide, Only: a.only, Ended: ended,
				Outages: a.outages,
			}.Run(ctx)
		})
	}
	platforms.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	for _, report := range reports {
		total.Add(report)
	}
	return nil
}

// showProgress returns a function that counts cycles, and says now and then how far
// they are.
func (a *attack) showProgress() func(int) {
	var mu sync.Mutex
	done, said := 0, time.Now()
	return func(cycles int) {
		mu.Lock()
		defer mu.Unlock()
		done += cycles
		if time.Since(said) >= progressEvery {
			said = time.Now()
			a.say("%d of %d cycles have ended", done, a.cycles)
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
	_, _ = fmt.Fprintf(a.out, "==> [%s] "+format+"\n", append([]any{time.Since(a.started).Round(time.Second)}, values...)...)
}
