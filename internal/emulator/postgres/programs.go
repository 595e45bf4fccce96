// Package postgres runs private PostgreSQL servers, one a branch, from the programs
// that are on the machine, and a gateway in front of them that clients connect to with
// TLS, SCRAM and channel binding, by host names that each lead to a server of its own.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// needed are the programs that a folder must have: the server, what creates its
// files, what copies them while they are in use, and what writes down what is in them.
var needed = []string{"postgres", "initdb", "pg_basebackup", "pg_dump", "pg_controldata"}

// packagedFolders are where packages put the programs beside PATH. Of several
// versions, the last in the order of names is taken.
var packagedFolders = []string{
	"/usr/lib/postgresql/*/bin", // Debian and Ubuntu
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
	"/usr/pgsql-*/bin", // Red Hat, from PostgreSQL's own packages
}

// ErrNoPrograms says that the machine has no PostgreSQL server to run.
var ErrNoPrograms = errors.New("no PostgreSQL server program was found (looked for pg_config, on PATH, and in the " +
	"folders of Debian and Homebrew)")

// FindPrograms returns the folder of the server's programs.
func FindPrograms(ctx context.Context) (string, error) {
	for _, folder := range candidates(ctx) {
		if CheckPrograms(folder) == nil {
			return folder, nil
		}
	}
	return "", ErrNoPrograms
}

// CheckPrograms says what a folder lacks.
func CheckPrograms(folder string) error {
	for _, name := range needed {
		if _, err := exec.LookPath(filepath.Join(folder, name)); err != nil {
			return fmt.Errorf("%s has no program %s that can be run: a PostgreSQL server's programs are needed", folder, name)
		}
	}
	return nil
}

func candidates(ctx context.Context) []string {
	var folders []string
	// A client's pg_config may name a folder without a server; the others follow.
	if output, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		folders = append(folders, strings.TrimSpace(string(output)))
	}
	if program, err := exec.LookPath("postgres"); err == nil {
		// Next to a link there may be less than next to the program.
		if target, err := filepath.EvalSymlinks(program); err == nil {
			program = target
		}
		folders = append(folders, filepath.Dir(program))
	}
	for _, pattern := range packagedFolders {
		found, _ := filepath.Glob(pattern) // The patterns are right.
		slices.Reverse(found)
		folders = append(folders, found...)
	}
	return folders
}

// version asks the server which it is: "15.14".
func version(ctx context.Context, folder string) (string, error) {
	output, err := exec.CommandContext(ctx, filepath.Join(folder, "postgres"), "--version").Output() //nolint:gosec // It is there to be run.
	if err != nil {
		return "", fmt.Errorf("unable to run %s: %w", filepath.Join(folder, "postgres"), err)
	}
	words := strings.Fields(string(output))
	if len(words) < 3 {
		return "", fmt.Errorf("unable to read the version of PostgreSQL in %q", output)
	}
	return words[2], nil
}

// environment is that of the programs: nothing in it says where else to connect to,
// or how. With a time zone, initdb doesn't look for the machine's among hundreds; the servers have theirs.
func environment() []string {
	kept := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "PG") || strings.HasPrefix(variable, "LC_") ||
			strings.HasPrefix(variable, "LANG") ||
			strings.HasPrefix(variable, "TZ=")
	})
	return append(kept, "LC_ALL=C", "TZ=GMT")
}
