package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const terraformCache = ".cache/terraform"

// errMissed is the end of a run in which a row missed its bound.
var errMissed = errors.New("not every bound is met")

// bench is one run: its folder, with the programs in it, and what was asked for.
type bench struct {
	out       io.Writer
	folder    string
	terraform string
	options   options
	branches  *branchWorld
	cleanup   []func() error
}

// benchmark measures one or more rows.
type benchmark struct {
	rows    []row
	measure func(ctx context.Context, b *bench) ([]result, error)
}

// benchmarks are all of them, in the order of the table.
func benchmarks() []benchmark {
	return []benchmark{
		planBenchmark(),
		keysBenchmark(),
		createBenchmark(),
		createSideBySideBenchmark(),
		createBesideOtherBenchmark(),
		createInBranchBenchmark(),
		limitsBenchmark(),
		noticeBenchmark(),
		startBenchmark(),
		memoryBenchmark(),
		sqlBenchmark(),
	}
}

// options are what the command line asks for.
type options struct {
	only  *regexp.Regexp
	runs  int
	peers bool
	// profiles is the folder for profiles; empty where none are wanted.
	profiles string
}

// run measures and prints the table. The errors of cleaning up count, too.
func run(ctx context.Context, out io.Writer, o options) (err error) {
	if _, err := os.Stat("cmd/bench"); err != nil {
		return fmt.Errorf("run this in the repository's root folder: %w", err)
	}
	b := &bench{out: out, options: o}
	if b.folder, err = os.MkdirTemp("", "neon-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.prepare(ctx); err != nil {
		return err
	}
	switch {
	case o.peers:
		return b.comparePeers(ctx, out)
	case o.profiles != "":
		return b.profile(ctx, out, o.profiles)
	}
	outcomes, err := b.measure(ctx)
	if err != nil {
		return err
	}
	if err := writeTable(out, outcomes); err != nil {
		return err
	}
	if slices.ContainsFunc(outcomes, func(o outcome) bool { return o.missed() != "" }) {
		return errMissed
	}
	return nil
}

// close stops what still runs and removes the folder.
func (b *bench) close() error {
	var err error
	for _, undo := range slices.Backward(b.cleanup) {
		err = errors.Join(err, undo())
	}
	return errors.Join(err, os.RemoveAll(b.folder))
}

// prepare builds both providers and finds terraform.
func (b *bench) prepare(ctx context.Context) error {
	b.say("Building the providers")
	err := process.Build(ctx, os.Stderr, b.folder, ".", "./cmd/bench/emptyprovider")
	if err != nil {
		return err
	}
	if err := os.Rename(b.programOf(provider{program: "emptyprovider"}), b.programOf(empty)); err != nil {
		return err
	}
	b.terraform, err = terraformcli.Find(ctx, terraformCache)
	return err
}

// programOf is where the provider's program is.
func (b *bench) programOf(of provider) string {
	name := of.program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(process.ProgramsFolder(b.folder), name)
}

// measure runs the benchmarks that have a wanted row.
func (b *bench) measure(ctx context.Context) ([]outcome, error) {
	var outcomes []outcome
	for _, each := range benchmarks() {
		if !slices.ContainsFunc(each.rows, b.wants) {
			continue
		}
		b.say("Measuring: %s", each.rows[0].measured)
		results, err := each.measure(ctx, b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", each.rows[0].measured, err)
		}
		for i, r := range each.rows {
			if b.wants(r) {
				outcomes = append(outcomes, outcome{r, results[i]})
			}
		}
	}
	if len(outcomes) == 0 {
		return nil, fmt.Errorf("no row matches %q", b.options.only)
	}
	return outcomes, nil
}

func (b *bench) wants(r row) bool { return b.options.only.MatchString(r.measured) }

// say tells what goes on, apart from the table.
func (b *bench) say(format string, values ...any) {
	_, _ = fmt.Fprintf(os.Stderr, format+"\n", values...)
}
