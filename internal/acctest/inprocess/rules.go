package inprocess

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
)

// unrefined is a value whose unknown parts may be anything.
func unrefined(value cty.Value) cty.Value {
	if value.IsWhollyKnown() {
		return value
	}
	plain, _ := cty.Transform(value, func(_ cty.Path, inner cty.Value) (cty.Value, error) {
		if !inner.IsKnown() {
			return cty.UnknownVal(inner.Type()), nil
		}
		return inner, nil
	})
	return plain
}

// plannable checks that a provider plans what is configured, also where that isn't known, and nothing for what only a
// configuration can set. What was there before may stay as it is.
func plannable(attributes []*tfprotov6.SchemaAttribute, prior, config, planned cty.Value) error {
	for _, attribute := range attributes {
		of := func(object cty.Value) cty.Value {
			if object.IsNull() {
				return cty.NullVal(object.Type().AttributeType(attribute.Name))
			}
			return object.GetAttr(attribute.Name)
		}
		if err := plannableValue(attribute, of(prior), of(config), of(planned)); err != nil {
			return err
		}
	}
	return nil
}

func plannableValue(attribute *tfprotov6.SchemaAttribute, prior, config, planned cty.Value) error {
	switch {
	case planned.RawEquals(config), planned.RawEquals(prior) && !prior.IsNull() && !config.IsNull(),
		attribute.WriteOnly && planned.IsNull(), attribute.Computed && (config.IsNull() || !attribute.Optional):
		return nil
	case attribute.NestedType == nil, config.IsNull(), planned.IsNull(), !planned.IsKnown():
	case config.Type().IsObjectType():
		return plannable(attribute.NestedType.Attributes, prior, config, planned)
	case config.IsKnown() && config.Type().IsSetType():
		return nil // Nothing tells which element was which.
	case config.IsKnown() && config.LengthInt() == planned.LengthInt():
		return plannableElements(attribute, prior, config, planned)
	}
	return says("Provider produced invalid plan", "%s: planned value %#v for a configured value %#v", attribute.Name,
		planned, config)
}

func plannableElements(attribute *tfprotov6.SchemaAttribute, prior, config, planned cty.Value) error {
	for key, element := range planned.Elements() {
		before := cty.NullVal(element.Type())
		if !prior.IsNull() && prior.HasIndex(key).True() {
			before = prior.Index(key)
		}
		if config.HasIndex(key).False() {
			return says("Provider produced invalid plan", "%s: %#v isn't configured", attribute.Name, key)
		}
		if err := plannable(attribute.NestedType.Attributes, before, config.Index(key), element); err != nil {
			return err
		}
	}
	return nil
}

// agrees says what of a plan isn't so afterwards, although it was known; nothing where all is as planned.
func agrees(at string, planned, actual cty.Value) error {
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
		if err := agrees(fmt.Sprintf("%s[%#v]", at, key), value, other); err != nil {
			return err
		}
	}
	return nil
}

// agreesAsSet compares sets, in which each element must be what one of the plan's may become.
func agreesAsSet(at string, planned, actual cty.Value) error {
	before, after := planned.AsValueSlice(), actual.AsValueSlice()
	for _, one := range before {
		if !slices.ContainsFunc(after, func(other cty.Value) bool { return agrees(at, one, other) == nil }) {
			return fmt.Errorf("%s: %#v has vanished from %#v", at, one, actual)
		}
	}
	for _, one := range after {
		if !slices.ContainsFunc(before, func(other cty.Value) bool { return agrees(at, other, one) == nil }) {
			return fmt.Errorf("%s: %#v has appeared in %#v", at, one, planned)
		}
	}
	if len(before) < len(after) {
		return fmt.Errorf("%s: was %#v, but now %#v", at, planned, actual)
	}
	return nil
}
