package walks_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Each noun says of what it serves what tests and pages need.
func TestNouns_sayWhatIsNeeded(t *testing.T) {
	t.Parallel()
	all := acctest.Nouns(t)
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	pages := map[string]int{}
	for folder, noun := range all {
		for _, page := range noun.Pages {
			pages[page.Name]++
		}
		for _, other := range noun.LeadsTo {
			if _, ok := all[other]; !ok {
				t.Errorf("%s/noun.hcl leads to %q, which is no folder of a noun", folder, other)
			}
		}
	}
	for _, kind := range []string{"resources", "data-sources", "ephemeral-resources", "list-resources", "actions", "functions"} {
		for _, name := range acctest.ExampleEntries(t, kind) {
			if pages[name] != 1 {
				t.Errorf("%d blocks page %q in the noun.hcl of all nouns, want one: it puts the pages of that name into a group", pages[name], name)
			}
		}
	}
	for name := range p.Schema.ResourceSchemas {
		resource := acctest.NounResource(t, name)
		_, isIdentified := p.Identities.IdentitySchemas[name]
		_, isListed := p.Schema.ListResourceSchemas[name]
		for _, claim := range []struct {
			holds bool
			says  string
		}{
			{isIdentified == (len(resource.Identity) > 0), "identity are the attributes of its identity and its import id, where it has one"},
			{isListed == (resource.NotListed == ""), "not_listed says why it has no list resource, where it has none"},
			{(resource.Calls != nil) != (resource.NoCalls != ""), "a block calls names those that tests let fail, or no_calls says why there is none"},
			{len(resource.Several) > 0 || resource.Few != "", "several are the lines of many side by side, or few says why a plan over many isn't counted"},
			{resource.Calls == nil || len(resource.Several) > 0, "with calls, it needs several"},
		} {
			if !claim.holds {
				t.Errorf("noun.hcl, resource %q: %s", name, claim.says)
			}
		}
	}
	for name := range acctest.NounResources(t) {
		if p.Schema.ResourceSchemas[name] == nil {
			t.Errorf("the provider serves no resource %s", name)
		}
	}
}

// needed is the configuration that a noun needs, as Terraform sends it.
func (w changeWorld) needed(t *testing.T, p acctest.Protocol, name string) map[string]tftypes.Value {
	t.Helper()
	file, problems := hclsyntax.ParseConfig([]byte(w.lines(t, name, nil)), name, hcl.InitialPos)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	attributes, _ := file.Body.JustAttributes()
	object := map[string]json.RawMessage{}
	for attribute, expression := range attributes {
		value, problems := expression.Expr.Value(nil)
		text, err := ctyjson.Marshal(value, value.Type())
		if problems.HasErrors() || err != nil {
			t.Fatal(problems, err)
		}
		object[attribute] = text
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := (&tfprotov6.RawState{JSON: text}).Unmarshal(p.Schema.ResourceSchemas[name].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]tftypes.Value{}
	if err := decoded.As(&given); err != nil {
		t.Fatal(err)
	}
	for attribute := range given {
		if _, isGiven := object[attribute]; !isGiven {
			delete(given, attribute)
		}
	}
	return given
}
