package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Exec runs statements in a database of the cluster, as its owner.
func (c *Cluster) Exec(ctx context.Context, database, statements string) error {
	conn, err := c.connect(ctx, database)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statements).ReadAll()
	// Its answer is here: how the connection ends doesn't matter.
	_ = conn.Close(ctx)
	return err
}

// ask runs a query and gives the first column of its rows.
func (c *Cluster) ask(ctx context.Context, database, query string, values ...string) ([]string, error) {
	conn, err := c.connect(ctx, database)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }() // Its answer is here.
	parameters := make([][]byte, 0, len(values))
	for _, value := range values {
		parameters = append(parameters, []byte(value))
	}
	result := conn.ExecParams(ctx, query, parameters, nil, nil, nil).Read()
	found := make([]string, 0, len(result.Rows))
	for _, row := range result.Rows {
		found = append(found, string(row[0]))
	}
	return found, result.Err
}

func (c *Cluster) connect(ctx context.Context, database string) (*pgconn.PgConn, error) {
	config, err := pgconn.ParseConfig("host=" + c.folder + " port=5432 user=" + superuser + " sslmode=disable")
	if err != nil {
		return nil, err
	}
	// What the environment says is about other servers.
	config.Database, config.RuntimeParams, config.Password = database, map[string]string{}, ""
	return pgconn.ConnectConfig(ctx, config)
}

// Quote writes a name for SQL.
func Quote(name string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(name, "\x00", ""), `"`, `""`) + `"`
}

// Message is what PostgreSQL said, without its severity and number.
func Message(err error) string {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said.Message
	}
	return err.Error()
}

// code is the number of what PostgreSQL refused with, empty for another error.
func code(err error) string {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said.Code
	}
	return ""
}
