// Bench measures how fast the provider is, and prints one table. Each row compares something measured with a bound
// that was measured in the same run on the same machine, or counts requests; a row that misses its bound ends the
// program with 1. It runs real terraform and the built provider against the emulator, in the repository's root folder,
// writes to a temporary folder alone, and removes it at the end, also when it is interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

func main() {
	b := &bench{many: map[work]*workspace{}}
	flag.TextVar(&b.only, "only", regexp.MustCompile(""), "measure only the rows whose first column matches this `regexp`")
	flag.StringVar(&b.peer, "peer", "", "compare this `program` of the provider kislerdm/neon with ours instead")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := b.run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "The benchmarks failed:", err)
		os.Exit(1)
	}
}

// bench is one run: its folder, with the programs in it, and what was asked for.
type bench struct {
	folder    string
	terraform string
	only      regexp.Regexp
	peer      string
	// many has the workspaces that several rows plan in.
	many map[work]*workspace
	// cleanup ends what was started.
	cleanup []func() error
}

// run measures and prints a table. The errors of cleaning up count, too.
func (b *bench) run(ctx context.Context) (err error) {
	if b.folder, err = os.MkdirTemp("", "neon-bench-"); err != nil {
		return err
	}
	defer func() {
		for _, stop := range slices.Backward(b.cleanup) {
			err = errors.Join(err, stop())
		}
		err = errors.Join(err, os.RemoveAll(b.folder))
	}()
	defer caught(&err)
	b.say("Building the providers")
	b.build(ctx, ".", "./cmd/bench/terraform-provider-empty")
	b.terraform = must(terraformcli.Find(ctx, ".cache/terraform"))
	if b.peer != "" {
		b.comparePeer(ctx)
		return nil
	}
	return b.measure(ctx)
}

// measure measures the wanted rows, and prints them when all are done.
func (b *bench) measure(ctx context.Context) error {
	measured := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !b.only.MatchString(r.name) })
	if len(measured) == 0 {
		return fmt.Errorf("no row matches %q", b.only.String())
	}
	missed := false
	for i := range measured {
		r, began := &measured[i], time.Now()
		b.say("Measuring %s", r.name)
		r.result = r.measure(ctx, b)
		b.say("%3.0f s: %s", time.Since(began).Seconds(), r.verdict())
		if r.verdict() != met {
			missed = true
			b.say("The requests: %v", r.ByRoute)
		}
	}
	fmt.Println("| measured | compared with | ratio, at most | requests, at most | verdict |\n|---|---|---|---|---|")
	for _, r := range measured {
		fmt.Println(r)
	}
	if missed {
		return errors.New("not every bound is met")
	}
	return nil
}

// say reports progress, apart from the table.
func (b *bench) say(format string, values ...any) {
	_, _ = fmt.Fprintf(os.Stderr, format+"\n", values...)
}

// build compiles packages of this module without the paths of this machine: so what a release or a clone has compiled
// needn't be compiled again.
func (b *bench) build(ctx context.Context, packages ...string) {
	programs := filepath.Join(b.folder, "bin") + string(filepath.Separator)
	cmd := process.Command(ctx, "go", append([]string{"build", "-trimpath", "-o", programs}, packages...)...)
	cmd.Env = append(os.Environ(), "GOTMPDIR="+b.folder) // An interrupted compiler may leave files there.
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	check(process.Finish(ctx, cmd))
}

// programOf returns the path of a provider's program.
func (b *bench) programOf(of provider) string { return filepath.Join(b.folder, "bin", of.program) }

// failure is what ends the measuring of a row, wherever it happens. As nothing can be measured after it, functions here
// don't return it: check and must panic with it, and caught makes an error of it.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// caught is deferred where failures become an error. Any other panic goes on.
func caught(err *error) {
	switch reason := recover().(type) {
	case nil:
	case failure:
		*err = reason.error
	default:
		panic(reason)
	}
}
