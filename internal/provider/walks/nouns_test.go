package walks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// Each noun says of what it serves what tests and pages need.
func TestNouns_sayWhatIsNeeded(t *testing.T) {
	t.Parallel()
	all := acctest.Nouns(t)
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	pages := map[string]int{}
	for _, noun := range all {
		for _, page := range noun.Pages {
			pages[page.Name]++
		}
	}
	for _, kind := range []string{"resources", "data-sources", "ephemeral-resources", "list-resources", "actions",
		"functions"} {
		for _, name := range acctest.ExampleEntries(t, kind) {
			if pages[name] != 1 {
				t.Errorf("%d blocks page %q in the noun.hcl of all nouns, want one: it puts the pages of that name into a group",
					pages[name], name)
			}
		}
	}
	for name := range p.Schema.ResourceSchemas {
		resource := acctest.NounResource(t, name)
		var identity []string
		if schema, isIdentified := p.Identities.IdentitySchemas[name]; isIdentified {
			for _, attribute := range schema.IdentityAttributes {
				identity = append(identity, attribute.Name)
			}
		}
		_, isListed := p.Schema.ListResourceSchemas[name]
		for _, claim := range []struct {
			holds bool
			says  string
		}{
			{slices.Equal(slices.Sorted(slices.Values(identity)), slices.Sorted(slices.Values(resource.Identity))), "identity are the attributes of its identity and its import id, where it has one"},
			{isListed == (resource.NotListed == ""), "not_listed says why it has no list resource, where it has none"},
			{(resource.Calls != nil) != (resource.NoCalls != ""), "a block calls names those that tests let fail, or no_calls the test that does it instead"},
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

// Where answers are lost by a test of the noun's own, there is such a test.
func TestNouns_loseAnswers(t *testing.T) {
	t.Parallel()
	for folder, noun := range acctest.Nouns(t) {
		tests := ""
		for _, file := range matches(t, filepath.Join("internal", "provider", folder, "*_test.go")) {
			tests += read(t, file)
		}
		for _, resource := range noun.Resources {
			if resource.NoCalls == "" {
				continue
			}
			t.Run(resource.Name, func(t *testing.T) {
				t.Parallel()
				_, test, exists := strings.Cut(tests, "\nfunc "+resource.NoCalls+"(t *testing.T) {")
				body, _, _ := strings.Cut(test, "\n}\n")
				if !exists || !strings.Contains(body, `"lost_`) {
					t.Errorf("no_calls names %q, and no test of that name in internal/provider/%s has a fault lost_before or lost_after: name one that has", resource.NoCalls, folder)
				}
			})
		}
	}
}

// A resource that no release has is in the changelog of the next.
func TestNouns_areInTheChangelog(t *testing.T) {
	t.Parallel()
	released, entries := "", ""
	for _, file := range matches(t, filepath.Join("internal", "provider", "walks", "testdata", "states", "*", "main.tf")) {
		released += read(t, file)
	}
	for _, file := range matches(t, filepath.Join(".changes", "unreleased", "*.yaml")) {
		entries += read(t, file)
	}
	for name := range acctest.NounResources(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(released, "resource \""+name+"\"") && !strings.Contains(entries, "`"+name+"`") {
				t.Errorf("no file of .changes/unreleased names `%s`: run changie new", name)
			}
		})
	}
}

// Of each resource, releases keep a state that later ones must take over.
func TestNouns_areKept(t *testing.T) {
	t.Parallel()
	for folder, noun := range acctest.Nouns(t) {
		for _, resource := range noun.Resources {
			t.Run(resource.Name, func(t *testing.T) {
				t.Parallel()
				kept := keptOf(t, folder, noun)
				if !strings.Contains(kept, "resource \""+resource.Name+"\"") || regexp.MustCompile(`"\$\w`).MatchString(kept) {
					t.Errorf("write a kept.tf with a %s, as what it needs isn't enough for one of which each release keeps a state for later ones to take over:\n%s", resource.Name, kept)
				}
			})
		}
	}
}

// Who imports by an id that isn't one is told what lists the ids, where nobody chose them.
func TestNouns_sayWhatListsThem(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for name, resource := range acctest.NounResources(t) {
		if len(resource.Identity) == 0 || resource.ListedBy == "" ||
			resource.Needs.Has(resource.Identity[len(resource.Identity)-1]) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: name,
				ID: "a/b/c/d/e"})
			if err != nil || len(answer.Diagnostics) == 0 {
				t.Fatalf("%v %v", answer, err)
			}
			if said := answer.Diagnostics[0].Detail; !strings.Contains(said, resource.ListedBy) {
				t.Errorf("an import by an id that isn't one says %q, and not that %s returns the ids: say so in its kit.Resource",
					said, resource.ListedBy)
			}
		})
	}
}

func matches(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(acctest.RepositoryDir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no %s: write one (%v)", pattern, err)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// needed is the configuration that a noun needs, as Terraform sends it.
func (w changeWorld) needed(t *testing.T, p acctest.Protocol, name string) map[string]tftypes.Value {
	t.Helper()
	return w.given(t, p, name, nil)
}

// given is the configuration of a noun with other lines, as Terraform sends it.
func (w changeWorld) given(t *testing.T, p acctest.Protocol, name string, lines nouns.Lines) map[string]tftypes.Value {
	t.Helper()
	file, problems := hclsyntax.ParseConfig([]byte(w.lines(t, name, lines)), name, hcl.InitialPos)
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
