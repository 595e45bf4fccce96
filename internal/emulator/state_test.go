package emulator

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// files are the names in a folder.
func files(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

func TestStateOfTwoEmulators(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state.json")
	first, err := New(Config{StateFile: file})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{StateFile: file}); err == nil || !strings.Contains(err.Error(), file+" is in use by another emulator") {
		t.Errorf("a second emulator: %v", err)
	}
	link := filepath.Join(t.TempDir(), "link.json")
	if err := os.Symlink(file, link); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	} else if err == nil {
		if _, err := New(Config{StateFile: link}); err == nil || !strings.Contains(err.Error(), "is in use by another emulator") {
			t.Errorf("a second emulator by way of a link: %v", err)
		}
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	second, err := New(Config{StateFile: file})
	if err != nil {
		t.Fatal(err)
	}
	if second.FirstWorld() != first.FirstWorld() {
		t.Error("the world is another one")
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if left := files(t, filepath.Dir(file)); left != "state.json" {
		t.Errorf("files are left: %s", left)
	}
}

func TestStateIsWrittenByWritesAlone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state.json")
	// A run that was killed has left this.
	if err := os.WriteFile(file+draftSuffix, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, Config{StateFile: file})
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	untouched := func() bool {
		t.Helper()
		is, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return is.ModTime().Equal(began)
	}
	touch := func() {
		t.Helper()
		if err := os.Chtimes(file, began, began); err != nil {
			t.Fatal(err)
		}
	}
	touch()
	for _, path := range []string{"{p}", "{p}/branches", "/users/me", "/api_keys"} {
		p.must("GET", path, "")
	}
	p.control("GET", "/objects", "")
	p.send("GET", "/claim/none", "")
	p.api("PATCH", "{p}", `{"project":{"name":1}}`).refused(400, "must be a string")
	if !untouched() {
		t.Error("reads or refusals wrote the state")
	}
	claimable := p.send("POST", "/api/v1/database", `{"ref":"r"}`).str("id")
	for _, write := range []func(){
		func() { p.must("POST", "{p}/branches", "") },
		func() { p.control("POST", "/clock", `{"advance":"1h"}`) },
		func() { p.control("POST", "/claimable_databases/"+claimable+"/claim", "") },
	} {
		touch()
		if write(); untouched() {
			t.Error("a write isn't in the state when it is answered")
		}
	}
	if now := files(t, filepath.Dir(file)); now != "state.json state.json.neon-emulator-lock" {
		t.Errorf("beside the state are files: %s", now)
	}
}

func TestStateThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	p := start(t, Config{StateFile: filepath.Join(folder, "state.json")})
	if err := os.Mkdir(filepath.Join(folder, "state.json"+draftSuffix), 0o700); err != nil {
		t.Fatal(err)
	}
	p.api("POST", "{p}/branches", "").refused(500, "unable to write the state")
	if err := os.Remove(filepath.Join(folder, "state.json"+draftSuffix)); err != nil {
		t.Fatal(err)
	}
}
