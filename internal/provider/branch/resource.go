// Package branch implements neon_branch and its data sources: a branch is a copy-on-write
// clone of its parent's data at a moment in time, with compute endpoints of its own that
// clients connect to. Every project has a default branch.
package branch

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

const (
	unableToCreateBranch = "Unable to create branch"
	unableToReadBranch   = "Unable to read branch"
	unableToUpdateBranch = "Unable to update branch"
)

var noun = kit.Introduce(kit.Noun{
	Called: "branch", ListedBy: "branches", NamedIn: "branch_id", Advise: adviseUnmasked,
	IDs: kit.IDs{
		Prefix: "br-", Example: "br-wispy-meadow-a1b2c3d4", LookUp: kit.LookUpInProject("branch"),
		In: []string{"branch_id", "parent_id", "source_branch_id", "target_branch_id", "base_branch_id"},
	},
})

var branchKey = kit.Key{
	Rule: "A branch is imported by project_id/branch_id, such as wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4",
	Parts: []kit.KeyPart{
		{Name: "project_id", Description: "Id of the project that the branch belongs to.", Valid: kit.IsID("project_id")},
		{Name: "id", Description: "Id of the branch.", Valid: kit.IsID("branch_id")},
	},
}

var (
	_ resource.ResourceWithConfigure    = (*branchResource)(nil)
	_ resource.ResourceWithIdentity     = (*branchResource)(nil)
	_ resource.ResourceWithImportState  = (*branchResource)(nil)
	_ resource.ResourceWithModifyPlan   = (*branchResource)(nil)
	_ resource.ResourceWithMoveState    = (*branchResource)(nil)
	_ resource.ResourceWithUpgradeState = (*branchResource)(nil)
)

type branchResource struct {
	kit.KeyedBase
}

// NewResource returns the managed resource neon_branch: a branch with its compute endpoints.
func NewResource() resource.Resource {
	return &branchResource{kit.KeyedBase{
		ResourceBase: kit.ResourceBase{Name: "branch"},
		First: "created_at current_state default endpoints expires_at id init_source name parent_id parent_lsn " +
			"parent_timestamp project_id protected timeouts",
		Key:      branchKey,
		ListedBy: noun.ListedBy,
		// The endpoints, which are resources of their own there, come with the branch.
		MovedFrom: kit.MovedAs("neon_branch",
			"kislerdm/neon", "kenchan0130/neon", "neondatabase/neon", "terraform-community-providers/neon"),
	}}
}

// Metadata names the resource. The branch that replaces it in a restore has another id.
func (r *branchResource) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	r.ResourceBase.Metadata(ctx, req, resp)
	resp.ResourceBehavior.MutableIdentity = true
}

// Schema describes neon_branch.
func (r *branchResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := originAttributes()
	attributes["project_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the project that the branch belongs to. Changing it replaces the branch.",
		Required:            true,
		Validators:          kit.IDValidators(),
	}
	attributes["name"] = nameAttribute()
	attributes["protected"] = protectedAttribute("the branch and its endpoints",
		": to prevent that, use `deletion_protection`")
	attributes["deletion_protection"] = kit.DeletionProtection("branch")
	attributes["final_snapshot"] = rootbranch.FinalSnapshot("it")
	maps.Copy(attributes, expiryAttributes())
	attributes["endpoints"] = endpointsAttribute()
	attributes["timeouts"] = kit.Timeouts(timeouts.Opts{Create: true, Update: true, Delete: true}) //nolint:contextcheck // A schema needs none.
	attributes["id"] = kit.ComputedString("Id of the branch.")
	attributes["default"] = kit.ComputedBool("Whether this is the project's default branch, which can't be deleted.")
	attributes["current_state"] = kit.ComputedString("State when it was last read, such as `init`, `ready` or `archived`.")
	attributes["created_at"] = kit.ComputedTime("When the branch was created.")
	resp.Schema = schema.Schema{
		Version: kit.SchemaVersion(),
		MarkdownDescription: "A branch of a project, with its compute endpoints. It starts as a copy of its parent, and " +
			"its storage costs nothing until it differs.",
		Attributes: attributes,
	}
}

