package branch_test

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/branch"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// branchCalls carries Create, Update and Delete out without Terraform, with a
// grace period for failed operations that a test can wait for.
type branchCalls struct {
	resource.Resource

	schema resource.SchemaResponse
}

func newBranchCalls(t *testing.T, w *acctest.BranchWorld) branchCalls {
	t.Helper()
	api, err := client.New(client.Config{
		BaseURL: w.BaseURL, APIKey: w.APIKey, MaxRetries: 2, OperationGrace: 300 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	calls := branchCalls{Resource: configuredBranch(api)}
	calls.Schema(context.Background(), resource.SchemaRequest{}, &calls.schema)
	return calls
}

// configuredBranch returns the resource as a provider with this client has it.
func configuredBranch(api *client.Client) resource.Resource {
	branch := branch.NewResource()
	branch.(resource.ResourceWithConfigure).Configure(context.Background(),
		resource.ConfigureRequest{ProviderData: &kit.Platform{Client: api}}, &resource.ConfigureResponse{})
	return branch
}

// object is a plan in which everything that isn't given is unknown where the
// platform fills it in, and null elsewhere.
func (c branchCalls) object(t *testing.T, given map[string]tftypes.Value) tftypes.Value {
	t.Helper()
	ctx := context.Background()
	values := map[string]tftypes.Value{}
	for name, attribute := range c.schema.Schema.Attributes {
		kind := attribute.GetType().TerraformType(ctx)
		switch value, ok := given[name]; {
		case ok:
			values[name] = value
		case attribute.IsComputed():
			values[name] = tftypes.NewValue(kind, tftypes.UnknownValue)
		default:
			values[name] = tftypes.NewValue(kind, nil)
		}
	}
	return tftypes.NewValue(c.schema.Schema.Type().TerraformType(ctx), values)
}

func (c branchCalls) endpointType() attr.Type {
	return c.schema.Schema.Attributes["endpoints"].GetType().(types.MapType).ElemType
}

// Endpoints is a planned map of endpoints of a type each.
func (c branchCalls) endpoints(kinds map[string]string) tftypes.Value {
	element := c.endpointType().TerraformType(context.Background()).(tftypes.Object)
	elements := map[string]tftypes.Value{}
	for label, kind := range kinds {
		values := map[string]tftypes.Value{}
		for name, of := range element.AttributeTypes {
			values[name] = tftypes.NewValue(of, tftypes.UnknownValue)
		}
		values["type"] = tftypes.NewValue(tftypes.String, kind)
		elements[label] = tftypes.NewValue(element, values)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: element}, elements)
}

func (c branchCalls) create(
	ctx context.Context, t *testing.T, given map[string]tftypes.Value,
) (tfsdk.State, diag.Diagnostics) {
	t.Helper()
	resp := resource.CreateResponse{State: c.noState()}
	resp.Private = emptyLike(resp.Private)
	c.Create(ctx, resource.CreateRequest{
		Config: tfsdk.Config{Schema: c.schema.Schema, Raw: c.object(t, given)},
		Plan:   tfsdk.Plan{Schema: c.schema.Schema, Raw: c.object(t, given)},
	}, &resp)
	return resp.State, resp.Diagnostics
}

// emptyLike makes what the framework alone can name.
func emptyLike[T any](*T) *T { return new(T) }

func (c branchCalls) noState() tfsdk.State {
	return tfsdk.State{
		Schema: c.schema.Schema, Raw: tftypes.NewValue(c.schema.Schema.Type().TerraformType(context.Background()), nil),
	}
}

// delete destroys what is in state, and checks that it leaves nothing.
func (c branchCalls) delete(t *testing.T, state tfsdk.State) {
	t.Helper()
	resp := resource.DeleteResponse{State: state}
	c.Delete(context.Background(), resource.DeleteRequest{State: state}, &resp)
	if resp.Diagnostics.HasError() {
		t.Errorf("delete: %v", resp.Diagnostics)
	}
}

// stored is what a test looks at of a branch in the state.
type stored struct {
	ID        types.String
	Endpoints types.Map
}

func modelOf(t *testing.T, state tfsdk.State) stored {
	t.Helper()
	if !state.Raw.IsFullyKnown() {
		t.Errorf("state has unknown values: %s", state.Raw)
	}
	var model stored
	diags := state.GetAttribute(context.Background(), path.Root("id"), &model.ID)
	diags.Append(state.GetAttribute(context.Background(), path.Root("endpoints"), &model.Endpoints)...)
	if diags.HasError() {
		t.Fatalf("state: %v", diags)
	}
	return model
}

func wantError(t *testing.T, diags diag.Diagnostics, words string) {
	t.Helper()
	for _, problem := range diags.Errors() {
		if acctest.InWords(words).MatchString(problem.Summary() + "\n" + problem.Detail()) {
			return
		}
	}
	t.Errorf("no error says %q: %v", words, diags)
}

func givenBranch(w *acctest.BranchWorld, name string) map[string]tftypes.Value {
	return map[string]tftypes.Value{
		"project_id": tftypes.NewValue(tftypes.String, w.ProjectID),
		"name":       tftypes.NewValue(tftypes.String, name),
		"protected":  tftypes.NewValue(tftypes.Bool, false),
	}
}

func TestBranchCreateKeepsWhatWasMade(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare func(t *testing.T, w *acctest.BranchWorld)
		words   string
	}{
		"a failed operation": {
			func(t *testing.T, w *acctest.BranchWorld) {
				w.EndOperations(t, "create_branch", "failed", "no room left")
			}, "no room left",
		},
		"a cancelled operation": {
			func(t *testing.T, w *acctest.BranchWorld) { w.EndOperations(t, "create_branch", "cancelled", "") }, "was cancelled",
		},
		"a failed start of an endpoint": {
			func(t *testing.T, w *acctest.BranchWorld) {
				w.EndOperations(t, "start_compute", "failed", "no compute left")
			}, "no compute left",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			calls := newBranchCalls(t, w)
			test.prepare(t, w)
			given := givenBranch(w, "b")
			given["endpoints"] = calls.endpoints(map[string]string{"app": "read_write", "ro": "read_only"})
			state, diags := calls.create(context.Background(), t, given)
			wantError(t, diags, test.words)
			model := modelOf(t, state)
			if want := w.BranchNamed(t, "b").ID; model.ID.ValueString() != want {
				t.Errorf("id %s in state, want %s", model.ID, want)
			}
			if len(model.Endpoints.Elements()) != 2 {
				t.Errorf("endpoints in state: %s", model.Endpoints)
			}
			calls.delete(t, state)
			w.CheckOnly(t, "main")
		})
	}
}

