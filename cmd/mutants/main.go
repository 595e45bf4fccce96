// Mutants plants faults in the provider, one after another, and attacks each with
// chaos. It fails where a fault isn't noticed, where a patch doesn't apply or build
// any more, and where chaos finds something in the provider as it is: then it would
// notice anything. It runs in the repository's root folder, and changes nothing there.
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
	flag.IntVar(&t.cycles, "cycles", 200, "how many resources each attack creates, changes and destroys")
	flag.Uint64Var(&t.seed, "seed", 7, "what the random choices begin with")
	flag.Func("only", "plant only the faults whose name matches this `regexp`", func(text string) (err error) {
		t.only, err = regexp.Compile(text)
		return err
	})
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := t.run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "Mutants:", err)
		os.Exit(1)
	}
}
