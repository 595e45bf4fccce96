package provider

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// protocol speaks to the provider as Terraform does, without Terraform: what
// needs a newer one than is at hand can be tried so.
type protocol struct {
	tfprotov6.ProviderServer
	schema     *tfprotov6.GetProviderSchemaResponse
	identities *tfprotov6.GetResourceIdentitySchemasResponse
}

func newProtocol(t *testing.T, w *world) protocol {
	t.Helper()
	return configuredProtocol(t, w, NewServer("test").New())
}

func configuredProtocol(t *testing.T, w *world, server tfprotov6.ProviderServer) protocol {
	t.Helper()
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	noProblem(t, err, schema.Diagnostics)
	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	noProblem(t, err, identities.Diagnostics)
	kind := schema.Provider.ValueType()
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.12.0", Config: dynamic(t, kind, object(kind, map[string]tftypes.Value{
			"api_key": tftypes.NewValue(tftypes.String, w.apiKey), "base_url": tftypes.NewValue(tftypes.String, w.baseURL),
			"org_id": tftypes.NewValue(tftypes.String, w.orgID),
		})),
	})
	noProblem(t, err, configured.Diagnostics)
	return protocol{server, schema, identities}
}

func noProblem(t *testing.T, err error, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, diagnostic := range diagnostics {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			t.Fatalf("%s: %s", diagnostic.Summary, diagnostic.Detail)
		}
	}
}

// object is a value of an object's type in which what isn't given is null.
func object(kind tftypes.Type, given map[string]tftypes.Value) tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, of := range kind.(tftypes.Object).AttributeTypes {
		if value, ok := given[name]; ok {
			values[name] = value
		} else {
			values[name] = tftypes.NewValue(of, nil)
		}
	}
	return tftypes.NewValue(kind, values)
}

func dynamic(t *testing.T, kind tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(kind, value)
	if err != nil {
		t.Fatal(err)
	}
	return &encoded
}

func (p protocol) identityType(resourceType string) tftypes.Type {
	return p.identities.IdentitySchemas[resourceType].ValueType()
}

// texts decodes the strings of an object.
func texts(t *testing.T, kind tftypes.Type, value *tfprotov6.DynamicValue) map[string]string {
	t.Helper()
	decoded, err := value.Unmarshal(kind)
	if err != nil {
		t.Fatal(err)
	}
	var attributes map[string]tftypes.Value
	if err := decoded.As(&attributes); err != nil {
		t.Fatal(err)
	}
	result := map[string]string{}
	for name, attribute := range attributes {
		var text string
		if attribute.IsKnown() && !attribute.IsNull() && attribute.As(&text) == nil {
			result[name] = text
		}
	}
	return result
}

// create makes a resource, and gives its state and identity.
func (p protocol) create(t *testing.T, resourceType string, given map[string]tftypes.Value) (state, identity map[string]string) {
	t.Helper()
	kind := p.schema.ResourceSchemas[resourceType].ValueType()
	config := dynamic(t, kind, object(kind, given))
	nothing := dynamic(t, kind, tftypes.NewValue(kind, nil))
	planned, err := p.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceType, PriorState: nothing, ProposedNewState: config, Config: config,
	})
	noProblem(t, err, planned.Diagnostics)
	applied, err := p.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceType, PriorState: nothing, PlannedState: planned.PlannedState, Config: config,
		PlannedPrivate: planned.PlannedPrivate, PlannedIdentity: planned.PlannedIdentity,
	})
	noProblem(t, err, applied.Diagnostics)
	return texts(t, kind, applied.NewState), texts(t, p.identityType(resourceType), applied.NewIdentity.IdentityData)
}

// importAndRead imports by identity, and gives what a read says then.
func (p protocol) importAndRead(t *testing.T, resourceType string, by map[string]string) (state, identity map[string]string) {
	t.Helper()
	given := map[string]tftypes.Value{}
	for name, text := range by {
		given[name] = tftypes.NewValue(tftypes.String, text)
	}
	of := p.identityType(resourceType)
	imported, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: resourceType, Identity: &tfprotov6.ResourceIdentityData{IdentityData: dynamic(t, of, object(of, given))},
	})
	noProblem(t, err, imported.Diagnostics)
	found := imported.ImportedResources[0]
	read, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resourceType, CurrentState: found.State, Private: found.Private, CurrentIdentity: found.Identity,
	})
	noProblem(t, err, read.Diagnostics)
	kind := p.schema.ResourceSchemas[resourceType].ValueType()
	return texts(t, kind, read.NewState), texts(t, of, read.NewIdentity.IdentityData)
}

