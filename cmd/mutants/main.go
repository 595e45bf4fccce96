// Mutants plants faults in the provider, one after another, and attacks each with chaos until that finds something, or
// with -package runs the test of a package that must notice it. It fails where a fault isn't noticed, where a patch
// doesn't apply or build any more, and where chaos finds something in the provider as it is: then it would notice
// anything. It runs in the repository's root folder, and changes nothing there.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"syscall"
)

func main() {
	t := trial{out: os.Stdout, only: regexp.MustCompile("")}
	flag.IntVar(&t.cycles, "cycles", 60, "how many resources each attack creates, changes and destroys, where the patch "+
		"doesn't say")
	flag.Uint64Var(&t.seed, "seed", 7, "what the random choices begin with")
	flag.TextVar(t.only, "only", t.only, "plant only the faults whose name matches this `regexp`")
	folder := flag.String("package", "", "plant the faults of the package in this `folder` instead, which its own tests "+
		"must notice")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	run := t.run
	if *folder != "" {
		run = func(ctx context.Context) error { return t.runPackage(ctx, *folder) }
	}
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "Mutants:", err)
		os.Exit(1)
	}
}
