package nouns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Lines are the attributes of a configuration, in their order.
type Lines []Line

// Line is an attribute with the expression of its value.
type Line struct{ Name, Value string }

// String is the configuration.
func (l Lines) String() string {
	var text strings.Builder
	for _, line := range l {
		fmt.Fprintf(&text, "%s = %s\n", line.Name, line.Value)
	}
	return text.String()
}

// With puts others in the place of those of the same name.
func (l Lines) With(others Lines) Lines {
	merged := slices.Clone(l)
	for _, other := range others {
		if i := slices.IndexFunc(merged, func(line Line) bool { return line.Name == other.Name }); i >= 0 {
			merged[i] = other
		} else {
			merged = append(merged, other)
		}
	}
	return merged
}

// Has reports whether there is an attribute of that name.
func (l Lines) Has(name string) bool {
	return slices.ContainsFunc(l, func(line Line) bool { return line.Name == name })
}

// linesOf reads a block's attributes as they are written.
func linesOf(source []byte, body *block) (lines Lines) {
	if body == nil {
		return nil
	}
	attributes, _ := body.Body.JustAttributes() // A block in a block isn't an attribute, which decoding has refused.
	for _, attribute := range attributes {
		lines = append(lines, Line{attribute.Name, textOf(source, attribute.Expr)})
	}
	at := func(line Line) int { return attributes[line.Name].Range.Start.Byte }
	slices.SortFunc(lines, func(a, b Line) int { return at(a) - at(b) })
	return lines
}

func textOf(source []byte, expression hcl.Expression) string {
	return string(expression.Range().SliceBytes(source))
}

// isWritten reports whether an optional attribute is there.
func isWritten(expression hcl.Expression) bool {
	_, ok := expression.(hclsyntax.Expression)
	return ok
}

// lineAt is the line with a value at an attribute whose name has dots where it is a nested one.
func lineAt(attribute, value string) Line {
	name, nested, isNested := strings.Cut(attribute, ".")
	if !isNested {
		return Line{name, value}
	}
	inner := lineAt(nested, value)
	return Line{name, "{ " + inner.Name + " = " + inner.Value + " }"}
}

// valueAt is the value that lines have at such an attribute; null where they have none.
func (l Lines) valueAt(attribute string) cty.Value {
	none := cty.NullVal(cty.DynamicPseudoType)
	name, nested, _ := strings.Cut(attribute, ".")
	i := slices.IndexFunc(l, func(line Line) bool { return line.Name == name })
	if i < 0 {
		return none
	}
	expression, problems := hclsyntax.ParseExpression([]byte(l[i].Value), "", hcl.InitialPos)
	if problems.HasErrors() {
		return none
	}
	value, problems := expression.Value(nil)
	if problems.HasErrors() {
		return none
	}
	for part := range strings.SplitSeq(nested, ".") {
		if part == "" {
			break
		}
		if value.IsNull() || !value.Type().IsObjectType() || !value.Type().HasAttribute(part) {
			return none
		}
		value = value.GetAttr(part)
	}
	return value
}

// printed is a value as fmt prints what JSON has for it.
func printed(value cty.Value) string {
	switch {
	case value.IsNull():
		return "<nil>"
	case value.Type() == cty.String:
		return value.AsString()
	case value.Type() == cty.Number:
		return value.AsBigFloat().Text('f', -1)
	case value.Type() == cty.Bool:
		return fmt.Sprint(value.True())
	}
	var elements []string
	for _, element := range value.AsValueSlice() {
		elements = append(elements, printed(element))
	}
	return "[" + strings.Join(elements, " ") + "]"
}

// checksOf are the fields that a value has, each with what it is to be: those of an object are checked one by one.
func checksOf(field string, value cty.Value) (checks []Check) {
	if value.IsNull() || !value.Type().IsObjectType() {
		return []Check{{field, printed(value)}}
	}
	for name, inner := range value.AsValueMap() {
		checks = append(checks, checksOf(field+"."+name, inner)...)
	}
	slices.SortFunc(checks, func(a, b Check) int { return strings.Compare(a.Field, b.Field) })
	return checks
}
