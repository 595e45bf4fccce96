package provider

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// countingFramework is the framework's server, and counts what it is asked.
type countingFramework struct {
	frameworkServer

	asked int
}

func (f *countingFramework) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	f.asked++
	return f.frameworkServer.ReadResource(ctx, req)
}

func (f *countingFramework) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	f.asked++
	return f.frameworkServer.PlanResourceChange(ctx, req)
}

// comparison asks the server and the framework alone the same.
type comparison struct {
	protocol

	framework *countingFramework
	kind      string
}

func compareWithFramework(t *testing.T, w *world, kind string) comparison {
	t.Helper()
	neon := &neonProvider{version: "test", opened: &openedKeys{}}
	framework := &countingFramework{frameworkServer: providerserver.NewProtocol6(neon)().(frameworkServer)}
	return comparison{configuredProtocol(t, w, &unchangedServer{framework, neon}), framework, kind}
}

func (c comparison) schemaType() tftypes.Object {
	return c.schema.ResourceSchemas[c.kind].ValueType().(tftypes.Object)
}

// stored is the state of what exists, with what is changed in it, and its identity.
func (c comparison) stored(
	t *testing.T, by map[string]string, changed map[string]tftypes.Value,
) (*tfprotov6.DynamicValue, *tfprotov6.ResourceIdentityData) {
	t.Helper()
	given := map[string]tftypes.Value{}
	for name, value := range by {
		given[name] = text(value)
	}
	of := c.identityType(c.kind)
	imported, err := c.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: c.kind, Identity: &tfprotov6.ResourceIdentityData{IdentityData: dynamic(t, of, object(of, given))},
	})
	noProblem(t, err, imported.Diagnostics)
	found := imported.ImportedResources[0]
	read, err := c.framework.frameworkServer.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: c.kind, CurrentState: found.State, Private: found.Private, CurrentIdentity: found.Identity,
	})
	noProblem(t, err, read.Diagnostics)
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
	return dynamic(t, c.schemaType(), tftypes.NewValue(c.schemaType(), attributes))
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
	decode := func(identity *tfprotov6.ResourceIdentityData) tftypes.Value {
		value, err := identity.IdentityData.Unmarshal(c.identityType(c.kind))
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	if got, want := decode(got), decode(want); !got.Equal(want) {
		t.Errorf("identity: got %s, want %s", got, want)
	}
}

var requestID = regexp.MustCompile(`request id \S+`)