func TestBranchCreateIsInterrupted(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 5 * time.Minute})
	calls := newBranchCalls(t, w)
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		for deadline := time.Now().Add(3 * time.Minute); !w.HasBranch("b") && time.Now().Before(deadline); {
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(100 * time.Millisecond)
		cancel(errors.New("the test interrupts"))
	}()
	state, diags := calls.create(ctx, t, givenBranch(w, "b"))
	want := w.BranchNamed(t, "b").ID
	said := acctest.InOrder("Interrupted after waiting", "/"+want+" exists and is kept in the state. Neon goes on")
	if diags.HasError() || len(diags.Warnings()) != 1 || !said.MatchString(diags[0].Detail()) {
		t.Errorf("want a warning alone, as an error would taint the branch; got %v", diags)
	}
	if modelOf(t, state).ID.ValueString() != want {
		t.Errorf("state %s, want id %s", state.Raw, want)
	}
	defer w.KeepAdvancing(t)()
	calls.delete(t, state)
	w.CheckOnly(t, "main")
}

func TestAccBranch_timeoutTaints(t *testing.T) {
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 5 * time.Minute})
	stop := func() {}
	// What could not be waited for is in state: it is replaced, not lost.
	replaced := acctest.Planned(w.BranchConfig(`name = "b"`), plancheck.ResourceActionReplace)
	replaced.PreConfig = func() { stop = w.KeepAdvancing(t) }
	parallelTest(t, acceptance.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []acceptance.TestStep{
			{
				Config: w.BranchConfig(`name = "b"
					timeouts = { create = "3s" }`),
				// A part of the time is the request before; a busy machine wakes up late.
				ExpectError: regexp.MustCompile(`Timed\s+out\s+after\s+waiting\s+[\d.]+m?s\s+for\s+operations`),
			},
			replaced,
		},
	})
	stop()
	w.CheckOnly(t, "main")
}

// startedReplicas has new read-only endpoints be started, for tests of starts that fail.
var startedReplicas = map[string]string{"new-replica": "started"}

func TestAccBranch_operationCancelled(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "failed-creation", operationCancelled)
	acctest.EachReading(t, "after-failed", operationCancelled)
}

func operationCancelled(t *testing.T, played emulator.Config) {
	t.Helper()
	maps.Copy(played.Readings, startedReplicas)
	w := acctest.BranchWorldOf(t, played)
	again := plancheck.ResourceActionReplace
	if w.Plays(t, "failed-creation", "gone") {
		again = plancheck.ResourceActionCreate
	}
	config := w.BranchConfig(branchWithEndpoints)
	parallelTest(t, acceptance.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []acceptance.TestStep{
			{
				PreConfig:   func() { w.EndOperations(t, "create_branch", "cancelled", "") },
				Config:      config,
				ExpectError: acctest.InWords("was cancelled"),
			},
			// The tainted branch gives way to another.
			acctest.Planned(config, again),
			// A change that fails leaves in state what it reached.
			{
				PreConfig: func() { w.EndOperations(t, "start_compute", "cancelled", "") },
				Config: w.BranchConfig(`name = "b2"
					endpoints = {
						"my app" = { type = "read_write" }
						x        = { type = "read_only" }
						y        = { type = "read_only" }
						z        = { type = "read_only" }
					}`),
				ExpectError: acctest.InWords("was cancelled"),
			},
			acctest.Planned(w.BranchConfig(`name = "b2"
				endpoints = {
					"my app" = { type = "read_write" }
					x        = { type = "read_only" }
					y        = { type = "read_only" }
					z        = { type = "read_only" }
				}`), plancheck.ResourceActionUpdate),
		},
	})
	w.CheckOnly(t, "main")
}

