package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// administration is the database in which the others are managed.
const administration = "postgres"

// members is the group of all roles that are made through the platform's API. As
// there, they can read and write all data of a branch.
const members = "neon_superuser"

// SQLSTATE codes that are expected.
const (
	duplicateObject = "42710"
	objectInUse     = "55006"
)

// Source says what a new database begins with.
type Source struct {
	// Database is copied; an empty database is made without one.
	Database string
	// SchemaOnly leaves its rows out.
	SchemaOnly bool
}

// CreateDatabase makes a database. A source that is in use is neither disturbed nor
// waited for: it is copied as it is at one moment.
func (c *Cluster) CreateDatabase(ctx context.Context, name, owner string, from Source) error {
	create := "CREATE DATABASE " + Quote(name) + " OWNER " + Quote(owner)
	if from.Database == "" {
		return c.Exec(ctx, administration, create)
	}
	if !from.SchemaOnly {
		sessions, err := c.ask(ctx, administration, "SELECT pid FROM pg_stat_activity WHERE datname = $1", from.Database)
		if err != nil {
			return err
		}
		if len(sessions) == 0 {
			// A copy of files takes no longer for many tables than for few.
			err := c.Exec(ctx, administration, create+" TEMPLATE "+Quote(from.Database))
			if code(err) != objectInUse {
				return err
			}
		}
	}
	if err := c.Exec(ctx, administration, create); err != nil {
		return err
	}
	if err := c.transfer(ctx, from, name); err != nil {
		return errors.Join(err, c.DropDatabase(ctx, name))
	}
	return nil
}

// transfer fills a new database by way of SQL.
func (c *Cluster) transfer(ctx context.Context, from Source, into string) error {
	dumpArgs := []string{"-h", c.folder, "-p", "5432", "-U", superuser, "--lock-wait-timeout=30s"}
	if from.SchemaOnly {
		dumpArgs = append(dumpArgs, "--schema-only")
	}
	//nolint:gosec // They run what this package is there to run.
	dump := exec.CommandContext(ctx, c.program("pg_dump"), append(dumpArgs, from.Database)...)
	//nolint:gosec // As above.
	load := exec.CommandContext(ctx, c.program("psql"), "-X", "-q", "-o", "/dev/null", "-v", "ON_ERROR_STOP=1", "-1",
		"-h", c.folder, "-p", "5432", "-U", superuser, "-d", into)
	var dumpSaid, loadSaid bytes.Buffer
	dump.Env, dump.Stderr = environment(), &dumpSaid
	load.Env, load.Stderr = environment(), &loadSaid
	pipe, err := dump.StdoutPipe()
	if err != nil {
		return err
	}
	load.Stdin = pipe
	if err := dump.Start(); err != nil {
		return err
	}
	loadErr := load.Run()
	// One that can't write on ends by itself.
	_ = pipe.Close()
	if err := dump.Wait(); err != nil && (loadErr == nil || dumpSaid.Len() > 0) {
		return fmt.Errorf("unable to read the database to copy: %s", firstOf(dumpSaid.String(), err))
	}
	if loadErr != nil {
		return fmt.Errorf("unable to copy the database: %s", firstOf(loadSaid.String(), loadErr))
	}
	return nil
}

func firstOf(said string, err error) string {
	if said = strings.TrimSpace(said); said != "" {
		return said
	}
	return err.Error()
}

// Databases gives the names of all databases that were made here.
func (c *Cluster) Databases(ctx context.Context) ([]string, error) {
	return c.ask(ctx, administration, "SELECT datname FROM pg_database WHERE NOT datistemplate AND datname <> $1", administration)
}

// DropDatabase removes a database with its sessions.
func (c *Cluster) DropDatabase(ctx context.Context, name string) error {
	return c.Exec(ctx, administration, "DROP DATABASE IF EXISTS "+Quote(name)+" WITH (FORCE)")
}

// SetOwner gives a database to another role.
func (c *Cluster) SetOwner(ctx context.Context, name, owner string) error {
	return c.Exec(ctx, administration, "ALTER DATABASE "+Quote(name)+" OWNER TO "+Quote(owner))
}

// CreateRole makes a role unless there is one. The databases of all branches share
// roles of the same name, so that those that own things own the copies, too; who may
// log in where, with which password, is the gateway's business.
func (c *Cluster) CreateRole(ctx context.Context, name string) error {
	if name == superuser || name == members {
		return fmt.Errorf("role name %q is reserved", name)
	}
	found, err := c.ask(ctx, administration, "SELECT rolname FROM pg_roles WHERE rolname = $1", name)
	if err != nil || len(found) > 0 {
		return err
	}
	err = c.Exec(ctx, administration, "CREATE ROLE "+Quote(name)+" LOGIN IN ROLE "+members)
	if code(err) == duplicateObject {
		return nil
	}
	return err
}
