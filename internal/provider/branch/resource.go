package branch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	branchTimeout = 10 * time.Minute
	// importedKey marks, in private state, a branch that was imported and not
	// read yet.
	importedKey = "imported"

	branchType           = "neon_branch"
	unableToCreateBranch = "Unable to create branch"
	unableToReadBranch   = "Unable to read branch"
)

var (
	_ resource.ResourceWithConfigure      = (*branchResource)(nil)
	_ resource.ResourceWithIdentity       = (*branchResource)(nil)
	_ resource.ResourceWithImportState    = (*branchResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*branchResource)(nil)
	_ resource.ResourceWithValidateConfig = (*branchResource)(nil)
)

// branchResource is neon_branch: a branch with its compute endpoints.
type branchResource struct {
	kit.ResourceBase
}

func NewResource() resource.Resource {
	return &branchResource{kit.ResourceBase{Kind: "branch"}}
}

// IdentitySchema describes what the branch is imported by.
func (r *branchResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = kit.IdentitySchema(map[string]string{
		"project_id": "Id of the project that the branch belongs to.", "id": "Id of the branch.",
	})
}

// Create makes the branch, and puts it into state before it waits for anything.
func (r *branchResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan branchModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	timeout, problems := plan.Timeouts.Create(ctx, branchTimeout)
	resp.Diagnostics.Append(problems...)
	planned := endpointModels(plan.Endpoints)
	if resp.Diagnostics.HasError() {
		return
	}
	api := r.Control(&resp.Diagnostics)
	if api == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	work := &branchWork{
		api: api, state: &resp.State, identity: resp.Identity, diags: &resp.Diagnostics, doing: unableToCreateBranch,
	}
	inline, later := splitByCall(planned)
	created, err := api.CreateBranch(ctx, plan.ProjectID.ValueString(), branchCreate(plan, planned, inline, later))
	if client.HasStatus(err, http.StatusConflict) {
		addNameTaken(ctx, &resp.Diagnostics, api, plan, err)
		return
	}
	if err != nil {
		kit.AddError(&resp.Diagnostics, unableToCreateBranch, err)
		return
	}
	work.model, work.endpoints = plan.resolved(&created.Branch), matchCreated(planned, inline, created.Endpoints)
	work.model.Protected = types.BoolValue(created.Branch.Protected)
	work.complete(ctx, created.Operations, plan, planned)
	work.endCreation(ctx, plan, planned, resp.Private)
}

// addNameTaken names the branch that has the planned name, and the block that imports it.
func addNameTaken(ctx context.Context, diags *diag.Diagnostics, api *client.Client, plan branchModel, refusal error) {
	existing, err := api.BranchNamedNow(ctx, plan.ProjectID.ValueString(), plan.Name.ValueString())
	switch {
	case err != nil:
		kit.AddError(diags, unableToCreateBranch, refusal, "The branch of that name could not be read: "+err.Error()+".")
		return
	case existing == nil:
		kit.AddError(diags, unableToCreateBranch, refusal)
		return
	}
	diags.AddAttributeError(path.Root("name"), unableToCreateBranch, fmt.Sprintf(
		"Project %[1]s already has a branch named %[2]q: %[3]s, created at %[4]s. %[5]s\n\n"+
			"If another resource of this configuration has that name, or has it until it is replaced or renamed in this run, choose "+
			"another name: importing it here too would have two resources manage one branch. Otherwise, for instance after an "+
			"interrupted run or with the state lost, import it with this block, where NAME is the name of this resource:\n\n"+
			"import {\n  to = neon_branch.NAME\n  id = \"%[1]s/%[3]s\"\n}",
		existing.ProjectID, existing.Name, existing.ID, existing.CreatedAt.UTC().Format(time.RFC3339), kit.Sentence(refusal.Error())))
}

