package branch

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// work is the creation or the update of one branch. It saves what exists after every
// step, so that no failure loses anything.
type work struct {
	kit.Run

	saves func(branchModel)

	// model and endpoints, by label, are what exists.
	model      branchModel
	endpoints  map[string]compute.Endpoint
	unfinished unfinished
	// keepsProtection is true where the branch is protected by somebody else, if at all.
	keepsProtection bool
	// finalState is the state that a new branch will have, from the answer to its creation. It is
	// set where that answer has everything else that the plan left to Neon, too: then no read
	// is needed after the creation.
	finalState string
}

func (w *work) projectID() string { return w.model.ProjectID.ValueString() }
func (w *work) branchID() string  { return w.model.ID.ValueString() }

func (w *work) save() {
	if len(w.endpoints) == 0 && w.model.Endpoints.IsNull() {
		w.model.Endpoints = types.MapNull(endpointType)
	} else {
		w.model.Endpoints = endpointsValue(w.endpoints)
	}
	w.saves(w.model)
}

func operationIDs(operations []client.Operation) []string {
	return kit.TextsOf(operations, func(operation client.Operation) string { return operation.ID })
}

// wait waits for the operations of a change that was sent without an error. Where that
// fails before their end is known, the next apply waits for them.
func (w *work) wait(ctx context.Context, operations []client.Operation, err error) error {
	if err == nil {
		err = w.API.WaitForOperations(ctx, w.projectID(), operations)
	}
	if err != nil && !kit.Is[*client.OperationError](err) {
		w.unfinished.Changes = append(w.unfinished.Changes, operationIDs(operations)...)
	}
	return err
}

// apply waits for running operations, then brings the branch and its endpoints to the plan. A protection that it took
// off for what then failed it puts back: where nothing is configured, no later plan does.
func (w *work) apply(
	ctx context.Context, running []client.Operation, plan branchModel, planned map[string]compute.Endpoint,
) error {
	if err := w.API.WaitForOperations(ctx, w.projectID(), running); err != nil {
		return err
	}
	w.unfinished.Operations, w.unfinished.Changes = nil, nil
	wasProtected := w.model.Protected.ValueBool()
	err := w.change(ctx, plan, planned)
	if err != nil && wasProtected && plan.Protected.ValueBool() {
		return kit.ProtectAgain(ctx, err, func(ctx context.Context) error { return w.protect(ctx, true) })
	}
	return err
}

// change removes protection first and sets it last, since no endpoint of a protected branch can be deleted.
func (w *work) change(ctx context.Context, plan branchModel, planned map[string]compute.Endpoint) error {
	protected := plan.Protected.ValueBool()
	if !protected || len(w.surplus(planned)) > 0 && !w.keepsProtection {
		if err := w.protect(ctx, false); err != nil {
			return err
		}
	}
	if err := w.updateBranch(ctx, plan); err != nil {
		return err
	}
	if err := w.applyEndpoints(ctx, planned); err != nil {
		return err
	}
	if err := w.protect(ctx, protected); err != nil {
		return err
	}
	return w.readBack(ctx, plan, planned)
}

// protect sets the branch's protection where it differs.
func (w *work) protect(ctx context.Context, protected bool) error {
	if w.model.Protected.ValueBool() == protected {
		return nil
	}
	err := setProtected(ctx, w.API, &w.model, protected)
	w.save()
	return err
}

// updateBranch changes the name and the expiry where they differ.
func (w *work) updateBranch(ctx context.Context, plan branchModel) error {
	update := branchChange{plan: plan, state: w.model}.update()
	if update == (client.BranchUpdate{}) {
		return nil
	}
	operations, err := client.OperationsOf(w.API.UpdateBranch(ctx, w.model.ref(), update))
	switch {
	case update.ExpiresAt != nil && client.HasStatus(err, http.StatusUnprocessableEntity):
		return kit.Advise(err, expiryIsRefused)
	case err != nil:
		return err
	}
	w.model.Name, w.model.ExpiresAt, w.model.ExpiresIn = plan.Name, plan.ExpiresAt, plan.ExpiresIn
	w.save()
	return w.wait(ctx, operations, nil)
}

