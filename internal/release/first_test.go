package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The first release says when it met Neon, and nothing any more that is only so before it: the workflow refuses such a
// tag.
func TestFirstRelease_sentences(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"make", "perl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	folder := t.TempDir()
	for _, file := range []string{"GNUmakefile", "README.md", "CHANGELOG.md", ".changes/v0.1.0.md", "docs/none.md"} {
		path := filepath.Join(folder, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		var text string
		if file != "docs/none.md" {
			text = read(t, filepath.Join(root, file))
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	target := func(arguments ...string) (string, error) {
		said, err := exec.CommandContext(t.Context(), "make", append([]string{"-C", folder},
			arguments...)...).CombinedOutput()
		return string(said), err
	}
	if _, err := target("check-released"); err == nil {
		t.Skip("the first release is there")
	}
	if said, err := target("first-sentences"); err == nil {
		t.Errorf("a release that doesn't say when it met Neon: %s", said)
	}
	if said, err := target("first-sentences", "MET=on 1 December 2026, on the plan Launch"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if said, err := target("check-released"); err != nil {
		t.Errorf("after the first release's sentences: %s", said)
	}
}