// branchCreate is the request for a new branch. It carries the labels of the
// endpoints for a later import. It asks for no protection: a branch whose creation
// fails must be replaceable.
func branchCreate(plan branchModel, planned map[string]endpointModel, inline, later []string) client.BranchCreate {
	create := client.BranchCreate{
		Name:            plan.Name.ValueString(),
		ParentID:        plan.ParentID.ValueString(),
		ParentLSN:       plan.ParentLSN.ValueString(),
		ParentTimestamp: instant(plan.ParentTimestamp),
		InitSource:      plan.InitSource.ValueString(),
		ExpiresAt:       instant(plan.ExpiresAt),
	}
	for _, label := range inline {
		create.Endpoints = append(create.Endpoints, planned[label].create())
	}
	if len(planned) > 0 {
		create.Annotations = map[string]string{labelsAnnotation: labelHints(planned, slices.Concat(inline, later))}
	}
	return create
}

// Read takes over what the platform says, and forgets a branch that is gone.
func (r *branchResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state branchModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	imported, problems := req.Private.GetKey(ctx, importedKey)
	resp.Diagnostics.Append(problems...)
	kit.SetIdentity(ctx, resp.Identity, state.identity(), &resp.Diagnostics)
	if resp.Diagnostics.HasError() || r.KeepsUnread(&resp.Diagnostics, len(imported) == 0, kit.ControlSettings) {
		return
	}
	api := r.Control(&resp.Diagnostics)
	if api == nil {
		return
	}
	managed := endpointModels(state.Endpoints)
	branch, endpoints, err := readBranch(ctx, api, state, managed, !state.Endpoints.IsNull() || len(imported) > 0)
	if client.IsAbsent(err) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		kit.AddError(&resp.Diagnostics, unableToReadBranch, err, kit.UnseenHints(err, branchType)...)
		return
	}
	if pending := pendingCreationOf(ctx, req.Private, &resp.Diagnostics); pending != nil {
		if pending, err = pending.refreshed(ctx, api, state.ProjectID.ValueString()); err != nil {
			kit.AddError(&resp.Diagnostics, unableToReadBranch, err)
			return
		}
		pending.save(ctx, resp.Private, &resp.Diagnostics)
	}
	actual := state.refreshed(branch)
	if len(imported) > 0 {
		actual = state.imported(branch)
		if len(endpoints) > 0 {
			labels := labelImported(endpoints, branch.Annotations[labelsAnnotation])
			actual.Endpoints = endpointsValue(ctx, labels, &resp.Diagnostics)
		}
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, importedKey, nil)...)
	} else if !state.Endpoints.IsNull() {
		actual.Endpoints = endpointsValue(ctx, refreshEndpoints(managed, endpoints), &resp.Diagnostics)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &actual)...)
}

// readBranch reads the branch, and where that is asked for its endpoints.
func readBranch(
	ctx context.Context, api *client.Client, model branchModel, managed map[string]endpointModel, withEndpoints bool,
) (*client.Branch, []client.Endpoint, error) {
	projectID, branchID := model.ProjectID.ValueString(), model.ID.ValueString()
	if !withEndpoints {
		branch, err := api.Branch(ctx, projectID, branchID)
		return branch, nil, err
	}
	var expected []string
	for _, endpoint := range managed {
		if kit.IsSet(endpoint.ID) {
			expected = append(expected, endpoint.ID.ValueString())
		}
	}
	// The lists that serve a plan over many branches are fetched side by side.
	var endpoints []client.Endpoint
	var endpointsErr error
	var reading sync.WaitGroup
	reading.Go(func() { endpoints, endpointsErr = api.BranchEndpoints(ctx, projectID, branchID, expected...) })
	branch, err := api.Branch(ctx, projectID, branchID)
	reading.Wait()
	return branch, endpoints, cmp.Or(err, endpointsErr)
}

