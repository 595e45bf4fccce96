package sqlscript

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// longestValue is how much of a value is shown.
const longestValue = 100

// Column is what the row of a query has in a column.
type Column struct {
	Name, Text string
	// IsTrue is true of a boolean that is true alone.
	IsTrue bool
}

func (c Column) String() string { return c.Name + " = " + c.Text }

// QueryRow runs one query, and returns its row. An error, no row and several are errors, which don't hold the query.
func QueryRow(ctx context.Context, conn *pgx.Conn, query string) ([]Column, error) {
	var row []Column
	count := 0
	results := conn.PgConn().Exec(ctx, query) // not prepared, which some statements can't be
	for results.NextResult() {
		for result := results.ResultReader(); result.NextRow(); count++ {
			if count == 0 {
				row = columns(result.FieldDescriptions(), result.Values())
			}
		}
	}
	err := results.Close()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, errors.New("PostgreSQL refused it: " + said(err))
	case count != 1:
		return nil, fmt.Errorf("it returned %d rows", count)
	case len(row) == 0:
		return nil, errors.New("its row has no columns")
	}
	return row, nil
}

func columns(fields []pgconn.FieldDescription, values [][]byte) []Column {
	row := make([]Column, len(values))
	for i, value := range values {
		text, isTrue := string(value), false
		switch {
		case value == nil:
			text = "null"
		case fields[i].DataTypeOID == pgtype.BoolOID:
			isTrue = text == "t"
			text = fmt.Sprint(isTrue)
		}
		if shown := []rune(text); len(shown) > longestValue {
			text = string(shown[:longestValue]) + " ..."
		}
		row[i] = Column{fields[i].Name, text, isTrue}
	}
	return row
}
