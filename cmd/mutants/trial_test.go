package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A patch that doesn't apply any more plants nothing. Whoever changes the code that
// one is about changes the patch, and the list in CONTRIBUTING.
func TestPatches_apply(t *testing.T) {
	t.Chdir("../..")
	paths, err := filepath.Glob(patches)
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d patches (%v)", len(paths), err)
	}
	contributing, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		overlay, err := plant(t.Context(), t.TempDir(), path)
		if err != nil {
			t.Errorf("%s doesn't apply any more; plant the same fault in the new code: %v", path, err)
			continue
		}
		name := strings.TrimSuffix(filepath.Base(path), ".patch")
		if !strings.Contains(string(contributing), "`"+name+"`") {
			t.Errorf("CONTRIBUTING.md doesn't list %s", name)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := "./" + filepath.ToSlash(filepath.Dir(patchedFile.FindStringSubmatch(string(text))[1]))
		if output, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, changed).CombinedOutput(); err != nil {
			t.Errorf("%s doesn't build: %v\n%s", path, err, output)
		}
	}
}

func TestPlant_failsLoudly(t *testing.T) {
	folder := t.TempDir()
	patch := filepath.Join(folder, "x.patch")
	text := "Nothing of this is there.\n\n--- a/main.go\n+++ b/main.go\n@@ -1,2 +1,1 @@\n package main\n-func gone() {}\n"
	if err := os.WriteFile(patch, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := plant(t.Context(), t.TempDir(), patch); err == nil {
		t.Error("a patch that doesn't apply is planted")
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	report := "cycles             200  of which 2 were given up and destroyed early\n" +
		"orphans              3\ndoubles              0\nstrangers           10  touched\nhelpless errors      0\n"
	if got, want := findings(report), "2 were given up, 3 orphans, 10 strangers"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := findings(strings.NewReplacer("2 were", "0 were", "3", "0", "10 ", " 0 ").Replace(report)); got != "" {
		t.Errorf("a good report has %q", got)
	}
}