// Create creates the branch, and saves it before it waits for anything.
func (r *branchResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	config := kit.ModelOf[branchModel](ctx, req.Config, &resp.Diagnostics)
	plan := kit.ModelOf[branchModel](ctx, req.Plan, &resp.Diagnostics)
	api := r.Control(&resp.Diagnostics)
	ctx, cancel := kit.Limit(ctx, plan.Timeouts.Create, &resp.Diagnostics)
	defer cancel()
	r.CheckFuture(ctx, plan.ExpiresAt, &resp.Diagnostics)
	change := branchChange{kind: ordinary, config: config, plan: plan}
	if !resp.Diagnostics.HasError() {
		checkOrigin(ctx, r.Run(&resp.Diagnostics), change)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	planned := endpointModels(plan.Endpoints)
	keepTimeouts(ctx, req.Config, resp.Private, &resp.Diagnostics)
	inline, later := splitByCall(planned)
	created, err := api.CreateBranch(ctx, plan.ProjectID.ValueString(),
		branchCreate(plan, plan.newExpiry(ctx, api), planned, inline, later))
	lost, isLost := errors.AsType[*client.AmbiguousError](err)
	switch {
	case isLost:
		kit.AddError(&resp.Diagnostics, unableToCreateBranch, err, kit.LostNamed(lost))
		return
	case client.HasStatus(err, http.StatusConflict):
		kit.AddError(&resp.Diagnostics, unableToCreateBranch, change.adviseTaken(ctx, api, err))
		return
	case err != nil:
		kit.AddConfigError(&resp.Diagnostics, req.Config, unableToCreateBranch, adviseHistory(ctx, api, plan, err))
		return
	}
	w := &work{
		api: api, config: req.Config, state: &resp.State, identity: resp.Identity, diags: &resp.Diagnostics,
		model:      plan.resolved(ctx, &created.Object.Branch).withExpiry(&created.Object.Branch),
		endpoints:  matchCreated(ctx, planned, inline, created.Object.Endpoints),
		unfinished: nothingUnfinished(), finalState: announcedState(created.Object.Branch),
	}
	w.model.Protected = types.BoolValue(created.Object.Protected)
	markProtection(ctx, plan.Protected, resp.Private, &resp.Diagnostics)
	w.save(ctx)
	deletionProtection.Mark(ctx, resp.State, resp.Private, &resp.Diagnostics)
	maps.Copy(planned, w.endpoints)
	err = w.apply(ctx, created.Operations, plan, planned)
	if errors.Is(err, context.Canceled) || client.IsUnread(err) {
		if wait, is := errors.AsType[*client.WaitError](err); is {
			w.unfinished.Operations = operationIDs(wait.Running)
		}
		w.unfinished.Changes = nil
		err = kit.KeepUnfinished(req.Plan, resp, "branch "+w.branchID(), err)
	}
	if err != nil {
		w.report(unableToCreateBranch, kit.Kept(err, "branch "+w.branchID()))
	}
	w.unfinished.save(ctx, resp.Private, &resp.Diagnostics)
}

// announcedState is the state that a new branch will have when its operations have
// finished; empty where its answer lacks that, or where it begins.
func announcedState(branch client.Branch) string {
	if branch.ParentID != "" && branch.ParentLSN == "" {
		return ""
	}
	return branch.PendingState
}

// branchCreate returns the request that creates the branch with the endpoints inline. It
// asks for no protection: a branch whose creation fails must be replaceable.
func branchCreate(
	plan branchModel, expiry *time.Time, planned map[string]compute.Endpoint, inline, later []string,
) client.BranchCreate {
	create := client.BranchCreate{
		Name:            plan.Name.ValueString(),
		ParentID:        plan.ParentID.ValueString(),
		ParentLSN:       plan.ParentLSN.ValueString(),
		ParentTimestamp: kit.Instant(plan.ParentTimestamp),
		InitSource:      plan.InitSource.ValueString(),
		Archived:        plan.Archived.ValueBool(),
		ExpiresAt:       expiry,
	}
	for _, label := range inline {
		create.Endpoints = append(create.Endpoints, planned[label].Create())
	}
	if len(planned) > 0 {
		create.Annotations = map[string]string{labelsAnnotation: encodeLabels(planned, slices.Concat(inline, later))}
	}
	return create
}

// Read updates the state, and removes a branch that is gone.
func (r *branchResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state := kit.Decode[branchModel](kit.ModelOf[types.Object](ctx, req.State, &resp.Diagnostics))
	r.Key.Identify(ctx, req.State.Raw, resp.Identity, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || r.KeepsUnread(&resp.Diagnostics, !state.isImported(), kit.ControlSettings) {
		return
	}
	r.manages(state)
	api := r.Control(&resp.Diagnostics)
	if api == nil {
		return
	}
	branch, endpoints, err := readBranch(ctx, api, state)
	if hasNoPlace(branch, err, state) {
		branch, endpoints, err = readSuccessor(ctx, api, state, branch, endpoints, err, &resp.Diagnostics)
	}
	isImport := kit.IsImport(ctx, resp.Private)
	switch {
	case client.IsAbsent(err) && isImport:
		kit.AddMissingImport(&resp.Diagnostics, "branch", err)
		return
	case client.IsAbsent(err):
		resp.State.RemoveResource(ctx)
		kit.ForgetMarks(ctx, resp.Private, &resp.Diagnostics)
		return
	}
	left := readUnfinished(ctx, req.Private, &resp.Diagnostics)
	if err == nil {
		left, err = left.refreshed(ctx, api, state.ProjectID.ValueString(), &resp.Diagnostics)
	}
	if err != nil {
		kit.AddError(&resp.Diagnostics, unableToReadBranch, err, kit.UnseenHints(err, "neon_branch")...)
		return
	}
	left.save(ctx, resp.Private, &resp.Diagnostics)
	actual := state.refreshed(branch)
	switch {
	case state.isImported():
		// A state that was taken over from another provider never had them, so that nothing differs from its configuration.
		actual = state.imported(branch)
		if isImport {
			actual = state.importedWith(branch, endpoints)
			kit.SetMark(ctx, resp.Private, importedEndpoints, true, &resp.Diagnostics)
		}
	case !state.Endpoints.IsNull():
		actual.Endpoints = endpointsValue(refreshEndpoints(endpointModels(state.Endpoints), endpoints))
	}
	// Set is slow, and most branches of a plan are as they were.
	if actual.attributes != state.attributes || actual.ExpiresIn != state.ExpiresIn ||
		actual.DeletionProtection != state.DeletionProtection || !actual.Endpoints.Equal(state.Endpoints) {
		resp.Diagnostics.Append(resp.State.Set(ctx, &actual)...)
		r.Key.Identify(ctx, resp.State.Raw, resp.Identity, &resp.Diagnostics)
	}
	deletionProtection.Mark(ctx, resp.State, resp.Private, &resp.Diagnostics)
	markRead(ctx, actual, resp.Private, &resp.Diagnostics)
}

// readBranch reads the branch and, unless they aren't managed, its endpoints.
func readBranch(ctx context.Context, api *client.Client, model branchModel) (*client.Branch, []client.Endpoint, error) {
	ref := model.ref()
	var endpoints []client.Endpoint
	var endpointsErr error
	var reading sync.WaitGroup
	if model.isImported() || !model.Endpoints.IsNull() {
		expected := slices.Collect(maps.Keys(labelsByID(endpointModels(model.Endpoints))))
		// Both lists, which serve all branches of a plan, are fetched at the same time.
		reading.Go(func() {
			endpoints, endpointsErr = api.ListSharedEndpoints(ctx, ref, expected...)
		})
	}
	branch, err := api.GetSharedBranch(ctx, ref)
	reading.Wait()
	return branch, endpoints, cmp.Or(err, endpointsErr)
}

// Update changes the branch and its endpoints in place, and completes an interrupted
// creation.
func (r *branchResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	plan := kit.ModelOf[branchModel](ctx, req.Plan, &resp.Diagnostics)
	state := kit.ModelOf[branchModel](ctx, req.State, &resp.Diagnostics)
	left := readUnfinished(ctx, req.Private, &resp.Diagnostics)
	api := r.Control(&resp.Diagnostics)
	ctx, cancel := kit.Limit(ctx, plan.Timeouts.Update, &resp.Diagnostics)
	defer cancel()
	if resp.Diagnostics.HasError() {
		return
	}
	w := &work{
		api: api, config: req.Config, state: &resp.State, identity: resp.Identity, diags: &resp.Diagnostics,
		model: state, endpoints: existingEndpoints(state.Endpoints), unfinished: left,
	}
	w.model.Archived = plan.Archived // Neon takes it at the creation only.
	w.model.DeletionProtection, w.model.FinalSnapshot = plan.DeletionProtection, plan.FinalSnapshot
	if plan.Endpoints.IsNull() { // They are no longer managed.
		w.model.Endpoints, w.endpoints = plan.Endpoints, nil
	}
	configured := kit.Get[types.Bool](ctx, req.Config, path.Root("protected"), &resp.Diagnostics)
	w.keepsProtection = configured.IsNull() && !isOwnProtection(ctx, req.Private)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("deletion_protection"), plan.DeletionProtection)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("final_snapshot"), plan.FinalSnapshot)...)
	deletionProtection.Mark(ctx, resp.State, resp.Private, &resp.Diagnostics)
	err := w.apply(ctx, left.running(w.projectID()), plan, endpointModels(plan.Endpoints))
	if err == nil {
		keepTimeouts(ctx, req.Config, resp.Private, &resp.Diagnostics)
	}
	// What an update protects that fails later is protected by it all the same.
	if configured.ValueBool() || w.model.Protected.Equal(configured) {
		markProtection(ctx, configured, resp.Private, &resp.Diagnostics)
	}
	if client.HasStatus(err, http.StatusConflict) && !plan.Name.Equal(w.model.Name) {
		err = branchChange{kind: ordinary, plan: plan, state: state}.adviseTaken(ctx, api, err)
	}
	w.report(unableToUpdateBranch, kit.AdviseGone(err))
	w.unfinished.save(ctx, resp.Private, &resp.Diagnostics)
}
