package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// testLine names the tests of a patch, of which one must fail.
var testLine = regexp.MustCompile(`(?m)^Test: (.+)$`)

// planted is a patch, and the test that must notice it.
type planted struct{ path, test, text string }

func (p planted) name() string { return strings.TrimSuffix(filepath.Base(p.path), ".patch") }

// runPackage plants the faults of a package, each of which the test that its patch names must
// notice, while all of these pass in the package as it is.
func (t *trial) runPackage(ctx context.Context, folder string) (err error) {
	all, err := t.patchesOf(folder)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "neon-mutants-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	overlay, alone, err := plantBeside(ctx, work, folder, all)
	if err != nil {
		return err
	}
	together := filepath.Join(work, "together.test")
	if err := buildTests(ctx, folder, together, overlay); err != nil {
		return err
	}
	began := time.Now()
	if output, err := runTests(ctx, folder, together, "^("+testsOf(all)+")$", "", 10*time.Minute); err != nil {
		return fmt.Errorf("the package as it is fails its tests: %w\n%s", err, output)
	}
	// A fault may have a test go on for ever.
	patience := max(20*time.Second, 2*time.Since(began))
	isNoticed := make([]bool, len(all))
	trials, ctx := errgroup.WithContext(ctx)
	trials.SetLimit(3) // Some tests wait more than they compute.
	for i, one := range all {
		trials.Go(func() (err error) {
			program := together
			if slices.Contains(alone, one) {
				program = filepath.Join(work, one.name()+".test")
				if err := buildTests(ctx, folder, program, filepath.Join(work, one.name(), "overlay.json")); err != nil {
					return err
				}
			}
			isNoticed[i], err = t.try(ctx, folder, program, one, patience)
			return err
		})
	}
	if err := trials.Wait(); err != nil {
		return err
	}
	var survivors []string
	for i, one := range all {
		if !isNoticed[i] {
			survivors = append(survivors, one.name())
		}
	}
	if len(survivors) > 0 {
		return fmt.Errorf("the tests that their patches name didn't notice %s", strings.Join(survivors, ", "))
	}
	return nil
}

// patchesOf are the faults of a package that were asked for.
func (t *trial) patchesOf(folder string) ([]planted, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "mutants", "*.patch"))
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(fmt.Errorf("no %s/mutants/*.patch here: run this in the repository's root folder",
			folder), err)
	}
	var all []planted
	for _, path := range paths {
		text, err := os.ReadFile(path) // #nosec G304 -- one of the repository's own
		if err != nil {
			return nil, err
		}
		match := testLine.FindSubmatch(text)
		if match == nil {
			return nil, fmt.Errorf("%s has no line with its test", path)
		}
		if one := (planted{path, string(match[1]), string(text)}); t.only.MatchString(one.name()) {
			all = append(all, one)
		}
	}
	return all, nil
}

// testsOf is the pattern of the tests that must notice faults.
func testsOf(faults []planted) string {
	var names []string
	for _, one := range faults {
		name, _, _ := strings.Cut(one.test, "/")
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "|")
}

// try reports whether the test of a fault fails with it.
func (t *trial) try(ctx context.Context, folder, program string, fault planted, patience time.Duration) (
	isNoticed bool, err error,
) {
	started := time.Now()
	var parts []string
	for part := range strings.SplitSeq(fault.test, "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	output, err := runTests(ctx, folder, program, strings.Join(parts, "/"), fault.name(), patience)
	var ended *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &ended):
		return false, err
	case strings.Contains(output, "no tests to run"):
		return false, fmt.Errorf("%s names a test that isn't there: %s", fault.name(), fault.test)
	}
	verdict := map[bool]string{true: "noticed", false: "nothing noticed"}[err != nil]
	_, _ = fmt.Fprintf(t.out, "%-28s %4s  %s by %s\n", fault.name(), time.Since(started).Round(time.Second), verdict,
		fault.test)
	return err != nil, ctx.Err()
}

// buildTests builds the program of a package's tests, with the files of an overlay in place of its own. What nobody
// debugs, and that computes little, is compiled quickly.
func buildTests(ctx context.Context, folder, program, overlay string) error {
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-gcflags=-N -l -dwarf=false",
		"-overlay", overlay, "-o", program, "./"+folder) // #nosec G204 -- paths of our own
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s doesn't build any more: %w\n%s", overlay, err, output)
	}
	return nil
}

// runTests runs tests of a package with a fault, for so long at most.
func runTests(ctx context.Context, folder, program, tests, fault string, patience time.Duration) (
	output string, err error,
) {
	run := exec.CommandContext(ctx, program, "-test.timeout="+patience.String(), "-test.run", tests) // #nosec G204 -- paths of our own
	run.Dir, run.Env = folder, append(os.Environ(), wantedFault+"="+fault)
	text, err := run.CombinedOutput()
	return string(text), err
}
