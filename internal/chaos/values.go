package chaos

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func text(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }

// objectOf is a configuration with these attributes, and null for all others.
func objectOf(schema *tfprotov6.Schema, given map[string]tftypes.Value) tftypes.Value {
	values := map[string]tftypes.Value{}
	for _, attribute := range schema.Block.Attributes {
		values[attribute.Name] = tftypes.NewValue(attribute.ValueType(), nil)
		if value, ok := given[attribute.Name]; ok {
			values[attribute.Name] = value
		}
	}
	return tftypes.NewValue(schema.ValueType(), values)
}

func dynamic(value tftypes.Value) (*tfprotov6.DynamicValue, error) {
	encoded, err := tfprotov6.NewDynamicValue(value.Type(), value)
	return &encoded, err
}

func dynamics(values ...tftypes.Value) ([]*tfprotov6.DynamicValue, error) {
	encoded := make([]*tfprotov6.DynamicValue, len(values))
	for i, value := range values {
		var err error
		if encoded[i], err = dynamic(value); err != nil {
			return nil, err
		}
	}
	return encoded, nil
}

// proposed is what Terraform proposes to a provider: the configuration, and for
// what it leaves to the provider what was there before.
func proposed(schema *tfprotov6.Schema, prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() {
		return config
	}
	return proposedObject(schema.Block.Attributes, prior, config)
}

func proposedObject(attributes []*tfprotov6.SchemaAttribute, prior, config tftypes.Value) tftypes.Value {
	before, wanted := elements(prior), elements(config)
	values := map[string]tftypes.Value{}
	for _, attribute := range attributes {
		value, earlier := wanted[attribute.Name], before[attribute.Name]
		switch {
		case value.IsNull() && attribute.Computed && !earlier.IsNull():
			value = earlier
		case attribute.NestedType != nil && attribute.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeMap &&
			!value.IsNull():
			value = proposedMap(attribute, earlier, value)
		case attribute.NestedType != nil && attribute.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeSingle &&
			!value.IsNull():
			value = proposedObject(attribute.NestedType.Attributes, earlier, value)
		}
		values[attribute.Name] = value
	}
	return tftypes.NewValue(config.Type(), values)
}

func proposedMap(attribute *tfprotov6.SchemaAttribute, prior, config tftypes.Value) tftypes.Value {
	before := elements(prior)
	values := map[string]tftypes.Value{}
	for label, value := range elements(config) {
		values[label] = proposedObject(attribute.NestedType.Attributes, before[label], value)
	}
	return tftypes.NewValue(config.Type(), values)
}

// elements are those of an object or a map; none of what isn't there.
func elements(value tftypes.Value) map[string]tftypes.Value {
	var values map[string]tftypes.Value
	if value.Type() == nil || value.IsNull() || !value.IsKnown() || value.As(&values) != nil {
		return nil
	}
	return values
}

// consistent checks what Terraform checks: after an apply all is known, and what
// was planned is there.
func consistent(planned, actual tftypes.Value) error {
	if !actual.IsFullyKnown() {
		return fmt.Errorf("after apply something isn't known: %s", actual)
	}
	differences, err := planned.Diff(actual)
	if err != nil {
		return err
	}
	for _, difference := range differences {
		if difference.Value1 == nil || !difference.Value1.IsFullyKnown() {
			continue
		}
		return fmt.Errorf("the result isn't what was planned: %s", difference)
	}
	return nil
}
