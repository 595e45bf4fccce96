package main

import (
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
	compiled := exports(t)
	own, err := filepath.Glob("internal/*/mutants/*.patch")
	ofProvider, providerErr := filepath.Glob("internal/provider/*/mutants/*.patch")
	if err := errors.Join(err, providerErr); err != nil || len(own) < len(paths)+20 || len(ofProvider) < 5 {
		t.Fatalf("%d and %d patches in all (%v)", len(own), len(ofProvider), err)
	}
	own = append(own, ofProvider...)
	for _, path := range own {
		folder := t.TempDir()
		if _, err := plant(t.Context(), folder, path); err != nil {
			t.Errorf("%s doesn't apply any more; plant the same fault in the new code: %v", path, err)
			continue
		}
		name := strings.TrimSuffix(filepath.Base(path), ".patch")
		if slices.Contains(paths, path) && !strings.Contains(string(contributing), "`"+name+"`") {
			t.Errorf("CONTRIBUTING.md doesn't list %s", name)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := filepath.Dir(patchedFile.FindStringSubmatch(string(text))[1])
		if err := checkTypes(changed, filepath.Join(folder, changed), compiled); err != nil {
			t.Errorf("%s doesn't build: %v", path, err)
		}
	}
}

// exports returns an importer of what the packages of the provider export. The go command has
// compiled them for the provider's program, or does so now.
func exports(t *testing.T) types.Importer {
	t.Helper()
	list, err := exec.CommandContext(t.Context(), "go", "list", "-export", "-trimpath", "-deps", "-f",
		"{{.ImportPath}} {{.Export}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(list)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
}

// checkTypes returns what keeps a package from being built that has patched files in place of its
// own. Types are checked in a fraction of the time that compiling takes.
func checkTypes(folder, patched string, compiled types.Importer) error {
	found, err := build.ImportDir(folder, 0)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	files := make([]*ast.File, len(found.GoFiles))
	for i, name := range found.GoFiles {
		path := filepath.Join(patched, name)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			path = filepath.Join(folder, name)
		}
		if files[i], err = parser.ParseFile(set, path, nil, parser.SkipObjectResolution); err != nil {
			return err
		}
	}
	_, err = (&types.Config{Importer: compiled}).Check(folder, set, files, nil)
	return err
}

// A patch that applies and doesn't build is found.
func TestCheckTypes(t *testing.T) {
	t.Chdir("../..")
	const folder = "internal/process"
	text, err := os.ReadFile(folder + "/process.go")
	if err != nil {
		t.Fatal(err)
	}
	compiled := exports(t)
	if err := checkTypes(folder, t.TempDir(), compiled); err != nil {
		t.Errorf("as it is: %v", err)
	}
	patched := t.TempDir()
	if err := os.WriteFile(filepath.Join(patched, "process.go"), append(text, "var _ int = nowhere\n"...),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := checkTypes(folder, patched, compiled); err == nil || !strings.Contains(err.Error(), "undefined: nowhere") {
		t.Errorf("with a mistake: %v", err)
	}
}

func TestPlant_failsLoudly(t *testing.T) {
	folder := t.TempDir()
	patch := filepath.Join(folder, "x.patch")
	text := "Nothing of this is there.\n\n--- a/process.go\n+++ b/main.go\n@@ -1,2 +1,1 @@\n package main\n-func gone() {}\n"
	if err := os.WriteFile(patch, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := plant(t.Context(), t.TempDir(), patch); err == nil {
		t.Error("a patch that doesn't apply is planted")
	}
}

// Each fault is attacked by what its patch says, and each of these attacks is tried without a fault, too.
func TestMutants(t *testing.T) {
	t.Chdir("../..")
	all, err := (&trial{only: regexp.MustCompile(""), cycles: 40}).mutants()
	if err != nil {
		t.Fatal(err)
	}
	known := withoutFaults(all)
	for _, m := range all {
		if m.attack == "" || m.cycles == 0 {
			t.Errorf("%s is attacked with %d cycles of %q: name the resources that show it", m.name, m.cycles, m.attack)
		}
		isTried := func(none mutant) bool { return none.attack == m.attack && none.cycles >= m.cycles && none.patch == "" }
		if !slices.ContainsFunc(known, isTried) {
			t.Errorf("%s: no attack of %s without a fault", m.name, m.attack)
		}
	}
	if len(known) >= len(all) {
		t.Errorf("%d attacks of %d mutants", len(known), len(all))
	}
	said := attackedLine.FindStringSubmatch("What is wrong.\nAttack: ^neon_(a|b)$ in 90 cycles\n")
	if len(said) != 3 || said[1] != "^neon_(a|b)$" || said[2] != "90" {
		t.Errorf("%q", said)
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
