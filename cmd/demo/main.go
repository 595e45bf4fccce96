// Demo shows the provider at work on a machine that has nothing but Go: it builds
// the provider, starts an emulator, and lets the real terraform create, change and
// destroy everything in examples/quickstart, and a pull request's preview environment. It runs in the repository's root
// folder, writes to a temporary folder alone, and removes it at the end, also when
// it is interrupted.
package main

import (
	"context"
	"flag"
	"os"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
)

// longest is more than a slow machine needs.
const longest = 5 * time.Minute

func main() {
	options := options{colors: isTerminal(os.Stdout)}
	flag.BoolVar(&options.all, "all", false, "show everything that terraform prints")
	flag.Parse()
	os.Exit(process.Main(longest, os.Stderr, "The demo failed", func(ctx context.Context) error {
		return run(ctx, os.Stdout, options)
	}))
}
