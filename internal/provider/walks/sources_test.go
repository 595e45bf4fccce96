package walks_test

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// The data source of a resource's name returns all that an import of the same object does, as the same: whoever no
// longer manages an object reads it instead.
func TestSources_returnWhatResourcesDo(t *testing.T) {
	t.Parallel()
	sources := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})).Schema.DataSourceSchemas
	for name := range acctest.NounResources(t) {
		noun := acctest.NounResource(t, name)
		if sources[name] == nil || !isFoundBy(sources[name], noun.Identity) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newChangeWorld(t, startQuick)
			p := acctest.NewProtocol(t, w.World)
			_, identity := p.Create(t, name, w.given(t, p, name, noun.Whole))
			imported, returned := p.ImportedState(t, name, identity), p.Returned(t, name, keyOf(sources[name], identity))
			for attribute, value := range imported {
				if attribute == "id" && !slices.Contains(noun.Identity, "id") || slices.Contains(noun.Local, attribute) {
					continue // The id is put together of what is configured.
				}
				for _, problem := range differences(attribute, value, returned[attribute]) {
					t.Error(problem)
				}
			}
		})
	}
}

// isFoundBy reports whether the data source needs nothing but what identifies an object.
func isFoundBy(source *tfprotov6.Schema, identity []string) bool {
	return !slices.ContainsFunc(source.Block.Attributes, func(of *tfprotov6.SchemaAttribute) bool {
		return of.Required && !slices.Contains(identity, of.Name)
	})
}

// keyOf is a configuration of the data source that names an object.
func keyOf(source *tfprotov6.Schema, identity map[string]string) map[string]tftypes.Value {
	given := map[string]tftypes.Value{}
	for _, attribute := range source.Block.Attributes {
		if part, has := identity[attribute.Name]; has && (attribute.Required || attribute.Optional) {
			given[attribute.Name] = acctest.Text(part)
		}
	}
	return given
}

// differences are what of a value the other one lacks, or has otherwise. The endpoints of a branch have names of the
// configuration's, by which a resource keeps them; a data source lists them.
func differences(at string, value, other tftypes.Value) (problems []string) {
	var members, others map[string]tftypes.Value
	var listed []tftypes.Value
	switch {
	case value.IsNull():
	case other.Type() != nil && value.As(&members) == nil && other.As(&others) == nil:
		for name, member := range members {
			problems = append(problems, differences(at+"."+name, member, others[name])...)
		}
	case other.Type() != nil && value.As(&members) == nil && other.As(&listed) == nil:
		for name, member := range members {
			if !slices.ContainsFunc(listed, func(one tftypes.Value) bool { return differences(at, member, one) == nil }) {
				problems = append(problems, at+"."+name+" isn't listed by the data source")
			}
		}
	case other.Type() == nil || !value.Equal(other):
		problems = append(problems, at+" is "+value.String()+", and the data source returns "+other.String())
	}
	return problems
}
