// Package planning is what Terraform does with the values that it gives to a provider, and with those that it gets: it
// gives a configuration the types of a schema, proposes what is to become of a resource, and holds the result against
// the plan.
package planning

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// Error is an error as Terraform words it.
func Error(summary, detail string, parts ...any) error {
	return fmt.Errorf("Error: %s\n\n%s", summary, fmt.Sprintf(detail, parts...))
}

// TypeOf is the type of an object with a schema.
func TypeOf(schema *tfprotov6.Schema) cty.Type { return Type(schema.ValueType()) }

// Type is a type of the protocol's among cty's.
func Type(of tftypes.Type) cty.Type {
	text, err := json.Marshal(of)
	if err != nil {
		panic(err) // The schema was served with it.
	}
	converted, err := ctyjson.UnmarshalType(text)
	if err != nil {
		panic(err)
	}
	return converted
}

// Encode encodes a value for a request.
func Encode(value cty.Value) (*tfprotov6.DynamicValue, error) {
	text, err := msgpack.Marshal(value, value.Type())
	return &tfprotov6.DynamicValue{MsgPack: text}, err
}

// EncodeAll encodes several.
func EncodeAll(values ...cty.Value) ([]*tfprotov6.DynamicValue, error) {
	encoded, problems := make([]*tfprotov6.DynamicValue, len(values)), make([]error, len(values))
	for i, value := range values {
		encoded[i], problems[i] = Encode(value)
	}
	return encoded, errors.Join(problems...)
}

// Decode reads a value of an answer; where there is none, it is null.
func Decode(value *tfprotov6.DynamicValue, of cty.Type) (cty.Value, error) {
	switch {
	case value == nil:
		return cty.NullVal(of), nil
	case len(value.MsgPack) > 0:
		return msgpack.Unmarshal(value.MsgPack, of)
	default:
		return ctyjson.Unmarshal(value.JSON, of)
	}
}

// settable is the type that a configuration's attribute is converted to: in nested
// objects, what isn't required may be left out.
func settable(attribute *tfprotov6.SchemaAttribute) cty.Type {
	nested := attribute.NestedType
	if nested == nil {
		return Type(attribute.Type)
	}
	types, optional := map[string]cty.Type{}, []string{}
	for _, inner := range nested.Attributes {
		types[inner.Name] = settable(inner)
		if !inner.Required {
			optional = append(optional, inner.Name)
		}
	}
	object := cty.ObjectWithOptionalAttrs(types, optional)
	switch nested.Nesting {
	case tfprotov6.SchemaObjectNestingModeList:
		return cty.List(object)
	case tfprotov6.SchemaObjectNestingModeSet:
		return cty.Set(object)
	case tfprotov6.SchemaObjectNestingModeMap:
		return cty.Map(object)
	default:
		return object
	}
}

// Configured gives the arguments of a configuration the types of a schema; what isn't given is null.
func Configured(schema *tfprotov6.Schema, arguments map[string]cty.Value) (cty.Value, error) {
	values := map[string]cty.Value{}
	for _, attribute := range schema.Block.Attributes {
		value, err := configuredAttribute(attribute, arguments)
		if err != nil {
			return cty.NilVal, err
		}
		values[attribute.Name] = value
	}
	for name := range arguments {
		if _, known := values[name]; !known {
			return cty.NilVal, Error("Unsupported argument", "An argument named %q is not expected here.", name)
		}
	}
	return cty.ObjectVal(values), nil
}

func configuredAttribute(attribute *tfprotov6.SchemaAttribute, arguments map[string]cty.Value) (cty.Value, error) {
	of := settable(attribute)
	value, given := arguments[attribute.Name]
	if !given || value.IsNull() {
		if attribute.Required {
			return cty.NilVal, Error("Missing required argument", "The argument %q is required, but no definition was found.",
				attribute.Name)
		}
		return cty.NullVal(of.WithoutOptionalAttributesDeep()), nil
	}
	converted, err := convert.Convert(value, of)
	if err != nil {
		return cty.NilVal, Error("Incorrect attribute value type", "Inappropriate value for attribute %q: %v",
			attribute.Name, err)
	}
	return converted, nil
}

// Proposed is what Terraform proposes to a provider: the configuration, and for
// what it leaves to the provider what was there before.
func Proposed(schema *tfprotov6.Schema, prior, config cty.Value) cty.Value {
	if config.IsNull() {
		return config
	}
	return proposedObject(schema.Block.Attributes, prior, config)
}

