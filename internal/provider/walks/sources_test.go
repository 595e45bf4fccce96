package walks_test

import (
	"maps"
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

// of is what a data source can be given for an attribute that it requires.
func (w changeWorld) of(attribute string) string {
	return map[string]string{
		"project_id": w.ProjectID, "branch_id": w.texts.Replace("$main"),
		"base_branch_id": w.texts.Replace("$other_branch"), "database_name": "neondb", "role_name": "neondb_owner",
		"name": "media", "slug": "api", "domain": "a.example.com", "region_id": "aws-us-east-2",
		"vpc_endpoint_id": "vpce-0a1", "id": "8f0f8c5c-0f3f-4e58-9a8e-6ec1d6a1f000",
		"granularity": "daily", "from": "2026-11-01T00:00:00Z", "to": "2026-11-20T00:00:00Z",
	}[attribute]
}

// An error about what a data source is given names the attribute that has it.
func TestSources_errorsNameTheAttribute(t *testing.T) {
	t.Parallel()
	w := newChangeWorld(t, startQuick)
	p := acctest.NewProtocol(t, w.World)
	wrong := map[string]string{
		"project_id": "shy-fog-12345678", "branch_id": "br-shy-fog-a1b2c3d4", "base_branch_id": "br-shy-fog-a1b2c3d4",
		"endpoint_id": "ep-shy-fog-a1b2c3d4", "org_id": "org-shy-fog-12345678", "database_name": "nothing",
		"role_name": "nobody", "name": "nothing", "slug": "nothing", "domain": "b.example.com", "vpc_endpoint_id": "vpce-0c3",
	}
	for name, source := range p.Schema.DataSourceSchemas {
		for _, attribute := range source.Block.Attributes {
			value, has := wrong[attribute.Name]
			if !has || !attribute.Required && !attribute.Optional {
				continue
			}
			t.Run(name+"/"+attribute.Name, func(t *testing.T) {
				given := map[string]tftypes.Value{attribute.Name: acctest.Text(value)}
				for _, other := range source.Block.Attributes {
					if other.Required && other.Name != attribute.Name {
						given[other.Name] = acctest.Text(w.of(other.Name))
					}
				}
				saysAt(t, p, name, given, attribute.Name) // Nothing where it only filters a list.
			})
		}
	}
}

// saysAt reads a data source, and returns how many errors it has, which must be of the attribute.
func saysAt(t *testing.T, p acctest.Protocol, name string, given map[string]tftypes.Value, attribute string) int {
	t.Helper()
	kind := p.Schema.DataSourceSchemas[name].ValueType()
	read, err := p.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: name,
		Config: acctest.Dynamic(t, kind, acctest.Object(kind, given))})
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range read.Diagnostics {
		if !said.Attribute.Equal(tftypes.NewAttributePath().WithAttributeName(attribute)) {
			t.Errorf("%s names %s: %s", said.Summary, said.Attribute, said.Detail)
		}
	}
	return len(read.Diagnostics)
}

// Where Neon refuses what a data source reads of a branch, the error names the branch.
func TestSources_errorsNameTheBranch(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"backend-offered": "nobody"}})
	p := acctest.NewProtocol(t, w.World)
	branch, refusals := map[string]string{"project_id": w.ProjectID, "branch_id": w.MainBranch(t).ID}, 0
	for name, source := range p.Schema.DataSourceSchemas {
		given := keyOf(source, branch)
		if _, isOfBranch := given["branch_id"]; !isOfBranch || !isFoundBy(source, slices.Collect(maps.Keys(branch))) {
			continue
		}
		w.ForgetRequests(t)
		said, refused := saysAt(t, p, name, given, "branch_id"), w.Requests(t).ByStatus["404"]
		if said != refused {
			t.Errorf("Neon refuses %d requests of %s, which says %d errors", refused, name, said)
		}
		refusals += refused
	}
	if refusals == 0 {
		t.Error("Neon refuses nothing of a branch")
	}
}
