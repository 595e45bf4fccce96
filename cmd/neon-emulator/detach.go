package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// detach starts this program again, without -detach, and returns when that serves. It goes on
// in the background, and its messages go to a file beside -env-file.
func detach(program string, args []string, envFile string, stdout io.Writer) error {
	logName := logBeside(envFile)
	if err := checkOwn("the file for the messages of -detach", logName, isLog); err != nil {
		return err
	}
	log, err := os.OpenFile(logName, os.O_CREATE|os.O_TRUNC|os.O_APPEND|os.O_WRONLY, 0o600) //nolint:gosec // It is beside a file that is named by who starts the program.
	if err != nil {
		return fmt.Errorf("unable to write the messages of the emulator: %w", err)
	}
	defer func() { _ = log.Close() }() // The started program has its own.
	ready, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = ready.Close() }()
	background := exec.Command(program, slices.DeleteFunc(slices.Clone(args), isDetach)...) //nolint:gosec,noctx // It is this program, and outlives this call.
	background.Stdout, background.Stderr = out, log
	if err := errors.Join(background.Start(), out.Close()); err != nil {
		return err
	}
	if _, err := bufio.NewReader(ready).ReadString('\n'); err != nil {
		_ = background.Wait()           // What went wrong is in its messages.
		said, _ := os.ReadFile(logName) //nolint:gosec // It is of this program.
		return fmt.Errorf("it didn't start:\n%s", strings.TrimSpace(string(said)))
	}
	said, _ := os.ReadFile(logName) //nolint:gosec // The same.
	_, err = fmt.Fprintf(stdout, "%sThe emulator serves in the background; its messages are in %s. Next:\n  . %s\nStop "+
		"it with kill %d\n",
		withoutDatabase(string(said)), logName, shellPath(envFile), background.Process.Pid)
	return errors.Join(err, background.Process.Release())
}

// withoutDatabase is the message that no database is served, if that is among those of an emulator.
func withoutDatabase(messages string) string {
	for line := range strings.Lines(messages) {
		if strings.HasPrefix(line, noDatabase) {
			return line
		}
	}
	return ""
}

// logBeside is the file for the messages beside -env-file: neon.log for neon.env. Another name stays as a whole, so
// that neon, neon.env and neon.sh have a log each.
func logBeside(envFile string) string {
	if name, isUsual := strings.CutSuffix(envFile, ".env"); isUsual {
		return name + ".log"
	}
	return envFile + ".env.log"
}

func isDetach(argument string) bool {
	name, _, _ := strings.Cut(argument, "=")
	return name == "-detach" || name == "--detach"
}

// shellPath is a path that the shell's command `.` doesn't look for in PATH.
func shellPath(name string) string {
	if strings.ContainsRune(name, filepath.Separator) {
		return name
	}
	return "." + string(filepath.Separator) + name
}
