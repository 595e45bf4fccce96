package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	attackedLine = regexp.MustCompile(`(?m)^Attack: (.+)$`)
	// finding is a line of chaos's report that counts what must not be.
	finding = regexp.MustCompile(`(?m)^(?:cycles +\d+ +of which ([1-9]\d*) (were given up)|(orphans|doubles|strangers|surprises|helpless errors) +([1-9]\d*))`)
)

// trial is what the flags ask for.
type trial struct {
	out    io.Writer
	cycles int
	seed   uint64
	only   *regexp.Regexp
}

// run attacks the provider as it is, and then with each fault.
func (t *trial) run(ctx context.Context) (err error) {
	paths, err := filepath.Glob(patches)
	if err != nil || len(paths) == 0 {
		return errors.Join(fmt.Errorf("no %s here: run this in the repository's root folder", patches), err)
	}
	folder, err := os.MkdirTemp("", "neon-mutants-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	found, output, err := t.attack(ctx, asItIs, filepath.Join(folder, "none"), "")
	if err != nil || found != "" {
		return errors.Join(fmt.Errorf("the provider as it is doesn't stand the attack: %s\n%s", found, output), err)
	}
	var survivors []string
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".patch")
		if !t.only.MatchString(name) {
			continue
		}
		found, _, err := t.attack(ctx, name, filepath.Join(folder, name), path)
		if err != nil {
			return err
		}
		if found == "" {
			survivors = append(survivors, name)
		}
	}
	if len(survivors) > 0 {
		return fmt.Errorf("chaos didn't notice %s", strings.Join(survivors, ", "))
	}
	return nil
}

// attack builds chaos with a fault, and says what it found.
func (t *trial) attack(ctx context.Context, name, folder, patch string) (found, output string, err error) {
	started := time.Now()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", "", err
	}
	program := filepath.Join(folder, "chaos")
	build := []string{"build", "-o", program}
	if patch != "" {
		overlay, err := plant(ctx, folder, patch)
		if err != nil {
			return "", "", fmt.Errorf("%s doesn't apply any more: %w", patch, err)
		}
		build = append(build, "-overlay", overlay)
	}
	text, err := exec.CommandContext(ctx, "go", append(build, "./cmd/chaos")...).CombinedOutput() // #nosec G204 -- paths of our own
	if err != nil {
		return "", "", fmt.Errorf("%s doesn't build any more: %w\n%s", name, err, text)
	}
	only, err := attacked(patch)
	if err != nil {
		return "", "", err
	}
	text, err = exec.CommandContext(ctx, program, "-kills", "0", "-only", only, // #nosec G204 -- we have just built it
		"-cycles", strconv.Itoa(t.cycles), "-seed", strconv.FormatUint(t.seed, 10)).CombinedOutput()
	var ended *exec.ExitError
	if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 1) {
		return "", "", fmt.Errorf("chaos could not attack %s: %w\n%s", name, err, text)
	}
	found = findings(string(text))
	if (err != nil) != (found != "") {
		return "", "", fmt.Errorf("chaos ended with %w and a report that says otherwise:\n%s", err, text)
	}
	verdict := "noticed: " + found
	if found == "" {
		verdict = "nothing noticed"
	}
	_, _ = fmt.Fprintf(t.out, "%-28s %4s  %s\n", name, time.Since(started).Round(time.Second), verdict)
	return found, string(text), nil
}

// attacked is what a patch says of the resources that show its fault, for chaos's -only;
// empty for all.
func attacked(patch string) (string, error) {
	if patch == "" {
		return "", nil
	}
	text, err := os.ReadFile(patch) // #nosec G304 -- one of the repository's own
	if err != nil {
		return "", err
	}
	if match := attackedLine.FindSubmatch(text); match != nil {
		return string(match[1]), nil
	}
	return "", nil
}

// plant applies a patch to copies of the files that it changes, and returns the path
// of an overlay that has the compiler take those instead.
func plant(ctx context.Context, folder string, patches ...string) (string, error) {
	replaced := map[string]string{}
	for _, patch := range patches {
		text, err := os.ReadFile(patch) // #nosec G304 -- one of the repository's own
		if err != nil {
			return "", err
		}
		for _, match := range patchedFile.FindAllStringSubmatch(string(text), -1) {
			original, err := filepath.Abs(match[1])
			if err != nil {
				return "", err
			}
			if replaced[original] != "" {
				continue // An earlier patch has changed it.
			}
			replaced[original] = filepath.Join(folder, match[1])
			if err := copyFile(original, replaced[original]); err != nil {
				return "", err
			}
		}
		apply := exec.CommandContext(ctx, "git", "apply", "-")
		apply.Dir, apply.Stdin = folder, strings.NewReader(string(text))
		if output, err := apply.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", patch, err, output)
		}
	}
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