func sameDiagnostics(t *testing.T, got, want []*tfprotov6.Diagnostic) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b *tfprotov6.Diagnostic) bool {
		return a.Severity == b.Severity && a.Summary == b.Summary && requestID.ReplaceAllString(a.Detail, "") == requestID.ReplaceAllString(b.Detail, "")
	}) {
		t.Errorf("it says %v, want %v", got, want)
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

// read compares what is read, and tells whether the framework was needed.
func (c comparison) read(
	t *testing.T, state *tfprotov6.DynamicValue, identity *tfprotov6.ResourceIdentityData, private string,
) bool {
	t.Helper()
	req := &tfprotov6.ReadResourceRequest{
		TypeName: c.kind, CurrentState: state, CurrentIdentity: identity, Private: []byte(private),
	}
	got, want, asked := askBoth(t, c, req, c.ReadResource, c.framework.ReadResource)
	sameDiagnostics(t, got.Diagnostics, want.Diagnostics)
	c.sameValue(t, "state", got.NewState, want.NewState)
	c.sameIdentity(t, got.NewIdentity, want.NewIdentity)
	samePrivate(t, got.Private, want.Private)
	return asked
}

// plan compares what is planned, and tells whether the framework was needed.
func (c comparison) plan(t *testing.T, req *tfprotov6.PlanResourceChangeRequest) bool {
	t.Helper()
	got, want, asked := askBoth(t, c, req, c.PlanResourceChange, c.framework.PlanResourceChange)
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

// What is read of a branch is what the framework reads, and the framework isn't asked
// for what hasn't changed.
func TestUnchanged_readsBranches(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	endpoints := compareWithFramework(t, w.world, "neon_branch").schemaType().AttributeTypes["endpoints"]
	for name, test := range map[string]struct {
		// state is what the state says besides.
		state map[string]tftypes.Value
		// happens is what happens to the branch then.
		happens   func(branch client.Branch)
		private   string
		framework bool
	}{
		"nothing happens":      {},
		"endpoints unmanaged":  {state: map[string]tftypes.Value{"endpoints": tftypes.NewValue(endpoints, nil)}},
		"no endpoints managed": {state: map[string]tftypes.Value{"endpoints": tftypes.NewValue(endpoints, map[string]tftypes.Value{})}},
		"no private state":     {private: "{}"},
		"pending":              {private: `{"pending_creation":"eyJvcGVyYXRpb25zIjpbXX0="}`, framework: true},
		"renamed":              {happens: func(b client.Branch) { w.renameBranch(t, b.ID, b.Name+" renamed") }, framework: true},
		"deleted":              {happens: func(b client.Branch) { w.deleteBranch(t, b.ID) }, framework: true},
		"another endpoint":     {happens: func(b client.Branch) { w.makeEndpoint(t, b.ID, client.EndpointReadOnly) }},
		"endpoint deleted": {happens: func(b client.Branch) {
			w.deleteEndpoint(t, w.endpoints(t, b.ID)[0].ID)
		}, framework: true},
		"expires": {happens: func(b client.Branch) {
			soon := time.Now().Add(240 * time.Hour)
			_, operations, err := w.api.UpdateBranch(t.Context(), w.projectID, b.ID, client.BranchUpdate{ExpiresAt: &soon})
			w.settle(t, operations, err)
		}, framework: true},
		"endpoint changed": {happens: func(b client.Branch) {
			size := 1.5
			_, operations, err := w.api.UpdateEndpoint(t.Context(), w.projectID, w.endpoints(t, b.ID)[0].ID,
				client.EndpointUpdate{EndpointSettings: client.EndpointSettings{AutoscalingLimitMaxCU: &size}})
			w.settle(t, operations, err)
		}, framework: true},
		"was protected": {state: map[string]tftypes.Value{"protected": aBool(true)}, framework: true},
		"strange":       {state: map[string]tftypes.Value{"created_at": text("at dawn")}, framework: true},
	} {
		t.Run(name, func(t *testing.T) {
			branch := w.makeBranch(t, name)
			w.makeEndpoint(t, branch.ID, client.EndpointReadWrite)
			by := map[string]string{"project_id": w.projectID, "branch_id": branch.ID}
			// Each has a client of its own, since those share what they have read.
			state, identity := compareWithFramework(t, w.world, "neon_branch").stored(t, by, test.state)
			if test.happens != nil {
				test.happens(branch)
			}
			for _, identity := range []*tfprotov6.ResourceIdentityData{nil, identity} {
				now := compareWithFramework(t, w.world, "neon_branch")
				if asked := now.read(t, state, identity, test.private); asked != test.framework {
					t.Errorf("the framework was asked: %t", asked)
				}
			}
		})
	}
}

// The same of keys.
func TestUnchanged_readsKeys(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	for name, test := range map[string]struct {
		kind  string
		scope client.APIKeyScope
	}{
		"personal":       {"neon_api_key", client.APIKeyScope{}},
		"organization's": {"neon_org_api_key", client.APIKeyScope{OrgID: w.orgID}},
		"project's":      {"neon_org_api_key", client.APIKeyScope{OrgID: w.orgID, ProjectID: w.projectID}},
	} {
		t.Run(name, func(t *testing.T) {
			key, err := w.api.CreateAPIKey(t.Context(), test.scope, name)
			if err != nil {
				t.Fatal(err)
			}
			by := map[string]string{"key_id": strconv.FormatInt(key.ID, 10)}
			if test.scope.OrgID != "" {
				by["org_id"] = test.scope.OrgID
			}
			c := compareWithFramework(t, w.world, test.kind)
			state, identity := c.stored(t, by, nil)
			if c.read(t, state, identity, "") || c.read(t, state, nil, "") {
				t.Error("the framework was asked for what hasn't changed")
			}
			other := c.with(t, state, map[string]tftypes.Value{"name": text("other")})
			if !c.read(t, other, identity, "") {
				t.Error("another name isn't seen")
			}
			if err := w.api.RevokeAPIKey(t.Context(), test.scope, key.ID); err != nil {
				t.Fatal(err)
			}
			if !compareWithFramework(t, w.world, test.kind).read(t, state, identity, "") {
				t.Error("the key is still there")
			}
		})
	}
}

// What can't be read is said as the framework says it.
func TestUnchanged_failsToRead(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	w.maxRetries = 0
	branch := w.makeBranch(t, "b")
	c := compareWithFramework(t, w.world, "neon_branch")
	state, identity := c.stored(t, map[string]string{"project_id": w.projectID, "branch_id": branch.ID}, nil)
	w.addFault(t, fault{Route: "*", Kind: "status", Status: http.StatusForbidden, Count: 1000})
	if c.read(t, state, identity, "") {
		t.Error("the platform was asked twice")
	}
}

// What is planned is what the framework plans.
func TestUnchanged_plansBranches(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	c := compareWithFramework(t, w.world, "neon_branch")
	branch := w.makeBranch(t, "b")
	w.makeEndpoint(t, branch.ID, client.EndpointReadWrite)
	state, identity := c.stored(t, map[string]string{"project_id": w.projectID, "branch_id": branch.ID}, nil)
	for name, test := range map[string]struct {
		// state is what the state says besides, config what is configured.
		state, config map[string]tftypes.Value
		private       string
		framework     bool
	}{
		"nothing changes":      {},
		"no private state":     {private: "{}"},
		"pending":              {private: `{"pending_creation":"eyJvcGVyYXRpb25zIjpbIm8iXX0="}`, framework: true},
		"renamed":              {config: map[string]tftypes.Value{"name": text("c")}, framework: true},
		"of another parent":    {config: map[string]tftypes.Value{"parent_id": text("br-other")}, framework: true},
		"unprotected":          {config: map[string]tftypes.Value{"protected": aBool(false)}},
		"protected":            {config: map[string]tftypes.Value{"protected": aBool(true)}, framework: true},
		"was protected":        {state: map[string]tftypes.Value{"protected": aBool(true)}, framework: true},
		"stays protected":      {state: map[string]tftypes.Value{"protected": aBool(true)}, config: map[string]tftypes.Value{"protected": aBool(true)}, framework: true},
		"protection not known": {state: map[string]tftypes.Value{"protected": tftypes.NewValue(tftypes.Bool, nil)}, framework: true},
		"name not known":       {config: map[string]tftypes.Value{"name": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}, framework: true},
	} {
		t.Run(name, func(t *testing.T) {
			prior := c.with(t, state, test.state)
			configured := map[string]tftypes.Value{"project_id": text(w.projectID), "name": text("b")}
			maps.Copy(configured, test.config)
			config := dynamic(t, c.schemaType(), object(c.schemaType(), configured))
			for _, identity := range []*tfprotov6.ResourceIdentityData{nil, identity} {
				asked := c.plan(t, &tfprotov6.PlanResourceChangeRequest{
					TypeName: c.kind, PriorState: prior, ProposedNewState: c.with(t, prior, test.config), Config: config,
					PriorPrivate: []byte(test.private), PriorIdentity: identity,
				})
				if asked != test.framework {
					t.Errorf("the framework was asked: %t", asked)
				}
			}
		})
	}
}

// hasDefaultValues must know of each default.
func TestUnchanged_knowsTheDefaults(t *testing.T) {
	t.Parallel()
	var answer resource.SchemaResponse
	newBranchResource().Schema(t.Context(), resource.SchemaRequest{}, &answer)
	if found := withDefaults(answer.Schema.Attributes); !slices.Equal(found, []string{"protected"}) {
		t.Errorf("%q have defaults", found)
	}
}

func withDefaults(attributes map[string]schema.Attribute) []string {
	var found []string
	for name, attribute := range attributes {
		if nested, ok := attribute.(schema.MapNestedAttribute); ok {
			found = append(found, withDefaults(nested.NestedObject.Attributes)...)
		}
		field := reflect.ValueOf(attribute).FieldByName("Default")
		if field.IsValid() && !field.IsNil() {
			found = append(found, name)
		}
	}
	return found
}

// A state may hold anything that Terraform can write.
func FuzzStoredObject(f *testing.F) {
	f.Add([]byte("\x82\xa4name\xa1b\xa9endpoints\x81\xa1a\x80"))
	f.Add([]byte("\x81\xa4name\xd4\x00\x00"))
	f.Add([]byte("\xc0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		stored := storedObjectOf(&tfprotov6.DynamicValue{MsgPack: data})
		if stored == nil {
			return
		}
		branch, _ := storedBranch(stored)
		if name := branch.Name; !stored.strange && name.IsUnknown() {
			t.Errorf("the name of %q isn't known", data)
		}
	})
}
