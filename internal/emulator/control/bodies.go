// Package control has what the control path needs that knows nothing of the world: the faults
// that requests meet, their counts, and how its bodies are read, explained and refused.
package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// Decode reads a body of the control path, and says what is wrong with it.
func Decode(body []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		end := decoder.InputOffset()
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			return wire.BadRequest("the body goes on after its JSON, at byte %d", end)
		}
		return nil
	}
	expected := "; its fields are " + fieldNames(into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return wire.BadRequest("the body is empty%s", expected)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return wire.BadRequest("the body isn't JSON: it ends too early%s", expected)
	case errors.As(err, &syntax):
		return wire.BadRequest("the body isn't JSON: %v at byte %d%s", syntax, syntax.Offset, expected)
	case errors.As(err, &kind) && kind.Field == "":
		return wire.BadRequest("the body is a JSON %s; it must be an object%s", kind.Value, expected)
	case errors.As(err, &kind):
		return wire.BadRequest("%s is a JSON %s; it must be %s", kind.Field, kind.Value, typeName(kind.Type))
	default:
		return wire.BadRequest("the body has an %s%s", strings.TrimPrefix(err.Error(), "json: "), expected)
	}
}

// bodyField is a field of a body, as the index shows it.
type bodyField struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Says string `json:"says"`
}

// fieldsOf lists what can be said in a body.
func fieldsOf(body any) []bodyField {
	if body == nil {
		return nil
	}
	of := reflect.Indirect(reflect.ValueOf(body)).Type()
	var all []bodyField
	for i := range of.NumField() {
		field := of.Field(i)
		if says := field.Tag.Get("says"); says != "" {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			all = append(all, bodyField{name, typeName(field.Type), says})
		}
	}
	return all
}

func fieldNames(body any) string {
	var names []string
	for _, field := range fieldsOf(body) {
		names = append(names, field.Name)
	}
	return strings.Join(names, ", ")
}

// typeName is what JSON calls a type.
func typeName(of reflect.Type) string {
	if of == reflect.TypeFor[json.RawMessage]() {
		return "any JSON"
	}
	switch of.Kind() {
	case reflect.Pointer:
		return typeName(of.Elem())
	case reflect.Slice:
		return "a list of " + strings.TrimPrefix(typeName(of.Elem()), "a ") + "s"
	case reflect.Map:
		return "an object of " + strings.TrimPrefix(typeName(of.Elem()), "a ") + "s"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Int:
		return "an integer"
	case reflect.Uint64:
		return "an integer that isn't negative"
	default:
		panic(fmt.Sprintf("a body of the control path has a field of type %s", of))
	}
}
