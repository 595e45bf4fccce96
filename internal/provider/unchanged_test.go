package provider_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// countingFramework is the framework's server, counts what it is asked, and remembers its last plan.
type countingFramework struct {
	provider.FrameworkServer

	asked   int
	planned *tfprotov6.PlanResourceChangeResponse
}

func (f *countingFramework) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	f.asked++
	planned, err := f.FrameworkServer.PlanResourceChange(ctx, req)
	if err == nil {
		answer := *planned
		f.planned = &answer
	}
	return planned, err
}

// plan is what the framework has planned, or else plans.
func (f *countingFramework) plan(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if f.planned == nil {
		return f.PlanResourceChange(ctx, req)
	}
	return f.planned, nil
}

func (f *countingFramework) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	f.asked++
	return f.FrameworkServer.ReadResource(ctx, req)
}

// comparison asks the server and the framework alone the same.
type comparison struct {
	acctest.Protocol

	framework *countingFramework
	kind      string
}

func compareWithFramework(t *testing.T, w *acctest.World, kind string) comparison {
	t.Helper()
	framework := &countingFramework{}
	server := provider.NewUnchangedServer(func(plain provider.FrameworkServer) provider.FrameworkServer {
		framework.FrameworkServer = plain
		return framework
	})
	return comparison{acctest.ConfiguredProtocol(t, w, server), framework, kind}
}

func (c comparison) schemaType() tftypes.Object {
	return c.Schema.ResourceSchemas[c.kind].ValueType().(tftypes.Object)
}

// stored is the state of what exists, with what is changed in it, and its identity.
func (c comparison) stored(
	t *testing.T, by map[string]string, changed map[string]tftypes.Value,
) (*tfprotov6.DynamicValue, *tfprotov6.ResourceIdentityData) {
	t.Helper()
	given := map[string]tftypes.Value{}
	for name, value := range by {
		given[name] = acctest.Text(value)
	}
	of := c.IdentityType(c.kind)
	imported, err := c.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: c.kind, Identity: &tfprotov6.ResourceIdentityData{IdentityData: acctest.Dynamic(t, of, acctest.Object(of, given))},
	})
	acctest.NoProblem(t, err, imported.Diagnostics)
	found := imported.ImportedResources[0]
	read, err := c.framework.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: c.kind, CurrentState: found.State, Private: found.Private, CurrentIdentity: found.Identity,
	})
	acctest.NoProblem(t, err, read.Diagnostics)
	if len(read.Private) != 0 {
		t.Errorf("after the import, the private state is %s", read.Private)
	}
	return c.with(t, read.NewState, changed), read.NewIdentity
}

func (c comparison) with(t *testing.T, state *tfprotov6.DynamicValue, changed map[string]tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	attributes := map[string]tftypes.Value{}
	if err := c.decoded(t, state).As(&attributes); err != nil {
		t.Fatal(err)
	}
	maps.Copy(attributes, changed)
	return acctest.Dynamic(t, c.schemaType(), tftypes.NewValue(c.schemaType(), attributes))
}

func (c comparison) decoded(t *testing.T, value *tfprotov6.DynamicValue) tftypes.Value {
	t.Helper()
	decoded, err := value.Unmarshal(c.schemaType())
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

func (c comparison) sameValue(t *testing.T, what string, got, want *tfprotov6.DynamicValue) {
	t.Helper()
	if got, want := c.decoded(t, got), c.decoded(t, want); !got.Equal(want) {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

func (c comparison) sameIdentity(t *testing.T, got, want *tfprotov6.ResourceIdentityData) {
	t.Helper()
	if got == nil || want == nil {
		if got != want {
			t.Errorf("identity: got %v, want %v", got, want)
		}
		return
	}
	decode := func(identity *tfprotov6.ResourceIdentityData) tftypes.Value {
		value, err := identity.IdentityData.Unmarshal(c.IdentityType(c.kind))
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	if got, want := decode(got), decode(want); !got.Equal(want) {
		t.Errorf("identity: got %s, want %s", got, want)
	}
}

func sameDiagnostics(t *testing.T, got, want []*tfprotov6.Diagnostic) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b *tfprotov6.Diagnostic) bool {
		return a.Severity == b.Severity && a.Summary == b.Summary && a.Detail == b.Detail
	}) {
		t.Errorf("it says %s, want %s", said(got), said(want))
	}
}

func samePrivate(t *testing.T, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("private state: got %s, want %s", got, want)
	}
}

