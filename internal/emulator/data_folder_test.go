package emulator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// openToServers is a folder that the account of the servers gets to, where the tests run as root.
func openToServers(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Chmod(filepath.Dir(folder), 0o711); err != nil {
		t.Fatal(err)
	}
	return folder
}

// filesBelow are those below a folder, with what they have.
func filesBelow(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			found[path] = "a folder"
			return err
		}
		text, err := os.ReadFile(path)
		found[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A folder of somebody's own is refused, and stays what it was.
func TestDataFolder_ofOthers(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]map[string]string{
		"a repository":    {"clusters/prod/main.tf": "x", "clusters/notes.txt": "n", "world.json": "{}"},
		"a store's names": {"stores.json": `{"mine":true}`},
		"a hidden file":   {".gitignore": "*"},
		"a world":         {"world.json": "[1]", "world.json.tmp": "mine", "neon-clusters/x": "mine"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := openToServers(t)
			for path, text := range own {
				path = filepath.Join(folder, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before := filesBelow(t, folder)
			e, err := New(Config{DataFolder: folder, Postgres: sharedPostgres(t)})
			if err == nil {
				_ = e.Close()
				t.Error("the folder is taken")
			} else if !strings.Contains(err.Error(), "a new folder or an empty one") {
				t.Errorf("the error doesn't say what to do: %v", err)
			}
			after := filesBelow(t, folder)
			for path, text := range before {
				if after[path] != text {
					t.Errorf("%s was %q and is %q", path, text, after[path])
				}
			}
			if len(after) != len(before) {
				t.Errorf("there are %d files instead of %d", len(after), len(before))
			}
		})
	}
}

// What somebody adds to a folder of ours stays there, whatever its name.
func TestDataFolder_addedByOthers(t *testing.T) {
	t.Parallel()
	sharedPostgres(t)
	folder := openToServers(t)
	p, end := keptRun(t, folder)
	p.rows("main", "CREATE TABLE t (n int);INSERT INTO t VALUES (1)")
	end()
	const looksLikeOurs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for _, name := range []string{"notes.txt", looksLikeOurs + "/main.tf", "prod/" + postgres.Mark} {
		path := filepath.Join(folder, "neon-clusters", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if text, err := os.ReadFile(path); string(text) != "mine" {
				t.Errorf("%s is gone: %v", name, err)
			}
		})
	}
	p, end = keptRun(t, folder)
	if got := p.rows("main", "SELECT 'x'"); got != "1" {
		t.Errorf("the branch has %s", got)
	}
	end()
}
