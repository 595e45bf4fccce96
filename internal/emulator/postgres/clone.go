package postgres

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/jackc/pgx/v5/pgconn"
)

// clone gives a folder the files of the cluster as of now without copying them, where the file system lets files share
// what they have until one of them is written to; else the error is errors.ErrUnsupported. A hard link wouldn't do:
// PostgreSQL writes to the files that it has, so that each branch would have what another writes.
func (c *Cluster) clone(ctx context.Context, data string) error {
	if majorOf(c.home.Version) < 15 || c.share(ctx, data, "PG_VERSION") != nil { // The functions have other names there.
		return errors.ErrUnsupported
	}
	if err := os.Remove(data); err != nil {
		return err
	}
	return c.as(ctx, superuser, administration, copyPatience, func(ctx context.Context, conn *pgconn.PgConn) error {
		begun, err := query(ctx, conn, "SELECT pg_walfile_name(pg_backup_start('branch', true))")
		if err != nil {
			return err
		}
		if err := c.share(ctx, data, ""); err != nil {
			return err
		}
		ended, err := query(ctx, conn, "SELECT pg_walfile_name(lsn), labelfile FROM pg_backup_stop(false)")
		if err != nil {
			return err
		}
		label := filepath.Join(data, backupLabel)
		return errors.Join(os.WriteFile(label, []byte(ended[0][1]), 0o600), c.home.as.own(label),
			emptyFolder(filepath.Join(data, "pg_replslot")), c.shareLog(ctx, data, begun[0][0], ended[0][0]))
	})
}

// share gives files or folders of the cluster to another folder, of which the account of the servers has all.
func (c *Cluster) share(ctx context.Context, to string, names ...string) error {
	options := []string{"-R", "--reflink=always"} // XFS, Btrfs
	if runtime.GOOS == "darwin" {
		options = []string{"-cR"} // APFS
	}
	for _, name := range names {
		options = append(options, filepath.Join(c.data(), name))
	}
	return c.home.run(ctx, "/bin/cp", append(options, to)...)
}

// shareLog has a copy's log be what was written while its files were shared, which makes them whole. Without that, its
// server wouldn't begin.
func (c *Cluster) shareLog(ctx context.Context, data, first, last string) error {
	log := filepath.Join(data, "pg_wal")
	if err := emptyFolder(log); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(c.data(), "pg_wal"))
	if err != nil {
		return err
	}
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); len(name) == len(first) && first <= name && name <= last {
			names = append(names, filepath.Join("pg_wal", name))
		}
	}
	return c.share(ctx, log, names...)
}

// emptyFolder removes what is in a folder.
func emptyFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(folder, entry.Name())))
	}
	return err
}