func TestBranchDeleteThatFailsKeepsTheBranch(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	calls := newBranchCalls(t, w)
	state, diags := calls.create(context.Background(), t, givenBranch(w, "b"))
	if diags.HasError() {
		t.Fatal(diags)
	}
	w.EndOperations(t, "delete_timeline", "failed", "still in use")
	resp := resource.DeleteResponse{State: state}
	calls.Delete(context.Background(), resource.DeleteRequest{State: state}, &resp)
	wantError(t, resp.Diagnostics, "still in use")
	calls.delete(t, state)
}

func TestBranchReadWithAKeyThatMayNotLook(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	calls := newBranchCalls(t, w)
	state, diags := calls.create(context.Background(), t, givenBranch(w, "b"))
	if diags.HasError() {
		t.Fatal(diags)
	}
	scope := client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.MakeProject(t)}
	key, err := client.ObjectOf(w.API.CreateAPIKey(context.Background(), scope, "elsewhere"))
	if err != nil {
		t.Fatal(err)
	}
	calls.Resource = configuredBranch(w.ClientWith(t, key.Key))
	resp := resource.ReadResponse{State: state}
	calls.Read(context.Background(), resource.ReadRequest{State: state}, &resp)
	wantError(t, resp.Diagnostics, "not allowed")
	if resp.State.Raw.IsNull() {
		t.Error("the branch was taken out of state, though it exists")
	}
}

func TestBranchPlanOfAnExistingBranch(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	calls := newBranchCalls(t, w)
	given := givenBranch(w, "b")
	given["endpoints"] = calls.endpoints(map[string]string{"app": "read_write"})
	created, diags := calls.create(context.Background(), t, given)
	if diags.HasError() {
		t.Fatal(diags)
	}
	past := timetypes.NewRFC3339ValueMust("2020-01-01T00:00:00Z")
	if diags := created.SetAttribute(context.Background(), path.Root("expires_at"), past); diags.HasError() {
		t.Fatal(diags)
	}
	without := tfsdk.State{Schema: created.Schema, Raw: created.Raw.Copy()}
	if diags := without.SetAttribute(context.Background(), path.Root("endpoints"),
		types.MapNull(calls.endpointType())); diags.HasError() {
		t.Fatal(diags)
	}
	resp := calls.plan(created, without)
	if resp.Diagnostics.HasError() {
		t.Errorf("a past expiry that doesn't change: %v", resp.Diagnostics)
	}
	if warnings := resp.Diagnostics.Warnings(); len(warnings) != 1 ||
		!acctest.InWords("app (ep-").MatchString(warnings[0].Detail()) {
		t.Errorf("warnings %v, want one that names the endpoint", warnings)
	}
	resp = calls.plan(calls.noState(), without)
	if warnings := resp.Diagnostics.Warnings(); resp.Diagnostics.HasError() || len(warnings) != 1 ||
		warnings[0].Summary() != "Expiry in the past" {
		t.Errorf("of a new one, %v, want a warning", resp.Diagnostics)
	}
}

// plan has the resource look at a plan whose configuration is the same.
func (c branchCalls) plan(state, planned tfsdk.State) resource.ModifyPlanResponse {
	req := resource.ModifyPlanRequest{
		Config: tfsdk.Config(planned), Plan: tfsdk.Plan(planned), State: state,
	}
	resp := resource.ModifyPlanResponse{Plan: req.Plan}
	c.Resource.(resource.ResourceWithModifyPlan).ModifyPlan(context.Background(), req, &resp)
	return resp
}

// Operations that can't be read say nothing of a branch, so it isn't replaced.
func TestAccBranch_operationsUnread(t *testing.T) {
	t.Parallel()
	// However slow this machine is, the operations go on when the first apply has ended.
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 5 * time.Minute})
	stop := func() {}
	w.AddFault(t, acctest.Fault{Route: "GET /api/v2/projects/{project_id}/operations", Kind: "status", Status: 403,
		Count: 1})
	config := w.BranchConfig(`name = "b"
		endpoints = { app = { type = "read_write" } }`)
	id := ""
	acctest.RunSteps(t, w.World,
		acceptance.TestStep{Config: config, ExpectNonEmptyPlan: true}, // The next apply waits.
		acceptance.TestStep{PreConfig: func() {
			id = w.BranchNamed(t, "b").ID
			stop = w.KeepAdvancing(t)
		}, Config: config},
		acceptance.TestStep{PreConfig: func() {
			if now := w.BranchNamed(t, "b").ID; now != id {
				t.Errorf("branch %s was replaced by %s", id, now)
			}
		}, Config: config},
	)
	stop()
}
