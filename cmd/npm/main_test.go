package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// pack writes an archive as a release has it.
func pack(t *testing.T, path string, members map[string]string) {
	t.Helper()
	var packed bytes.Buffer
	if filepath.Ext(path) == ".zip" {
		archive := zip.NewWriter(&packed)
		for name, content := range members {
			file, err := archive.Create(name)
			must(t, err)
			_, err = file.Write([]byte(content))
			must(t, err)
		}
		must(t, archive.Close())
	} else {
		compressed := gzip.NewWriter(&packed)
		archive := tar.NewWriter(compressed)
		for name, content := range members {
			must(t, archive.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}))
			_, err := archive.Write([]byte(content))
			must(t, err)
		}
		must(t, archive.Close())
		must(t, compressed.Close())
	}
	must(t, os.WriteFile(path, packed.Bytes(), 0o600))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// One package asks for the programs of all platforms, of which npm installs the one that fits.
func TestBuild(t *testing.T) {
	t.Parallel()
	archives, to := t.TempDir(), filepath.Join(t.TempDir(), "npm")
	pack(t, filepath.Join(archives, "neon-emulator_1.2.3_linux_amd64.tar.gz"),
		map[string]string{"neon-emulator": "for Linux", "LICENSE": "MPL"})
	pack(t, filepath.Join(archives, "neon-emulator_1.2.3_windows_arm64.zip"),
		map[string]string{"neon-emulator.exe": "for Windows", "LICENSE": "MPL"})
	pack(t, filepath.Join(archives, "terraform-provider-neon_1.2.3_linux_amd64.zip"), nil)
	must(t, build(archives, to))
	read := func(path ...string) []byte {
		content, err := os.ReadFile(filepath.Join(append([]string{to}, path...)...))
		must(t, err)
		return content
	}
	var whole, windows description
	must(t, json.Unmarshal(read("neon-emulator", "package.json"), &whole))
	must(t, json.Unmarshal(read("neon-emulator-win32-arm64", "package.json"), &windows))
	if whole.Version != "1.2.3" || len(whole.OptionalDependencies) != 2 ||
		whole.OptionalDependencies["neon-emulator-linux-x64"] != "1.2.3" ||
		whole.OptionalDependencies["neon-emulator-win32-arm64"] != "1.2.3" ||
		whole.Bin["neon-emulator"] != "neon-emulator.js" {
		t.Errorf("the package is %+v", whole)
	}
	if windows.OS[0] != "win32" || windows.CPU[0] != "arm64" || windows.Version != "1.2.3" {
		t.Errorf("that for Windows is %+v", windows)
	}
	if linux := read("neon-emulator-linux-x64", "neon-emulator"); string(linux) != "for Linux" {
		t.Errorf("the program for Linux is %q", linux)
	}
	if exe := read("neon-emulator-win32-arm64", "neon-emulator.exe"); string(exe) != "for Windows" {
		t.Errorf("the program for Windows is %q", exe)
	}
}

// What isn't one whole release makes no packages, and leaves those that are there.
func TestBuild_refuses(t *testing.T) {
	t.Parallel()
	program := map[string]string{"neon-emulator": "x", "LICENSE": "MPL"}
	for name, found := range map[string]map[string]map[string]string{
		"nothing":         {},
		"two versions":    {"neon-emulator_1.0.0_linux_amd64.tar.gz": program, "neon-emulator_1.0.1_linux_arm64.tar.gz": program},
		"no program":      {"neon-emulator_1.0.0_linux_amd64.tar.gz": {"LICENSE": "MPL"}},
		"no such machine": {"neon-emulator_1.0.0_plan9_amd64.tar.gz": program},
		"a good one, then a bad one": {"neon-emulator_1.0.0_linux_amd64.tar.gz": program,
			"neon-emulator_1.0.0_linux_arm64.tar.gz": {"LICENSE": "MPL"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archives, to := t.TempDir(), t.TempDir()
			for archive, members := range found {
				pack(t, filepath.Join(archives, archive), members)
			}
			earlier := filepath.Join(to, "neon-emulator")
			must(t, os.Mkdir(earlier, 0o700))
			if err := build(archives, to); err == nil {
				t.Error("it makes packages")
			}
			if there, err := filepath.Glob(filepath.Join(to, "*")); err != nil || !slices.Equal(there, []string{earlier}) {
				t.Errorf("the packages of an earlier release are now %q: %v", there, err)
			}
		})
	}
}

// The folder that is replaced can't be one that has the archives.
func TestBuild_keepsArchives(t *testing.T) {
	t.Parallel()
	for _, inside := range []string{"", "archives", "link/archives"} {
		to := t.TempDir()
		must(t, os.Symlink(to, filepath.Join(to, "link")))
		archives := filepath.Join(to, inside)
		must(t, os.MkdirAll(archives, 0o700))
		kept := filepath.Join(archives, "neon-emulator_1.0.0_linux_amd64.tar.gz")
		pack(t, kept, map[string]string{"neon-emulator": "x", "LICENSE": "MPL"})
		if err := build(archives, to); err == nil {
			t.Errorf("%q: packages take the archives' place", inside)
		}
		if _, err := os.Stat(kept); err != nil {
			t.Errorf("%q: %v", inside, err)
		}
	}
}
