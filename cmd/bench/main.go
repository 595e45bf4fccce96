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
	"os"
	"regexp"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
)

// longest is more than a slow machine needs.
const longest = 90 * time.Minute

func main() {
	o, err := parse(os.Args[1:])
	if err != nil {
		os.Exit(2) // The flag package has said why.
	}
	os.Exit(process.Main(longest, os.Stderr, "The benchmarks failed", func(ctx context.Context) error {
		return run(ctx, os.Stdout, o)
	}))
}

func parse(arguments []string) (options, error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	o := options{only: regexp.MustCompile("")}
	flags.Func("only", "measure only the rows whose first column matches this `regexp`", func(text string) (err error) {
		o.only, err = regexp.Compile(text)
		return err
	})
	flags.IntVar(&o.runs, "runs", 5, "take the fastest of this many `runs` of each plan")
	flags.BoolVar(&o.peers, "peers", false, "measure other providers for Neon beside this one instead")
	flags.StringVar(&o.profiles, "profile", "", "write profiles of the provider in the 1,000-branch plan to this `folder` instead")
	if err := flags.Parse(arguments); err != nil {
		return o, err
	}
	if o.runs < 1 || flags.NArg() > 0 {
		flags.Usage()
		return o, errors.New("-runs must be at least 1, and there are no arguments")
	}
	return o, nil
}
