package walks_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// unknowing plans each change of an object that exists once more, with one attribute unknown, as Terraform does where
// the value comes from a data source that it reads only during the apply.
type unknowing struct {
	tfprotov6.ProviderServer

	t         *testing.T
	schemas   map[string]*tfprotov6.Schema
	attribute []string
	tried     *int
}

func (s unknowing) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	kind := s.schemas[req.TypeName].ValueType()
	prior, err := req.PriorState.Unmarshal(kind)
	proposed, proposedErr := req.ProposedNewState.Unmarshal(kind)
	if err != nil || proposedErr != nil || prior.IsNull() || proposed.IsNull() {
		return s.ProviderServer.PlanResourceChange(ctx, req)
	}
	asked := *req
	asked.Config, asked.ProposedNewState = s.without(req.Config, kind), s.without(req.ProposedNewState, kind)
	resp, err := s.ProviderServer.PlanResourceChange(ctx, &asked)
	if err != nil {
		return nil, err
	}
	*s.tried++
	if s.attribute[0] == "rotation_triggers" {
		if len(resp.RequiresReplace) == 0 {
			s.t.Error("unknown, the trigger replaces nothing")
		}
		return s.ProviderServer.PlanResourceChange(ctx, req)
	}
	if len(resp.RequiresReplace) > 0 {
		s.t.Errorf("unknown, it replaces because of %v", resp.RequiresReplace)
	}
	for _, diagnostic := range resp.Diagnostics {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError || strings.Contains(diagnostic.Detail, "replace") {
			s.t.Errorf("unknown, it says %s: %s", diagnostic.Summary, diagnostic.Detail)
		}
	}
	return s.ProviderServer.PlanResourceChange(ctx, req)
}

// without is a value in which the attribute is unknown.
func (s unknowing) without(value *tfprotov6.DynamicValue, kind tftypes.Type) *tfprotov6.DynamicValue {
	decoded, err := value.Unmarshal(kind)
	if err != nil {
		s.t.Fatal(err)
	}
	at := tftypes.NewAttributePath()
	for _, name := range s.attribute {
		at = at.WithAttributeName(name)
	}
	changed, err := tftypes.Transform(decoded, func(path *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if path.Equal(at) {
			return tftypes.NewValue(value.Type(), tftypes.UnknownValue), nil
		}
		return value, nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return acctest.Dynamic(s.t, kind, changed)
}

// Nothing is replaced because the value of an attribute isn't known yet, whatever a change of it does, but for a
// trigger.
func TestUnknowns_replaceNothing(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for noun, schema := range p.Schema.ResourceSchemas {
		attributes := attributesOf(schema.Block.Attributes, "", nil)
		for _, change := range acctest.NounResource(t, noun).Changes {
			// A seed takes a real database.
			if action, _ := attributes[change.Attribute].action(); action != plancheck.ResourceActionReplace || strings.HasPrefix(change.Attribute, "seed.") {
				continue
			}
			t.Run(noun+"."+change.Attribute, func(t *testing.T) {
				t.Parallel()
				w := newChangeWorld(t, startQuick)
				tried := 0
				factories := w.Factories()
				start := factories["neon"]
				factories["neon"] = func() (tfprotov6.ProviderServer, error) {
					server, err := start()
					return unknowing{server, t, p.Schema.ResourceSchemas, strings.Split(change.Attribute, "."), &tried}, err
				}
				config := w.config(t, noun, change.Before)
				if err := inprocess.Run(t.Context(), resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
					{Config: config}, {Config: config, PlanOnly: true},
				}}); err != nil {
					t.Error(err)
				}
				if tried == 0 {
					t.Error("nothing was planned")
				}
			})
		}
	}
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
		resource.TestStep{Config: config(`parent_lsn = "0/1E88480"`), ConfigPlanChecks: acctest.ExpectAction("neon_branch.child", plancheck.ResourceActionReplace)},
	)
}
