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
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// testLine names the tests of a patch, of which one must fail.
var testLine = regexp.MustCompile(`(?m)^Test: (.+)$`)

// planted is a patch, and the test that must notice it.
type planted struct{ path, test, text string }

var hunk = regexp.MustCompile(`(?m)^@@ -(\d+),(\d+)`)

// overlaps reports whether both change the same lines of a file.
func (p planted) overlaps(other planted) bool {
	if patchedFile.FindStringSubmatch(p.text)[1] != patchedFile.FindStringSubmatch(other.text)[1] {
		return false
	}
	ranges := func(text string) (from, to int) {
		match := hunk.FindStringSubmatch(text)
		from, _ = strconv.Atoi(match[1])
		lines, _ := strconv.Atoi(match[2])
		return from, from + lines
	}
	from, to := ranges(p.text)
	otherFrom, otherTo := ranges(other.text)
	return from < otherTo && otherFrom < to
}

func (p planted) name() string { return strings.TrimSuffix(filepath.Base(p.path), ".patch") }

// runPackage plants the faults of a package, each of which the test that its patch names must
// notice, while all of these pass in the package as it is.
func (t *trial) runPackage(ctx context.Context, folder string) (err error) {
	all, err := t.patchesOf(folder)
	if err != nil {
		return err
	}
	if output, err := testPackage(ctx, folder, testsOf(all), ""); err != nil {
		return fmt.Errorf("the package as it is fails its tests: %w\n%s", err, output)
	}
	batches := together(all)
	survivors := make([][]planted, len(batches))
	trials, ctx := errgroup.WithContext(ctx)
	trials.SetLimit(2) // A compiler keeps one and a half processors busy.
	for i, batch := range batches {
		trials.Go(func() (err error) {
			survivors[i], err = t.tryBatch(ctx, folder, batch)
			return err
		})
	}
	if err := trials.Wait(); err != nil {
		return err
	}
	var names []string
	for _, survivor := range slices.Concat(survivors...) {
		names = append(names, survivor.name())
	}
	if len(names) > 0 {
		return fmt.Errorf("the tests that their patches name didn't notice %s", strings.Join(names, ", "))
	}
	return nil
}

// tryBatch returns the faults whose tests don't fail with them. Others may hide one, which is tried again alone.
func (t *trial) tryBatch(ctx context.Context, folder string, batch []planted) (survivors []planted, err error) {
	hidden, err := t.tryPatches(ctx, folder, batch)
	if err != nil || len(batch) == 1 {
		return hidden, err
	}
	for _, one := range hidden {
		alone, err := t.tryPatches(ctx, folder, []planted{one})
		if err != nil {
			return nil, err
		}
		survivors = append(survivors, alone...)
	}
	return survivors, nil
}

// patchesOf are the faults of a package that were asked for.
func (t *trial) patchesOf(folder string) ([]planted, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "mutants", "*.patch"))
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(fmt.Errorf("no %s/mutants/*.patch here: run this in the repository's root folder", folder), err)
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

// together are the faults that are planted at once, since compiling takes most of the time. A fault whose test is a
// part of another is noticed by that part alone, so that those with different parts don't hide each other; their
// patches have one hunk each.
func together(all []planted) (batches [][]planted) {
	parts := 0
	for _, one := range all {
		if !strings.Contains(one.test, "/") {
			batches = append(batches, []planted{one})
			continue
		}
		isHidden := func(other planted) bool {
			return one.overlaps(other) || strings.HasPrefix(other.test+"/", one.test+"/") || strings.HasPrefix(one.test+"/", other.test+"/")
		}
		at := slices.IndexFunc(batches[:parts], func(batch []planted) bool { return !slices.ContainsFunc(batch, isHidden) })
		if at < 0 {
			batches = slices.Insert(batches, parts, []planted{one})
			parts++
			continue
		}
		batches[at] = append(batches[at], one)
	}
	return batches
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

// tryPatches plants faults together, and returns those whose tests don't fail.
func (t *trial) tryPatches(ctx context.Context, folder string, batch []planted) (survivors []planted, err error) {
	started := time.Now()
	changed, err := os.MkdirTemp("", "neon-mutant-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(changed)) }()
	paths, names := make([]string, len(batch)), make([]string, len(batch))
	for i, one := range batch {
		paths[i], names[i] = one.path, one.name()
	}
	overlay, err := plant(ctx, changed, paths...)
	if err != nil {
		return nil, fmt.Errorf("one of %s doesn't apply any more: %w", strings.Join(names, ", "), err)
	}
	output, err := testPackage(ctx, folder, testsOf(batch), overlay)
	var ended *exec.ExitError
	switch {
	case err != nil && (!errors.As(err, &ended) || strings.Contains(output, "[build failed]")):
		return nil, fmt.Errorf("%s: it doesn't build any more: %w\n%s", strings.Join(names, ", "), err, output)
	case strings.Contains(output, "no tests to run"):
		return nil, fmt.Errorf("%s names a test that isn't there: %s", strings.Join(names, ", "), testsOf(batch))
	case len(batch) > 1 && strings.Contains(output, "panic: "):
		return nil, fmt.Errorf("one of %s ends all tests:\n%s", strings.Join(names, ", "), output)
	}
	for _, one := range batch {
		isNoticed := err != nil && (len(batch) == 1 || strings.Contains(output, "--- FAIL: "+one.test+" ("))
		if !isNoticed {
			survivors = append(survivors, one)
		}
		verdict := map[bool]string{true: "noticed", false: "nothing noticed"}[isNoticed]
		_, _ = fmt.Fprintf(t.out, "%-28s %4s  %s by %s\n", one.name(), time.Since(started).Round(time.Second), verdict, one.test)
	}
	return survivors, nil
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
