package branch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// createEndpoint creates the endpoint of a label, or takes over one that exists already.
func (w *work) createEndpoint(ctx context.Context, label string, planned compute.Endpoint) error {
	create := planned.Create()
	present, err := w.settled(ctx, label, create)
	if err != nil {
		return err
	}
	others := w.unmanaged(present, func(endpoint client.Endpoint) bool { return endpoint.Type == create.Type })
	if existing := w.existing(label, create, others); existing != nil {
		return w.takeOver(ctx, label, planned, existing)
	}
	created, err := w.API.CreateEndpoint(ctx, w.model.ref(), create)
	w.warnOfUnmanaged(label, others)
	if err != nil {
		return w.noteLostAnswer(label, present, err)
	}
	w.unfinished.forgetEndpoint(label)
	w.endpoints[label] = kit.Resolved(ctx, planned, compute.NewEndpoint(&created.Object))
	w.save()
	return w.wait(ctx, created.Operations, nil)
}

// betweenLooks is the pause before it is looked again whether an earlier creation has had its effect.
const betweenLooks = 5 * time.Second

// settled lists the branch's endpoints once no earlier creation for the label, whose answer was lost, can still take
// effect: the endpoint would exist twice. It doesn't wait for a read_write endpoint, of which a branch has only one.
func (w *work) settled(ctx context.Context, label string, create client.EndpointCreate) ([]client.Endpoint, error) {
	for {
		present, err := client.All(w.API.ListEndpoints(ctx, w.model.ref()))
		late := time.Until(w.unfinished.LostAt[label].Add(client.LateEffects))
		if err != nil || late <= 0 || create.Type != client.EndpointReadOnly ||
			w.late(label, create, w.unmanaged(present, create.Matches)) != nil {
			return present, err
		}
		select {
		case <-time.After(min(late, betweenLooks)):
		case <-ctx.Done():
			return nil, kit.Advise(fmt.Errorf("whether its earlier creation, whose answer was lost, still has an effect was "+
				"waited for, and the wait has ended: %w", ctx.Err()),
				kit.AdviceForEnd(ctx.Err()))
		}
	}
}

// late returns the endpoint that an earlier run has created for the label, though the answer was lost; nil for none.
func (w *work) late(label string, create client.EndpointCreate, others []client.Endpoint) *client.Endpoint {
	before, mayExist := w.unfinished.Endpoints[label]
	for _, endpoint := range others {
		if mayExist && create.Matches(endpoint) && !slices.Contains(before, endpoint.ID) {
			return &endpoint
		}
	}
	return nil
}

// existing returns the endpoint to use in place of a new one: one that an earlier run created for the label, or the
// branch's read_write endpoint; otherwise nil.
func (w *work) existing(label string, create client.EndpointCreate, others []client.Endpoint) *client.Endpoint {
	if late := w.late(label, create, others); late != nil {
		return late
	}
	if create.Type != client.EndpointReadWrite || len(others) == 0 {
		return nil
	}
	w.Diags.AddAttributeWarning(endpointPath(label, "id"), w.about("An existing endpoint is managed from now on", label),
		fmt.Sprintf(
			"Branch %s has the read_write endpoint %s, created at %s, and can have only one. This resource manages it as "+
				"endpoint %s now: it gets the configured settings, and is deleted when that label is removed.",
			w.branchID(), others[0].ID, others[0].CreatedAt.UTC().Format(time.RFC3339), label))
	return &others[0]
}

// takeOver manages an endpoint that exists as the label's, and gives it the planned settings.
// Until its operations are known, it stays in doubt: only they say whether it has started.
func (w *work) takeOver(ctx context.Context, label string, planned compute.Endpoint, endpoint *client.Endpoint) error {
	operations, err := w.API.ListEndpointOperations(ctx, *endpoint)
	if err != nil {
		return err
	}
	w.unfinished.forgetEndpoint(label)
	w.endpoints[label] = compute.NewEndpoint(endpoint)
	w.save()
	if err := w.wait(ctx, operations, nil); err != nil {
		return err
	}
	return w.updateEndpoint(ctx, label, planned)
}

// noteLostAnswer lets the next run look for an endpoint that may have been created, and
// returns the error of its creation with that advice.
func (w *work) noteLostAnswer(label string, present []client.Endpoint, err error) error {
	ambiguous, is := errors.AsType[*client.AmbiguousError](err)
	if !is {
		return err
	}
	if _, noted := w.unfinished.Endpoints[label]; !noted {
		known := ambiguous.Known
		if known == nil {
			known = endpointIDs(present)
		}
		w.unfinished.Endpoints[label] = known
	}
	w.unfinished.LostAt[label] = time.Now()
	return kit.Advise(err, "There is no need to look for it by hand: the next apply does, before it creates an "+
		"endpoint, for as long as it may still come, which is a minute.")
}

func endpointIDs(endpoints []client.Endpoint) []string {
	return kit.TextsOf(endpoints, func(endpoint client.Endpoint) string { return endpoint.ID })
}

// forgetUnplanned warns of endpoints that may have been created for labels that are no
// longer planned. All planned endpoints exist by then.
func (w *work) forgetUnplanned(ctx context.Context) error {
	for label, before := range w.unfinished.Endpoints {
		present, err := client.All(w.API.ListEndpoints(ctx, w.model.ref()))
		if err != nil {
			return fmt.Errorf("endpoint %s: %w", label, err)
		}
		w.warnOfUnmanaged(label, w.unmanaged(present, func(endpoint client.Endpoint) bool {
			return !slices.Contains(before, endpoint.ID)
		}))
		w.unfinished.forgetEndpoint(label)
	}
	return nil
}

// unmanaged returns the endpoints that satisfy a condition and that no label has.
func (w *work) unmanaged(present []client.Endpoint, condition func(client.Endpoint) bool) []client.Endpoint {
	managed := labelsByID(w.endpoints)
	var endpoints []client.Endpoint
	for _, endpoint := range present {
		if _, isManaged := managed[endpoint.ID]; !isManaged && condition(endpoint) {
			endpoints = append(endpoints, endpoint)
		}
	}
	return endpoints
}

// warnOfUnmanaged names endpoints that a killed run may have left.
func (w *work) warnOfUnmanaged(label string, endpoints []client.Endpoint) {
	if len(endpoints) > 0 {
		w.Diags.AddWarning(w.about("Endpoints that are not managed", label), fmt.Sprintf(
			"Branch %s also has these endpoints, which are not managed here. %s", w.branchID(), compute.PerhapsLeft(endpoints)))
	}
}

// about returns the summary of a warning about an endpoint. It names the endpoint, since
// Terraform shows only the first of several warnings with the same summary.
func (w *work) about(what, label string) string {
	return fmt.Sprintf("%s (%s of branch %s)", what, label, w.branchID())
}
