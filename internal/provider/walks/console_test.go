package walks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What the page of a function shows of `terraform console` is what that answers. With -update
// it writes the answers.
func TestAccTerraform_console(t *testing.T) {
	t.Parallel()
	r := acctest.NewRun(t, acctest.StartEmulator(t, emulator.Config{}), acctest.ReadExample(t, "provider/versions.tf"))
	for _, name := range acctest.ExampleEntries(t, "functions") {
		path := filepath.Join("functions", name, "console.txt")
		shown := acctest.ReadExample(t, path)
		answered := "$ terraform console\n"
		for line := range strings.Lines(shown) {
			if after, ok := strings.CutPrefix(line, "> "); ok {
				answered += line + console(t, r, after)
			}
		}
		if *updateSamples {
			if err := os.WriteFile(filepath.Join(acctest.ExamplesDir, path), []byte(answered), 0o600); err != nil {
				t.Fatal(err)
			}
		} else if answered != shown {
			t.Errorf("%s shows\n%s\nterraform answers\n%s", path, shown, answered)
		}
	}
}

// console is what terraform answers to one line. OpenTofu's console can't call providers' functions by
// itself: there, a local value calls it.
func console(t *testing.T, r acctest.Run, line string) string {
	t.Helper()
	if acctest.IsOpenTofu() {
		r.Write(t, "locals.tf", "locals {\n  answer = "+line+"}\n")
		line = "local.answer\n"
	}
	command := r.Command(t, "console")
	command.Args = command.Args[:2] // it has no option for colors
	command.Stdin = strings.NewReader(line)
	answer, err := command.Output()
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", line, err))
	}
	return withoutLocking(string(answer))
}

// withoutLocking leaves out what OpenTofu's console says where the lock of the state takes longer than usual, as it
// does on a busy machine.
func withoutLocking(answer string) string {
	var kept strings.Builder
	for line := range strings.Lines(answer) {
		if !strings.HasPrefix(line, "Acquiring state lock.") && !strings.HasPrefix(line, "Releasing state lock.") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func TestConsole_withoutLocking(t *testing.T) {
	t.Parallel()
	said := "Acquiring state lock. This may take a few moments...\n\"app\"\nReleasing state lock. This may take a few moments...\n"
	if got := withoutLocking(said); got != "\"app\"\n" {
		t.Errorf("it is %q", got)
	}
}
