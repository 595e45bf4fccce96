package inprocess

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
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
	return planning.Error("Provider produced invalid plan", "%s: planned value %#v for a configured value %#v",
		attribute.Name, planned, config)
}

func plannableElements(attribute *tfprotov6.SchemaAttribute, prior, config, planned cty.Value) error {
	for key, element := range planned.Elements() {
		before := cty.NullVal(element.Type())
		if !prior.IsNull() && prior.HasIndex(key).True() {
			before = prior.Index(key)
		}
		if config.HasIndex(key).False() {
			return planning.Error("Provider produced invalid plan", "%s: %#v isn't configured", attribute.Name, key)
		}
		if err := plannable(attribute.NestedType.Attributes, before, config.Index(key), element); err != nil {
			return err
		}
	}
	return nil
}
