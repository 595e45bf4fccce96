package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// statementPatience is how long a statement of ours may take.
const statementPatience = 2 * time.Minute

// exec runs statements as the superuser, in the database for that.
func (c *Cluster) exec(ctx context.Context, statements string) error {
	return c.within(ctx, administration, func(ctx context.Context, conn *pgconn.PgConn) error {
		_, err := conn.Exec(ctx, statements).ReadAll()
		return err
	})
}

// query runs one statement, and no second one that its text may hold, and returns its rows.
func query(ctx context.Context, conn *pgconn.PgConn, statement string, values ...string) (rows [][]string, err error) {
	parameters := make([][]byte, 0, len(values))
	for _, value := range values {
		parameters = append(parameters, []byte(value))
	}
	result := conn.ExecParams(ctx, statement, parameters, nil, nil, nil).Read()
	for _, row := range result.Rows {
		texts := make([]string, 0, len(row))
		for _, value := range row {
			texts = append(texts, string(value))
		}
		rows = append(rows, texts)
	}
	return rows, result.Err
}

// ask runs a query of one column, and returns its values.
func (c *Cluster) ask(ctx context.Context, statement string, values ...string) (found []string, err error) {
	err = c.within(ctx, administration, func(ctx context.Context, conn *pgconn.PgConn) error {
		rows, err := query(ctx, conn, statement, values...)
		found = slices.Concat(rows...)
		return err
	})
	return found, err
}

// within lends a session of the superuser in a database, for no longer than a statement may take.
func (c *Cluster) within(
	ctx context.Context, database string, do func(context.Context, *pgconn.PgConn) error,
) error {
	ctx, cancel := context.WithTimeoutCause(ctx, statementPatience,
		fmt.Errorf("PostgreSQL doesn't answer within %s", statementPatience))
	defer cancel()
	release, err := c.Use(ctx)
	if err != nil {
		return err
	}
	defer release()
	return c.as(ctx, superuser, database, statementPatience, do)
}

// as lends a session of a role. The server bounds its statements, too.
func (c *Cluster) as(
	ctx context.Context, role, database string, patience time.Duration, do func(context.Context, *pgconn.PgConn) error,
) error {
	config, err := ownConfig(role, database)
	if err != nil {
		return err
	}
	config.Host, config.RuntimeParams = c.folder, map[string]string{
		"search_path": "pg_catalog", "default_transaction_read_only": "off", "local_preload_libraries": "",
		"statement_timeout": strconv.FormatInt(patience.Milliseconds(), 10),
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // Its answer is here.
	return do(ctx, conn)
}

// ownConfig is that of a session which the emulator has itself. What the environment says is about other servers: all
// that it could say is said here.
func ownConfig(role, database string) (*pgconn.Config, error) {
	config, err := pgconn.ParseConfig("host=/ port=5432 sslmode=disable channel_binding=disable require_auth='' " +
		"target_session_attrs=any connect_timeout=0 min_protocol_version=3.0 max_protocol_version=3.0")
	if err == nil {
		config.User, config.Database, config.Password = role, database, ""
	}
	return config, err
}

// Quote writes a name for SQL.
func Quote(name string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(name, "\x00", ""), `"`, `""`) + `"`
}

// literal writes a text for SQL, whatever standard_conforming_strings says.
func literal(text string) string {
	return "E'" + strings.NewReplacer(`\`, `\\`, `'`, `''`, "\x00", "").Replace(text) + "'"
}

// Message is what PostgreSQL said, without its severity and number.
func Message(err error) string {
	if said, isSaid := errors.AsType[*pgconn.PgError](err); isSaid {
		return said.Message
	}
	return err.Error()
}

// code is the number of what PostgreSQL refused with, empty for another error.
func code(err error) string {
	if said, isSaid := errors.AsType[*pgconn.PgError](err); isSaid {
		return said.Code
	}
	return ""
}
