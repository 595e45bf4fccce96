package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const terraformCache = ".cache/terraform"

// bench is one run: its folder, with the programs in it, and what was asked for.
type bench struct {
	folder    string
	terraform string
	options   options
	branches  *branchWorld
	cleanup   []func() error
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
	b := &bench{options: o}
	if b.folder, err = os.MkdirTemp("", "neon-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	b.say("Building the providers")
	if err := process.Build(ctx, os.Stderr, b.folder, ".", "./cmd/bench/terraform-provider-empty"); err != nil {
		return err
	}
	if b.terraform, err = terraformcli.Find(ctx, terraformCache); err != nil {
		return err
	}
	switch {
	case o.peers:
		return b.comparePeers(ctx, out)
	case o.profiles != "":
		return b.profile(ctx, out, o.profiles)
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

// close stops what still runs and removes the folder.
func (b *bench) close() error {
	var err error
	for _, undo := range slices.Backward(b.cleanup) {
		err = errors.Join(err, undo())
	}
	return errors.Join(err, os.RemoveAll(b.folder))
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
		return nil, fmt.Errorf("no row matches %q", b.options.only)
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