func TestIdentities(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	p := newProtocol(t, w)
	text := func(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }
	for resourceType, test := range map[string]struct {
		given map[string]tftypes.Value
		// identity tells the identity from the state.
		identity func(state map[string]string) map[string]string
	}{
		"neon_api_key": {
			map[string]tftypes.Value{"name": text("k")},
			func(s map[string]string) map[string]string { return map[string]string{"key_id": s["id"]} },
		},
		"neon_org_api_key": {
			map[string]tftypes.Value{"name": text("o")},
			func(s map[string]string) map[string]string {
				return map[string]string{"org_id": w.orgID, "key_id": s["id"]}
			},
		},
		"neon_branch": {
			map[string]tftypes.Value{"project_id": text(w.projectID), "name": text("b")},
			func(s map[string]string) map[string]string {
				return map[string]string{"project_id": w.projectID, "branch_id": s["id"]}
			},
		},
	} {
		t.Run(resourceType, func(t *testing.T) {
			t.Parallel()
			state, identity := p.create(t, resourceType, test.given)
			if want := test.identity(state); !maps.Equal(identity, want) {
				t.Errorf("made with identity %v, want %v", identity, want)
			}
			again, identityAgain := p.importAndRead(t, resourceType, identity)
			if !maps.Equal(identityAgain, identity) {
				t.Errorf("read with identity %v, want %v", identityAgain, identity)
			}
			if again["id"] != state["id"] || again["name"] != state["name"] {
				t.Errorf("imported %v, want id %s and name %s", again, state["id"], state["name"])
			}
		})
	}
	if served := slices.Sorted(maps.Keys(p.identities.IdentitySchemas)); len(served) != 3 {
		t.Errorf("identities of %v", served)
	}
}

// A wrong identity is refused with the right form.
func TestIdentitiesOfAWrongForm(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	p := newProtocol(t, w)
	for resourceType, by := range map[string]map[string]string{
		"neon_api_key":     {"key_id": "one"},
		"neon_org_api_key": {"org_id": w.orgID, "key_id": "-1"},
		"neon_branch":      {"project_id": w.projectID, "branch_id": "no branch"},
	} {
		of := p.identityType(resourceType)
		given := map[string]tftypes.Value{}
		for name, value := range by {
			given[name] = tftypes.NewValue(tftypes.String, value)
		}
		answer, err := p.ImportResourceState(context.Background(), &tfprotov6.ImportResourceStateRequest{
			TypeName: resourceType, Identity: &tfprotov6.ResourceIdentityData{IdentityData: dynamic(t, of, object(of, given))},
		})
		if err != nil || len(answer.Diagnostics) != 1 || answer.Diagnostics[0].Summary != "Invalid import id" {
			t.Errorf("%s: %v %v", resourceType, err, answer.Diagnostics)
		}
	}
}

// With a Terraform that knows identities, import blocks name them.
func TestAccIdentity_import(t *testing.T) {
	w := newBranchWorld(t)
	key, err := w.api.CreateAPIKey(context.Background(), client.APIKeyScope{}, "k")
	if err != nil {
		t.Fatal(err)
	}
	branch := w.makeBranch(t, "b")
	acceptance.ParallelTest(t, acceptance.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_12_0)},
		ProtoV6ProviderFactories: w.factories(),
		Steps: []acceptance.TestStep{{
			Config: w.branchConfig(`name = "b"`) + `
				resource "neon_api_key" "test" { name = "k" }
				import {
					to = neon_branch.test
					identity = { project_id = "` + w.projectID + `", branch_id = "` + branch.ID + `" }
				}
				import {
					to = neon_api_key.test
					identity = { key_id = "` + strconv.FormatInt(key.ID, 10) + `" }
				}`,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectIdentity("neon_branch.test", map[string]knownvalue.Check{
					"project_id": knownvalue.StringExact(w.projectID), "branch_id": knownvalue.StringExact(branch.ID),
				}),
			},
		}},
	})
}

var identityLine = regexp.MustCompile(`(?m)^    (\w+)\s*=\s*"[^"]+"$`)

// The documentation names every part of an identity, and nothing else.
func TestExamples_importByIdentity(t *testing.T) {
	server := NewServer("test").New()
	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	noProblem(t, err, identities.Diagnostics)
	for name, identity := range identities.IdentitySchemas {
		var shown, served []string
		for _, line := range identityLine.FindAllStringSubmatch(readExample(t, "resources/"+name+"/identity.tf"), -1) {
			shown = append(shown, line[1])
		}
		for _, attribute := range identity.IdentityAttributes {
			served = append(served, attribute.Name)
		}
		slices.Sort(shown)
		slices.Sort(served)
		if !slices.Equal(shown, served) {
			t.Errorf("the example of %s has %q; its identity is %q", name, shown, served)
		}
	}
}
