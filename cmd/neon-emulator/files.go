package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// processVariable is, in -env-file, the process to end.
const processVariable = "NEON_EMULATOR_PID"

// checkFiles refuses what can't be written where its flag says, before anything is prepared.
func (o *options) checkFiles(ctx context.Context) error {
	if exists, isFolder := look(o.emulator.DataFolder); exists && !isFolder {
		return fmt.Errorf("-data is %q, which is a file; it must be a folder", o.emulator.DataFolder)
	}
	if err := checkFile("-state", o.emulator.StateFile); err != nil {
		return err
	}
	if err := checkFile("-env-file", o.envFile); err != nil {
		return err
	}
	return checkEnvFile(ctx, o.envFile)
}

// assignments are the lines of -env-file.
var assignments = regexp.MustCompile(`(?m)^export (\w+)=(.*)$`)

// checkEnvFile refuses what no emulator has written, and what leads to one that still accepts its key.
func checkEnvFile(ctx context.Context, name string) error {
	if err := checkOwn("-env-file", name, isEnvFile); err != nil {
		return err
	}
	text, _ := os.ReadFile(name) //nolint:gosec // It is named by who starts the program; without one there is no other.
	values := map[string]string{}
	for _, line := range assignments.FindAllStringSubmatch(string(text), -1) {
		values[line[1]] = line[2]
	}
	base := values["NEON_BASE_URL"]
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/v2/users/me", nil)
	if err != nil {
		return nil
	}
	request.Header.Set("Authorization", "Bearer "+values["NEON_API_KEY"])
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
		return err
	}
	return fmt.Errorf("-env-file is %q, which is of the emulator that still serves at %s: use that, end it with kill %s, "+
		"or name a new file", name, base, values[processVariable])
}

// checkFile refuses a folder, and a file in a folder that doesn't exist. Without a name there
// is nothing to check.
func checkFile(flag, name string) error {
	if name == "" {
		return nil
	}
	if _, isFolder := look(name); isFolder {
		return fmt.Errorf("%s is %q, which is a folder; it must be a file", flag, name)
	}
	if _, isFolder := look(filepath.Dir(name)); !isFolder {
		return fmt.Errorf("%s is %q, but there is no folder %s", flag, name, filepath.Dir(name))
	}
	return nil
}

func look(name string) (exists, isFolder bool) {
	info, err := os.Stat(name) //nolint:gosec // It is named by who starts the program.
	return err == nil, err == nil && info.IsDir()
}

// checkOwn refuses a name that has what no emulator wrote there: nobody gets that back once it is replaced.
func checkOwn(what, name string, isOwn func(text string) bool) error {
	info, err := os.Lstat(name) //nolint:gosec // It is named by who starts the program.
	if name == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is %q, which is no regular file; name a new file", what, name)
	}
	text, err := os.ReadFile(name) //nolint:gosec // It is named by who starts the program.
	if err != nil {
		return fmt.Errorf("%s is %q, which is there and can't be read; name a new file: %w", what, name, err)
	}
	if len(text) > 0 && !isOwn(string(text)) {
		return fmt.Errorf("%s is %q, which has lines that no emulator has written; it stays as it is: name a new file",
			what, name)
	}
	return nil
}

// isEnvFile reports whether an emulator wrote a file of shell commands, and nobody has added to it.
func isEnvFile(text string) bool {
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if !strings.HasPrefix(line, "export ") || name != processVariable &&
			!slices.Contains(emulator.EnvironmentNames(), name) {
			return false
		}
	}
	return strings.Contains(text, "export "+processVariable+"=")
}

// isLog reports whether a file has an emulator's messages.
func isLog(text string) bool { return strings.HasPrefix(text, "neon-emulator: ") }

// writeEnvFile writes the shell commands. They have a key, so only the file's owner may read
// them, and they appear as a whole for those who wait for the file.
func writeEnvFile(ctx context.Context, name, lines string) error {
	draft, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.tmp") // It has mode 0600.
	if err != nil {
		return fmt.Errorf("unable to write -env-file: %w", err)
	}
	_, err = draft.WriteString(lines)
	if err = errors.Join(err, draft.Close()); err == nil {
		err = checkEnvFile(ctx, name) // It took a while to come here.
	}
	if err == nil {
		err = os.Rename(draft.Name(), name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("unable to write -env-file: %w", err), os.Remove(draft.Name()))
	}
	return nil
}

// removeEnvFile removes the file if it still has these lines: another emulator may have
// replaced them.
func removeEnvFile(name, lines string) error {
	return removeIf(name, func(text string) bool { return text == lines })
}

// removeStale removes the file that an emulator at this address left when it was killed: it names a key that is
// no longer valid.
func removeStale(name, base string) error {
	return removeIf(name, func(text string) bool { return isEnvFile(text) && strings.Contains(text, base+"\n") })
}

func removeIf(name string, is func(text string) bool) error {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil //nolint:nilerr // It is gone, or no longer the program's own.
	}
	text, err := os.ReadFile(name) //nolint:gosec // It is named by who starts the program.
	if err == nil && is(string(text)) {
		err = os.Remove(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
