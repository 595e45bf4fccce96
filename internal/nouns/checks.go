package nouns

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// itself is the field that is the whole object.
const itself = "*"

// Check is a field of what Neon returns, and the value that it is to have or, where IsNot is true, that it isn't to
// have.
type Check struct {
	Field string
	Want  cty.Value
	IsNot bool
}

// Says is the value as JSON has it.
func (c Check) Says() string {
	text, err := ctyjson.Marshal(c.Want, c.Want.Type())
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Check is what Neon has after the change, once replacements are made in it; without a field where it knows nothing
// of that.
func (c Change) Check(texts *strings.Replacer) Check {
	check := Check{Field: c.Attribute, Want: c.After.valueAt(c.Attribute, texts)}
	if c.Field != nil {
		check.Field = *c.Field
	}
	if check.Field == itself {
		check.Want = cty.EmptyObjectVal
	}
	if c.Want != nil {
		check.Want = cty.StringVal(texts.Replace(*c.Want))
	}
	return check
}

// checkOf is what Neon has where the attribute has a value, whether or not that is the one after the change: another
// one is then to be where it has the attribute itself, and else not the one that the change would have brought about.
func (c Change) checkOf(value cty.Value, texts *strings.Replacer) Check {
	check, isAfter := c.Check(texts), c.After.valueAt(c.Attribute, texts).RawEquals(value)
	switch {
	case isAfter || check.Field == itself:
	case c.Want != nil:
		check.IsNot = true
	case value.IsNull():
		check.Field = ""
	default:
		check.Want = value
	}
	return check
}

var inBraces = regexp.MustCompile(`\{[^}]+\}`)

// Place is the call that returns a field of an object, whose attributes a function tells, and where its answer has
// the field.
func (r Resource) Place(field string, attribute func(name string) string) (path, within string) {
	switch {
	case field == itself:
		field = r.At
	case !strings.HasPrefix(field, "/"):
		field = r.At + "." + field
	}
	path, within, _ = strings.Cut(field, "#")
	path = inBraces.ReplaceAllStringFunc(path, func(name string) string { return attribute(strings.Trim(name, "{}")) })
	return "/api/v2" + path, strings.TrimPrefix(within, ".")
}

// In is what an answer has at a place. Of a list, that is the object, or the only one.
func (r Resource) In(answer any, within string, attribute func(name string) string) any {
	for name := range strings.SplitSeq(within, ".") {
		switch inner := answer.(type) {
		case map[string]any:
			if name != "" {
				answer = inner[name]
			}
		case []any:
			answer = r.among(inner, attribute)
		}
	}
	return answer
}

func (r Resource) among(list []any, attribute func(name string) string) any {
	key, own := "id", attribute("id")
	if len(r.Fixed) > 0 {
		key = r.Fixed[0]
	}
	if len(r.Identity) > 0 {
		own = attribute(r.Identity[len(r.Identity)-1])
	}
	isOwn := func(one any) bool {
		object, ok := one.(map[string]any)
		return ok && object[key] != nil && fmt.Sprint(object[key]) == own
	}
	switch i := slices.IndexFunc(list, isOwn); {
	case i >= 0:
		return list[i]
	case len(list) == 1: // There can't be another.
		return list[0]
	}
	return nil
}
