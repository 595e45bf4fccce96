package docs

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
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const (
	repository = "https://github.com/seed-a7382548/terraform-provider-neon"
	// longest is more than any page takes on a busy machine.
	longest = 8 * time.Minute
	// mark begins a line that says where in the page a reader is.
	mark = "@@@ line "
)

var (
	// fence is a block of code.
	fence    = regexp.MustCompile("(?s)\n```(\\w*)\n(.*?\n)```\n")
	fileName = regexp.MustCompile("`([\\w./-]+\\.(?:tf|hcl|sql|sh|yml|yaml))`")
	adding   = regexp.MustCompile(`(?i)\badd\b`)
	// ownValue is a variable that readers set to a value of their own.
	ownValue = regexp.MustCompile(`(?m)^export (\w+)=\S*\.\.\.$`)
	// startsEmulator is a line that starts the emulator at its default address, which is one for the machine.
	startsEmulator = regexp.MustCompile(`(?m)^(bin/neon-emulator)( -detach.*)$`)
)

// varying is what differs from run to run, with what stands for it when a page's output is
// compared.
var varying = []struct {
	pattern *regexp.Regexp
	stands  string
}{
	{regexp.MustCompile("\x1b\\[[0-9;]*m|[│╷╵]"), " "},
	{regexp.MustCompile(`\b[\w.-]+\.(neon\.localhost|aws\.neon\.tech)(:\d+)?`), "HOST"},
	{regexp.MustCompile(`https?://(127\.0\.0\.1:\d+|console\.neon\.tech|neon\.new)`), "ADDRESS"},
	{regexp.MustCompile(`\b(br|ep|org|snap)-[a-z0-9]+(-[a-z0-9]+)*\b`), "ID"},
	{regexp.MustCompile(`\b[a-z]+-[a-z]+-\d{8}\b`), "ID"},
	{regexp.MustCompile(`\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`), "ID"},
	{regexp.MustCompile(`\bid=\d+\b`), "id=ID"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`), "TIME"},
	{regexp.MustCompile(`\b\d+m?\d*(\.\d+)?m?s\b`), "DURATION"},
	{regexp.MustCompile(`\bv?0\.1\.\d{4,}\b`), "VERSION"},
	{regexp.MustCompile(`(/[\w.-]+)*/terraform-provider-neon\b`), "REPOSITORY"},
	{regexp.MustCompile(`\s+`), " "},
}

// step is a block of a page.
type step struct {
	line     int
	language string
	text     string
	// file is the one that the block is to be written to, none for the other blocks.
	file string
	adds bool
	// prints is what a block of shell is said to print.
	prints string
}

func (s step) runs() bool { return s.language == "shell" }

// fails reports whether the page shows an error.
func (s step) fails() bool { return strings.Contains(s.prints, "Error: ") }

// steps are the blocks of a page; what a block prints belongs to that block.
func steps(text string) []step {
	var found []step
	end := 0
	for _, at := range fence.FindAllStringSubmatchIndex(text, -1) {
		s := step{line: strings.Count(text[:at[0]], "\n") + 2, language: text[at[2]:at[3]], text: text[at[4]:at[5]]}
		between := strings.TrimSpace(text[end:at[0]])
		end = at[1]
		if last := len(found) - 1; s.language == "text" && between == "" && last >= 0 && found[last].runs() {
			found[last].prints = s.text
			continue
		}
		before := between[strings.LastIndex(between, "\n\n")+1:]
		names := fileName.FindAllStringSubmatch(before, -1)
		if !s.runs() && strings.HasSuffix(before, ":") && names != nil {
			s.file, s.adds = names[len(names)-1][1], adding.MatchString(before)
		}
		found = append(found, s)
	}
	return found
}

// reading is a page that somebody follows, with a Neon of their own.
type reading struct {
	page  string
	steps []step
	// values are those of variables that the page has readers set.
	values map[string]string
	// inBrowser is what a person does on a web page after a block of shell, in shell.
	inBrowser map[string]string
}

// script is the page as one program, which says at which line of the page it is.
func (r reading) script(t *testing.T) string {
	t.Helper()
	var script strings.Builder
	script.WriteString("set -eo pipefail\ntrap 'kill ${NEON_EMULATOR_PID:-} 2> /dev/null || true' EXIT\n")
	for _, s := range r.steps {
		fmt.Fprintf(&script, "echo; echo '%s%d'\n", mark, s.line)
		switch {
		case s.file != "":
			redirection := map[bool]string{false: ">", true: ">>"}[s.adds]
			fmt.Fprintf(&script, "mkdir -p \"$(dirname %[1]s)\"\ncat %[2]s %[1]s <<'@@@'\n%[3]s@@@\n", s.file, redirection,
				s.text)
		case s.runs() && s.fails():
			fmt.Fprintf(&script, "set +e\n%sstatus=$?; set -e\n[ $status != 0 ] || { echo 'it succeeds'; exit 1; }\n",
				r.filledIn(t, s))
		case s.runs():
			script.WriteString(startsEmulator.ReplaceAllString(r.filledIn(t, s), "$1 -listen 127.0.0.1:0$2"))
			script.WriteString(r.inBrowser[strings.TrimSpace(s.text)])
		}
	}
	fmt.Fprintf(&script, "echo; echo '%s%d'\n", mark, 0)
	return script.String()
}

// filledIn is the block with the reader's own values.
func (r reading) filledIn(t *testing.T, s step) string {
	t.Helper()
	return ownValue.ReplaceAllStringFunc(s.text, func(line string) string {
		name := ownValue.FindStringSubmatch(line)[1]
		value, known := r.values[name]
		if !known {
			t.Errorf("%s, line %d: the test has no value for %s", r.page, s.line, name)
		}
		return fmt.Sprintf("export %s=%s", name, value)
	})
}

// follow runs the page in a folder, and compares what it prints.
func (r reading) follow(t *testing.T, folder string, environment []string) error {
	t.Helper()
	script, log := filepath.Join(t.TempDir(), "script"), filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(script, []byte(r.script(t)), 0o600); err != nil {
		return err
	}
	output, err := os.Create(log)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), longest, fmt.Errorf("not done after %s", longest))
	defer cancel()
	command := process.Command(ctx, "bash", script)
	command.Dir, command.Env = folder, environment
	command.Stdin, command.Stdout, command.Stderr = yes{}, output, output
	err = errors.Join(process.Finish(ctx, command), output.Close())
	said, readErr := os.ReadFile(log)
	if err := errors.Join(err, readErr); err != nil {
		return fmt.Errorf("%s can't be followed: %w\n%s", r.page, err, said)
	}
	if testing.Verbose() {
		t.Logf("%s", said)
	}
	r.compare(t, string(said))
	return nil
}

// yes answers each question.
type yes struct{}

func (yes) Read(p []byte) (int, error) { return copy(p, "yes\n"), nil }

// compare finds what the page says that its blocks print in what they have printed.
func (r reading) compare(t *testing.T, said string) {
	t.Helper()
	for _, s := range r.steps {
		_, printed, _ := strings.Cut(said, fmt.Sprintf("%s%d\n", mark, s.line))
		printed, _, _ = strings.Cut(printed, mark)
		rest := masked(printed)
		for part := range strings.SplitSeq(masked(s.prints), "...") {
			_, after, found := strings.Cut(rest, strings.TrimSpace(part))
			if !found {
				t.Errorf("%s, line %d: %q isn't printed, or not in this order. Printed is\n%s", r.page, s.line, part, printed)
				break
			}
			rest = after
		}
	}
}

// masked is a text with nothing that differs from run to run.
func masked(text string) string {
	for _, v := range varying {
		text = v.pattern.ReplaceAllString(text, v.stands)
	}
	return text
}

// compiledOnce has the go command compile nothing again that is compiled already: in another clone, or
// by `make test` itself.
func compiledOnce() string { return "GOFLAGS=" + os.Getenv("GOFLAGS") + " -trimpath" }

// readerEnvironment is that of somebody who has Terraform. What they clone is this repository.
func readerEnvironment(t *testing.T, ours map[string]string) []string {
	t.Helper()
	origin, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(origin, ".git")); err != nil {
		t.Skip("this clones the repository, and this isn't one")
	}
	terraform, err := exec.LookPath(acctest.TerraformProgram())
	if err == nil {
		terraform, err = filepath.Abs(terraform)
	}
	programs, gitConfig := t.TempDir(), filepath.Join(t.TempDir(), "gitconfig")
	ownOrigin := fmt.Sprintf("[url %q]\n\tinsteadOf = %s\n[safe]\n\tdirectory = *\n", origin, repository)
	err = errors.Join(err, os.Symlink(terraform, filepath.Join(programs, "terraform")),
		os.WriteFile(gitConfig, []byte(ownOrigin), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	environment := terraformcli.Environment(os.Environ(), ours, map[string]string{
		"PATH":               programs + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"CHECKPOINT_DISABLE": "1",
		"PGHOSTADDR":         "127.0.0.1", // Not every resolver knows that *.localhost is the machine itself.
		"GIT_CONFIG_GLOBAL":  gitConfig,
	})
	environment = append(environment, compiledOnce())
	// The make that runs this test has no say in the reader's.
	return slices.DeleteFunc(environment, func(entry string) bool { return strings.HasPrefix(entry, "MAKE") })
}
