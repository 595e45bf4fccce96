package provider

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// onConflictAdopt takes an existing branch of the same name over.
const onConflictAdopt = "adopt"

// meetExisting deals with a branch of the same name that was there before: it
// is taken over where the configuration wants that and the branch begins where
// it should, or else is named, with the way to take it in.
func (w *branchWork) meetExisting(ctx context.Context, config, plan branchModel, refusal error) {
	projectID := plan.ProjectID.ValueString()
	existing, err := w.api.BranchNamedNow(ctx, projectID, plan.Name.ValueString())
	switch {
	case err != nil:
		addError(w.diags, w.doing, refusal, "The branch that is in the way could not be looked up: "+err.Error()+".")
		return
	case existing == nil:
		addError(w.diags, w.doing, refusal)
		return
	case plan.OnConflict.ValueString() != onConflictAdopt:
		w.nameExisting(existing, refusal, "Or set on_conflict = \""+onConflictAdopt+"\" to take over a branch of that name and parent.")
		return
	}
	if reason := w.unlike(ctx, plan, existing); reason != "" {
		w.nameExisting(existing, refusal, "It isn't taken over, since "+reason+".")
		return
	}
	w.adopt(ctx, config, plan, existing)
}

// nameExisting says which branch is in the way, and how it is taken in.
func (w *branchWork) nameExisting(existing *client.Branch, refusal error, hint string) {
	text := fmt.Sprintf("Project %s already has a branch named %q: %s, made at %s.",
		existing.ProjectID, existing.Name, existing.ID, existing.CreatedAt.UTC().Format(time.RFC3339))
	block := fmt.Sprintf("If an interrupted run left it, or it is to be managed here, take it in with this block, "+
		"where NAME is the name of this resource:\n\nimport {\n  to = neon_branch.NAME\n  id = \"%s/%s\"\n}",
		existing.ProjectID, existing.ID)
	w.diags.AddAttributeError(path.Root("name"), w.doing, text+" "+sentence(refusal.Error())+"\n\n"+block+"\n\n"+hint)
}

// unlike says why the existing branch isn't the one that the plan would make;
// empty where it may be.
func (w *branchWork) unlike(ctx context.Context, plan branchModel, existing *client.Branch) string {
	actual := branchModelFrom(existing)
	switch {
	case isSet(plan.ParentID) && !plan.ParentID.Equal(actual.ParentID):
		return fmt.Sprintf("its parent is %s rather than %s", orNone(existing.ParentID), plan.ParentID.ValueString())
	case isSet(plan.ParentLSN) && !plan.ParentLSN.Equal(actual.ParentLSN):
		return "it begins at another parent_lsn"
	case isSet(plan.ParentTimestamp) && !atSameInstant(plan.ParentTimestamp, actual.ParentTimestamp):
		return "it begins at another parent_timestamp"
	case isSet(plan.InitSource) && !plan.InitSource.Equal(actual.InitSource):
		return "it has another init_source"
	case isSet(plan.ParentID):
		return ""
	}
	parent, err := w.api.Branch(ctx, existing.ProjectID, existing.ParentID)
	switch {
	case existing.ParentID == "":
		return "it has no parent, and this resource would make a child of the default branch"
	case err != nil:
		return "its parent can't be read: " + err.Error()
	case !parent.Default:
		return fmt.Sprintf("its parent is %s rather than the default branch", existing.ParentID)
	}
	return ""
}

func orNone(id string) string {
	if id == "" {
		return "none"
	}
	return id
}

// adopt makes the existing branch what is planned. Endpoints that serve a
// label's purpose get it, others are left alone. State holds nothing until all
// is done: a failure here must not taint a branch that was there before.
func (w *branchWork) adopt(ctx context.Context, config, plan branchModel, existing *client.Branch) {
	w.unsaved = true
	w.model = plan.resolved(existing)
	actual := branchModelFrom(existing)
	w.model.Protected, w.model.ExpiresAt = actual.Protected, actual.ExpiresAt
	endpoints, err := w.api.BranchEndpoints(ctx, w.projectID(), existing.ID)
	if err != nil {
		w.fail(err)
		return
	}
	operations, err := w.api.UnfinishedOperations(ctx, w.projectID(), existing.ID)
	if err != nil {
		w.fail(err)
		return
	}
	configured := endpointModels(config.Endpoints)
	labelled := labelImported(endpoints, existing.Annotations[labelsAnnotation])
	planned := planEndpoints(configured, endpointModels(plan.Endpoints), labelled, nil)
	w.endpoints = map[string]endpointModel{}
	for label, before := range keptEndpoints(configured, labelled, nil) {
		w.endpoints[label] = labelled[before]
	}
	if w.wait(ctx, operations) && w.change(ctx, plan, planned) {
		w.unsaved = false
		w.finish(ctx, plan, planned)
		w.diags.AddWarning("An existing branch was taken over", fmt.Sprintf(
			"Branch %s of project %s, made at %s, has the name %q and is managed here from now on, as on_conflict says.",
			existing.ID, existing.ProjectID, existing.CreatedAt.UTC().Format(time.RFC3339), existing.Name))
	}
}
