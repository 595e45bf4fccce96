package branch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// doubtsKey holds endpointDoubts in private state.
const doubtsKey = "endpoints_in_doubt"

// endpointDoubts are the labels whose endpoints may have been made by a run that
// ended before it could find out, each with the ids of the endpoints that the
// branch had before.
type endpointDoubts map[string][]string

func endpointDoubtsOf(ctx context.Context, private privateReader, diags *diag.Diagnostics) endpointDoubts {
	doubts := endpointDoubts{}
	text, problems := private.GetKey(ctx, doubtsKey)
	diags.Append(problems...)
	if len(text) == 0 {
		return doubts
	}
	if err := json.Unmarshal(text, &doubts); err != nil {
		diags.AddError("Unable to read private state", "What is known of the branch's endpoints can't be read: "+err.Error()+".")
	}
	return doubts
}

func (d endpointDoubts) save(ctx context.Context, private privateWriter, diags *diag.Diagnostics) {
	if len(d) == 0 {
		diags.Append(private.SetKey(ctx, doubtsKey, nil)...)
		return
	}
	text, err := json.Marshal(d)
	if err != nil {
		diags.AddError("Unable to write private state", err.Error())
		return
	}
	diags.Append(private.SetKey(ctx, doubtsKey, text)...)
}

// createEndpoint creates the endpoint of a label, or goes on with the one that an
// earlier run has created, or with the branch's one read_write endpoint.
func (w *branchWork) createEndpoint(ctx context.Context, label string, planned endpointModel) bool {
	this := "This was endpoint " + label + "."
	present, err := w.api.EndpointsNow(ctx, w.projectID(), w.model.ID.ValueString())
	if err != nil {
		return w.fail(err, append(w.kept(), this)...)
	}
	create := planned.create()
	strangers := slices.DeleteFunc(slices.Clone(present), func(endpoint client.Endpoint) bool {
		return endpoint.Type != create.Type || w.manages(endpoint.ID)
	})
	if before, doubtful := w.doubts[label]; doubtful {
		for _, endpoint := range strangers {
			if create.Matches(endpoint) && !slices.Contains(before, endpoint.ID) {
				return w.resumeEndpoint(ctx, label, planned, endpoint)
			}
		}
	}
	if create.Type == client.EndpointReadWrite && len(strangers) > 0 {
		w.warnOfTakingIn(label, strangers[0])
		return w.resumeEndpoint(ctx, label, planned, strangers[0])
	}
	created, err := w.api.CreateEndpoint(ctx, w.projectID(), w.model.ID.ValueString(), create, present)
	if err != nil {
		hints := append(w.kept(), this)
		if w.noteDoubt(label, present, err) {
			hints = append(hints, "There is no need to look for it by hand: the next apply does, before it makes an endpoint.")
		}
		if len(strangers) > 0 {
			hints = append(hints, w.describe(strangers))
		}
		return w.fail(err, hints...)
	}
	delete(w.doubts, label)
	if len(strangers) > 0 {
		w.diags.AddWarning(w.about("Endpoints that are not managed", label), fmt.Sprintf("Endpoint %s (%s) was made. ", label, created.Endpoint.ID)+w.describe(strangers))
	}
	w.warnOfSurplus(label, created)
	w.endpoints[label] = planned.resolved(endpointModelFrom(&created.Endpoint))
	w.save(ctx)
	return w.wait(ctx, created.Operations)
}

func (w *branchWork) manages(id string) bool {
	for _, endpoint := range w.endpoints {
		if endpoint.ID.ValueString() == id {
			return true
		}
	}
	return false
}

// resumeEndpoint takes in an endpoint that exists, and gives it what is planned now.
func (w *branchWork) resumeEndpoint(ctx context.Context, label string, planned endpointModel, endpoint client.Endpoint) bool {
	delete(w.doubts, label)
	w.endpoints[label] = endpointModelFrom(&endpoint)
	w.save(ctx)
	operations, err := w.api.UnfinishedOperations(ctx, w.projectID(), w.model.ID.ValueString())
	if err != nil {
		return w.fail(err, "This was endpoint "+label+".")
	}
	return w.wait(ctx, operations) && w.updateEndpoint(ctx, label, planned)
}

