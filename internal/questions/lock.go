package questions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Lock is a file that keeps a second run from beginning, and what must be deleted.
type Lock struct{ path string }

// TakeLock takes the lock, unless another run has it or left something.
func TakeLock(path string) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // #nosec G304 -- where the caller wants it
	if errors.Is(err, fs.ErrExist) {
		left, _ := ReadLock(path)
		return nil, fmt.Errorf("another run goes on, or was killed: %s is there. Once none goes on, delete what is left by "+
			"-clean\n%s",
			path, strings.Join(left, "\n"))
	}
	if err != nil {
		return nil, err
	}
	return &Lock{path}, file.Close()
}

// ReadLock returns what a run had to delete.
func ReadLock(path string) ([]string, error) {
	text, err := os.ReadFile(path) // #nosec G304 -- where the caller wants it
	return strings.Fields(string(text)), err
}

// Keep writes what must be deleted.
func (l *Lock) Keep(paths []string) error {
	return os.WriteFile(l.path, []byte(strings.Join(paths, "\n")), 0o600)
}

// Release lets others run, unless something is left.
func (l *Lock) Release(left []string) error {
	if len(left) > 0 {
		return l.Keep(left)
	}
	return os.Remove(l.path)
}
