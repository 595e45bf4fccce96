// Package endpoint is the compute endpoint: the PostgreSQL server of a branch, with its own host name, which runs while
// it is used. The endpoints of a neon_branch are the same kind of object.
package endpoint

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var noun = kit.Introduce(kit.Noun{
	Called: "endpoint", ListedBy: "endpoints",
	IDs: kit.IDs{Prefix: "ep-", Example: "ep-wispy-meadow-a1b2c3d4", In: []string{"endpoint_id"}},
	InMessages: map[string]string{"autoscaling_limit_max_cu": "compute size",
		"suspend_timeout_seconds": "suspend interval"},
	Instead: map[string]string{"autoscaling_limit_min_cu": anotherSize, "autoscaling_limit_max_cu": anotherSize},
})

const anotherSize = "configure another size, or both limits where one is left out, which then is the project's " +
	"default. " + compute.SizesText

var key = kit.Key{
	Rule: "An endpoint is imported by project_id/endpoint_id, such as wispy-meadow-12345678/ep-wispy-meadow-a1b2c3d4",
	Parts: []kit.KeyPart{
		{Name: "project_id", Description: kit.ProjectText, Valid: kit.IsID("project_id")},
		{Name: "id", Description: idText, Valid: kit.IsID("endpoint_id")},
	},
}

// NewResource returns the managed resource neon_endpoint.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name: "endpoint",
		First: "autoscaling_limit_max_cu autoscaling_limit_min_cu branch_id created_at disabled host id name pg_settings " +
			"pooler_host preload_libraries project_id region_id suspend_timeout_seconds timeouts type",
		ListedBy: noun.ListedBy,
		Key:      key,
		Schema:   resourceSchema(),
		MovedFrom: kit.MovedAs("neon_endpoint",
			"kislerdm/neon", "neondatabase/neon", "kenchan0130/neon", "terraform-community-providers/neon"),
		FindAgain: findAgain,
		Plan:      checkPlan,
		Create:    create,
		Read:      read,
		Update:    update,
		Delete:    remove,
	})
}

// fixed are the attributes, besides branch_id, whose change replaces the endpoint.
var fixed = []string{"project_id", "type"}

// checkPlan checks a plan: deletions, compute sizes, other resources for the same endpoint, and what a removed
// suspend_timeout_seconds becomes.
func checkPlan(ctx context.Context, p kit.Planning) {
	if !p.IsCreation() &&
		(p.IsDestruction() || p.Replaces() || p.Changed(ctx, fixed...) != "") {
		checkDeletion(ctx, p)
	}
	id := p.TextOf("id")
	p.WarnOfLoss(ctx, fixed, "A host name will be lost ("+id+")", fmt.Sprintf("Neon deletes endpoint %s, "+
		"and nothing can connect to %s any more. The new endpoint has another host name.",
		id, p.TextOf("host")))
	if p.IsDestruction() {
		return
	}
	p.CheckReplacement(ctx, "endpoint", "type", fixed, func(api *client.Client) error {
		other := otherReadWrite(client.AtOnce(ctx), p, api)
		if other == nil {
			return nil
		}
		return hasOther(*other)
	})
	setEndpoint(ctx, p)
	if p.IsCreation() {
		warnOfOther(ctx, p)
	}
	if id != "" && !p.Replaces() {
		compute.CheckStay(p, id, "neon_endpoint", true, path.Empty())
	}
	hadTimeout := len(compute.ConfiguredTimeouts(ctx, p.Private)) > 0
	if !hadTimeout && p.IsUnchanged() {
		return
	}
	configured := kit.Get[types.Int64](ctx, p.Config, compute.TimeoutPath, p.Diags)
	plan := kit.ModelOf[types.Object](ctx, p.Plan, p.Diags)
	state := kit.ModelOf[types.Object](ctx, p.State, p.Diags)
	kit.Decode[compute.Endpoint](plan).CheckSizes(kit.Decode[compute.Endpoint](state), path.Root, p.Diags)
	switch {
	case !configured.IsNull():
		compute.KeepConfiguredTimeouts(ctx, p.Private, []string{"endpoint"}, p.Diags)
	case hadTimeout && !p.IsCreation(): // The mark stays until the change succeeds.
		p.Set(ctx, compute.TimeoutPath,
			compute.PlannedSuspension(ctx, p, kit.Text(plan.Attributes()["project_id"])))
	}
}

// otherReadWrite returns the branch's present read_write endpoint if this resource plans another; otherwise nil. An
// endpoint that this plan deletes doesn't count: the branch is changed before this endpoint, which refers to it, is
// created.
func otherReadWrite(ctx context.Context, p kit.Planning, api *client.Client) *client.Endpoint {
	var branch kit.InBranch
	branch.ReadFrom(ctx, p.Plan, p.Diags)
	if kit.Get[types.String](ctx, p.Plan, path.Root("type"), p.Diags).ValueString() != client.EndpointReadWrite {
		return nil
	}
	present, err := api.ListSharedEndpoints(ctx, branch.Branch())
	if err != nil {
		return nil // The creation says what is wrong.
	}
	for _, endpoint := range present {
		isOther := endpoint.Type == client.EndpointReadWrite && endpoint.ID != p.TextOf("id")
		if isOther && !p.IsGoing(endpoint.ID) {
			return &endpoint
		}
	}
	return nil
}

