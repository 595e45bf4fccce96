package branch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewAnonymizedResource returns the managed resource neon_anonymized_branch: a branch whose data is masked.
func NewAnonymizedResource() resource.Resource {
	itself := path.Empty()
	return kit.NewResource(kit.Resource[anonymizedModel]{
		Name: "anonymized_branch",
		Key:  branchKey,
		Schema: schema.Schema{
			MarkdownDescription: "A branch whose personal data is masked. Terraform waits for that: what depends on the " +
				"branch never sees the parent's real data. Its children are ordinary branches with the masked data. Neon can't " +
				"restore or reset it. Not for projects that use IP Allow or private networking.",
			Attributes: anonymizedAttributes(),
		},
		MovedFrom: map[string]string{"kenchan0130/neon": "neon_anonymized_branch"},
		Protects:  &itself,
		Remembers: "id",
		Patience:  maskingPatience,
		Plan:      planAnonymized,
		Create:    createAnonymized,
		Read:      readAnonymized,
		Update:    updateAnonymized,
		Delete: func(ctx context.Context, run kit.Run, state anonymizedModel) error {
			return deleteOrSayWhy(ctx, run, state.branch())
		},
	})
}

func createAnonymized(ctx context.Context, run kit.Run, plan anonymizedModel, save func(anonymizedModel)) error {
	if err := run.Expired(ctx, plan.ExpiresAt); err != nil {
		return err
	}
	projectID := plan.ProjectID.ValueString()
	made, err := run.API.CreateAnonymizedBranch(ctx, projectID, plan.create(plan.branch().newExpiry(ctx, run.API)),
		maskingRules(plan.MaskingRules))
	lost, isLost := errors.AsType[*client.AmbiguousError](err)
	switch {
	case isLost:
		return kit.Advise(err, kit.LostNamed(lost))
	case client.HasStatus(err, http.StatusConflict):
		return branchChange{kind: anonymized, plan: plan.branch()}.adviseTaken(ctx, run.API, err)
	case err != nil:
		return adviseRules(err)
	}
	m := plan.created(made.Object)
	save(m)
	err = finishAnonymized(ctx, run.API, m, plan, made, save)
	if client.IsUnread(err) || errors.Is(err, context.Canceled) {
		// Not a warning alone: what depends on the branch would find data that isn't masked.
		return kit.Advise(err, "The data may not be masked, so don't connect to the "+
			"branch. It is tainted: the next apply replaces it, unless it is untainted with terraform untaint before; then "+
			"the next apply masks it.")
	} else if err != nil {
		return err
	}
	return nil
}

// blameRules has the rules blamed for data that isn't masked.
func blameRules(err error) error {
	if kit.Is[*client.AnonymizationError](err) {
		return kit.Blame(err, path.Root("masking_rules"))
	}
	return err
}

// adviseUnmasked says what to do about data that isn't masked.
func adviseUnmasked(err error) string {
	unmasked, is := errors.AsType[*client.AnonymizationError](err)
	switch {
	case !is:
		return ""
	case unmasked.IsUnprepared():
		return "The data isn't masked, so don't connect to the branch. Neon could not make it ready, and no other rule " +
			"changes that: replace it, with\n\n  terraform apply -replace=ADDRESS\n\nwhere ADDRESS is that of this resource. " +
			"Where it is tainted, any apply replaces it."
	}
	return "The data may not be masked, so don't connect to the branch. Correct the masking rule that Neon names, and " +
		"apply again." + adviseReplacement(err)
}

// adviseReplacement says how a branch gets a table or a column that it lacks: no other rule brings it there.
func adviseReplacement(err error) string {
	if !strings.Contains(err.Error(), "does not exist") {
		return ""
	}
	return " The branch has the tables and columns that its parent had when it was created. What the parent got later " +
		"it has once it is replaced:\n\n  terraform apply -replace=ADDRESS\n\nwhere ADDRESS is that of this resource."
}

// finishAnonymized waits until a new branch can be masked, and masks it.
func finishAnonymized(
	ctx context.Context, api *client.Client, m, plan anonymizedModel, made *client.Answer[client.NewBranch],
	save func(anonymizedModel),
) error {
	projectID := plan.ProjectID.ValueString()
	if err := api.WaitForOperations(ctx, projectID, made.Operations); err != nil {
		return err
	}
	if m.Endpoint.IsNull() { // The answer was lost.
		endpoints, err := client.All(api.ListEndpoints(ctx, client.BranchRef{ProjectID: projectID, ID: made.Object.ID}))
		if err != nil {
			return err
		}
		m = m.withEndpoint(endpoints)
	}
	ready, err := api.PrepareAnonymization(ctx, client.BranchRef{ProjectID: projectID, ID: made.Object.ID})
	if err != nil {
		return blameRules(err)
	}
	m.State = types.StringValue(ready.State)
	unprotected := plan
	unprotected.Protected = m.Protected
	if err := m.applyBranch(ctx, api, unprotected, save); err != nil { // The clock here may not be Neon's.
		return err
	}
	if err := m.applyEndpoint(ctx, api, plan, save); err != nil {
		return err
	}
	if err := m.mask(ctx, api, ready, save); err != nil {
		return err
	}
	return m.applyBranch(ctx, api, plan, save)
}

// adviseRules says what to look at where Neon refuses a rule.
func adviseRules(err error) error {
	answer, isAnswer := errors.AsType[*client.Error](err)
	if !client.IsRefused(err) || !isAnswer ||
		!strings.Contains(strings.ToLower(answer.Message), "masking") {
		return err
	}
	return kit.Blame(kit.Advise(err, "Check the rule that it names: the database, the table and the column, and that "+
		"the function is one of PostgreSQL Anonymizer's. "+
		"https://postgresql-anonymizer.readthedocs.io/en/stable/masking_functions/ lists these."+
		adviseReplacement(err)), path.Root("masking_rules"))
}

