package inprocess

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// dataType is the resource that terraform has itself.
const dataType = "terraform_data"

// dataSchema is its schema.
var dataSchema = &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}}

var dataObject = cty.Object(map[string]cty.Type{
	"id": cty.String, "input": cty.DynamicPseudoType, "output": cty.DynamicPseudoType,
	"triggers_replace": cty.DynamicPseudoType,
})

// objectType is the type of an object with a schema.
func objectType(schema *tfprotov6.Schema) (cty.Type, error) {
	if schema == dataSchema {
		return dataObject, nil
	}
	return typeOf(schema.ValueType())
}

func typeOf(kind interface{ MarshalJSON() ([]byte, error) }) (cty.Type, error) {
	text, err := kind.MarshalJSON()
	if err != nil {
		return cty.NilType, err
	}
	return ctyjson.UnmarshalType(text)
}

// settable is the type that a configuration's attribute is converted to: in nested
// objects, what isn't required may be left out.
func settable(attribute *tfprotov6.SchemaAttribute) (cty.Type, error) {
	nested := attribute.NestedType
	if nested == nil {
		return typeOf(attribute.Type)
	}
	types, optional := map[string]cty.Type{}, []string{}
	for _, inner := range nested.Attributes {
		of, err := settable(inner)
		if err != nil {
			return cty.NilType, err
		}
		types[inner.Name] = of
		if !inner.Required {
			optional = append(optional, inner.Name)
		}
	}
	object := cty.ObjectWithOptionalAttrs(types, optional)
	switch nested.Nesting {
	case tfprotov6.SchemaObjectNestingModeList:
		return cty.List(object), nil
	case tfprotov6.SchemaObjectNestingModeSet:
		return cty.Set(object), nil
	case tfprotov6.SchemaObjectNestingModeMap:
		return cty.Map(object), nil
	default:
		return object, nil
	}
}

// conformed gives evaluated arguments the types of a schema.
func conformed(schema *tfprotov6.Schema, arguments map[string]cty.Value) (cty.Value, error) {
	if schema == dataSchema {
		values := map[string]cty.Value{}
		for name, of := range dataObject.AttributeTypes() {
			values[name] = cty.NullVal(of)
			if value, ok := arguments[name]; ok {
				values[name] = value
			}
		}
		return cty.ObjectVal(values), nil
	}
	values := map[string]cty.Value{}
	for _, attribute := range schema.Block.Attributes {
		value, err := conformedAttribute(attribute, arguments)
		if err != nil {
			return cty.NilVal, err
		}
		values[attribute.Name] = value
	}
	for name := range arguments {
		if _, known := values[name]; !known {
			return cty.NilVal, says("Unsupported argument", "An argument named %q is not expected here.", name)
		}
	}
	return cty.ObjectVal(values), nil
}

func conformedAttribute(attribute *tfprotov6.SchemaAttribute, arguments map[string]cty.Value) (cty.Value, error) {
	of, err := settable(attribute)
	if err != nil {
		return cty.NilVal, err
	}
	value, given := arguments[attribute.Name]
	if !given || value.IsNull() {
		if attribute.Required {
			return cty.NilVal, says("Missing required argument", "The argument %q is required, but no definition was found.",
				attribute.Name)
		}
		return cty.NullVal(of.WithoutOptionalAttributesDeep()), nil
	}
	converted, err := convert.Convert(value, of)
	if err != nil {
		return cty.NilVal, says("Incorrect attribute value type", "Inappropriate value for attribute %q: %v",
			attribute.Name, err)
	}
	return converted, nil
}

// proposed is what Terraform proposes to a provider: the configuration, and for
// what it leaves to the provider what was there before.
func proposed(schema *tfprotov6.Schema, prior, config cty.Value) cty.Value {
	if config.IsNull() || schema == dataSchema {
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
