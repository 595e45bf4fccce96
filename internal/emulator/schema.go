package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// idPattern is the form of the ids of projects, branches, endpoints and
// organizations.
var idPattern = regexp.MustCompile(`^[a-z0-9-]{1,60}$`)

// lsnPattern is the form of a position in a database's log.
var lsnPattern = regexp.MustCompile(`^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$`)

// schema checks a decoded JSON value against the published description, says what is
// wrong with it at a path, and takes out of it what the description doesn't name.
type schema func(path string, value any) error

type fields map[string]schema

func invalid(path, format string, args ...any) error {
	return fmt.Errorf("%s (%s)", path, fmt.Sprintf(format, args...))
}

// object has these fields, some required. Others are ignored, those too that differ
// by the case of a letter alone: the description doesn't forbid them.
func object(known fields, required ...string) schema {
	names := slices.Sorted(maps.Keys(known))
	return func(path string, value any) error {
		object, ok := value.(map[string]any)
		if !ok {
			return invalid(path, "must be an object")
		}
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
	}
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func list(element schema) schema {
	return func(path string, value any) error {
		elements, ok := value.([]any)
		if !ok {
			return invalid(path, "must be an array")
		}
		for i, value := range elements {
			if err := element(fmt.Sprintf("%s[%d]", path, i), value); err != nil {
				return err
			}
		}
		return nil
	}
}

// sized allows arrays of a length in a range.
func sized(least, most int, elements schema) schema {
	return func(path string, value any) error {
		if list, ok := value.([]any); ok && (len(list) < least || len(list) > most) {
			return invalid(path, "must have %d to %d elements", least, most)
		}
		return elements(path, value)
	}
}

// text has a number of characters in a range.
func text(shortest, longest int) schema {
	return func(path string, value any) error {
		text, ok := value.(string)
		if !ok {
			return invalid(path, "must be a string")
		}
		if length := utf8.RuneCountInString(text); length < shortest || length > longest {
			return invalid(path, "must have %d to %d characters", shortest, longest)
		}
		return nil
	}
}

func anyText() schema { return text(0, math.MaxInt) }

func matching(pattern *regexp.Regexp) schema {
	return func(path string, value any) error {
		if text, ok := value.(string); !ok || !pattern.MatchString(text) {
			return invalid(path, "must be a string that matches %s", pattern)
		}
		return nil
	}
}

func oneOf(allowed ...string) schema {
	return func(path string, value any) error {
		if text, ok := value.(string); !ok || !slices.Contains(allowed, text) {
			return invalid(path, "must be one of %s", strings.Join(allowed, ", "))
		}
		return nil
	}
}

// emptyOr allows the empty string beside what is checked for.
func emptyOr(other schema) schema {
	return func(path string, value any) error {
		if value == "" {
			return nil
		}
		return other(path, value)
	}
}

func nullable(other schema) schema {
	return func(path string, value any) error {
		if value == nil {
			return nil
		}
		return other(path, value)
	}
}

func boolean() schema {
	return func(path string, value any) error {
		if _, ok := value.(bool); !ok {
			return invalid(path, "must be a boolean")
		}
		return nil
	}
}

func integer(least, most int64) schema {
	return func(path string, value any) error {
		number, ok := value.(json.Number)
		if !ok {
			return invalid(path, "must be an integer")
		}
		if got, err := number.Int64(); err != nil || got < least || got > most {
			return invalid(path, "must be an integer from %d to %d", least, most)
		}
		return nil
	}
}

// computeUnits are an amount of compute. The platform has no less than a quarter
// of a unit.
func computeUnits() schema {
	const least = 0.25
	return func(path string, value any) error {
		number, ok := value.(json.Number)
		if !ok {
			return invalid(path, "must be a number")
		}
		if got, err := number.Float64(); err != nil || got < least {
			return invalid(path, "must be a number of at least %v", least)
		}
		return nil
	}
}

func timestamp() schema {
	return func(path string, value any) error {
		text, ok := value.(string)
		if !ok {
			return invalid(path, "must be a string")
		}
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return invalid(path, "must be a date and time as in RFC 3339")
		}
		return nil
	}
}

// stringMap has strings as values, at most so many.
func stringMap(most int) schema {
	return func(path string, value any) error {
		pairs, ok := value.(map[string]any)
		if !ok {
			return invalid(path, "must be an object")
		}
		if len(pairs) > most {
			return invalid(path, "must have at most %d properties", most)
		}
		for _, name := range slices.Sorted(maps.Keys(pairs)) {
			if _, ok := pairs[name].(string); !ok {
				return invalid(below(path, name), "must be a string")
			}
		}
		return nil
	}
}

// decodeChecked decodes a body that fits the schema.
func decodeChecked(body []byte, fits schema, into any) error {
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
		return badRequest("invalid request: decode application/json: %v", err)
	}
	if err := fits("", value); err != nil {
		return badRequest("invalid request: decode application/json: invalid: %v", err)
	}
	// What is decoded is what was checked: encoding/json would take names in any case.
	checked, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(checked, into)
	}
	if err != nil {
		return badRequest("invalid request: decode application/json: %v", err)
	}
	return nil
}