// Update changes the branch and its endpoints in place, and completes a creation
// that was interrupted.
func (r *branchResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state branchModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	timeout, problems := plan.Timeouts.Update(ctx, branchTimeout)
	resp.Diagnostics.Append(problems...)
	planned := endpointModels(plan.Endpoints)
	current := existingEndpoints(state.Endpoints)
	pending := pendingCreationOf(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	api := r.Control(&resp.Diagnostics)
	if api == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	work := &branchWork{
		api: api, state: &resp.State, identity: resp.Identity, diags: &resp.Diagnostics, doing: "Unable to update branch",
		model: state, endpoints: current,
	}
	work.doubts = endpointDoubtsOf(ctx, req.Private, &resp.Diagnostics)
	defer work.endUpdate(ctx, resp.Private)
	if pending != nil {
		if !work.wait(ctx, pending.operations(work.projectID())) {
			return
		}
		pending = nil
		pending.save(ctx, resp.Private, &resp.Diagnostics)
	}
	if work.change(ctx, plan, planned) {
		work.finish(ctx, plan, planned)
	}
}

// Delete deletes the branch with its endpoints. What the platform refuses to
// delete stays in state.
func (r *branchResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state branchModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	timeout, problems := state.Timeouts.Delete(ctx, branchTimeout)
	resp.Diagnostics.Append(problems...)
	if resp.Diagnostics.HasError() {
		return
	}
	api := r.Control(&resp.Diagnostics)
	if api == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	err := deleteBranch(ctx, api, &state)
	if err != nil && !client.IsAbsent(err) {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("protected"), state.Protected)...)
		kit.AddError(&resp.Diagnostics, "Unable to delete branch", err, append(deleteHints(err, state), kit.UnseenHints(err, branchType)...)...)
	}
}

// deleteBranch deletes a branch, a protected one too: that was asked for. Where Neon
// refuses it for another reason, the branch is protected again.
func deleteBranch(ctx context.Context, api *client.Client, branch *branchModel) error {
	wasProtected := branch.Protected.ValueBool()
	if wasProtected {
		if err := setProtected(ctx, api, branch, false); err != nil {
			return err
		}
	}
	operations, err := api.DeleteBranch(ctx, branch.ProjectID.ValueString(), branch.ID.ValueString())
	switch {
	case err == nil:
		return api.WaitForOperations(ctx, branch.ProjectID.ValueString(), operations)
	case wasProtected:
		return errors.Join(err, setProtected(ctx, api, branch, true))
	}
	return err
}

// setProtected protects the branch or takes its protection off.
func setProtected(ctx context.Context, api *client.Client, branch *branchModel, protected bool) error {
	_, operations, err := api.UpdateBranch(
		ctx, branch.ProjectID.ValueString(), branch.ID.ValueString(), client.BranchUpdate{Protected: &protected})
	if err != nil {
		return err
	}
	branch.Protected = types.BoolValue(protected)
	return api.WaitForOperations(ctx, branch.ProjectID.ValueString(), operations)
}

func deleteHints(err error, state branchModel) []string {
	switch {
	case !client.HasStatus(err, http.StatusUnprocessableEntity):
		return nil
	case state.Default.ValueBool():
		return []string{"This is the project's default branch, which can't be deleted: make another branch the default first, " +
			"or take this one out of Terraform's hands with `terraform state rm`."}
	default:
		return []string{"A branch that others were created from can't be deleted: delete its children first. Nor can the " +
			"default branch, or one that was protected outside Terraform since it was last read."}
	}
}

// ImportState takes project_id/branch_id, or the identity; the read that follows fills in the
// rest.
func (r *branchResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	projectID, branchID, _ := strings.Cut(req.ID, "/")
	if req.ID == "" && req.Identity != nil {
		var identity branchIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		projectID, branchID = identity.ProjectID.ValueString(), identity.ID.ValueString()
	}
	if !kit.IDPattern.MatchString(projectID) || !kit.IDPattern.MatchString(branchID) {
		resp.Diagnostics.AddError("Invalid import id", fmt.Sprintf(
			"A branch is imported by project_id/branch_id, such as wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4; got %s.", kit.Quoted(cmp.Or(req.ID, projectID+"/"+branchID))))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("project_id"), projectID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), branchID)...)
	kit.SetIdentity(ctx, resp.Identity, branchIdentity{types.StringValue(projectID), types.StringValue(branchID)}, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, importedKey, []byte("true"))...)
}
