package postgres

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// mostCopies is how many are made at once. Others wait, for no longer than copyPatience.
const mostCopies = 4

// deleteRows removes what a schema-only branch doesn't have.
//
//go:embed delete_rows.sql
var deleteRows string

// copyAttempts is how often a copy is begun. PostgreSQL itself may end the session of one on a busy machine, as a
// checkpoint does where it has removed the part of the log that the session needs.
const copyAttempts = 3

// Copy creates a cluster with the data of this one as of now. The files are copied, or shared where that can be:
// no statement of the cluster runs, and none of its sessions is waited for.
func (c *Cluster) Copy(ctx context.Context) (*Cluster, error) { return c.copy(ctx) }

func (c *Cluster) copy(ctx context.Context, options ...string) (*Cluster, error) {
	release, err := c.Use(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return c.home.fill(ctx, func(ctx context.Context, data string) error {
		select {
		case c.home.copying <- struct{}{}:
			defer func() { <-c.home.copying }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if len(options) == 0 {
			err := c.clone(ctx, data)
			if err == nil || ctx.Err() != nil {
				return err
			}
			if err := os.RemoveAll(data); err != nil { // What can't be shared is copied.
				return err
			}
		}
		options = append(options, "-h", c.folder, "-p", "5432", "-U", superuser, "-D", data,
			"--checkpoint=fast", "--wal-method=stream", "--no-sync", "--no-manifest")
		for begun := 1; ; begun++ {
			err := c.home.run(ctx, c.home.program("pg_basebackup"), options...)
			if err == nil || ctx.Err() != nil || begun == copyAttempts {
				return err
			}
		}
	})
}

// Replica creates a cluster that follows this one and can't be written to, as it is
// always recovering. The server of this one runs as long as the replica isn't closed.
func (c *Cluster) Replica(ctx context.Context) (*Cluster, error) {
	release, err := c.Use(ctx)
	if err != nil {
		return nil, err
	}
	replica, err := c.copy(ctx, "--write-recovery-conf")
	if err != nil {
		release()
		return nil, err
	}
	c.follow(1)
	replica.released = func() {
		c.follow(-1)
		release()
	}
	return replica, nil
}

// CatchUp waits until a replica has what its primary had when it was asked to.
func (c *Cluster) CatchUp(ctx context.Context, primary *Cluster) error {
	position, err := primary.ask(ctx, "SELECT pg_current_wal_flush_lsn()::text")
	if err != nil || len(position) == 0 {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, statementPatience, errors.New("the replica doesn't follow its primary"))
	defer cancel()
	for {
		reached, err := c.ask(ctx, "SELECT 1 WHERE pg_last_wal_replay_lsn() >= $1::pg_lsn", position...)
		if err != nil || len(reached) > 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(startInterval):
		}
	}
}

// Empty removes the rows of all tables of a copy that nobody uses yet: as a role that
// may do what the branch's own may and no more, since what they left can run meanwhile.
func (c *Cluster) Empty(ctx context.Context) error {
	release, err := c.Use(ctx)
	if err != nil {
		return err
	}
	defer release()
	there, err := c.Contents(ctx)
	if err != nil {
		return err
	}
	rights := []string{members}
	for _, r := range there.Roles {
		rights = append(rights, Quote(r.Name))
	}
	copier := "copier " + rand.Text() // The branch may have any other.
	if err := c.exec(ctx, "CREATE ROLE "+Quote(copier)+" LOGIN IN ROLE "+strings.Join(rights, ", ")); err != nil {
		return err
	}
	for _, d := range there.Databases {
		if err := c.empty(ctx, copier, d.Name); err != nil {
			return fmt.Errorf("unable to leave out the rows of a database: %w", err)
		}
	}
	return c.exec(ctx, "DROP ROLE "+Quote(copier))
}

func (c *Cluster) empty(ctx context.Context, copier, database string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, copyPatience, fmt.Errorf("it takes longer than %s", copyPatience))
	defer cancel()
	return c.as(ctx, copier, database, copyPatience, func(ctx context.Context, conn *pgconn.PgConn) error {
		_, err := conn.Exec(ctx, deleteRows).ReadAll()
		return err
	})
}
