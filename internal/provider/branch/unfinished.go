package branch

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// unfinishedKey names unfinished in private state.
const unfinishedKey = "unfinished"

// unfinished is what a run left for the next one. A branch whose creation was interrupted
// isn't tainted: the next run completes it, and replaces it only if Neon could not create it.
type unfinished struct {
	// Operations are the ids of an interrupted creation's operations.
	Operations []string `json:"operations,omitempty"`
	// Changes are the ids of a change's operations that could not be waited for.
	Changes []string `json:"changes,omitempty"`
	// Failed is set when Neon gave up one of the creation's operations.
	Failed bool `json:"failed,omitempty"`
	// Endpoints are the labels whose endpoints may exist, since the answers to their
	// creation were lost, each with the ids of the endpoints that existed before.
	Endpoints map[string][]string `json:"endpoints,omitempty"`
	// LostAt is when the last of those answers was lost, by label.
	LostAt map[string]time.Time `json:"lost_at,omitempty"`
}

// nothingUnfinished is what a run leaves that has ended well.
func nothingUnfinished() unfinished {
	return unfinished{Endpoints: map[string][]string{}, LostAt: map[string]time.Time{}}
}

func (u unfinished) forgetEndpoint(label string) {
	delete(u.Endpoints, label)
	delete(u.LostAt, label)
}

func readUnfinished(ctx context.Context, private kit.PrivateState, diags *diag.Diagnostics) unfinished {
	u := nothingUnfinished()
	text, problems := private.GetKey(ctx, unfinishedKey)
	diags.Append(problems...)
	if err := json.Unmarshal(text, &u); len(text) > 0 && err != nil {
		diags.AddError("Unable to read private state", "What an earlier run left unfinished can't be decoded: "+
			err.Error()+".")
	}
	return u
}

func (u unfinished) save(ctx context.Context, private kit.PrivateState, diags *diag.Diagnostics) {
	var text []byte // Nothing removes the key.
	if len(u.Operations)+len(u.Changes)+len(u.Endpoints) > 0 {
		text, _ = json.Marshal(u) // It is made of strings.
	}
	diags.Append(private.SetKey(ctx, unfinishedKey, text)...)
}

// refreshed returns u without the operations that had their effect, and without those of
// a change that never will, which it warns of: what it left undone is planned again.
func (u unfinished) refreshed(
	ctx context.Context, api *client.Client, projectID string, diags *diag.Diagnostics,
) (unfinished, error) {
	remaining := unfinished{Endpoints: u.Endpoints, LostAt: u.LostAt}
	for _, id := range slices.Concat(u.Operations, u.Changes) {
		operation, err := api.GetOperation(ctx, client.Ref[client.Operation]{ProjectID: projectID, ID: id})
		switch {
		case client.IsAbsent(err):
			continue
		case err != nil:
			return u, err
		case operation.Status == client.StatusFinished || operation.Status == client.StatusSkipped:
			continue
		}
		failed := operation.Status == client.StatusCancelled || operation.GivenUp(client.DefaultOperationGrace)
		switch {
		case slices.Contains(u.Operations, id):
			remaining.Failed = remaining.Failed || failed
			remaining.Operations = append(remaining.Operations, id)
		case !failed:
			remaining.Changes = append(remaining.Changes, id)
		default:
			end := api.WaitForOperations(ctx, projectID, []client.Operation{*operation})
			diags.AddWarning("A change was not completed ("+id+")", kit.Sentence(end.Error())+
				"\n\nWhat an earlier run left undone is planned again. An endpoint that was not started starts when it is used.")
		}
	}
	return remaining, nil
}

// running returns the operations in the form that a wait needs.
func (u unfinished) running(projectID string) []client.Operation {
	var operations []client.Operation
	for _, id := range slices.Concat(u.Operations, u.Changes) {
		operations = append(operations, client.Operation{ID: id, ProjectID: projectID, Status: client.StatusRunning})
	}
	return operations
}

// plan makes the next apply complete an interrupted creation or change, or replace the
// branch if Neon could not create it.
func (u unfinished) plan(ctx context.Context, p kit.Planning) {
	switch {
	case u.Failed:
		p.Set(ctx, path.Root("id"), types.StringUnknown())
		p.Replace("id")
	case len(u.Operations)+len(u.Changes) > 0:
		p.Set(ctx, path.Root("current_state"), types.StringUnknown())
	}
}
