package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// IDPattern is the form of the ids of projects, branches, endpoints and
// organizations.
var IDPattern = regexp.MustCompile(`^[a-z0-9-]{1,60}$`)

// LSNPattern is the form of a position in a database's log.
var LSNPattern = regexp.MustCompile(`^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$`)

// Schema checks a decoded JSON value against the published description, says what is
// wrong with it at a path, and takes out of it what the description doesn't name.
type Schema func(path string, value any) error

// Fields are those of an object, by their names.
type Fields map[string]Schema

func invalid(path, format string, args ...any) error {
	return fmt.Errorf("%s (%s)", path, fmt.Sprintf(format, args...))
}

// typed is the schema of values of a kind, which check refuses for more.
func typed[T any](kind string, check func(path string, value T) error) Schema {
	return func(path string, value any) error {
		of, is := value.(T)
		if !is {
			return invalid(path, "must be %s", kind)
		}
		return check(path, of)
	}
}

// Object has these fields, some required. Others are ignored, those too that differ
// by the case of a letter alone: the description doesn't forbid them.
func Object(known Fields, required ...string) Schema {
	names := slices.Sorted(maps.Keys(known))
	return typed("an object", func(path string, object map[string]any) error {
		maps.DeleteFunc(object, func(name string, _ any) bool { return known[name] == nil })
		for _, name := range required {
			if _, ok := object[name]; !ok {
				return invalid(below(path, name), "field required")
			}
		}
		for _, name := range names {
			if field, ok := object[name]; ok {
				if err := known[name](below(path, name), field); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// List is an array of such elements.
func List(element Schema) Schema {
	return typed("an array", func(path string, elements []any) error {
		for i, value := range elements {
			if err := element(fmt.Sprintf("%s[%d]", path, i), value); err != nil {
				return err
			}
		}
		return nil
	})
}

// Sized allows arrays of a length in a range.
func Sized(least, most int, elements Schema) Schema {
	return func(path string, value any) error {
		if list, ok := value.([]any); ok && (len(list) < least || len(list) > most) {
			return invalid(path, "must have %d to %d elements", least, most)
		}
		return elements(path, value)
	}
}

// Text has a number of characters in a range.
func Text(shortest, longest int) Schema {
	return typed("a string", func(path, text string) error {
		if length := utf8.RuneCountInString(text); length < shortest || length > longest {
			return invalid(path, "must have %d to %d characters", shortest, longest)
		}
		return nil
	})
}

// AnyText is a string of any length.
func AnyText() Schema { return Text(0, math.MaxInt) }

// Matching is a string that a pattern matches.
func Matching(pattern *regexp.Regexp) Schema {
	return func(path string, value any) error {
		if text, ok := value.(string); !ok || !pattern.MatchString(text) {
			return invalid(path, "must be a string that matches %s", pattern)
		}
		return nil
	}
}

// OneOf is one of these strings.
func OneOf(allowed ...string) Schema {
	return func(path string, value any) error {
		if text, ok := value.(string); !ok || !slices.Contains(allowed, text) {
			return invalid(path, "must be one of %s", strings.Join(allowed, ", "))
		}
		return nil
	}
}

// EmptyOr allows the empty string beside what is checked for.
func EmptyOr(other Schema) Schema {
	return func(path string, value any) error {
		if value == "" {
			return nil
		}
		return other(path, value)
	}
}

// Nullable allows null beside what is checked for.
func Nullable(other Schema) Schema {
	return func(path string, value any) error {
		if value == nil {
			return nil
		}
		return other(path, value)
	}
}

// Boolean is true or false.
func Boolean() Schema {
	return typed("a boolean", func(string, bool) error { return nil })
}

// Integer is one in a range.
func Integer(least, most int64) Schema {
	return typed("an integer", func(path string, number json.Number) error {
		if got, err := number.Int64(); err != nil || got < least || got > most {
			return invalid(path, "must be an integer from %d to %d", least, most)
		}
		return nil
	})
}

// ComputeUnits are an amount of compute. The platform has no less than a quarter
// of a unit.
func ComputeUnits() Schema {
	const least = 0.25
	return typed("a number", func(path string, number json.Number) error {
		if got, err := number.Float64(); err != nil || got < least {
			return invalid(path, "must be a number of at least %v", least)
		}
		return nil
	})
}

// Timestamp is a date and time as in RFC 3339.
func Timestamp() Schema {
	return typed("a string", func(path, text string) error {
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return invalid(path, "must be a date and time as in RFC 3339")
		}
		return nil
	})
}

// StringMap has strings as values, at most so many.
func StringMap(most int) Schema {
	return typed("an object", func(path string, pairs map[string]any) error {
		if len(pairs) > most {
			return invalid(path, "must have at most %d properties", most)
		}
		for _, name := range slices.Sorted(maps.Keys(pairs)) {
			if _, ok := pairs[name].(string); !ok {
				return invalid(below(path, name), "must be a string")
			}
		}
		return nil
	})
}

// Decode decodes a body that fits the type that it is decoded into (SchemaOf), with these fields.
func Decode(body []byte, into any, required ...string) error {
	if fitting, ok := into.(Fitting); ok {
		return DecodeAs(body, fitting.Fits(), into)
	}
	return DecodeAs(body, SchemaOf(reflect.TypeOf(into).Elem(), required...), into)
}

// DecodeAs decodes a body that fits the schema.
func DecodeAs(body []byte, fits Schema, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	if err == nil && decoder.More() {
		err = errors.New("more than one value")
	}
	if errors.Is(err, io.EOF) {
		err = errors.New("unexpected end of the body")
	}
	if err != nil {
		return BadRequest("invalid request: decode application/json: %v", err)
	}
	if err := fits("", value); err != nil {
		return BadRequest("invalid request: decode application/json: invalid: %v", err)
	}
	// What is decoded is what was checked: encoding/json would take names in any case.
	checked, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(checked, into)
	}
	if err != nil {
		return BadRequest("invalid request: decode application/json: %v", err)
	}
	return nil
}
