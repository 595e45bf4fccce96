package postgres

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// backupLabel tells a server that its files were copied while they were written to, so that it has to replay what was
// written meanwhile. It renames the label as soon as it begins to.
const backupLabel = "backup_label"

// unfinishedRecovery is what PostgreSQL says of files that weren't replayed to the end.
var unfinishedRecovery = regexp.MustCompile(`(?m)^End-of-backup record required:\s+yes$`)

// beginAgain has a copy's first recovery begin again where it was interrupted. The server wouldn't know without its
// label when it has replayed enough, and refuse to start: "WAL ends before end of online backup". What was replayed
// already is passed over, as after any crash.
func (c *Cluster) beginAgain() error {
	label := filepath.Join(c.data(), backupLabel)
	if _, err := os.Lstat(label + ".old"); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	said, err := c.home.command(context.Background(), c.home.program("pg_controldata"), c.data()).Output()
	if err != nil || !unfinishedRecovery.Match(said) {
		return err
	}
	return os.Rename(label+".old", label)
}

// hasRecovered notes that a copy is whole.
func (c *Cluster) hasRecovered() {
	_ = os.Remove(filepath.Join(c.data(), backupLabel+".old")) // It would only be looked at once more.
}
