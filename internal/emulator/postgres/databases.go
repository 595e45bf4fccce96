package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// administration is the database in which the others are managed.
const administration = "template1"

// Maintenance is a database that each branch has beside those of the API, once somebody connects
// to it: tools begin there to create others.
const Maintenance = "postgres"

// members is the group of all roles that are created through Neon's API. As there,
// they can read and write all data of a branch.
const members = "neon_superuser"

const createMembers = "CREATE ROLE " + members + " NOLOGIN CREATEDB CREATEROLE BYPASSRLS IN ROLE pg_read_all_data, " +
	"pg_write_all_data"

// Layout is what a cluster is to have, and what has become of what it had.
type Layout struct {
	Roles     []Role
	Databases []Database
	Change
}

// Change is what a layout can't say, as it is about what was there before.
type Change struct {
	// Renamed has the new names of databases by their old ones.
	Renamed map[string]string `json:",omitempty"`
	// Dropped are databases, and DroppedRoles roles.
	Dropped, DroppedRoles []string `json:",omitempty"`
}

// Database is one of a cluster.
type Database struct{ Name, Owner string }

// Role is one of a cluster's that the API knows, or is to know.
type Role struct {
	Name    string
	NoLogin bool
	// Verifier is what PostgreSQL keeps of a password that a statement has set. All other
	// passwords are the gateway's business.
	Verifier string
}

// Contents is what a cluster has.
type Contents struct {
	Roles     []Role
	Databases []Database
	// Snapshot says which transactions that change anything have ended.
	Snapshot string
	// grouped says that there is the group of members: before PostgreSQL 16, who may create
	// roles may drop any.
	grouped bool
}