// update changes the name and the expiry where they differ.
func (c branchChange) update() (update client.BranchUpdate) {
	if !c.plan.Name.Equal(c.state.Name) {
		update.Name = c.plan.Name.ValueStringPointer()
	}
	created := *cmp.Or(kit.Instant(c.state.CreatedAt), &time.Time{})
	switch planned, present := c.plan.expiry(created), c.state.expiry(created); {
	case planned == nil:
		update.RemoveExpiry = present != nil
	case present == nil || !planned.Equal(*present):
		update.ExpiresAt = planned
	}
	return update
}

// applyEndpoints deletes the endpoints that aren't planned first, since a branch can have
// only one read_write endpoint, then updates or creates the others.
func (w *work) applyEndpoints(ctx context.Context, planned map[string]compute.Endpoint) error {
	for _, label := range w.surplus(planned) {
		if err := w.deleteEndpoint(ctx, label); err != nil {
			return fmt.Errorf("endpoint %s: %w", label, err)
		}
	}
	w.relabel(planned)
	for _, label := range sortedLabels(planned) {
		apply := w.createEndpoint
		if _, exists := w.endpoints[label]; exists {
			apply = w.updateEndpoint
		}
		if err := apply(ctx, label, planned[label]); err != nil {
			return fmt.Errorf("endpoint %s: %w", label, err)
		}
	}
	return w.forgetUnplanned(ctx)
}

// relabel gives the endpoints the labels that they are planned with.
func (w *work) relabel(planned map[string]compute.Endpoint) {
	labels, relabelled := labelsByID(planned), map[string]compute.Endpoint{}
	for _, endpoint := range w.endpoints {
		relabelled[labels[endpoint.ID.ValueString()]] = endpoint
	}
	w.endpoints = relabelled
	w.save()
}

// surplus returns the labels of the endpoints that aren't planned.
func (w *work) surplus(planned map[string]compute.Endpoint) []string {
	plannedLabels := labelsByID(planned)
	return slices.DeleteFunc(sortedLabels(w.endpoints), func(label string) bool {
		_, isPlanned := plannedLabels[w.endpoints[label].ID.ValueString()]
		return isPlanned
	})
}

func labelsByID(endpoints map[string]compute.Endpoint) map[string]string {
	labels := map[string]string{}
	for label, endpoint := range endpoints {
		if kit.IsSet(endpoint.ID) {
			labels[endpoint.ID.ValueString()] = label
		}
	}
	return labels
}

func (w *work) updateEndpoint(ctx context.Context, label string, planned compute.Endpoint) error {
	current := w.endpoints[label]
	update := planned.Changes(current)
	if update == (client.EndpointUpdate{}) {
		return nil
	}
	changed, err := w.API.UpdateEndpoint(ctx, kit.RefOf[client.Endpoint](w.model.ProjectID, current.ID), update)
	if err != nil {
		return err
	}
	w.endpoints[label] = kit.Resolved(ctx, planned, compute.NewEndpoint(&changed.Object))
	w.save()
	return w.wait(ctx, changed.Operations, nil)
}

// deleteEndpoint keeps the endpoint in the state until Neon has deleted it.
func (w *work) deleteEndpoint(ctx context.Context, label string) error {
	operations, err := w.API.DeleteEndpoint(ctx, kit.RefOf[client.Endpoint](w.model.ProjectID, w.endpoints[label].ID))
	switch {
	case client.IsRefused(err) && w.keepsProtection:
		err = kit.Advise(err, keptEndpoint(w.branchID()))
	case client.IsRefused(err):
		err = kit.Advise(err, "Neon deletes no endpoint of a protected branch. If branch "+w.branchID()+" was protected "+
			"after it was last read, apply again, without -refresh=false.")
	}
	if err := w.wait(ctx, operations, err); err != nil {
		return err
	}
	delete(w.endpoints, label)
	w.save()
	return nil
}

// readBack fills in what the plan left to Neon, unless the answer to the creation has.
func (w *work) readBack(ctx context.Context, plan branchModel, planned map[string]compute.Endpoint) error {
	if w.finalState != "" {
		w.model.CurrentState = types.StringValue(w.finalState)
		w.save()
		return nil
	}
	branch, endpoints, err := readBranch(ctx, w.API, w.model)
	if err != nil {
		return err
	}
	for label, endpoint := range refreshEndpoints(w.endpoints, endpoints) {
		w.endpoints[label] = kit.Resolved(ctx, planned[label], endpoint)
	}
	w.model = plan.resolved(ctx, branch)
	w.save()
	return nil
}
