package postgres

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// maskPatience is how long a statement may take that masks a table.
const maskPatience = 5 * time.Minute

// masks are functions with the names of the extension anon, in a session's own schema.
//
//go:embed masks.sql
var masks string

var (
	maskNames = regexp.MustCompile(`(?m)^CREATE FUNCTION pg_temp\.(\w+)\(`)
	maskCalls = regexp.MustCompile(`\banon\.(\w+)\s*\(`)
)

// Masks are the functions that can be used, as rules name them.
func Masks() []string {
	var names []string
	for _, found := range maskNames.FindAllStringSubmatch(masks, -1) {
		if !strings.HasPrefix(found[1], "own_") {
			names = append(names, "anon."+found[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// UnknownMask is a function of anon in an expression that can't be used; empty for none.
func UnknownMask(expression string) string {
	known := Masks()
	for _, found := range maskCalls.FindAllStringSubmatch(expression, -1) {
		if !slices.Contains(known, "anon."+found[1]) {
			return "anon." + found[1]
		}
	}
	return ""
}

// MaskedColumn is a column, and the expression that its values are replaced by.
type MaskedColumn struct{ Schema, Table, Column, Expression string }

// At names the column.
func (m MaskedColumn) At() string { return m.Schema + "." + m.Table + "." + m.Column }

func (m MaskedColumn) table() string { return Quote(m.Schema) + "." + Quote(m.Table) }

func (m MaskedColumn) assignment() string {
	return Quote(m.Column) + " = (" + maskCalls.ReplaceAllString(m.Expression, "pg_temp.$1(") + ")"
}

// Mask replaces values as a role that may, all or none. An error names the column.
func (c *Cluster) Mask(ctx context.Context, role, database string, columns []MaskedColumn) error {
	return c.as(ctx, role, database, maskPatience, func(ctx context.Context, conn *pgconn.PgConn) error {
		if _, err := conn.Exec(ctx, "BEGIN;"+masks).ReadAll(); err != nil {
			return err
		}
		assignments := map[string][]MaskedColumn{}
		for _, m := range columns {
			if err := check(ctx, conn, m); err != nil {
				return fmt.Errorf("%s: %s", m.At(), Message(err))
			}
			assignments[m.table()] = append(assignments[m.table()], m)
		}
		for table, masked := range assignments {
			var set []string
			for _, m := range masked {
				set = append(set, m.assignment())
			}
			if _, err := query(ctx, conn, "UPDATE "+table+" SET "+strings.Join(set, ", ")); err != nil {
				return fmt.Errorf("%s: %s", masked[0].At(), Message(err))
			}
		}
		_, err := query(ctx, conn, "COMMIT")
		return err
	})
}

// check says why a column can't be masked in that way, without masking it.
func check(ctx context.Context, conn *pgconn.PgConn, m MaskedColumn) error {
	if _, err := query(ctx, conn, "UPDATE "+m.table()+" SET "+m.assignment()+" WHERE false"); err != nil {
		return err
	}
	tied, err := query(ctx, conn, "SELECT 1 FROM pg_constraint c JOIN pg_attribute a ON a.attname = $2 AND "+
		"(a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) OR a.attrelid = c.confrelid AND a.attnum = ANY (c.confkey)) "+
		"WHERE c.contype = 'f' AND a.attrelid = $1::regclass", m.table(), m.Column)
	if len(tied) > 0 {
		return errors.New("a column of a foreign key can't be masked")
	}
	return err
}
