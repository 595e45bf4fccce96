package branch

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// branchWork carries a change of one branch out, step by step. What it knows of
// the branch is what is really there, and is saved after every step, so that a
// failure in between loses nothing. Its steps return false where the work has
// ended with an error.
type branchWork struct {
	api   *client.Client
	state *tfsdk.State
	// identity is nil where Terraform knows of none.
	identity *tfsdk.ResourceIdentity
	diags    *diag.Diagnostics
	// doing is the summary of an error.
	doing     string
	model     branchModel
	endpoints map[string]endpointModel
	// doubts are the labels whose endpoints an earlier run may have made.
	doubts endpointDoubts
	// problem and hints are what ended the work.
	problem error
	hints   []string
}

func (w *branchWork) projectID() string { return w.model.ProjectID.ValueString() }

func (w *branchWork) save(ctx context.Context) {
	if len(w.endpoints) == 0 && w.model.Endpoints.IsNull() {
		w.model.Endpoints = types.MapNull(endpointType)
	} else {
		w.model.Endpoints = endpointsValue(ctx, w.endpoints, w.diags)
	}
	w.diags.Append(w.state.Set(ctx, &w.model)...)
	kit.SetIdentity(ctx, w.identity, w.model.identity(), w.diags)
}

func (w *branchWork) fail(err error, hints ...string) bool {
	w.problem, w.hints = err, hints
	return false
}

// report says what ended the work, if anything did.
func (w *branchWork) report() {
	if w.problem != nil {
		kit.AddError(w.diags, w.doing, w.problem, w.hints...)
	}
}

// endCreation is report for a creation. To interrupt it isn't to make it fail:
// what the platform has accepted is kept without being tainted, for the next
// apply to go on with.
func (w *branchWork) endCreation(ctx context.Context, plan branchModel, planned map[string]endpointModel, private privateWriter) {
	if w.problem == nil || !errors.Is(w.problem, context.Canceled) {
		w.report()
		return
	}
	var pending pendingCreation
	var wait *client.WaitError
	if errors.As(w.problem, &wait) {
		for _, operation := range wait.Running {
			pending.Operations = append(pending.Operations, operation.ID)
		}
	}
	for label, endpoint := range planned {
		if _, made := w.endpoints[label]; !made {
			w.endpoints[label] = endpoint.resolved(endpointModel{})
		}
	}
	w.model.Protected = plan.Protected
	w.save(ctx)
	pending.save(ctx, private, w.diags)
	w.doubts.save(ctx, private, w.diags)
	w.diags.AddWarning("Creation interrupted ("+w.model.ID.ValueString()+")", kit.Sentence(w.problem.Error())+"\n\nBranch "+w.model.ID.ValueString()+
		" exists and is kept in state. The platform goes on with it by itself, and the next apply completes what is left to do.")
}

// endUpdate is report for an update.
func (w *branchWork) endUpdate(ctx context.Context, private privateWriter) {
	w.doubts.save(ctx, private, w.diags)
	w.report()
}

func (w *branchWork) wait(ctx context.Context, operations []client.Operation) bool {
	if err := w.api.WaitForOperations(ctx, w.projectID(), operations); err != nil {
		return w.fail(err, w.kept()...)
	}
	return true
}

// kept says that the branch isn't lost.
func (w *branchWork) kept() []string {
	return []string{"Branch " + w.model.ID.ValueString() + " exists and is kept in state."}
}

// complete makes what a new branch lacks. It waits for the branch first.
func (w *branchWork) complete(ctx context.Context, operations []client.Operation, plan branchModel, planned map[string]endpointModel) {
	w.save(ctx)
	if !w.wait(ctx, operations) {
		return
	}
	for _, label := range sortedLabels(planned) {
		if _, made := w.endpoints[label]; !made && !w.createEndpoint(ctx, label, planned[label]) {
			return
		}
	}
	if w.protect(ctx, plan.Protected.ValueBool()) {
		w.finish(ctx, plan, planned)
	}
}

// change makes the branch and its endpoints what is planned. Protection is taken off
// before, and put on after, anything else: no endpoint of a protected branch can be
// deleted.
func (w *branchWork) change(ctx context.Context, plan branchModel, planned map[string]endpointModel) bool {
	protected := plan.Protected.ValueBool()
	if (!protected || len(w.surplus(planned)) > 0) && !w.protect(ctx, false) {
		return false
	}
	return w.updateBranch(ctx, plan) && w.updateEndpoints(ctx, planned) && w.protect(ctx, protected)
}

