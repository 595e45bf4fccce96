package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// administration is the database in which the others are managed.
const administration = "template1"

// members is the group of all roles that are created through Neon's API. As there,
// they can read and write all data of a branch.
const members = "neon_superuser"

// SQLSTATEs of a role and of a database that exist.
const (
	duplicateObject   = "42710"
	duplicateDatabase = "42P04"
)

// CreateDatabase creates an empty database, unless the end of an earlier run has left it
// before anybody could use it.
func (c *Cluster) CreateDatabase(ctx context.Context, name, owner string) error {
	create := "CREATE DATABASE " + Quote(name) + " OWNER " + Quote(owner)
	if major, _, _ := strings.Cut(c.home.Version, "."); atLeast(major, 15) {
		// Earlier versions know no other way.
		create += " STRATEGY file_copy"
	}
	if err := c.exec(ctx, create); err != nil && (c.home.kept == "" || code(err) != duplicateDatabase) {
		return err
	}
	return nil
}

func atLeast(major string, least int) bool {
	number, err := strconv.Atoi(major)
	return err == nil && number >= least
}

// Databases returns the names of the branch's databases.
func (c *Cluster) Databases(ctx context.Context) ([]string, error) {
	return c.ask(ctx, "SELECT datname FROM pg_database WHERE datname <> $1", administration)
}

// DropDatabase removes a database with its sessions.
func (c *Cluster) DropDatabase(ctx context.Context, name string) error {
	return c.exec(ctx, "DROP DATABASE IF EXISTS "+Quote(name)+" WITH (FORCE)")
}

// SetOwner gives a database to another role.
func (c *Cluster) SetOwner(ctx context.Context, name, owner string) error {
	return c.exec(ctx, "ALTER DATABASE "+Quote(name)+" OWNER TO "+Quote(owner))
}

// CreateRoles creates the roles that there aren't. Who may log in, with which password,
// is the gateway's business.
func (c *Cluster) CreateRoles(ctx context.Context, names ...string) error {
	found, err := c.ask(ctx, "SELECT rolname FROM pg_roles")
	if err != nil {
		return err
	}
	for _, name := range names {
		if slices.Contains([]string{superuser, members}, name) {
			return fmt.Errorf("role name %q is reserved", name)
		}
		if slices.Contains(found, name) {
			continue
		}
		err := c.exec(ctx, "CREATE ROLE "+Quote(name)+" LOGIN IN ROLE "+members)
		if err != nil && code(err) != duplicateObject {
			return err
		}
	}
	return nil
}
