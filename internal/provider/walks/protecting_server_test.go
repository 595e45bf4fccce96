package walks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// What protect names is neither destroyed nor replaced, whatever its resource says, and a plan says so, which names the
// setting; changes in place go on, and so does what it doesn't name.
func TestProtect_resources(t *testing.T) {
	t.Parallel()
	schemas := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})).Schema.ResourceSchemas
	for noun, said := range acctest.NounResources(t) {
		kind := said.Protects
		if kind == "" {
			continue
		}
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			w := newChangeWorld(t, startQuick)
			protected := func(config string, kinds string) string {
				return strings.Replace(config, "provider \"neon\" {\n", "provider \"neon\" {\n  protect = ["+kinds+"]\n", 1)
			}
			others := slices.DeleteFunc([]string{`"project"`, `"branch"`, `"database"`},
				func(other string) bool { return other == `"`+kind+`"` })
			all := `"project", "branch", "database"`
			refuses := func(what string) *resource.TestStep {
				return &resource.TestStep{ExpectError: acctest.InOrder("The provider protects each "+kind, what,
					"by protect of the provider block", `take "`+kind+`" out`)}
			}
			attributes := attributesOf(schemas[noun].Block.Attributes, "", nil)
			plain := w.config(t, noun, said.Whole)
			at := slices.IndexFunc(said.Changes, func(change nouns.Change) bool {
				action, _ := attributes[change.Attribute].action()
				return action == plancheck.ResourceActionReplace && change.Only == ""
			})
			replaced := refuses("replaces the " + kind)
			replaced.Config = protected(w.config(t, noun, said.Changes[at].After), `"`+kind+`"`)
			replaced.PreConfig = func() { w.ForgetRequests(t) }
			destroyed := refuses("would be destroyed")
			destroyed.Config, destroyed.Destroy = protected(plain, `"`+kind+`"`), true
			removed := refuses("would be destroyed")
			removed.Config = protected(w.ProviderConfig(), `"`+kind+`"`)
			runHere(t, w, resource.TestStep{Config: protected(plain, all)}, *replaced, *destroyed, *removed,
				resource.TestStep{Config: protected(plain, all), PlanOnly: true, PreConfig: func() { wroteNothing(t, w.World) }},
				resource.TestStep{Config: protected(w.ProviderConfig(), strings.Join(others, ", "))})
		})
	}
}

func protectOf(kinds ...string) map[string]tftypes.Value {
	values := make([]tftypes.Value, len(kinds))
	for i, kind := range kinds {
		values[i] = acctest.Text(kind)
	}
	return map[string]tftypes.Value{"protect": tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, values)}
}

// The plan for -replace tells of what is there by its private data alone, and what no plan has refused the apply
// refuses, which keeps the state.
func TestProtect_whatOnlyTerraformReplaces(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	p := acctest.NewProtocolWith(t, w, protectOf("project"))
	given := acctest.Texts(map[string]string{"name": "shop"})
	created := acctest.NewProtocol(t, w).Created(t, "neon_project", given)
	kind := p.Schema.ResourceSchemas["neon_project"].ValueType()
	kept, err := p.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: "neon_project", PriorState: created.NewState, ProposedNewState: created.NewState,
		PriorPrivate: created.Private,
		Config:       acctest.Dynamic(t, kind, acctest.Object(kind, given)),
	})
	acctest.NoProblem(t, err, kept.Diagnostics)
	created.Private = kept.PlannedPrivate
	for what, said := range map[string]string{
		"would be replaced, by -replace or replace_triggered_by": p.PlanReplacement(t, "neon_project", created, given),
		"run terraform untaint":                                  p.Destroy(t, "neon_project", created),
	} {
		if !strings.Contains(said, "The provider protects each project") || !strings.Contains(said, what) {
			t.Errorf("want %q, got %q", what, said)
		}
	}
	if left := len(w.Objects(t).Projects); left != 2 {
		t.Errorf("there are %d projects, want the first and this one", left)
	}
	if said := p.PlanCreation(t, "neon_project", given); said != "" {
		t.Errorf("a creation is refused: %s", said)
	}
}
