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

// runPackage plants the faults of a package, each of which the test that its patch names must
// notice, while all of these pass in the package as it is.
func (t *trial) runPackage(ctx context.Context, folder string) (err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "mutants", "*.patch"))
	if err != nil || len(paths) == 0 {
		return errors.Join(fmt.Errorf("no %s/mutants/*.patch here: run this in the repository's root folder", folder), err)
	}
	tests := map[string]string{}
	var all []string
	for _, path := range paths {
		text, err := os.ReadFile(path) // #nosec G304 -- one of the repository's own
		if err != nil {
			return err
		}
		match := testLine.FindSubmatch(text)
		if match == nil {
			return fmt.Errorf("%s has no line with its test", path)
		}
		tests[path] = string(match[1])
		all = append(all, tests[path])
	}
	if output, err := testPackage(ctx, folder, strings.Join(all, "|"), ""); err != nil {
		return fmt.Errorf("the package as it is fails its tests: %w\n%s", err, output)
	}
	survivors := make([]string, len(paths))
	trials, ctx := errgroup.WithContext(ctx)
	trials.SetLimit(2) // A compiler keeps one and a half processors busy.
	for i, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".patch")
		if !t.only.MatchString(name) {
			continue
		}
		trials.Go(func() error {
			isNoticed, err := t.tryPatch(ctx, folder, path, tests[path])
			if err == nil && !isNoticed {
				survivors[i] = name
			}
			return err
		})
	}
	if err := trials.Wait(); err != nil {
		return err
	}
	if survivors = slices.DeleteFunc(survivors, func(name string) bool { return name == "" }); len(survivors) > 0 {
		return fmt.Errorf("the tests that their patches name didn't notice %s", strings.Join(survivors, ", "))
	}
	return nil
}

// tryPatch reports whether a test of the package fails with a fault.
func (t *trial) tryPatch(ctx context.Context, folder, path, test string) (isNoticed bool, err error) {
	started := time.Now()
	planted, err := os.MkdirTemp("", "neon-mutant-")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(planted)) }()
	overlay, err := plant(ctx, planted, path)
	if err != nil {
		return false, fmt.Errorf("%s doesn't apply any more: %w", path, err)
	}
	output, err := testPackage(ctx, folder, test, overlay)
	var ended *exec.ExitError
	switch {
	case err != nil && (!errors.As(err, &ended) || strings.Contains(output, "[build failed]")):
		return false, fmt.Errorf("%s doesn't build any more: %w\n%s", path, err, output)
	case strings.Contains(output, "no tests to run"):
		return false, fmt.Errorf("%s names %s, which isn't there", path, test)
	}
	verdict := map[bool]string{true: "noticed", false: "nothing noticed"}[err != nil]
	_, _ = fmt.Fprintf(t.out, "%-28s %4s  %s by %s\n", strings.TrimSuffix(filepath.Base(path), ".patch"), time.Since(started).Round(time.Second), verdict, test)
	return err != nil, nil
}

// testPackage runs tests of a package, with the files of an overlay in place of its own. A fault may
// have one go on for ever, so the time is short; what nobody debugs, and that runs once, is compiled quickly.
func testPackage(ctx context.Context, folder, tests, overlay string) (output string, err error) {
	arguments := []string{"test", "-count=1", "-vet=off", "-ldflags=-s -w", "-gcflags=-N -l -dwarf=false", "-timeout=20s", "-run", "^(" + tests + ")$"}
	if overlay != "" {
		arguments = append(arguments, "-overlay", overlay)
	}
	text, err := exec.CommandContext(ctx, "go", append(arguments, "./"+folder)...).CombinedOutput() // #nosec G204 -- paths of our own
	return string(text), err
}
