package nouns

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
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

// over puts a line in the place of the one of its name, or where it isn't the whole value what it says into that one's.
func (l Lines) over(line Line, isNested bool) Lines {
	if isNested && l.Has(line.Name) {
		// What can't be read is said when the lines are used.
		values, _ := append(slices.Clone(l), line).Values(asWritten)
		line.Value = string(hclwrite.TokensForValue(values[line.Name]).Bytes())
	}
	return l.With(Lines{line})
}

// asWritten replaces nothing.
var asWritten = strings.NewReplacer()

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

// valueAt is the value that lines have at such an attribute, once replacements are made in them; null where they have
// none.
func (l Lines) valueAt(attribute string, texts *strings.Replacer) cty.Value {
	name, nested, _ := strings.Cut(attribute, ".")
	i := slices.IndexFunc(l, func(line Line) bool { return line.Name == name })
	if i < 0 {
		return none
	}
	value, err := l[i].value(texts)
	if err != nil {
		return none
	}
	return Within(value, nested)
}

var none = cty.NullVal(cty.DynamicPseudoType)

// Within is the value of an attribute of an object, whose name has dots where it is a nested one; null where there is
// none. Of what is in a list, it is the list.
func Within(value cty.Value, attribute string) cty.Value {
	for part := range strings.SplitSeq(attribute, ".") {
		if part == "" || value.Type().IsTupleType() {
			break
		}
		if value.IsNull() || !value.Type().IsObjectType() || !value.Type().HasAttribute(part) {
			return none
		}
		value = value.GetAttr(part)
	}
	return value
}

// value is that of a line, once replacements are made in it.
func (l Line) value(texts *strings.Replacer) (cty.Value, error) {
	expression, problems := hclsyntax.ParseExpression([]byte(texts.Replace(l.Value)), l.Name, hcl.InitialPos)
	if problems.HasErrors() {
		return none, problems
	}
	value, problems := expression.Value(nil)
	if problems.HasErrors() {
		return none, problems
	}
	return value, nil
}

// Values are those of the attributes, once replacements are made in the lines. Where an object is there twice, the
// later one has its attributes in the place of the earlier one's, or of those in a list of that one.
func (l Lines) Values(texts *strings.Replacer) (map[string]cty.Value, error) {
	values := map[string]cty.Value{}
	for _, line := range l {
		value, err := line.value(texts)
		if err != nil {
			return nil, err
		}
		values[line.Name] = merged(values[line.Name], value)
	}
	return values, nil
}

func merged(earlier, later cty.Value) cty.Value {
	if earlier != cty.NilVal && earlier.Type().IsTupleType() && earlier.LengthInt() == 1 && later.Type().IsObjectType() {
		return cty.TupleVal([]cty.Value{merged(earlier.Index(cty.Zero), later)})
	}
	if earlier == cty.NilVal || earlier.IsNull() || later.IsNull() || !earlier.Type().IsObjectType() ||
		!later.Type().IsObjectType() {
		return later
	}
	both := map[string]cty.Value{}
	maps.Copy(both, earlier.AsValueMap())
	for name, value := range later.AsValueMap() {
		both[name] = merged(both[name], value)
	}
	return cty.ObjectVal(both)
}

// Matches reports whether Neon has a value: of an object the attributes that are said, and of a list all elements, in
// any order.
func Matches(got any, want cty.Value) bool {
	kind := want.Type()
	switch {
	case want.IsNull():
		return got == nil
	case kind.IsObjectType() || kind.IsMapType():
		object, ok := got.(map[string]any)
		for name, value := range want.AsValueMap() {
			ok = ok && (value.IsNull() || Matches(object[name], value))
		}
		return ok
	case kind.IsTupleType() || kind.IsListType() || kind.IsSetType():
		list, ok := got.([]any)
		for _, element := range want.AsValueSlice() {
			ok = ok && slices.ContainsFunc(list, func(one any) bool { return Matches(one, element) })
		}
		return ok && len(list) == want.LengthInt()
	}
	text, _ := convert.Convert(want, cty.String) // Any that isn't made of others is a text, too.
	return SameTime(fmt.Sprint(got), text.AsString())
}

// SameTime reports whether both are the same text, or the same time that Neon writes otherwise.
func SameTime(got, want string) bool {
	gotAt, gotErr := time.Parse(time.RFC3339, got)
	wantAt, wantErr := time.Parse(time.RFC3339, want)
	return got == want || gotErr == nil && wantErr == nil && gotAt.Equal(wantAt)
}
