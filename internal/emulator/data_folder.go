package emulator

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// aboutFolder is what the mark of a folder says to who looks into it.
const aboutFolder = "neon-emulator -data keeps its world in this folder.\n"

// prepareFolder creates the folder that keeps everything, where there is to be one. A folder that
// has something in it but not our mark is somebody else's: it stays as it is.
func (c *Config) prepareFolder() error {
	if c.DataFolder == "" {
		return nil
	}
	c.StateFile = filepath.Join(c.DataFolder, worldFile)
	mark := filepath.Join(c.DataFolder, postgres.Mark)
	if _, err := os.Lstat(mark); err == nil {
		return nil
	}
	if err := os.MkdirAll(c.DataFolder, 0o711); err != nil { //nolint:gosec // The account of the servers must get to their data.
		return err
	}
	entries, err := os.ReadDir(c.DataFolder)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s has files that the emulator hasn't written, such as %s, and nothing in it was changed;"+
			" keep the data in a new folder or an empty one, such as %s",
			c.DataFolder, entries[0].Name(), filepath.Join(c.DataFolder, "neon-data"))
	}
	return os.WriteFile(mark, []byte(aboutFolder), 0o600)
}
