package data

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// draftSuffix ends the names of files that are being written. Nobody else has such names.
const draftSuffix = ".neon-emulator-draft"

// replaceFile replaces a file as a whole, so that it is never half written, not even where the
// machine fails. It holds tokens and passwords, so only its owner may read it.
func replaceFile(name, draft string, text []byte) error {
	file, err := os.OpenFile(draft, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) //nolint:gosec // It is named by who starts the emulator.
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(draft, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	return syncFolder(filepath.Dir(name))
}

// syncFolder has the names in a folder be on the disk.
func syncFolder(name string) error {
	folder, err := os.Open(name) //nolint:gosec // It is named by who starts the emulator.
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil // Some systems know no such thing.
	}
	return errors.Join(err, folder.Close())
}
