package chaos

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// isSet reports whether there is a value that is known.
func isSet(value cty.Value) bool {
	return value != cty.NilVal && value.IsKnown() && !value.IsNull()
}

// elements are those of an object or a map; none of what isn't there.
func elements(value cty.Value) map[string]cty.Value {
	if !isSet(value) || !value.Type().IsObjectType() && !value.Type().IsMapType() {
		return nil
	}
	return value.AsValueMap()
}

// textOf is a text, a number or a truth as a text; empty for anything else.
func textOf(value cty.Value) string {
	if !isSet(value) || !value.Type().IsPrimitiveType() {
		return ""
	}
	text, _ := convert.Convert(value, cty.String) // What is primitive always converts.
	return text.AsString()
}

func textIn(value cty.Value, name string) string { return textOf(elements(value)[name]) }
