package serverless

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// failureOf is the body of an error. What isn't known is null.
func failureOf(e *pgconn.PgError) map[string]any {
	said := map[string]any{"message": e.Message}
	number := func(n int32) string { return strconv.Itoa(int(n)) }
	for name, text := range map[string]string{
		"code": e.Code, "detail": e.Detail, "hint": e.Hint, "position": number(e.Position), "severity": e.Severity,
		"internalPosition": number(e.InternalPosition), "internalQuery": e.InternalQuery, "where": e.Where,
		"table": e.TableName, "column": e.ColumnName, "schema": e.SchemaName, "dataType": e.DataTypeName,
		"constraint": e.ConstraintName, "file": e.File, "line": number(e.Line), "routine": e.Routine,
	} {
		if said[name] = text; text == "" || text == "0" {
			said[name] = nil
		}
	}
	return said
}

// parameter is the text that PostgreSQL gets for a value, nil for NULL.
func parameter(value json.RawMessage) ([]byte, error) {
	switch value[0] {
	case 'n':
		return nil, nil
	case '"':
		var text string
		err := json.Unmarshal(value, &text)
		return []byte(text), err
	case '[':
		return array(value)
	}
	return compact(value), nil
}

// array is the text of an array.
func array(value json.RawMessage) ([]byte, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(value, &items); err != nil {
		return nil, err
	}
	var all [][]byte
	for _, item := range items {
		text, err := parameter(item)
		if err != nil {
			return nil, err
		}
		switch {
		case text == nil:
			text = []byte("NULL")
		case item[0] == '"' || item[0] == '{':
			text = []byte(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(text)) + `"`)
		}
		all = append(all, text)
	}
	return append(append([]byte("{"), bytes.Join(all, []byte(","))...), '}'), nil
}

func compact(value json.RawMessage) []byte {
	var text bytes.Buffer
	_ = json.Compact(&text, value) // It was decoded.
	return text.Bytes()
}

// writeResult writes the beginning of a result, up to its rows.
func writeResult(out *bytes.Buffer, result *pgconn.ResultReader, wanted wishes) error {
	_, _ = fmt.Fprintf(out, `{"rowAsArray":%t,"rows":[`, wanted.arrays)
	for first := true; result.NextRow(); first = false {
		if !first {
			out.WriteByte(',')
		}
		if err := writeRow(out, result, wanted); err != nil {
			return err
		}
		if out.Len() > most {
			return wire.Refuse(http.StatusInsufficientStorage, "response is too large (max is %d bytes)", most)
		}
	}
	out.WriteString(`],"fields":[`)
	for i, f := range result.FieldDescriptions() {
		if i > 0 {
			out.WriteByte(',')
		}
		_, _ = fmt.Fprintf(out, `{"name":%s,"dataTypeID":%d,"tableID":%d,"columnID":%d,`+
			`"dataTypeSize":%d,"dataTypeModifier":%d,"format":"text"}`,
			quoted(f.Name), f.DataTypeOID, f.TableOID, f.TableAttributeNumber, f.DataTypeSize, f.TypeModifier)
	}
	out.WriteByte(']')
	return nil
}

func writeRow(out *bytes.Buffer, result *pgconn.ResultReader, wanted wishes) error {
	brackets := "{}"
	if wanted.arrays {
		brackets = "[]"
	}
	out.WriteByte(brackets[0])
	for i, value := range result.Values() {
		if i > 0 {
			out.WriteByte(',')
		}
		field := result.FieldDescriptions()[i]
		if !wanted.arrays {
			out.Write(quoted(field.Name))
			out.WriteByte(':')
		}
		switch {
		case value == nil:
			out.WriteString("null")
		case wanted.raw:
			out.Write(quoted(string(value)))
		default:
			text, err := decoded(field.DataTypeOID, string(value))
			if err != nil {
				return err
			}
			out.Write(text)
		}
	}
	out.WriteByte(brackets[1])
	return nil
}

// writeTag writes the end of a result. An INSERT's tag has an OID before the count.
func writeTag(out *bytes.Buffer, tag string) {
	command, rest, _ := strings.Cut(tag, " ")
	if command == "INSERT" {
		_, rest, _ = strings.Cut(rest, " ")
	}
	count := "null"
	if _, err := strconv.ParseInt(rest, 10, 64); err == nil {
		count = rest
	}
	_, _ = fmt.Fprintf(out, `,"command":%s,"rowCount":%s}`, quoted(command), count)
}

func quoted(text string) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // A string always can.
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// types knows PostgreSQL's own. It is only asked which there are.
var types = sync.OnceValue(pgtype.NewMap)

// decoded is a value of a type in JSON, where that has such values.
func decoded(oid uint32, text string) ([]byte, error) {
	switch oid {
	case pgtype.BoolOID:
		return strconv.AppendBool(nil, text == "t"), nil
	case pgtype.Int2OID, pgtype.Int4OID:
		return []byte(text), nil
	case pgtype.Float4OID, pgtype.Float8OID:
		if number, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(number) && !math.IsInf(number, 0) {
			return json.Marshal(number)
		}
	case pgtype.JSONOID, pgtype.JSONBOID:
		return []byte(text), nil
	}
	if known, found := types().TypeForOID(oid); found {
		if codec, isArray := known.Codec.(*pgtype.ArrayCodec); isArray {
			return decodedArray(codec.ElementType.OID, text)
		}
	}
	return quoted(text), nil
}

func decodedArray(element uint32, text string) ([]byte, error) {
	var found pgtype.Array[*string]
	if err := pgtype.NewMap().Scan(pgtype.TextArrayOID, pgtype.TextFormatCode, []byte(text), &found); err != nil {
		return nil, fmt.Errorf("could not parse postgres response: %w", err)
	}
	var items [][]byte
	for _, item := range found.Elements {
		value, err := []byte("null"), error(nil)
		if item != nil {
			value, err = decoded(element, *item)
		}
		if err != nil {
			return nil, err
		}
		items = append(items, value)
	}
	for i := len(found.Dims) - 1; i >= 0; i-- {
		items = grouped(items, int(found.Dims[i].Length))
	}
	if len(items) == 0 {
		return []byte("[]"), nil
	}
	return items[0], nil
}

// grouped makes lists of as many items each.
func grouped(items [][]byte, size int) (lists [][]byte) {
	for ; len(items) > 0; items = items[size:] {
		lists = append(lists, append(append([]byte("["), bytes.Join(items[:size], []byte(","))...), ']'))
	}
	return lists
}