func hasOther(other client.Endpoint) error {
	return adviseOther(fmt.Errorf("branch %s has a read_write endpoint already", other.BranchID), other)
}

// warnOfOther refuses a new read_write endpoint if its branch already has one that no resource manages, and warns if
// the same plan creates two. One in the state may be gone by then, or be this resource's own tainted one. An apply
// doesn't look again.
func warnOfOther(ctx context.Context, p kit.Planning) {
	var branch kit.InBranch
	branch.ReadFrom(ctx, p.Plan, p.Diags)
	kind, at := kit.Get[types.String](ctx, p.Plan, path.Root("type"), p.Diags), path.Root("branch_id")
	if kind.ValueString() != client.EndpointReadWrite || !kit.IsSet(branch.ProjectID) || !kit.IsSet(branch.BranchID) {
		return
	}
	compute.WarnOfTwo(p, branch.ProjectID, branch.BranchID, at)
	if p.IsApplying() {
		return
	}
	p.LookUps(func(run kit.Run) {
		other := otherReadWrite(client.ForHint(ctx), p, run.API)
		if other != nil && !p.IsManaged("endpoint", other.ProjectID, other.ID) {
			kit.AddAttributeError(run.Diags, at, "The branch has a read_write endpoint already ("+other.BranchID+")",
				hasOther(*other))
		}
	})
}

// setEndpoint compares the configuration with that of other resources for the same endpoint.
func setEndpoint(ctx context.Context, p kit.Planning) {
	configured := kit.Decode[compute.Endpoint](kit.ModelOf[types.Object](ctx, p.Config, p.Diags))
	configured.Disabled = kit.Get[types.Bool](ctx, p.Plan, path.Root("disabled"), p.Diags) // It has a default.
	compute.CheckOthers(p, p.TextOf("id"), "neon_endpoint", configured, path.Root)
}

// checkDeletion refuses to delete an endpoint that Neon deletes only with its branch. It warns if the branch is
// protected: the deletion would fail, after the branch's databases and roles are gone.
func checkDeletion(ctx context.Context, p kit.Planning) {
	present := kit.ModelOf[model](ctx, p.State, p.Diags)
	p.LookUps(func(run kit.Run) {
		branch, err := p.LookUpBranch(ctx, present.Branch())
		if err != nil { // The deletion says what is wrong.
			return
		}
		reason, id := branch.Restriction("delete-rw-endpoint"), present.ID.ValueString()
		switch {
		case reason != "" && present.Type.ValueString() == client.EndpointReadWrite:
			run.Diags.AddError("Unable to delete endpoint "+id, fmt.Sprintf(
				"Neon deletes this endpoint with branch %s alone. It says: %s %s", branch.ID, kit.Sentence(reason), letItStay))
		case branch.Protected:
			run.Warn("The branch is protected (endpoint "+id+")", fmt.Sprintf("Neon deletes no endpoint of a protected "+
				"branch. Unless the protection of branch %s (%s) ends before, the deletion of endpoint %s fails, when others "+
				"have gone already. Set protected = false on the branch and apply that first.", branch.ID,
				kit.Quoted(branch.Name), id))
		}
	})
}

var letItStay = "If the endpoint is to stay on Neon, replace this resource in the configuration with the following " +
	"block, where NAME is its name:\n\n" +
	kit.RemovedBlock("neon_endpoint.NAME") + "\n"

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	keepTimeout(ctx, run)
	branch := plan.Branch()
	request := plan.Create()
	if !plan.PgSettings.IsNull() || plan.PreloadLibraries != nil {
		request.Postgres = plan.settings(client.PostgresSettings{})
	}
	created, err := run.API.CreateEndpoint(ctx, branch, request)
	switch {
	case client.HasStatus(err, http.StatusConflict):
		return adviseTaken(ctx, run.API, plan, err)
	case err != nil:
		return err
	}
	save(plan.with(ctx, &created.Object))
	warnOfNamesakes(run, created)
	return run.API.WaitForOperations(ctx, branch.ProjectID, created.Operations)
}

// keepTimeout stores whether suspend_timeout_seconds is configured.
func keepTimeout(ctx context.Context, run kit.Run) {
	var labels []string
	if run.IsConfigured(ctx, compute.TimeoutPath) {
		labels = []string{"endpoint"}
	}
	compute.KeepConfiguredTimeouts(ctx, run.Private, labels, run.Diags)
}

// warnOfNamesakes warns of endpoints that had the same name before the creation: a killed run may have left them.
// Endpoints without a name are common, so only those of the last hour count.
func warnOfNamesakes(run kit.Run, created *client.Answer[client.Endpoint]) {
	id, others, called := created.Object.ID, created.Namesakes, "are named "+kit.Quoted(created.Object.Name)+" too"
	if created.Object.Name == "" {
		called = "have no name either"
		others = slices.DeleteFunc(others, func(other client.Endpoint) bool {
			return created.Object.CreatedAt.Sub(other.CreatedAt) > time.Hour
		})
	}
	if len(others) > 0 {
		run.Warn("Other endpoints of the same name as "+id, fmt.Sprintf("Endpoint %s was created. These endpoints of the "+
			"branch %s, and were there before. Nothing is wrong where another resource manages them. %s", id, called,
			compute.PerhapsLeft(others)))
	}
}

