package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// anotherVersion is a folder of programs that say that they are of another version than those here.
func anotherVersion(t *testing.T, programs, number string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "bin")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for up := folder; strings.HasPrefix(up, os.TempDir()+"/"); up = filepath.Dir(up) {
		must(t, os.Chmod(up, 0o755))
	}
	for _, name := range needed {
		script := fmt.Sprintf("#!/bin/sh\n[ \"$*\" = --version ] && echo '%s (PostgreSQL) %s' && exit\nexec %s/%s \"$@\"\n",
			name, number, programs, name)
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(script), 0o755))
	}
	return folder
}

// Each project has the programs of its version where they are here, and else those that are.
func TestVersions(t *testing.T) {
	here := sharedInstallation(t)
	own := majorOf(here.Version)
	t.Setenv("PATH", anotherVersion(t, here.Programs, fmt.Sprintf("%d.3", own+1))+":"+os.Getenv("PATH"))
	i, err := Prepare(t.Context(), here.Programs)
	must(t, err)
	t.Cleanup(func() { must(t, i.Close()) })
	if got := i.Major(own + 1); got != own {
		t.Errorf("one folder has version %d, too", got)
	}
	i.AllVersions(t.Context())
	for wanted, want := range map[int]string{own: here.Version, own + 1: fmt.Sprintf("%d.3", own+1),
		own + 2: here.Version} {
		if got := i.Major(wanted); got != majorOf(want) {
			t.Errorf("a project of %d has %d, want %s", wanted, got, want)
		}
		c, err := i.CreateFor(t.Context(), wanted)
		must(t, err)
		if c.home.Version != want {
			t.Errorf("the data of a project of %d is of %s, want %s", wanted, c.home.Version, want)
		}
		release, err := c.Use(t.Context())
		must(t, err)
		release()
		must(t, c.Close())
	}
}
