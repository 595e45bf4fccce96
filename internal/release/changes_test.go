package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-version"
	"gopkg.in/yaml.v3"
)

const changes = root + "/.changes"

// entry is what a file of changie says of one change.
type entry struct {
	Kind string    `yaml:"kind"`
	Body string    `yaml:"body"`
	Time time.Time `yaml:"time"`
}

// What can't be collected, or stands twice, would be noticed at the release only.
func TestChanges_canBeCollected(t *testing.T) {
	t.Parallel()
	var config struct {
		Kinds []struct {
			Label string `yaml:"label"`
		} `yaml:"kinds"`
	}
	if err := yaml.Unmarshal([]byte(read(t, root+"/.changie.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, kind := range config.Kinds {
		kinds = append(kinds, kind.Label)
	}
	files, err := os.ReadDir(filepath.Join(changes, "unreleased"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, file := range files {
		if file.Name() == ".gitkeep" {
			continue
		}
		decoder := yaml.NewDecoder(strings.NewReader(read(t, filepath.Join(changes, "unreleased", file.Name()))))
		decoder.KnownFields(true)
		var change entry
		switch err := decoder.Decode(&change); {
		case err != nil:
			t.Errorf("%s: %v", file.Name(), err)
		case filepath.Ext(file.Name()) != ".yaml":
			t.Errorf("%s isn't collected, as its name doesn't end in .yaml", file.Name())
		case !slices.Contains(kinds, change.Kind):
			t.Errorf("%s is of the kind %q, want one of %q", file.Name(), change.Kind, kinds)
		case change.Time.IsZero() || strings.TrimSpace(change.Body) == "":
			t.Errorf("%s has no body or no time", file.Name())
		case seen[change.Body] != "":
			t.Errorf("%s repeats %s", file.Name(), seen[change.Body])
		}
		seen[change.Body] = file.Name()
	}
}

// A version is released with the states that it writes: later ones are held to them. Each folder of states is whole.
func TestChanges_areInTheMuseum(t *testing.T) {
	t.Parallel()
	states := filepath.Join(root, "internal", "provider", "walks", "testdata", "states")
	kept, err := os.ReadDir(states)
	if err != nil || len(kept) == 0 {
		t.Fatalf("%s keeps no states: %v", states, err)
	}
	var names []string
	for _, folder := range kept {
		names = append(names, folder.Name())
	}
	for _, path := range glob(t, filepath.Join(changes, "v*.md")) {
		if heading, _, _ := strings.Cut(read(t, path), "\n"); !strings.Contains(heading, "(unreleased)") {
			names = append(names, strings.TrimSuffix(filepath.Base(path), ".md"))
		}
	}
	if ignored, err := exec.CommandContext(t.Context(), "git", "check-ignore", "--no-index",
		filepath.Join(states, "v1.2.3", "tofu.tfstate")).Output(); err == nil {
		t.Errorf(".gitignore keeps out of a release's commit: %s", ignored)
	}
	for _, name := range names {
		for _, file := range []string{"main.tf", "identities.json", "terraform.tfstate", "terraform.world.gz", "tofu.tfstate",
			"tofu.world.gz"} {
			if _, err := os.Stat(filepath.Join(states, name, file)); err != nil {
				t.Errorf("%s has no state in the museum: run make museum VERSION=%[1]s (%v)", name, err)
			}
		}
	}
}

// The changelog is the header and each version's notes, the newest first, as
// changie puts them together.
func TestChanges_areInTheChangelog(t *testing.T) {
	t.Parallel()
	var released version.Collection
	for _, path := range glob(t, filepath.Join(changes, "v*.md")) {
		number, err := version.NewVersion(strings.TrimSuffix(filepath.Base(path), ".md"))
		if err != nil {
			t.Fatal(err)
		}
		released = append(released, number)
	}
	slices.SortFunc(released, func(a, b *version.Version) int { return b.Compare(a) })
	want := read(t, filepath.Join(changes, "header.tpl.md"))
	for _, number := range released {
		want += "\n" + read(t, filepath.Join(changes, "v"+number.String()+".md"))
	}
	if read(t, root+"/CHANGELOG.md") != want {
		t.Error("CHANGELOG.md isn't what the files in .changes say: changie merge")
	}
}