// warnOfTakingIn says that the branch's one read_write endpoint, which somebody else
// created, is managed from now on.
func (w *branchWork) warnOfTakingIn(label string, endpoint client.Endpoint) {
	w.diags.AddAttributeWarning(endpointPath(label, "id"), w.about("An existing endpoint was taken in", label), fmt.Sprintf(
		"Branch %s has the read_write endpoint %s, created at %s, and can have only one. It is managed as endpoint %s from now on: "+
			"it gets the configured settings, and is deleted when that label is removed.",
		w.model.ID.ValueString(), endpoint.ID, endpoint.CreatedAt.UTC().Format(time.RFC3339), label))
}

// noteDoubt has the next run look for an endpoint that may have been made.
func (w *branchWork) noteDoubt(label string, present []client.Endpoint, err error) bool {
	var ambiguous *client.AmbiguousError
	if !errors.As(err, &ambiguous) {
		return false
	}
	if w.doubts == nil {
		w.doubts = endpointDoubts{}
	}
	if _, noted := w.doubts[label]; !noted {
		ids := make([]string, len(present))
		for i, endpoint := range present {
			ids[i] = endpoint.ID
		}
		w.doubts[label] = ids
	}
	return true
}

// dropDoubts names what may have been made for labels that are planned no more.
func (w *branchWork) dropDoubts(ctx context.Context, planned map[string]endpointModel) bool {
	for label, before := range w.doubts {
		if _, wanted := planned[label]; wanted {
			continue
		}
		present, err := w.api.EndpointsNow(ctx, w.projectID(), w.model.ID.ValueString())
		if err != nil {
			return w.fail(err, "This was endpoint "+label+".")
		}
		left := slices.DeleteFunc(present, func(endpoint client.Endpoint) bool {
			return slices.Contains(before, endpoint.ID) || w.manages(endpoint.ID)
		})
		if len(left) > 0 {
			w.diags.AddWarning(w.about("Endpoints that are not managed", label), w.describe(left))
		}
		delete(w.doubts, label)
	}
	return true
}

// describe names endpoints that exist beside those that are managed, and
// may have been left by a run that was killed.
func (w *branchWork) describe(strangers []client.Endpoint) string {
	var text strings.Builder
	fmt.Fprintf(&text, "Branch %s also has these endpoints, which are not managed here; an interrupted run may have left them. "+
		"One that nobody uses is deleted so:\n", w.model.ID.ValueString())
	for _, endpoint := range strangers {
		text.WriteString(w.describeOne(endpoint))
	}
	return text.String()
}

func (w *branchWork) describeOne(endpoint client.Endpoint) string {
	return fmt.Sprintf("\n  %s endpoint %s, made at %s:\n  %s\n", endpoint.Type, endpoint.ID,
		endpoint.CreatedAt.UTC().Format(time.RFC3339), w.api.EndpointDeletionCommand(w.projectID(), endpoint.ID))
}

// warnOfSurplus names what a creation whose answer was lost has created a second time.
func (w *branchWork) warnOfSurplus(label string, created *client.EndpointCreated) {
	surplus := created.Surplus
	if len(surplus.Objects) == 0 && surplus.Err == nil {
		return
	}
	var text strings.Builder
	fmt.Fprintf(&text, "The answer to the creation of endpoint %s was lost on the way. No such endpoint was found, so the creation was "+
		"sent again, and endpoint %s is managed here. ", label, created.Endpoint.ID)
	if surplus.Err != nil {
		fmt.Fprintf(&text, "Whether the first creation took effect later could not be found out: look for another endpoint that is like it. %s",
			kit.Sentence(surplus.Err.Error()))
	} else {
		text.WriteString("The first creation took effect later; delete what it left:\n")
	}
	for _, endpoint := range surplus.Objects {
		text.WriteString(w.describeOne(endpoint))
	}
	w.diags.AddWarning(w.about("Created twice", label), text.String())
}

// about is the summary of a warning about an endpoint. It names the endpoint, since
// Terraform shows only the first of several warnings with the same summary.
func (w *branchWork) about(what, label string) string {
	return fmt.Sprintf("%s (%s of branch %s)", what, label, w.model.ID.ValueString())
}
