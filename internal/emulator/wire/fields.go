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
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// IDPattern is the form of the ids of projects, branches, endpoints and
// organizations.
var IDPattern = regexp.MustCompile(`^[a-z0-9-]{1,60}$`)

// LSNPattern is the form of a position in a database's log.
var LSNPattern = regexp.MustCompile(`^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$`)

// FunctionPattern is the form of a function's slug.
var FunctionPattern = regexp.MustCompile(`^[a-z0-9]{1,20}$`)

// patterns are the rules that texts must match. An email address is as loose as the description's; a domain is a name
// of a host in DNS, with or without the dot at its end, and no address or wildcard; a clock says a time of day.
var patterns = map[string]*regexp.Regexp{
	"id": IDPattern, "lsn": LSNPattern, "function": FunctionPattern,
	"email": regexp.MustCompile(`^[^@]+@[^@<>",\s]+$`), "https": regexp.MustCompile(`^https://[^\s/]`),
	"clock":  regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`),
	"domain": regexp.MustCompile(`(?i)^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])\.?$`),
}

// memberRoles are those in an organization.
const memberRoles = "=admin|member|editor|viewer|collaborator"

// longestEmail is how many characters an email address has at most.
const longestEmail = 256

// Formed is a type of bodies or fields that is kept in another form than the one that must fit.
type Formed interface{ Form() reflect.Type }

// Shaped is an object that is kept as it was sent, if it fits T.
type Shaped[T any] map[string]any

// Form is T.
func (Shaped[T]) Form() reflect.Type { return reflect.TypeFor[T]() }

// UnmarshalJSON keeps numbers as they were sent.
func (s *Shaped[T]) UnmarshalJSON(text []byte) error {
	return UnmarshalExactly(text, (*map[string]any)(s))
}

// UnmarshalExactly keeps numbers as they are written where their type isn't known: no float can hold all of them.
func UnmarshalExactly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// Decode decodes a body that fits the type that it is decoded into, of whose fields these are required beside those
// whose tags say so; one of an object is written "object.field". What the type doesn't name is left out.
//
// A field is called what its json tag says. Its Go type says what it may be, and the tag `fits` what else is asked of
// it: "required", "1..64" (characters, elements, or a number; "1.." has no bound), "=a|b" (one of these), "id",
// "lsn", "email", "role", "clock", "time", "duration", "units", and "null" or "empty" where these do beside the rest.
// What follows "each" is asked of a list's elements.
func Decode(body []byte, into any, required ...string) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	switch {
	case errors.Is(err, io.EOF):
		err = errors.New("unexpected end of the body")
	case err == nil:
		if _, end := decoder.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("more than one value")
		}
	}
	if err == nil {
		if err = check("", value, reflect.TypeOf(into).Elem(), nil, required); err != nil {
			err = fmt.Errorf("invalid: %w", err)
		}
	}
	// What is decoded is what was checked: encoding/json would take names in any case.
	var checked []byte
	if err == nil {
		checked, err = json.Marshal(value)
	}
	if err == nil {
		err = json.Unmarshal(checked, into)
	}
	if err != nil {
		return BadRequest("invalid request: decode application/json: %v", err)
	}
	return nil
}

// DecodeStrictly is Decode for bodies that mustn't have other fields.
func DecodeStrictly(body []byte, into any) error {
	known, sent := fields(reflect.TypeOf(into).Elem()), map[string]any{}
	if json.Unmarshal(body, &sent) == nil { // Else it is refused for that.
		for name := range sent {
			if !slices.ContainsFunc(known, func(f field) bool { return f.name == name }) {
				return BadRequest("unknown member %q; there are %s", name, names(known))
			}
		}
	}
	return Decode(body, into)
}

// field is one of an object.
type field struct {
	name  string
	of    reflect.Type
	rules []string
}

func fields(of reflect.Type) (all []field) {
	for _, f := range reflect.VisibleFields(of) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous && name != "" && name != "-" {
			rules := strings.FieldsFunc(f.Tag.Get("fits"), func(r rune) bool { return r == ',' })
			all = append(all, field{name, f.Type, rules})
		}
	}
	return all
}

func names(all []field) string {
	var names []string
	for _, f := range all {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

func invalid(path, format string, args ...any) error {
	return fmt.Errorf("%s (%s)", path, fmt.Sprintf(format, args...))
}

// check says what is wrong with a decoded JSON value at a path, and takes out of it what its type doesn't name.
func check(path string, value any, of reflect.Type, rules, required []string) error {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch said := reflect.Zero(of).Interface().(type) {
	case Formed:
		of = said.Form()
	case time.Time:
		rules = append([]string{"time"}, rules...)
	case json.RawMessage:
		return nil // It may be anything.
	}
	var elements []string
	if at := slices.Index(rules, "each"); at >= 0 {
		rules, elements = rules[:at], rules[at+1:]
	}
	if value == nil && slices.Contains(rules, "null") || value == "" && slices.Contains(rules, "empty") {
		return nil
	}
	if slices.Contains(rules, "time") {
		of = reflect.TypeFor[string]()
	}
	if err := checkKind(path, value, of, elements, required); err != nil {
		return err
	}
	for _, rule := range rules {
		if err := obey(path, value, rule); err != nil {
			return err
		}
	}
	return nil
}

// checkKind refuses a value that isn't of a kind, or has elements or fields that don't fit.
func checkKind(path string, value any, of reflect.Type, elements, required []string) error {
	var is bool
	var kind string
	switch of.Kind() {
	case reflect.String:
		_, is = value.(string)
		kind = "a string"
	case reflect.Bool:
		_, is = value.(bool)
		kind = "a boolean"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		number, _ := value.(json.Number)
		_, err := number.Int64()
		is, kind = err == nil, "an integer"
	case reflect.Float64:
		_, is = value.(json.Number)
		kind = "a number"
	case reflect.Slice:
		list, isList := value.([]any)
		for i, element := range list {
			if err := check(fmt.Sprintf("%s[%d]", path, i), element, of.Elem(), elements, nil); err != nil {
				return err
			}
		}
		is, kind = isList, "an array"
	case reflect.Map, reflect.Struct:
		if object, isObject := value.(map[string]any); isObject {
			return checkObject(path, object, of, required)
		}
		kind = "an object"
	default:
		panic(fmt.Sprintf("a body has a field of type %s, which says nothing of what fits", of))
	}
	if !is {
		return invalid(path, "must be %s", kind)
	}
	return nil
}

// checkObject checks an object's fields, which may have any names where it is read into a map.
func checkObject(path string, object map[string]any, of reflect.Type, required []string) error {
	below := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	if of.Kind() == reflect.Map {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if _, isText := object[name].(string); !isText && of.Elem().Kind() == reflect.String {
				return invalid(below(name), "must be a string")
			}
		}
		return nil
	}
	known := map[string]bool{}
	for _, f := range fields(of) {
		known[f.name] = true
		value, given := object[f.name]
		if !given && (slices.Contains(f.rules, "required") || slices.Contains(required, f.name)) {
			return invalid(below(f.name), "field required")
		}
		var inner []string
		for _, name := range required {
			if rest, isWithin := strings.CutPrefix(name, f.name+"."); isWithin {
				inner = append(inner, rest)
			}
		}
		if given {
			if err := check(below(f.name), value, f.of, f.rules, inner); err != nil {
				return err
			}
		}
	}
	maps.DeleteFunc(object, func(name string, _ any) bool { return !known[name] })
	return nil
}

// obey refuses a value that doesn't follow a rule. It is of the right kind.
func obey(path string, value any, rule string) error {
	text, _ := value.(string)
	least, most, isRange := strings.Cut(rule, "..")
	switch {
	case rule == "required", rule == "null", rule == "empty":
	case isRange:
		return inRange(path, value, bound(least, math.MinInt64), bound(most, math.MaxInt64))
	case rule[0] == '=':
		if allowed := strings.Split(rule[1:], "|"); !slices.Contains(allowed, text) {
			return invalid(path, "must be one of %s", strings.Join(allowed, ", "))
		}
	case rule == "role":
		return obey(path, value, memberRoles)
	case rule == "time":
		if _, isTime := ReadTime(text); !isTime {
			return invalid(path, TimeForm)
		}
	case rule == "duration":
		if lasts, err := time.ParseDuration(text); err != nil || lasts < 0 {
			return invalid(path, "must be a duration such as 90m or 73h")
		}
	case rule == "units":
		const fewest = 0.25
		number, _ := value.(json.Number)
		if got, err := number.Float64(); err != nil || got < fewest {
			return invalid(path, "must be a number of at least %v", fewest)
		}
	case patterns[rule] == nil:
		panic(fmt.Sprintf("no rule of bodies is called %q", rule))
	case rule == "email" && utf8.RuneCountInString(text) > longestEmail:
		return invalid(path, "must have at most %d characters", longestEmail)
	case !patterns[rule].MatchString(text):
		return invalid(path, "must be a string that matches %s", patterns[rule])
	}
	return nil
}

// bound is that of a range, or another one where there is none.
func bound(text string, otherwise int64) int64 {
	if text == "" {
		return otherwise
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("a rule of bodies has the bound %q", text))
	}
	return number
}

// inRange refuses a number, or so many characters, elements or fields.
func inRange(path string, value any, least, most int64) error {
	got, what := int64(0), ""
	numbers, many := fmt.Sprintf("from %d to %d", least, most), fmt.Sprintf("%d to %d", least, most)
	switch {
	case most == math.MaxInt64:
		numbers, many = fmt.Sprintf("of at least %d", least), fmt.Sprintf("%d or more", least)
	case least <= 0:
		many = fmt.Sprintf("at most %d", most)
	}
	switch of := value.(type) {
	case json.Number:
		if got, err := of.Int64(); err != nil || got < least || got > most {
			return invalid(path, "must be an integer %s", numbers)
		}
		return nil
	case string:
		got, what = int64(utf8.RuneCountInString(of)), "characters"
	case []any:
		got, what = int64(len(of)), "elements"
	case map[string]any:
		got, what = int64(len(of)), "properties"
	}
	if got < least || got > most {
		return invalid(path, "must have %s %s", many, what)
	}
	return nil
}
