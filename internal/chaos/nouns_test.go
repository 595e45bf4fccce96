package chaos

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// Chaos plays each managed resource, in killed runs, too.
func TestResources_all(t *testing.T) {
	t.Parallel()
	all, err := nouns.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	k := &killed{workspace: &workspace{folder: t.TempDir(), platform: &platform{}}, name: "kill"}
	if err := k.configure(0); err != nil {
		t.Fatal(err)
	}
	killed, err := os.ReadFile(filepath.Join(k.folder, "main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	for folder, noun := range all {
		for _, resource := range noun.Resources {
			if !strings.Contains(string(killed), "resource \""+resource.Name+"\" ") {
				t.Errorf("%s of internal/provider/%s isn't in kills_configuration.go", resource.Name, folder)
			}
		}
	}
}

// What neither has twins nor siblings is played alone.
func TestCycles_alone(t *testing.T) {
	t.Parallel()
	report, err := Cycles{Conflicts: "none", Only: regexp.MustCompile("^neon_bucket_object$"), Count: 6, Seed: 1, Probability: 0.05, SideBySide: 8}.Run(t.Context())
	if err != nil || !report.Good() {
		t.Error(err)
	}
}