func proposedObject(attributes []*tfprotov6.SchemaAttribute, prior, config cty.Value) cty.Value {
	values := map[string]cty.Value{}
	for _, attribute := range attributes {
		value, earlier := config.GetAttr(attribute.Name), cty.NullVal(config.Type().AttributeType(attribute.Name))
		if !prior.IsNull() {
			earlier = prior.GetAttr(attribute.Name)
		}
		if value.IsNull() && attribute.Computed {
			value = earlier
		} else if attribute.NestedType != nil && value.IsKnown() && !value.IsNull() {
			value = proposedNested(attribute.NestedType, earlier, value)
		}
		values[attribute.Name] = value
	}
	return cty.ObjectVal(values)
}

func proposedNested(nested *tfprotov6.SchemaObject, prior, config cty.Value) cty.Value {
	if config.Type().IsObjectType() {
		return proposedObject(nested.Attributes, prior, config)
	}
	if config.LengthInt() == 0 || config.Type().IsSetType() {
		return config
	}
	inner := func(key, value cty.Value) cty.Value {
		earlier := cty.NullVal(value.Type())
		if !prior.IsNull() && prior.HasIndex(key).True() {
			earlier = prior.Index(key)
		}
		if value.IsNull() || !value.IsKnown() {
			return value
		}
		return proposedObject(nested.Attributes, earlier, value)
	}
	labelled, listed := map[string]cty.Value{}, []cty.Value{}
	for key, value := range config.Elements() {
		if config.Type().IsMapType() {
			labelled[key.AsString()] = inner(key, value)
		} else {
			listed = append(listed, inner(key, value))
		}
	}
	if config.Type().IsMapType() {
		return cty.MapVal(labelled)
	}
	return cty.ListVal(listed)
}

// Applied says what Terraform says of the result of an apply: something isn't known, or isn't as planned.
func Applied(at string, planned, actual cty.Value) error {
	if !actual.IsWhollyKnown() {
		return Error("Provider returned invalid result object after apply", "%#v", actual)
	}
	if different := Agrees(at, planned, actual); different != nil {
		return Error("Provider produced inconsistent result after apply", "%s", different)
	}
	return nil
}

// Agrees says what of a plan isn't so afterwards, although it was known; nothing where all is as planned.
func Agrees(at string, planned, actual cty.Value) error {
	var err error
	if !planned.IsKnown() || planned.IsNull() && actual.IsNull() {
		return nil
	}
	switch kind := planned.Type(); {
	case planned.IsNull(), actual.IsNull(), !actual.IsKnown():
		err = fmt.Errorf("%s: was %#v, but now %#v", at, planned, actual)
	case kind.IsPrimitiveType():
		if !planned.RawEquals(actual) {
			err = fmt.Errorf("%s: was %#v, but now %#v", at, planned, actual)
		}
	case kind.IsSetType():
		err = agreesAsSet(at, planned, actual)
	case planned.LengthInt() != actual.LengthInt():
		err = fmt.Errorf("%s: was %#v, but now %#v", at, planned, actual)
	default:
		err = agreesWithin(at, planned, actual)
	}
	return err
}

func agreesWithin(at string, planned, actual cty.Value) error {
	others := map[string]cty.Value{}
	for key, value := range actual.Elements() {
		others[fmt.Sprintf("%#v", key)] = value
	}
	for key, value := range planned.Elements() {
		other, there := others[fmt.Sprintf("%#v", key)]
		if !there {
			return fmt.Errorf("%s: %#v has vanished", at, key)
		}
		if err := Agrees(fmt.Sprintf("%s[%#v]", at, key), value, other); err != nil {
			return err
		}
	}
	return nil
}

// agreesAsSet compares sets, in which each element must be what one of the plan's may become.
func agreesAsSet(at string, planned, actual cty.Value) error {
	before, after := planned.AsValueSlice(), actual.AsValueSlice()
	for _, one := range before {
		if !slices.ContainsFunc(after, func(other cty.Value) bool { return Agrees(at, one, other) == nil }) {
			return fmt.Errorf("%s: %#v has vanished from %#v", at, one, actual)
		}
	}
	for _, one := range after {
		if !slices.ContainsFunc(before, func(other cty.Value) bool { return Agrees(at, other, one) == nil }) {
			return fmt.Errorf("%s: %#v has appeared in %#v", at, one, planned)
		}
	}
	if len(before) < len(after) {
		return fmt.Errorf("%s: was %#v, but now %#v", at, planned, actual)
	}
	return nil
}