// Snapshot says which transactions that change anything have ended: the same text, the same data.
func (c *Cluster) Snapshot(ctx context.Context) (string, error) {
	found, err := c.ask(ctx, "SELECT pg_current_snapshot()::text")
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// Contents returns what the cluster has but for its own.
func (c *Cluster) Contents(ctx context.Context) (found Contents, err error) {
	err = c.within(ctx, administration, func(ctx context.Context, conn *pgconn.PgConn) error {
		found, err = contents(ctx, conn)
		return err
	})
	return found, err
}

func contents(ctx context.Context, conn *pgconn.PgConn) (Contents, error) {
	results, err := conn.Exec(ctx, "SELECT pg_current_snapshot()::text;"+
		"SELECT rolname, rolcanlogin, coalesce(rolpassword, '') FROM pg_authid WHERE rolname <> '"+superuser+
		"' AND rolname !~ '^pg_' ORDER BY oid;SELECT datname, pg_get_userbyid(datdba) FROM pg_database WHERE datname "+
		"NOT IN ('"+administration+"', '"+Maintenance+"') ORDER BY oid").ReadAll()
	if err != nil {
		return Contents{}, err
	}
	found := Contents{Snapshot: string(results[0].Rows[0][0])}
	for _, row := range results[1].Rows {
		if string(row[0]) == members {
			found.grouped = true
			continue
		}
		found.Roles = append(found.Roles, Role{string(row[0]), string(row[1]) == "f", string(row[2])})
	}
	for _, row := range results[2].Rows {
		found.Databases = append(found.Databases, Database{string(row[0]), string(row[1])})
	}
	return found, nil
}

// Configure brings the cluster to a layout. It does nothing where that is what it has.
func (c *Cluster) Configure(ctx context.Context, l Layout) error {
	return c.within(ctx, administration, func(ctx context.Context, conn *pgconn.PgConn) error {
		there, err := contents(ctx, conn)
		if err != nil {
			return err
		}
		for _, statement := range l.statements(there, c.home.createDatabase()) {
			if _, err := conn.Exec(ctx, statement).ReadAll(); err != nil {
				return err
			}
		}
		for _, role := range l.DroppedRoles {
			if err := c.dropRole(ctx, conn, role, there); err != nil {
				return err
			}
		}
		return nil
	})
}

// statements are what is to be done to what is there, one by one: databases can't be created and
// dropped in a transaction.
func (l Layout) statements(there Contents, createDatabase string) []string {
	var all []string
	if !there.grouped {
		all = append(all, createMembers)
	}
	owners := map[string]string{}
	for _, d := range there.Databases {
		owners[d.Name] = d.Owner
	}
	for _, name := range l.Dropped {
		all = append(all, "DROP DATABASE IF EXISTS "+Quote(name)+" WITH (FORCE)")
		delete(owners, name)
	}
	for from, to := range l.Renamed {
		if owner, exists := owners[from]; exists && owners[to] == "" {
			all = append(all, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = "+literal(from),
				"ALTER DATABASE "+Quote(from)+" RENAME TO "+Quote(to))
			delete(owners, from)
			owners[to] = owner
		}
	}
	for _, r := range l.Roles {
		if !slices.ContainsFunc(there.Roles, func(other Role) bool { return other.Name == r.Name }) {
			all = append(all, createRole(r))
		}
	}
	for _, d := range l.Databases {
		switch owner, exists := owners[d.Name]; {
		case !exists:
			all = append(all, "CREATE DATABASE "+Quote(d.Name)+" OWNER "+Quote(d.Owner)+createDatabase)
		case owner != d.Owner:
			all = append(all, "ALTER DATABASE "+Quote(d.Name)+" OWNER TO "+Quote(d.Owner))
		}
	}
	return all
}

// createRole creates a role with the rights that Neon's have, but for those by which the servers'
// account could be had: REPLICATION loads libraries from anywhere.
func createRole(r Role) string {
	login := " LOGIN"
	if r.NoLogin {
		login = " NOLOGIN"
	}
	return "CREATE ROLE " + Quote(r.Name) + login + " CREATEDB CREATEROLE BYPASSRLS IN ROLE " + members
}

// dropRole drops a role if it is there. What it owns goes to the owner of its database.
func (c *Cluster) dropRole(ctx context.Context, conn *pgconn.PgConn, role string, there Contents) error {
	if !slices.ContainsFunc(there.Roles, func(r Role) bool { return r.Name == role }) {
		return nil
	}
	owned, err := query(ctx, conn, "SELECT d.datname, pg_get_userbyid(d.datdba), d.datallowconn FROM pg_database d"+
		" WHERE EXISTS (SELECT FROM pg_shdepend s WHERE s.dbid = d.oid AND s.refclassid = 'pg_authid'::regclass"+
		" AND s.refobjid = (SELECT oid FROM pg_roles WHERE rolname = $1)) ORDER BY d.oid", role)
	if err != nil {
		return err
	}
	for _, row := range owned {
		if err := c.disown(ctx, conn, role, Database{row[0], row[1]}, row[2] == "t"); err != nil {
			return fmt.Errorf("the role %s has objects in the database %s, which can't be taken from it: %s", role, row[0],
				Message(err))
		}
	}
	// The rights on databases themselves are left.
	_, err = conn.Exec(ctx, "DROP OWNED BY "+Quote(role)+"; DROP ROLE "+Quote(role)).ReadAll()
	return err
}

// disown gives what a role has in a database to the database's owner, also where that lets nobody in otherwise.
func (c *Cluster) disown(ctx context.Context, conn *pgconn.PgConn, role string, d Database, open bool) error {
	if !open {
		if _, err := conn.Exec(ctx, "ALTER DATABASE "+Quote(d.Name)+" ALLOW_CONNECTIONS true").ReadAll(); err != nil {
			return err
		}
		defer func() {
			_, _ = conn.Exec(ctx, "ALTER DATABASE "+Quote(d.Name)+" ALLOW_CONNECTIONS false").ReadAll() // The role matters more.
		}()
	}
	return c.as(ctx, superuser, d.Name, statementPatience, func(ctx context.Context, conn *pgconn.PgConn) error {
		_, err := conn.Exec(ctx, "REASSIGN OWNED BY "+Quote(role)+" TO "+Quote(d.Owner)+"; DROP OWNED BY "+
			Quote(role)).ReadAll()
		return err
	})
}

// CreateMaintenance creates the database in which tools begin, unless it is there.
func (c *Cluster) CreateMaintenance(ctx context.Context) error {
	err := c.exec(ctx, "CREATE DATABASE "+Maintenance+c.home.createDatabase())
	if code(err) == duplicateDatabase {
		return nil
	}
	return err
}

// duplicateDatabase is the SQLSTATE of a database that exists.
const duplicateDatabase = "42P04"

// ForgetVerifier removes what a cluster keeps of a role's password, once the gateway has it.
func (c *Cluster) ForgetVerifier(ctx context.Context, role string) error {
	return c.exec(ctx, "ALTER ROLE "+Quote(role)+" PASSWORD NULL")
}

// createDatabase ends the statement that creates a database, in the fastest way.
func (i *Installation) createDatabase() string {
	if majorOf(i.Version) >= 15 {
		return " STRATEGY file_copy" // Earlier versions know no other way.
	}
	return ""
}