// protect has the branch protected or not, whatever it was before.
func (w *branchWork) protect(ctx context.Context, protected bool) bool {
	if w.model.Protected.ValueBool() == protected {
		return true
	}
	err := setProtected(ctx, w.api, &w.model, protected)
	w.save(ctx)
	if err != nil {
		return w.fail(err, w.kept()...)
	}
	return true
}

// updateBranch changes the name and the expiry where they differ.
func (w *branchWork) updateBranch(ctx context.Context, plan branchModel) bool {
	var update client.BranchUpdate
	if !plan.Name.Equal(w.model.Name) {
		update.Name = plan.Name.ValueStringPointer()
	}
	switch {
	case plan.ExpiresAt.IsNull():
		update.RemoveExpiry = !w.model.ExpiresAt.IsNull()
	case !atSameInstant(plan.ExpiresAt, w.model.ExpiresAt):
		update.ExpiresAt = instant(plan.ExpiresAt)
	}
	if update == (client.BranchUpdate{}) {
		return true
	}
	_, operations, err := w.api.UpdateBranch(ctx, w.projectID(), w.model.ID.ValueString(), update)
	if err != nil {
		return w.fail(err)
	}
	w.model.Name, w.model.ExpiresAt = plan.Name, plan.ExpiresAt
	w.save(ctx)
	return w.wait(ctx, operations)
}

// updateEndpoints makes the endpoints what is planned: those that no label keeps
// are deleted first, since a branch can have one read_write endpoint only; then
// the others are changed, and at last the new ones are made.
func (w *branchWork) updateEndpoints(ctx context.Context, planned map[string]endpointModel) bool {
	labels, labelOf := sortedLabels(planned), labelsByID(planned)
	for _, label := range w.surplus(planned) {
		if !w.deleteEndpoint(ctx, label) {
			return false
		}
	}
	relabelled := map[string]endpointModel{}
	for _, endpoint := range w.endpoints {
		relabelled[labelOf[endpoint.ID.ValueString()]] = endpoint
	}
	w.endpoints = relabelled
	w.save(ctx)
	for _, label := range labels {
		if _, exists := w.endpoints[label]; exists && !w.updateEndpoint(ctx, label, planned[label]) {
			return false
		}
	}
	for _, label := range labels {
		if _, exists := w.endpoints[label]; !exists && !w.createEndpoint(ctx, label, planned[label]) {
			return false
		}
	}
	return w.dropDoubts(ctx, planned)
}

// surplus returns the labels of the endpoints that no planned label keeps.
func (w *branchWork) surplus(planned map[string]endpointModel) []string {
	kept := labelsByID(planned)
	return slices.DeleteFunc(sortedLabels(w.endpoints), func(label string) bool {
		_, isKept := kept[w.endpoints[label].ID.ValueString()]
		return isKept
	})
}

func labelsByID(endpoints map[string]endpointModel) map[string]string {
	labels := map[string]string{}
	for label, endpoint := range endpoints {
		if kit.IsSet(endpoint.ID) {
			labels[endpoint.ID.ValueString()] = label
		}
	}
	return labels
}

func (w *branchWork) updateEndpoint(ctx context.Context, label string, planned endpointModel) bool {
	current := w.endpoints[label]
	update := planned.changes(current)
	if update == (client.EndpointUpdate{}) {
		return true
	}
	endpoint, operations, err := w.api.UpdateEndpoint(ctx, w.projectID(), current.ID.ValueString(), update)
	if err != nil {
		return w.fail(err, "This was endpoint "+label+".")
	}
	w.endpoints[label] = planned.resolved(endpointModelFrom(endpoint))
	w.save(ctx)
	return w.wait(ctx, operations)
}

// DeleteEndpoint forgets the endpoint when it is really gone.
func (w *branchWork) deleteEndpoint(ctx context.Context, label string) bool {
	operations, err := w.api.DeleteEndpoint(ctx, w.projectID(), w.endpoints[label].ID.ValueString())
	if err != nil {
		return w.fail(err, "This was endpoint "+label+".")
	}
	if !w.wait(ctx, operations) {
		return false
	}
	delete(w.endpoints, label)
	w.save(ctx)
	return true
}

// finish reads back what the plan left open.
func (w *branchWork) finish(ctx context.Context, plan branchModel, planned map[string]endpointModel) {
	branch, endpoints, err := readBranch(ctx, w.api, w.model, w.endpoints, !w.model.Endpoints.IsNull())
	if err != nil {
		w.fail(err, w.kept()...)
		return
	}
	actual := refreshEndpoints(w.endpoints, endpoints)
	for label, endpoint := range planned {
		if found, ok := actual[label]; ok {
			w.endpoints[label] = endpoint.resolved(found)
		}
	}
	w.model = plan.resolved(branch)
	w.save(ctx)
}
