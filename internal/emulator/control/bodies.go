// Package control has what the control path needs that knows nothing of the world: the faults
// that requests meet, their counts, and how its bodies are explained.
package control

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

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
	for field := range of.Fields() {
		if says := field.Tag.Get("says"); says != "" {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			all = append(all, bodyField{name, typeName(field.Type), says})
		}
	}
	return all
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