// adviseTaken names the branch's read_write endpoint, and the import block for it.
func adviseTaken(ctx context.Context, api *client.Client, plan model, refusal error) error {
	branch := plan.Branch()
	present, err := client.All(api.ListEndpoints(ctx, branch))
	if err != nil {
		return kit.Advise(refusal, "The branch's endpoints could not be read ("+err.Error()+"). Apply again, which names "+
			"the one that it has.")
	}
	for _, endpoint := range present {
		if endpoint.Type == client.EndpointReadWrite && plan.Type.ValueString() == client.EndpointReadWrite {
			return kit.Blame(adviseOther(refusal, endpoint), path.Root("branch_id"))
		}
	}
	return refusal
}

// adviseOther advises what to do about the read_write endpoint that the branch already has.
func adviseOther(refusal error, endpoint client.Endpoint) error {
	return kit.Advise(refusal, fmt.Sprintf("Branch %[1]s has the read_write endpoint %[2]s, created at %[3]s, and can "+
		"have only one. If another resource of this configuration manages it, such as a neon_branch in its endpoints, "+
		"remove one of the two, and apply that first, or let this one be read_only. Otherwise %[4]s",
		endpoint.BranchID, endpoint.ID, endpoint.CreatedAt.UTC().Format(time.RFC3339),
		kit.ImportIt("neon_endpoint", endpoint.ProjectID, endpoint.ID)))
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	endpoint, err := run.API.GetSharedEndpoint(ctx, kit.RefOf[client.Endpoint](state.ProjectID, state.ID))
	if err != nil {
		return model{}, err
	}
	actual := state.refreshed(endpoint)
	if kit.IsSet(state.BranchID) && endpoint.BranchID != state.BranchID.ValueString() {
		hasMoved, err := run.API.Succeeds(ctx, client.BranchRef{ProjectID: endpoint.ProjectID, ID: endpoint.BranchID},
			state.BranchID.ValueString())
		if err != nil {
			return model{}, err
		}
		if hasMoved { // If the configuration follows, the plan moves the endpoint.
			actual.BranchID = state.BranchID
		}
	}
	return actual, nil
}

// findAgain finds the endpoint on the branch that a restore moved it to, or else that branch's own read_write endpoint.
func findAgain(ctx context.Context, run kit.Run, state model, branchID types.String) (model, error) {
	projectID, id := state.ProjectID.ValueString(), state.ID.ValueString()
	present, err := client.All(run.API.ListEndpoints(ctx,
		client.BranchRef{ProjectID: projectID, ID: branchID.ValueString()}))
	if err != nil {
		return model{}, err
	}
	i := slices.IndexFunc(present, func(endpoint client.Endpoint) bool { return endpoint.ID == id })
	if i < 0 && state.Type.ValueString() == client.EndpointReadWrite {
		i = slices.IndexFunc(present, func(endpoint client.Endpoint) bool {
			return endpoint.Type == client.EndpointReadWrite
		})
	}
	if i < 0 {
		return model{}, &client.AbsentError{What: fmt.Sprintf("branch %s has no endpoint %s", branchID.ValueString(), id)}
	}
	return state.refreshed(&present[i]), nil
}

func update(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
	ref := kit.RefOf[client.Endpoint](plan.ProjectID, plan.ID)
	change := plan.Changes(state.Endpoint)
	if !plan.PgSettings.Equal(state.PgSettings) || !plan.PreloadLibraries.Equal(state.PreloadLibraries) {
		present, err := run.API.GetEndpoint(ctx, ref)
		if err != nil {
			return err
		}
		change.Postgres = plan.withoutRemoved(state).settings(present.Settings)
	}
	if change == (client.EndpointUpdate{}) {
		keepTimeout(ctx, run)
		save(plan)
		return nil
	}
	changed, err := run.API.UpdateEndpoint(ctx, ref, change)
	if err != nil {
		return err
	}
	keepTimeout(ctx, run)
	save(plan.with(ctx, &changed.Object))
	return run.API.WaitForOperations(ctx, ref.ProjectID, changed.Operations)
}

func remove(ctx context.Context, run kit.Run, state model) error {
	projectID := state.ProjectID.ValueString()
	operations, err := run.API.DeleteEndpoint(ctx, kit.RefOf[client.Endpoint](state.ProjectID, state.ID))
	if client.IsRefused(err) {
		return kit.Advise(err, fmt.Sprintf("Neon deletes no endpoint of a protected branch: if branch %s is protected, set "+
			"protected = false on it and apply that first. Nor can the read_write endpoint of an anonymized branch be "+
			"deleted. ", state.BranchID.ValueString())+letItStay)
	}
	return kit.Finish(ctx, run.API, projectID, operations, err)
}
