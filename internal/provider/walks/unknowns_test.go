package walks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// laterCase is an attribute, or an element of it, that isn't known when a configuration is planned.
type laterCase struct {
	attribute string
	// unknown are the lines with inprocess.Later in its place, and known are those with values instead.
	unknown string
	known   []string
	// isAlone is true where nothing else differs from what is there, and isTrigger where it replaces whatever it becomes.
	isAlone, isTrigger bool
}

// laterCases are those of an attribute in lines. It turns out to be as it is there, and null where it isn't required.
func laterCases(t *testing.T, lines, name string, attribute described, isAlone bool) (cases []laterCase) {
	t.Helper()
	file, problems := hclsyntax.ParseConfig([]byte(lines), "", hcl.InitialPos)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	first, rest, _ := strings.Cut(name, ".")
	configured, isThere := file.Body.(*hclsyntax.Body).Attributes[first]
	if !isThere {
		return nil
	}
	add := func(value hclsyntax.Expression, isRequired bool) {
		with := func(text string) string {
			return lines[:value.Range().Start.Byte] + text + lines[value.Range().End.Byte:]
		}
		each := laterCase{name, with(inprocess.Later), []string{lines}, isAlone, false}
		if !isRequired {
			each.known = append(each.known, with("null"))
		}
		cases = append(cases, each)
	}
	value := partOf(configured.Expr, rest)
	if value == nil {
		return nil
	}
	add(value, attribute.Required)
	switch value := value.(type) {
	case *hclsyntax.TupleConsExpr:
		for _, element := range value.Exprs[:min(1, len(value.Exprs))] {
			add(element, true)
		}
	case *hclsyntax.ObjectConsExpr:
		for _, item := range value.Items[:min(1, len(value.Items))] {
			if attribute.ValueType().Is(tftypes.Map{}) {
				add(item.ValueExpr, true)
			}
		}
	}
	return cases
}

// partOf is the expression of a nested attribute, also of an object in a list or a map; nil where there is none.
func partOf(of hclsyntax.Expression, name string) hclsyntax.Expression {
	if name == "" {
		return of
	}
	first, rest, _ := strings.Cut(name, ".")
	var elements []hclsyntax.Expression
	switch of := of.(type) {
	case *hclsyntax.TupleConsExpr:
		elements = of.Exprs
	case *hclsyntax.ObjectConsExpr:
		for _, item := range of.Items {
			if key, _ := item.KeyExpr.Value(nil); key.AsString() == first {
				return partOf(item.ValueExpr, rest)
			}
			elements = append(elements, item.ValueExpr)
		}
	}
	for _, element := range elements {
		if part := partOf(element, name); part != nil {
			return part
		}
	}
	return nil
}

// Whatever an attribute turns out to be that isn't known in a plan, Terraform accepts what the provider plans once it
// is: of what isn't there yet, of what has only what it needs, and of what has all. Nothing is replaced because a value
// isn't known yet, whatever a change of it does, but for a trigger.
func TestUnknowns_turnOutAsPlanned(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for noun, schema := range p.Schema.ResourceSchemas {
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			w, resource := newChangeWorld(t, startQuick), acctest.NounResource(t, noun)
			attributes := attributesOf(schema.Block.Attributes, "", nil)
			block := func(lines string) string {
				return w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID)) +
					fmt.Sprintf("resource %q \"test\" {\n%s\n}\n", noun, lines)
			}
			f, err := inprocess.NewForesight(t.Context(), w.Factories()["neon"], block(""))
			if err != nil {
				t.Fatal(err)
			}
			tried := 0
			for i, present := range []nouns.Lines{nil, nil, resource.Whole} {
				if i > 0 {
					if err := f.Apply(t.Context(), block(w.lines(t, noun, present))); err != nil {
						t.Fatal(err)
					}
				}
				plan := plansOnce(t, f, noun+".test", block)
				for _, change := range resource.Changes {
					attribute, is := attributes[change.Attribute], w.lines(t, noun, present)
					becomes := w.lines(t, noun, present.With(change.After))
					cases := laterCases(t, is, change.Attribute, attribute, true)
					// With another project, the branch is another one, too.
					if isAlone := len(change.After) == 1; isAlone || change.Attribute != "project_id" {
						cases = append(cases, laterCases(t, becomes, change.Attribute, attribute, isAlone)...)
					}
					action, _ := attribute.action()
					for _, each := range cases {
						each.isTrigger = change.Attribute == "rotation_triggers" && action == plancheck.ResourceActionReplace
						tried += turnsOut(t, plan, i > 0, each)
					}
				}
			}
			if tried < len(resource.Changes) {
				t.Errorf("of %d attributes, only %d values were tried", len(resource.Changes), tried)
			}
		})
	}
}

// plansOnce plans lines, each once: most cases differ in few.
func plansOnce(
	t *testing.T, f *inprocess.Foresight, address string, block func(string) string,
) func(lines string) (inprocess.Foreseen, error) {
	t.Helper()
	type answer struct {
		foreseen inprocess.Foreseen
		err      error
	}
	planned := map[string]answer{}
	return func(lines string) (inprocess.Foreseen, error) {
		if _, isPlanned := planned[lines]; !isPlanned {
			foreseen, err := f.Plan(t.Context(), block(lines), address)
			planned[lines] = answer{foreseen, err}
		}
		return planned[lines].foreseen, planned[lines].err
	}
}

// turnsOut plans a case, and returns how many values are possible there.
func turnsOut(
	t *testing.T, plan func(lines string) (inprocess.Foreseen, error), isPresent bool, each laterCase,
) (tried int) {
	t.Helper()
	for _, lines := range each.known {
		known, err := plan(lines)
		if err != nil {
			continue // It is refused whenever it is known.
		}
		tried++
		unknown, err := plan(each.unknown)
		switch {
		case err != nil:
		case isPresent && each.isAlone && unknown.Replaces != each.isTrigger:
			err = fmt.Errorf("unknown, it replaces: %t", unknown.Replaces)
		case isPresent && each.isAlone && !each.isTrigger && strings.Contains(strings.Join(unknown.Warnings, "\n"),
			"replace"):
			err = fmt.Errorf("unknown, it says %q", unknown.Warnings)
		case !known.Replaces:
			err = unknown.Becomes(known)
		}
		if err != nil {
			t.Errorf("%s (what has it is there: %t) turns out to be as in\n%s\n%v", each.attribute, isPresent, lines, err)
		}
	}
	return tried
}

// What belongs to an object that the same run replaces is replaced with it, although its new id isn't known yet: a
// branch can't be deleted before its children.
func TestUnknowns_belongToWhatIsReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(lsn string) string {
		return w.ProviderConfig() + fmt.Sprintf(`
resource "neon_branch" "parent" {
  project_id = %[1]q
  name       = "parent"
  %[2]s
}

resource "neon_branch" "child" {
  project_id = %[1]q
  name       = "child"
  parent_id  = neon_branch.parent.id
}
`, w.ProjectID, lsn)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("")},
		resource.TestStep{Config: config(`parent_lsn = "0/1E88480"`),
			ConfigPlanChecks: acctest.ExpectAction("neon_branch.child", plancheck.ResourceActionReplace)},
	)
}
