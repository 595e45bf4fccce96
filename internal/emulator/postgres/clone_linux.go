package postgres

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// cloneFile makes a file that shares what another has, where the file system can (XFS, Btrfs).
func cloneFile(from, to string) error {
	source, err := os.Open(from) //nolint:gosec // It is in a folder of ours.
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()                                  // Nothing was written to it.
	made, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // It is in a folder of ours.
	if err != nil {
		return err
	}
	if err := errors.Join(unix.IoctlFileClone(int(made.Fd()), int(source.Fd())), made.Close()); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}