// askBoth gives both answers, and whether the server's needed the framework.
func askBoth[Request, Answer any](
	t *testing.T, c comparison, req Request, server, framework func(context.Context, Request) (Answer, error),
) (got, want Answer, asked bool) {
	t.Helper()
	c.framework.asked = 0
	got, err := server(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	asked = c.framework.asked > 0
	if want, err = framework(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	return got, want, asked
}

// plan compares what is planned, and tells whether the framework was needed.
func (c comparison) plan(t *testing.T, req *tfprotov6.PlanResourceChangeRequest) bool {
	t.Helper()
	c.framework.planned = nil
	got, want, asked := askBoth(t, c, req, c.PlanResourceChange, c.framework.plan)
	sameDiagnostics(t, got.Diagnostics, want.Diagnostics)
	c.sameValue(t, "plan", got.PlannedState, want.PlannedState)
	c.sameIdentity(t, got.PlannedIdentity, want.PlannedIdentity)
	samePrivate(t, got.PlannedPrivate, want.PlannedPrivate)
	if got, want := fmt.Sprint(got.RequiresReplace), fmt.Sprint(want.RequiresReplace); got != want {
		t.Errorf("it replaces because of %s, want %s", got, want)
	}
	return asked
}

func aBool(value bool) tftypes.Value { return tftypes.NewValue(tftypes.Bool, value) }

// What is planned is what the framework plans.
func TestUnchanged_plansBranches(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	c := compareWithFramework(t, w.World, "neon_branch")
	branch := w.MakeBranch(t, "b")
	w.MakeEndpoint(t, branch.ID, client.EndpointReadWrite)
	state, identity := c.stored(t, map[string]string{"project_id": w.ProjectID, "id": branch.ID}, nil)
	for name, test := range map[string]struct {
		// state is what the state says besides, config what is configured.
		state, config map[string]tftypes.Value
		private       string
		mayDefer      bool
		framework     bool
	}{
		"nothing changes":      {},
		"may be deferred":      {mayDefer: true, framework: true},
		"no private state":     {private: "{}"},
		"pending":              {private: `{"unfinished":"eyJvcGVyYXRpb25zIjpbIm8iXX0="}`, framework: true},
		"renamed":              {config: map[string]tftypes.Value{"name": acctest.Text("c")}, framework: true},
		"of another parent":    {config: map[string]tftypes.Value{"parent_id": acctest.Text("br-other")}, framework: true},
		"unprotected":          {config: map[string]tftypes.Value{"protected": aBool(false)}},
		"protected":            {config: map[string]tftypes.Value{"protected": aBool(true)}, framework: true},
		"was protected":        {state: map[string]tftypes.Value{"protected": aBool(true)}},
		"stays protected":      {state: map[string]tftypes.Value{"protected": aBool(true)}, config: map[string]tftypes.Value{"protected": aBool(true)}},
		"protection not known": {state: map[string]tftypes.Value{"protected": tftypes.NewValue(tftypes.Bool, nil)}},
		"name not known":       {config: map[string]tftypes.Value{"name": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}, framework: true},
	} {
		t.Run(name, func(t *testing.T) {
			prior := c.with(t, state, test.state)
			configured := map[string]tftypes.Value{"project_id": acctest.Text(w.ProjectID), "name": acctest.Text("b")}
			maps.Copy(configured, test.config)
			config := acctest.Dynamic(t, c.schemaType(), acctest.Object(c.schemaType(), configured))
			for _, identity := range []*tfprotov6.ResourceIdentityData{nil, identity} {
				asked := c.plan(t, &tfprotov6.PlanResourceChangeRequest{
					TypeName: c.kind, PriorState: prior, ProposedNewState: c.with(t, prior, test.config), Config: config,
					PriorPrivate: []byte(test.private), PriorIdentity: identity,
					ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: test.mayDefer},
				})
				if asked != test.framework {
					t.Errorf("the framework was asked: %t", asked)
				}
			}
		})
	}
}

// hasDefaults knows no other defaults than those of booleans, at the top and in elements of maps.
func TestUnchanged_knowsTheDefaults(t *testing.T) {
	t.Parallel()
	for name, kind := range provider.UncheckedTypes() {
		if found := withDefaults(withoutBooleans(kind.Attributes)); len(found) > 0 {
			t.Errorf("%s: %q have defaults", name, found)
		}
	}
}

func withoutBooleans(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	others := maps.Clone(attributes)
	maps.DeleteFunc(others, func(_ string, attribute schema.Attribute) bool {
		_, isBoolean := attribute.(schema.BoolAttribute)
		return isBoolean
	})
	return others
}

// withDefaults returns the names of the attributes that have a default, at any depth.
func withDefaults(attributes map[string]schema.Attribute) []string {
	var found []string
	for name, attribute := range attributes {
		switch nested := attribute.(type) {
		case schema.MapNestedAttribute:
			found = append(found, withDefaults(withoutBooleans(nested.NestedObject.Attributes))...)
		case schema.ListNestedAttribute:
			found = append(found, withDefaults(nested.NestedObject.Attributes)...)
		case schema.SetNestedAttribute:
			found = append(found, withDefaults(nested.NestedObject.Attributes)...)
		case schema.SingleNestedAttribute:
			found = append(found, withDefaults(nested.Attributes)...)
		}
		field := reflect.ValueOf(attribute).FieldByName("Default")
		if field.IsValid() && !field.IsNil() {
			found = append(found, name)
		}
	}
	return found
}

// Whatever a state has in an attribute, configured or not, the plan without changes is
// the framework's.
func TestUnchanged_plansEachAttribute(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	neon := acctest.NewProtocol(t, w)
	for kind, described := range neon.Schema.ResourceSchemas {
		t.Run(kind, func(t *testing.T) {
			c := compareWithFramework(t, w, kind)
			spared := 0
			for _, attribute := range described.Block.Attributes {
				for _, value := range append(samples(attribute), tftypes.NewValue(attribute.ValueType(), nil)) {
					for _, isConfigured := range []bool{true, false} {
						if !c.planSample(t, described.Block.Attributes, attribute.Name, value, isConfigured) {
							spared++
						}
					}
				}
			}
			_, unchecked := provider.UncheckedTypes()[kind]
			if unchecked != (spared > 0) {
				t.Errorf("unchecked: %t, but the framework wasn't asked %d times", unchecked, spared)
			}
		})
	}
}

// planSample plans a resource whose state has all attributes, one of them with this
// value, and whose configuration has all that can be in it but, perhaps, that one.
func (c comparison) planSample(
	t *testing.T, attributes []*tfprotov6.SchemaAttribute, name string, value tftypes.Value, isConfigured bool,
) (askedFramework bool) {
	t.Helper()
	stored, configured := map[string]tftypes.Value{}, map[string]tftypes.Value{}
	for _, attribute := range attributes {
		stored[attribute.Name] = samples(attribute)[0]
		if attribute.Name == name {
			stored[name] = value
		}
		if (attribute.Optional || attribute.Required) && (attribute.Name != name || isConfigured) {
			configured[attribute.Name] = stored[attribute.Name]
		}
	}
	state := acctest.Dynamic(t, c.schemaType(), acctest.Object(c.schemaType(), stored))
	return c.plan(t, &tfprotov6.PlanResourceChangeRequest{
		TypeName: c.kind, PriorState: state, ProposedNewState: state,
		Config: acctest.Dynamic(t, c.schemaType(), acctest.Object(c.schemaType(), configured)),
	})
}

// samples returns values that an attribute may have.
func samples(attribute *tfprotov6.SchemaAttribute) []tftypes.Value {
	return samplesOf(attribute.Name, attribute.ValueType())
}

func samplesOf(name string, of tftypes.Type) []tftypes.Value {
	switch of := of.(type) {
	case tftypes.Object:
		values := map[string]tftypes.Value{}
		for name, of := range of.AttributeTypes {
			values[name] = samplesOf(name, of)[0]
		}
		found := []tftypes.Value{tftypes.NewValue(of, values)}
		for name, attribute := range of.AttributeTypes {
			changed := maps.Clone(values)
			for _, value := range append(samplesOf(name, attribute), tftypes.NewValue(attribute, nil)) {
				changed[name] = value
				found = append(found, tftypes.NewValue(of, maps.Clone(changed)))
			}
		}
		return found
	case tftypes.Map:
		found := []tftypes.Value{}
		for _, element := range samplesOf(name, of.ElementType) {
			found = append(found, tftypes.NewValue(of, map[string]tftypes.Value{"a": element}))
		}
		return append(found, tftypes.NewValue(of, map[string]tftypes.Value{}))
	case tftypes.Set:
		elements := samplesOf(name, of.ElementType)
		slices.SortFunc(elements, func(a, b tftypes.Value) int { return strings.Compare(a.String(), b.String()) })
		elements = slices.CompactFunc(elements, tftypes.Value.Equal) // No set has an element twice.
		return []tftypes.Value{tftypes.NewValue(of, elements), tftypes.NewValue(of, []tftypes.Value{})}
	}
	switch {
	case of.Is(tftypes.Bool):
		return []tftypes.Value{aBool(false), aBool(true)}
	case of.Is(tftypes.Number):
		return []tftypes.Value{acctest.Number(1), acctest.Number(2)}
	case strings.HasSuffix(name, "_at"), strings.HasSuffix(name, "timestamp"):
		return []tftypes.Value{acctest.Text("2030-01-02T03:04:05Z"), acctest.Text("2030-01-02T04:04:05+01:00")}
	case slices.Contains([]string{"create", "update", "delete"}, name):
		return []tftypes.Value{acctest.Text("10m")}
	case name == "type":
		return []tftypes.Value{acctest.Text(client.EndpointReadWrite), acctest.Text(client.EndpointReadOnly)}
	}
	return []tftypes.Value{acctest.Text("some-" + strings.ReplaceAll(name, "_", "-"))}
}

// said are diagnostics as a person reads them.
func said(diags []*tfprotov6.Diagnostic) (texts []string) {
	for _, problem := range diags {
		texts = append(texts, problem.Summary+": "+problem.Detail)
	}
	return texts
}
