package wire

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fitting is a type of bodies, or of fields of them, that says itself what fits.
type Fitting interface{ Fits() Schema }

// FunctionPattern is the form of a function's slug.
var FunctionPattern = regexp.MustCompile(`^[a-z0-9]{1,20}$`)

// domainPattern is a name of a host in DNS, with or without the dot at its end: no address, and no wildcard.
var domainPattern = regexp.MustCompile(`(?i)^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])\.?$`)

// emailPattern is the form of an email address, as loose as the description's.
var emailPattern = regexp.MustCompile(`^[^@]+@[^@<>",\s]+$`)

// named are the rules that a tag names.
var named = map[string]Schema{
	"id": Matching(IDPattern), "lsn": Matching(LSNPattern), "email": both(Text(1, 256), Matching(emailPattern)),
	"time": Timestamp(), "units": ComputeUnits(),
	"https": Matching(regexp.MustCompile(`^https://[^\s/]`)), "function": Matching(FunctionPattern),
	"domain": Matching(domainPattern),
}

func both(first, second Schema) Schema {
	return func(path string, value any) error {
		if err := first(path, value); err != nil {
			return err
		}
		return second(path, value)
	}
}

// plain are the rules of the types that have no tag.
var plain = map[reflect.Kind]Schema{
	reflect.String: AnyText(), reflect.Bool: Boolean(), reflect.Int: Integer(math.MinInt64, math.MaxInt64),
	reflect.Int64: Integer(math.MinInt64, math.MaxInt64),
}

// schemas are those of types that were asked for before.
var schemas sync.Map

// SchemaOf is what fits a type of bodies, of whose fields these are required beside those whose tags say so; one of an
// object is written "object.field".
//
// A field is called what its json tag says. Its Go type says what it may be, and the tag `fits` what else is asked of
// it: "required", "1..64" (characters, elements, or a number; "1.." has no bound), "=a|b" (one of these), "id",
// "lsn", "email", "time", "units", and "null" or "empty" where these do beside the rest. What follows "each" is asked
// of a list's elements.
func SchemaOf(of reflect.Type, required ...string) Schema {
	if len(required) > 0 {
		return schemaOf(of, required)
	}
	if known, ok := schemas.Load(of); ok {
		return known.(Schema) //nolint:forcetypeassert // Nothing else is stored.
	}
	made := schemaOf(of, nil)
	schemas.Store(of, made)
	return made
}

func schemaOf(of reflect.Type, required []string) Schema {
	switch said := reflect.Zero(of).Interface().(type) {
	case Fitting:
		return said.Fits()
	case time.Time:
		return Timestamp()
	}
	switch of.Kind() {
	case reflect.Pointer:
		return schemaOf(of.Elem(), required)
	case reflect.Slice:
		return List(schemaOf(of.Elem(), nil))
	case reflect.Map:
		if of.Elem().Kind() == reflect.String {
			return StringMap(math.MaxInt)
		}
	case reflect.Struct:
		fields := Fields{}
		return Object(fields, addFields(fields, of, required)...)
	}
	if schema := plain[of.Kind()]; schema != nil {
		return schema
	}
	panic(fmt.Sprintf("a body has a field of type %s, which says nothing of what fits", of))
}

// addFields adds the fields of a type, and returns which are required.
func addFields(to Fields, of reflect.Type, required []string) (needed []string) {
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			needed = append(needed, addFields(to, field.Type, required)...)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		var inner []string
		for _, path := range required {
			if object, rest, within := strings.Cut(path, "."); within && object == name {
				inner = append(inner, rest)
			}
		}
		rules := strings.FieldsFunc(field.Tag.Get("fits"), func(r rune) bool { return r == ',' })
		to[name] = fieldSchema(field.Type, rules, inner)
		if slices.Contains(rules, "required") || slices.Contains(required, name) {
			needed = append(needed, name)
		}
	}
	return needed
}

func fieldSchema(of reflect.Type, rules, required []string) Schema {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	var elements []string
	if at := slices.Index(rules, "each"); at >= 0 {
		rules, elements = rules[:at], rules[at+1:]
	}
	var schema Schema
	if len(elements) > 0 {
		schema = List(fieldSchema(of.Elem(), elements, nil))
	}
	var wrap func(Schema) Schema
	for _, rule := range rules {
		least, most, isRange := strings.Cut(rule, "..")
		switch {
		case rule == "required":
		case rule == "null":
			wrap = Nullable
		case rule == "empty":
			wrap = EmptyOr
		case rule[0] == '=':
			schema = OneOf(strings.Split(rule[1:], "|")...)
		case isRange:
			schema = ranged(of, bound(least, math.MinInt64), bound(most, math.MaxInt64), schema)
		default:
			if schema = named[rule]; schema == nil {
				panic(fmt.Sprintf("no rule of bodies is called %q", rule))
			}
		}
	}
	if schema == nil {
		schema = schemaOf(of, required)
	}
	if wrap != nil {
		schema = wrap(schema)
	}
	return schema
}

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

func ranged(of reflect.Type, least, most int64, elements Schema) Schema {
	if of.Kind() != reflect.Int && of.Kind() != reflect.Int64 {
		least = max(0, least) // Nothing has a negative length.
	}
	switch of.Kind() {
	case reflect.String:
		return Text(int(least), int(most))
	case reflect.Slice:
		if elements == nil {
			elements = List(schemaOf(of.Elem(), nil))
		}
		return Sized(int(least), int(most), elements)
	case reflect.Map:
		return StringMap(int(most))
	default:
		return Integer(least, most)
	}
}

// DecodeStrictly is Decode for bodies that mustn't have other fields.
func DecodeStrictly(body []byte, into any) error {
	of, known := reflect.TypeOf(into).Elem(), Fields{}
	addFields(known, of, nil)
	return DecodeAs(body, func(path string, value any) error {
		if object, is := value.(map[string]any); is {
			for name := range object {
				if known[name] == nil {
					return BadRequest("unknown member %q", name)
				}
			}
		}
		return SchemaOf(of)(path, value)
	}, into)
}

// Shaped is an object that is kept as it was sent, if it fits T.
type Shaped[T any] map[string]any

// Fits returns what fits T.
func (Shaped[T]) Fits() Schema { return SchemaOf(reflect.TypeFor[T]()) }
