package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	patches = "internal/chaos/mutants/*.patch"
	// asItIs is the attack without a fault.
	asItIs = "(none)"
)

var (
	patchedFile  = regexp.MustCompile(`(?m)^\+\+\+ b/(.+)$`)
	attackedLine = regexp.MustCompile(`(?m)^Attack: (\S+)(?: in (\d+) cycles)?$`)
	// finding is a line of chaos's report that counts what must not be.
	finding = regexp.MustCompile(`(?m)^(?:cycles +\d+ +of which ([1-9]\d*) (were given up)|` +
		`(orphans|doubles|strangers|surprises|helpless errors) +([1-9]\d*))`)
)

// trial is what the flags ask for.
type trial struct {
	out    io.Writer
	cycles int
	seed   uint64
	only   *regexp.Regexp
}

// mutant is chaos with a fault, or without one where it has no patch.
type mutant struct {
	name, patch string
	// attack is what shows the fault, as chaos's -only has it.
	attack string
	cycles int
	// program is the path of what was built, unless that failed.
	program string
	err     error
}

// run attacks the provider as it is, in each way in which some fault is attacked, and then with each fault.
func (t *trial) run(ctx context.Context) (err error) {
	mutants, err := t.mutants()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "neon-mutants-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	ctx, end := context.WithCancel(ctx)
	defer end()
	var survivors []string
	for m := range building(ctx, folder, mutants) {
		found, output, err := t.attack(ctx, m)
		switch {
		case err != nil:
			return err
		case m.patch == "" && found != "":
			return fmt.Errorf("the provider as it is doesn't stand the attack: %s\n%s", found, output)
		case m.patch != "" && found == "":
			survivors = append(survivors, m.name)
		}
	}
	if len(survivors) > 0 {
		return fmt.Errorf("chaos didn't notice %s", strings.Join(survivors, ", "))
	}
	return ctx.Err()
}

// mutants are those that the flags ask for.
func (t *trial) mutants() (all []mutant, err error) {
	paths, err := filepath.Glob(patches)
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(fmt.Errorf("no %s here: run this in the repository's root folder", patches), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path) // #nosec G304 -- one of the repository's own
		if err != nil {
			return nil, err
		}
		m := mutant{name: strings.TrimSuffix(filepath.Base(path), ".patch"), patch: path, cycles: t.cycles}
		if line := attackedLine.FindSubmatch(text); line != nil {
			m.attack = string(line[1])
			if cycles, err := strconv.Atoi(string(line[2])); err == nil {
				m.cycles = cycles
			}
		}
		if t.only.MatchString(m.name) {
			all = append(all, m)
		}
	}
	return all, nil
}

// withoutFaults are the attacks of mutants, each once, on the provider as it is.
func withoutFaults(mutants []mutant) (all []mutant) {
	for _, m := range mutants {
		at := slices.IndexFunc(all, func(known mutant) bool { return known.attack == m.attack })
		if at < 0 {
			at, all = len(all), append(all, mutant{name: asItIs, attack: m.attack})
		}
		all[at].cycles = max(all[at].cycles, m.cycles)
	}
	return all
}

// building returns the programs of all attacks. Each is built while the one before it attacks.
func building(ctx context.Context, folder string, mutants []mutant) <-chan mutant {
	built := make(chan mutant)
	go func() {
		defer close(built)
		none, err := buildChaos(ctx, folder, mutant{name: asItIs})
		for _, m := range append(withoutFaults(mutants), mutants...) {
			if m.program, m.err = none, err; m.patch != "" {
				m.program, m.err = buildChaos(ctx, folder, m)
			}
			select {
			case built <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	return built
}

// buildChaos builds chaos, with the fault of a mutant that has one.
func buildChaos(ctx context.Context, folder string, m mutant) (program string, err error) {
	folder = filepath.Join(folder, m.name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	program = filepath.Join(folder, "chaos")
	arguments := []string{"build", "-o", program}
	if m.patch != "" {
		overlay, err := plant(ctx, folder, m.patch)
		if err != nil {
			return "", fmt.Errorf("%s doesn't apply any more: %w", m.patch, err)
		}
		arguments = append(arguments, "-overlay", overlay)
	}
	text, err := exec.CommandContext(ctx, "go", append(arguments, "./cmd/chaos")...).CombinedOutput() // #nosec G204 -- paths of our own
	if err != nil {
		return "", fmt.Errorf("%s doesn't build any more: %w\n%s", m.name, err, text)
	}
	return program, nil
}

// attack says what chaos found, at the first that it finds.
func (t *trial) attack(ctx context.Context, m mutant) (found, output string, err error) {
	if m.err != nil {
		return "", "", m.err
	}
	started := time.Now()
	text, err := exec.CommandContext(ctx, m.program, "-first", "-kills", "0", "-only", m.attack, // #nosec G204 -- we have just built it
		"-cycles", strconv.Itoa(m.cycles), "-seed", strconv.FormatUint(t.seed, 10)).CombinedOutput()
	var ended *exec.ExitError
	if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 1) {
		return "", "", fmt.Errorf("chaos could not attack %s: %w\n%s", m.name, err, text)
	}
	found = findings(string(text))
	if (err != nil) != (found != "") {
		return "", "", fmt.Errorf("chaos ended with %w and a report that says otherwise:\n%s", err, text)
	}
	verdict := "noticed: " + found
	if found == "" {
		verdict = "nothing noticed"
	}
	_, _ = fmt.Fprintf(t.out, "%-28s %6s  %s, by %d cycles of %s\n", m.name, time.Since(started).Round(time.Second),
		verdict, m.cycles, cmp.Or(m.attack, "all"))
	return found, string(text), nil
}

// plant applies a patch to copies of the files that it changes, and returns the path
// of an overlay that has the compiler take those instead.
func plant(ctx context.Context, folder, patch string) (string, error) {
	text, err := os.ReadFile(patch) // #nosec G304 -- one of the repository's own
	if err != nil {
		return "", err
	}
	replaced := map[string]string{}
	for _, match := range patchedFile.FindAllStringSubmatch(string(text), -1) {
		original, err := filepath.Abs(match[1])
		if err != nil {
			return "", err
		}
		replaced[original] = filepath.Join(folder, match[1])
		if err := copyFile(original, replaced[original]); err != nil {
			return "", err
		}
	}
	apply := exec.CommandContext(ctx, "git", "apply", "-")
	apply.Dir, apply.Stdin = folder, bytes.NewReader(text)
	if output, err := apply.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", patch, err, output)
	}
	return writeOverlay(folder, replaced)
}

// writeOverlay writes into a folder what has the compiler take files in place of others.
func writeOverlay(folder string, replaced map[string]string) (string, error) {
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, overlay, 0o600)
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from) // #nosec G304 G703 -- one of the repository's own
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o600) // #nosec G703 -- in a folder of our own
}

// findings are what a report counts that must not be; empty where there is nothing.
func findings(report string) string {
	var all []string
	for _, match := range finding.FindAllStringSubmatch(report, -1) {
		all = append(all, strings.TrimSpace(match[1]+match[4]+" "+match[2]+match[3]))
	}
	return strings.Join(all, ", ")
}
