package postgres

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// anew are the folders whose files a server makes itself.
var anew = []string{"pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp",
	"pg_subtrans"}

// clone gives a folder the files of the cluster as of now without copying them, where the file system lets files share
// what they have until one of them is written to; else the error is errors.ErrUnsupported. A hard link wouldn't do:
// PostgreSQL writes to the files that it has, so that each branch would have what another writes.
func (c *Cluster) clone(ctx context.Context, data string) error {
	if majorOf(c.home.Version) < 15 { // The functions have other names there.
		return errors.ErrUnsupported
	}
	probe := data + ".probe"
	if err := cloneFile(filepath.Join(c.data(), "PG_VERSION"), probe); err != nil {
		return errors.ErrUnsupported
	}
	if err := os.Remove(probe); err != nil {
		return err
	}
	return c.as(ctx, superuser, administration, copyPatience, func(ctx context.Context, conn *pgconn.PgConn) error {
		begun, err := query(ctx, conn, "SELECT pg_walfile_name(pg_backup_start('branch', true))")
		if err != nil {
			return err
		}
		if err := c.cloneFolder(ctx, "", data); err != nil {
			return err
		}
		ended, err := query(ctx, conn, "SELECT pg_walfile_name(lsn), labelfile FROM pg_backup_stop(false)")
		if err != nil {
			return err
		}
		label := filepath.Join(data, backupLabel)
		if err := errors.Join(os.WriteFile(label, []byte(ended[0][1]), 0o600), c.home.as.own(label)); err != nil {
			return err
		}
		return c.cloneLog(data, begun[0][0], ended[0][0])
	})
}

// cloneFolder clones a folder of the cluster. What is removed meanwhile is in its log.
func (c *Cluster) cloneFolder(ctx context.Context, name, data string) error {
	if err := c.home.createFolder(filepath.Join(data, name)); err != nil {
		return err
	}
	if slices.Contains(anew, name) {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(c.data(), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		below := filepath.Join(name, entry.Name())
		switch {
		case err != nil:
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case entry.IsDir():
			err = c.cloneFolder(ctx, below, data)
		case !isPassing(entry.Name()):
			err = c.cloneInto(data, below)
		}
	}
	return err
}

// isPassing reports whether a file is about a run of the server alone.
func isPassing(name string) bool {
	return strings.HasPrefix(name, "postmaster.") || strings.HasPrefix(name, backupLabel) ||
		strings.HasPrefix(name, "pgsql_tmp") ||
		strings.HasPrefix(name, "pg_internal.init")
}

func (c *Cluster) cloneInto(data, name string) error {
	to := filepath.Join(data, name)
	if err := cloneFile(filepath.Join(c.data(), name), to); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return c.home.as.own(to)
}

// cloneLog clones what was written to the log while the files were cloned, which makes them whole.
func (c *Cluster) cloneLog(data, first, last string) error {
	entries, err := os.ReadDir(filepath.Join(c.data(), "pg_wal"))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if name := entry.Name(); len(name) == len(first) && first <= name && name <= last {
			if err := c.cloneInto(data, filepath.Join("pg_wal", name)); err != nil {
				return err
			}
		}
	}
	_, err = os.Stat(filepath.Join(data, "pg_wal", first)) // Without it the server wouldn't begin.
	return err
}
