package inprocess

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// plain is a value as terraform shows it in JSON, where what isn't known is left out.
func plain(value cty.Value) (any, error) {
	known, err := cty.Transform(value, func(_ cty.Path, inner cty.Value) (cty.Value, error) {
		if !inner.IsKnown() {
			return cty.NullVal(inner.Type()), nil
		}
		return inner, nil
	})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(ctyjson.SimpleJSONValue{Value: known})
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var decoded any
	err = decoder.Decode(&decoded)
	return decoded, err
}

// unknowns is where a value isn't known, as terraform shows it.
func unknowns(value cty.Value) any {
	switch {
	case !value.IsKnown():
		return true
	case value.IsNull() || value.Type().IsPrimitiveType() || value.IsWhollyKnown():
		return false
	case value.Type().IsObjectType() || value.Type().IsMapType():
		inner := map[string]any{}
		for key, element := range value.Elements() {
			if !element.IsWhollyKnown() {
				inner[key.AsString()] = unknowns(element)
			}
		}
		return inner
	default:
		var inner []any
		for _, element := range value.Elements() {
			inner = append(inner, unknowns(element))
		}
		return inner
	}
}

// tfjson is the plan as `terraform show -json` has it.
func (p *plan) tfjson() (*tfjson.Plan, error) {
	shown := &tfjson.Plan{}
	for _, address := range slices.Sorted(maps.Keys(p.changes)) {
		c := p.changes[address]
		if slices.Equal(c.actions, nothing) && !c.prior.exists() {
			continue
		}
		details, err := shownChange(c.actions, c.prior.value, c.planned.value)
		if err != nil {
			return nil, err
		}
		if c.imported != "" {
			details.Importing = &tfjson.Importing{ID: c.imported}
		}
		shown.ResourceChanges = append(shown.ResourceChanges, &tfjson.ResourceChange{
			Address: address, Mode: tfjson.ManagedResourceMode, Type: c.node.kind, Name: c.node.name, Change: details,
		})
	}
	for address := range p.deferred {
		shown.ResourceChanges = append(shown.ResourceChanges, &tfjson.ResourceChange{
			Address: address, Mode: tfjson.DataResourceMode, Change: &tfjson.Change{Actions: reads},
		})
	}
	return shown, nil
}

func shownChange(actions tfjson.Actions, before, after cty.Value) (*tfjson.Change, error) {
	was, err := plain(before)
	if err != nil {
		return nil, err
	}
	is, err := plain(after)
	return &tfjson.Change{Actions: actions, Before: was, After: is, AfterUnknown: unknowns(after)}, err
}

// tfjson is the state as `terraform show -json` has it.
func (w *workspace) tfjson() (*tfjson.State, error) {
	root := &tfjson.StateModule{}
	for _, address := range slices.Sorted(maps.Keys(w.data)) {
		resource, err := shownResource(address, tfjson.DataResourceMode, w.data[address])
		if err != nil {
			return nil, err
		}
		root.Resources = append(root.Resources, resource)
	}
	for _, address := range slices.Sorted(maps.Keys(w.state)) {
		stored := w.state[address]
		resource, err := shownResource(address, tfjson.ManagedResourceMode, stored.value)
		if err == nil {
			resource.Tainted = stored.tainted
			resource.IdentityValues, err = w.identityValues(stored)
		}
		if err != nil {
			return nil, err
		}
		root.Resources = append(root.Resources, resource)
	}
	return &tfjson.State{FormatVersion: "1.0", Values: &tfjson.StateValues{RootModule: root}}, nil
}

func shownResource(address string, mode tfjson.ResourceMode, value cty.Value) (*tfjson.StateResource, error) {
	shown, err := plain(value)
	attributes, _ := shown.(map[string]any)
	resource := &tfjson.StateResource{Address: address, Mode: mode, AttributeValues: attributes}
	name, index, counted := strings.Cut(strings.TrimPrefix(address, "data."), "[")
	resource.Type, resource.Name, _ = strings.Cut(name, ".")
	if counted {
		if at, err := strconv.Atoi(strings.TrimSuffix(index, "]")); err == nil {
			resource.Index = at
		}
	}
	return resource, err
}

// identityValues are the texts of an identity.
func (w *workspace) identityValues(i *instance) (map[string]any, error) {
	if i.identity == nil || i.identity.IdentityData == nil {
		return nil, nil //nolint:nilnil // it has none
	}
	value, err := i.identity.IdentityData.Unmarshal(w.identities[i.node.kind].ValueType())
	if err != nil {
		return nil, err
	}
	var attributes map[string]tftypes.Value
	if err := value.As(&attributes); err != nil {
		return nil, err
	}
	texts := map[string]any{}
	for name, attribute := range attributes {
		var text *string
		if err := attribute.As(&text); err != nil {
			return nil, err
		}
		texts[name] = nil
		if text != nil {
			texts[name] = *text
		}
	}
	return texts, nil
}
