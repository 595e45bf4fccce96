package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// npm's packages of the release's archives start the emulator on a machine that has Node and no Go. They are packed as
// npm publishes them, and installed without asking a registry.
func TestArchives_npm(t *testing.T) {
	a := findArchives(t)
	npm, err := exec.LookPath("npm")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("CI must have npm")
		}
		t.Skip(err)
	}
	packages, folder := t.TempDir(), t.TempDir()
	run(t, root, os.Environ(), "go", "run", "./cmd/npm", "-archives", absolute(t, a.folder), "-to", packages)
	arguments := []string{"install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"}
	for _, path := range glob(t, filepath.Join(packages, "*")) {
		if name := filepath.Base(path); name == "neon-emulator" || isOfHere(t, path) {
			packed := strings.Fields(run(t, folder, os.Environ(), npm, "pack", "--silent", path))
			arguments = append(arguments, "./"+packed[len(packed)-1])
		}
	}
	write(t, filepath.Join(folder, "package.json"), `{"private":true}`)
	run(t, folder, os.Environ(), npm, arguments...)
	if said := run(t, folder, os.Environ(), "npx", "neon-emulator", "-version"); !strings.Contains(said, a.version) {
		t.Errorf("it says that it is %q, want %s", said, a.version)
	}
	world := serve(t, folder, filepath.Join(folder, "node_modules", ".bin", "neon-emulator"))
	if world["NEON_BASE_URL"] == "" || world["NEON_API_KEY"] == "" {
		t.Errorf("it says %v", world)
	}
}

// isOfHere reports whether a package is for this machine, as npm would.
func isOfHere(t *testing.T, folder string) bool {
	t.Helper()
	here := run(t, folder, os.Environ(), "node", "-p", "process.platform+'-'+process.arch")
	return strings.HasSuffix(folder, "-"+strings.TrimSpace(here))
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	whole, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}
