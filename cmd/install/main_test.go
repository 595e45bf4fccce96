package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A build that is installed again stays the version that folders have initialized; another program is another version.
func TestInstall_versions(t *testing.T) {
	t.Chdir(t.TempDir())
	versionOf := func(program string) string {
		t.Helper()
		path := filepath.Join("bin", "terraform-provider-neon")
		if err := os.MkdirAll("bin", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := install(path); err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob("bin/mirror/registry.terraform.io/" + provider + "/*")
		if err != nil || len(found) != 1 {
			t.Fatalf("the mirror has %v: %v", found, err)
		}
		return filepath.Base(found[0])
	}
	first := versionOf("one build")
	for program, stays := range map[string]bool{"one build": true, "another build": false} {
		if version := versionOf(program); (version == first) != stays {
			t.Errorf("%q was %s, and is %s", program, first, version)
		}
	}
}
