package data

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// aboutFolder is what the mark of a folder says to who looks into it.
const aboutFolder = "neon-emulator -data keeps its world in this folder.\n"

// PrepareFolder creates the folder that keeps everything. A folder that
// has something in it but not our mark is somebody else's: it stays as it is.
func PrepareFolder(name string) error {
	mark := filepath.Join(name, postgres.Mark)
	if _, err := os.Lstat(mark); err == nil {
		return nil
	}
	if err := os.MkdirAll(name, 0o711); err != nil { //nolint:gosec // The account of the servers must get to their data.
		return err
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s has files that the emulator hasn't written, such as %s, and nothing in it was changed;"+
			" keep the data in a new folder or an empty one, such as %s",
			name, entries[0].Name(), filepath.Join(name, "neon-data"))
	}
	return os.WriteFile(mark, []byte(aboutFolder), 0o600)
}
