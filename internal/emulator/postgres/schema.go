package postgres

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// tablesAsJSON returns the tables of a database as one JSON object.
//
//go:embed tables.sql
var tablesAsJSON string

// SchemaSQL returns the statements that create what a database has, but for its rows.
func (c *Cluster) SchemaSQL(ctx context.Context, database string) (string, error) {
	release, err := c.Use(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	ctx, cancel := context.WithTimeoutCause(ctx, copyPatience, fmt.Errorf("pg_dump takes longer than %s", copyPatience))
	defer cancel()
	cmd := c.home.command(ctx, c.home.program("pg_dump"), "--schema-only", "-h", c.folder, "-p", "5432", "-U", superuser)
	// As an argument, a name such as "host=..." would be a connection string.
	cmd.Env = append(cmd.Env, "PGDATABASE="+database)
	var output bytes.Buffer
	cmd.Stdout = &output
	if err := finish(ctx, cmd, ""); err != nil {
		return "", err
	}
	return withoutTokens(output.String()), nil
}

// withoutTokens leaves out the lines that differ in every dump.
func withoutTokens(dump string) string {
	var kept strings.Builder
	for line := range strings.Lines(dump) {
		if !strings.HasPrefix(line, `\restrict `) && !strings.HasPrefix(line, `\unrestrict `) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// SchemaJSON returns the tables of a database, their columns and constraints.
func (c *Cluster) SchemaJSON(ctx context.Context, database string) (tables string, err error) {
	err = c.within(ctx, database, func(ctx context.Context, conn *pgconn.PgConn) error {
		rows, err := query(ctx, conn, tablesAsJSON)
		if err == nil {
			tables = rows[0][0]
		}
		return err
	})
	return tables, err
}
