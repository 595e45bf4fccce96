// Command npm makes npm's packages of the emulator from a release's archives: one for each platform, with the program,
// and neon-emulator, which starts the one of the machine that it is installed on (`make npm-packages`).
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const name = "neon-emulator"

//go:embed neon-emulator.js
var launcher []byte

//go:embed README.md
var readme []byte

var (
	archiveName = regexp.MustCompile(`^neon-emulator_([^_]+)_([^_]+)_([^_.]+)\.(tar\.gz|zip)$`)
	// systems and processors are what Node calls those of Go.
	systems    = map[string]string{"darwin": "darwin", "linux": "linux", "windows": "win32"}
	processors = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

func main() {
	archives := flag.String("archives", "dist", "folder with a release's archives")
	to := flag.String("to", "dist/npm", "folder to write the packages to, which is replaced")
	flag.Parse()
	if err := build(*archives, *to); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// description is a package.json.
type description struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Homepage             string            `json:"homepage"`
	Repository           map[string]string `json:"repository"`
	Engines              map[string]string `json:"engines,omitempty"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Bin                  map[string]string `json:"bin,omitempty"`
	Files                []string          `json:"files"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplugged      bool              `json:"preferUnplugged,omitempty"`
}

func describe(name, version, what string) description {
	const home = "https://github.com/seed-a7382548/terraform-provider-neon"
	return description{
		Name: name, Version: version, Description: what, License: "MPL-2.0", Homepage: home + "#readme",
		Repository: map[string]string{"type": "git", "url": "git+" + home + ".git"},
	}
}

// npmPackage is one of npm's packages: its package.json and its other files.
type npmPackage struct {
	description
	files map[string][]byte
}

// build replaces a folder by the packages of a release, once all of its archives could be read.
func build(archives, to string) error {
	packages, err := readRelease(archives)
	if err != nil {
		return err
	}
	if replaced, err := wholePath(to); err == nil { // Else there is nothing to replace.
		read, err := wholePath(archives)
		if err != nil {
			return err
		}
		if within, err := filepath.Rel(replaced, read); err == nil && filepath.IsLocal(within) {
			return fmt.Errorf("%s, which the packages replace, has the archives in it: name another folder", to)
		}
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	for _, made := range packages {
		if err := write(to, made.description, made.files); err != nil {
			return err
		}
	}
	return nil
}

// wholePath is that of a file that is there, without links.
func wholePath(of string) (string, error) {
	path, err := filepath.Abs(of)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// readRelease makes the packages of a release's archives.
func readRelease(archives string) (packages []npmPackage, err error) {
	entries, err := os.ReadDir(archives)
	if err != nil {
		return nil, err
	}
	whole := describe(name, "", "An emulated Neon for tests: its API, and real PostgreSQL, without an account")
	whole.Bin, whole.Engines = map[string]string{name: name + ".js"}, map[string]string{"node": ">=18"}
	whole.Files, whole.OptionalDependencies = []string{name + ".js"}, map[string]string{}
	var license []byte
	for _, entry := range entries {
		match := archiveName.FindStringSubmatch(entry.Name())
		if match == nil {
			continue
		}
		version, system, processor := match[1], systems[match[2]], processors[match[3]]
		if system == "" || processor == "" {
			return nil, fmt.Errorf("%s is for a platform that Node has no name for", entry.Name())
		}
		if whole.Version != "" && whole.Version != version {
			return nil, fmt.Errorf("%s has archives of %s and %s", archives, whole.Version, version)
		}
		members, err := unpack(filepath.Join(archives, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
		program := name
		if system == "win32" {
			program += ".exe"
		}
		if members[program] == nil || members["LICENSE"] == nil {
			return nil, fmt.Errorf("%s lacks %s or LICENSE", entry.Name(), program)
		}
		license = members["LICENSE"]
		one := describe(name+"-"+system+"-"+processor, version, "The program of "+name+" for "+system+" "+processor)
		one.OS, one.CPU, one.Files, one.PreferUnplugged = []string{system}, []string{processor}, []string{program}, true
		packages = append(packages, npmPackage{one, map[string][]byte{program: members[program], "LICENSE": license}})
		whole.Version, whole.OptionalDependencies[one.Name] = version, version
	}
	if whole.Version == "" {
		return nil, fmt.Errorf("%s has no archive of %s", archives, name)
	}
	return append(packages, npmPackage{whole,
		map[string][]byte{name + ".js": launcher, "README.md": readme, "LICENSE": license}}), nil
}

// write makes the folder of a package.
func write(to string, described description, files map[string][]byte) error {
	text, err := json.MarshalIndent(described, "", "  ")
	if err != nil {
		return err
	}
	files["package.json"] = append(text, '\n')
	folder := filepath.Join(to, described.Name)
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // It is for everybody, as all that npm installs.
		return err
	}
	for file, content := range files {
		mode := os.FileMode(0o644)
		if strings.HasPrefix(file, name) {
			mode = 0o755
		}
		if err := os.WriteFile(filepath.Join(folder, file), content, mode); err != nil {
			return err
		}
	}
	return nil
}

// unpack reads the files of an archive.
func unpack(path string) (map[string][]byte, error) {
	content, err := os.ReadFile(path) //nolint:gosec // It is of the folder that was named.
	if err != nil {
		return nil, err
	}
	members := map[string][]byte{}
	if strings.HasSuffix(path, ".zip") {
		archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			return nil, err
		}
		for _, file := range archive.File {
			opened, err := file.Open()
			if err != nil {
				return nil, err
			}
			members[file.Name], err = io.ReadAll(opened)
			if err := errors.Join(err, opened.Close()); err != nil {
				return nil, err
			}
		}
		return members, nil
	}
	packed, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	archive := tar.NewReader(packed)
	for {
		file, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return members, nil
		}
		if err == nil {
			members[file.Name], err = io.ReadAll(archive)
		}
		if err != nil {
			return nil, err
		}
	}
}
