// Bench measures how fast the provider is, and prints one table. Each row is the
// ratio of something measured to a bound that was measured in the same run on the
// same machine, so that the machine's own speed matters little; a row that is
// further from its bound than it may be ends the program with 1. It runs real
// terraform and the built provider against the emulator, in the repository's root
// folder, writes to a temporary folder alone, and removes it at the end, also when
// it is interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const (
	// longest is more than a slow machine needs.
	longest        = 90 * time.Minute
	terraformCache = ".cache/terraform"
)

func main() {
	b := &bench{}
	if err := b.options.parse(os.Args[1:]); err != nil {
		os.Exit(2) // The flag package has said why.
	}
	os.Exit(process.Main(longest, os.Stderr, "The benchmarks failed", func(ctx context.Context) error {
		return b.run(ctx, os.Stdout)
	}))
}

// bench is one run: its folder, with the programs in it, and what was asked for.
type bench struct {
	folder    string
	terraform string
	options   options
	branches  *branchWorld
	// cleanup is at the end of a benchmark, lastCleanup at that of the run.
	cleanup, lastCleanup []func() error
}

// options are what the command line asks for.
type options struct {
	only  regexp.Regexp
	runs  int
	peers bool
	// profiles is the folder for profiles; empty where none are wanted.
	profiles string
}

func (o *options) parse(arguments []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.TextVar(&o.only, "only", regexp.MustCompile(""), "measure only the rows whose first column matches this `regexp`")
	flags.IntVar(&o.runs, "runs", 5, "take the fastest of this many `runs` of each plan")
	flags.BoolVar(&o.peers, "peers", false, "measure other providers for Neon beside this one instead")
	flags.StringVar(&o.profiles, "profile", "", "write profiles of the provider in the 1,000-branch plan to this `folder` instead")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if o.runs < 1 || flags.NArg() > 0 {
		flags.Usage()
		return errors.New("-runs must be at least 1, and there are no arguments")
	}
	return nil
}

// run measures and prints the table. The errors of cleaning up count, too.
func (b *bench) run(ctx context.Context, out io.Writer) (err error) {
	if _, err := os.Stat("cmd/bench"); err != nil {
		return fmt.Errorf("run this in the repository's root folder: %w", err)
	}
	if b.folder, err = os.MkdirTemp("", "neon-bench-"); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, cleanUp(slices.Concat(b.lastCleanup, b.cleanup)), os.RemoveAll(b.folder))
	}()
	b.say("Building the providers")
	if err := process.Build(ctx, os.Stderr, b.folder, ".", "./cmd/bench/terraform-provider-empty"); err != nil {
		return err
	}
	if b.terraform, err = terraformcli.Find(ctx, terraformCache); err != nil {
		return err
	}
	switch {
	case b.options.peers:
		return b.comparePeers(ctx, out)
	case b.options.profiles != "":
		return b.profile(ctx, out)
	}
	rows, err := b.measure(ctx)
	if err != nil {
		return err
	}
	if err := writeTable(out, rows); err != nil {
		return err
	}
	if slices.ContainsFunc(rows, func(r row) bool { return r.missed() != "" }) {
		return errors.New("not every bound is met")
	}
	return nil
}

// cleanUp stops what was started, the last first.
func cleanUp(started []func() error) error {
	var err error
	for _, stop := range slices.Backward(started) {
		err = errors.Join(err, stop())
	}
	return err
}

// measure runs the benchmarks that have a wanted row.
func (b *bench) measure(ctx context.Context) ([]row, error) {
	wants := func(r row) bool { return b.options.only.MatchString(r.measured) }
	var rows []row
	for _, each := range benchmarks {
		if !slices.ContainsFunc(each.rows, wants) {
			continue
		}
		b.say("Measuring: %s", each.rows[0].measured)
		results, err := each.measure(ctx, b)
		// What stayed would count for the memory that later ones use.
		err = errors.Join(err, cleanUp(b.cleanup))
		b.cleanup = nil
		if err != nil {
			return nil, fmt.Errorf("%s: %w", each.rows[0].measured, err)
		}
		for i, r := range each.rows {
			if r.result = results[i]; wants(r) {
				rows = append(rows, r)
			}
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("no row matches %q", b.options.only.String())
	}
	return rows, nil
}

// say tells what goes on, apart from the table.
func (b *bench) say(format string, values ...any) {
	_, _ = fmt.Fprintf(os.Stderr, format+"\n", values...)
}

// programOf is where the provider's program is.
func (b *bench) programOf(of provider) string {
	return filepath.Join(process.ProgramsFolder(b.folder), of.program)
}