// applyEndpoint brings the endpoint to the plan, as far as that says what it is to be.
func (m *anonymizedModel) applyEndpoint(
	ctx context.Context, api *client.Client, plan anonymizedModel, save func(anonymizedModel),
) error {
	present, planned := kit.Decode[compute.Endpoint](m.Endpoint), kit.Decode[compute.Endpoint](plan.Endpoint)
	update := planned.Changes(present)
	if update == (client.EndpointUpdate{}) || m.Endpoint.IsNull() {
		save(*m)
		return nil
	}
	changed, err := api.UpdateEndpoint(ctx, kit.RefOf[client.Endpoint](m.ProjectID, present.ID), update)
	if err != nil {
		return err
	}
	m.Endpoint = kit.Encode(kit.Resolved(ctx, planned, compute.NewEndpoint(&changed.Object)), maskedEndpointType)
	save(*m)
	return api.WaitForOperations(ctx, m.ProjectID.ValueString(), changed.Operations)
}

// mask masks the data, where it is to be masked and isn't. Ready is what was just read of that, or nil.
func (m *anonymizedModel) mask(
	ctx context.Context, api *client.Client, ready *client.Anonymization, save func(anonymizedModel),
) error {
	branch := m.ref()
	if !m.Anonymize.ValueBool() || m.State.ValueString() == client.Anonymized {
		save(*m)
		return nil
	}
	if err := api.Anonymize(ctx, branch, ready); err != nil {
		return blameRules(err)
	}
	m.State = types.StringValue(client.Anonymized)
	save(*m)
	return nil
}

func readAnonymized(ctx context.Context, run kit.Run, state anonymizedModel) (anonymizedModel, error) {
	ref := state.ref()
	branch, err := run.API.GetSharedBranch(ctx, ref)
	if err != nil {
		return state, err
	}
	var endpointIDs []string
	if id := kit.Decode[compute.Endpoint](state.Endpoint).ID.ValueString(); id != "" {
		endpointIDs = append(endpointIDs, id)
	}
	found, err := readMasks(ctx, run.API, ref, endpointIDs...)
	if err != nil {
		return state, adviseOrdinary(err, branch, "id", ordinaryElsewhere)
	}
	return state.refreshed(branch, found), nil
}

// ordinaryElsewhere is the advice about a branch that is to be read or imported.
const ordinaryElsewhere = "For an ordinary branch there is neon_branch, as a resource and as a data source."

// adviseOrdinary says of Neon's refusal that the branch, which an attribute names, isn't an anonymized one, where that
// is why.
func adviseOrdinary(err error, branch *client.Branch, attribute, advice string) error {
	refusal, isRefusal := errors.AsType[*client.Error](err)
	if client.IsAbsent(err) || !isRefusal || branch.IsAnonymized() {
		return err
	}
	return kit.Blame(kit.Advise(fmt.Errorf("branch %s (%q) isn't an anonymized branch: %w", branch.ID, branch.Name,
		refusal), advice), path.Root(attribute))
}

func updateAnonymized(ctx context.Context, run kit.Run, state, plan anonymizedModel, save func(anonymizedModel)) error {
	m := state
	m.Timeouts, m.Anonymize, m.ParentID, m.ParentLSN, m.ParentTimestamp = plan.Timeouts, plan.Anonymize, plan.ParentID,
		plan.ParentLSN, plan.ParentTimestamp
	if err := m.applyBranch(ctx, run.API, plan, save); err != nil {
		return err
	}
	if err := m.applyEndpoint(ctx, run.API, plan, save); err != nil {
		return err
	}
	if !plan.MaskingRules.Equal(state.MaskingRules) {
		branch := m.ref()
		if err := run.API.SetMaskingRules(ctx, branch, maskingRules(plan.MaskingRules)); err != nil {
			return adviseRules(err)
		}
		m.MaskingRules, m.State = plan.MaskingRules, types.StringValue(outdated)
		save(m)
	}
	return m.mask(ctx, run.API, nil, save)
}

// applyBranch brings name, protection and expiry to the plan.
func (m *anonymizedModel) applyBranch(
	ctx context.Context, api *client.Client, plan anonymizedModel, save func(anonymizedModel),
) error {
	branch, change := m.ref(), branchChange{kind: anonymized, plan: plan.branch(), state: m.branch()}
	update := change.update()
	if !plan.Protected.Equal(m.Protected) {
		update.Protected = plan.Protected.ValueBoolPointer()
	}
	if update == (client.BranchUpdate{}) {
		m.ExpiresAt, m.ExpiresIn = plan.ExpiresAt, plan.ExpiresIn // One moment may have been written as the other.
		return nil
	}
	operations, err := client.OperationsOf(api.UpdateBranch(ctx, branch, update))
	switch {
	case update.ExpiresAt != nil && client.HasStatus(err, http.StatusUnprocessableEntity):
		return kit.Advise(err, expiryIsRefused)
	case client.HasStatus(err, http.StatusConflict):
		return change.adviseTaken(ctx, api, err)
	case err != nil:
		return adviseRules(err)
	}
	m.Name, m.Protected, m.ExpiresAt, m.ExpiresIn = plan.Name, plan.Protected, plan.ExpiresAt, plan.ExpiresIn
	save(*m)
	return api.WaitForOperations(ctx, branch.ProjectID, operations)
}
