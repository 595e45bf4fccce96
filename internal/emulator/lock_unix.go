//go:build unix

package emulator

import (
	"errors"
	"os"
	"syscall"
)

// lockFile creates a file and locks it for this process alone, until release removes
// it or the process ends.
func lockFile(name string) (release func() error, err error) {
	for {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // It is named by who starts the emulator.
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			if errors.Is(err, syscall.EWOULDBLOCK) {
				err = errFileInUse
			}
			return nil, errors.Join(err, file.Close())
		}
		if isStill(file, name) {
			return func() error { return errors.Join(os.Remove(name), file.Close()) }, nil
		}
		// Whoever had the lock has just removed the file that we opened.
		if err := file.Close(); err != nil {
			return nil, err
		}
	}
}

func isStill(file *os.File, name string) bool {
	ours, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(name)
	return err == nil && os.SameFile(ours, named)
}
