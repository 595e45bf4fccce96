package branch

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// planAnonymized plans data that is masked, and refuses what Neon would refuse later.
func planAnonymized(ctx context.Context, p kit.Planning) {
	state, plan, config := kit.ModelsOf[anonymizedModel](ctx, p)
	change := branchChange{anonymized, config.branch(), plan.branch(), state.branch()}
	if p.IsDestruction() {
		planDeletion(ctx, p, anonymized, change.state)
		return
	}
	if p.Diags.HasError() {
		return
	}
	isReplaced := replacesAnonymized(ctx, p, change)
	going := change.state
	isForced := p.IsReplacedByForce(ctx)
	if isForced {
		going.ProjectID, going.ID, going.Name = plan.ProjectID, types.StringValue(p.Remembered(ctx)), plan.Name
	}
	if isReplaced || isForced {
		planDeletion(ctx, p, anonymized, going)
	}
	p.Set(ctx, path.Root("state"), plannedState(ctx, plan, state))
	p.CheckPast(ctx, "parent_timestamp", config.ParentTimestamp, p.Diags)
	checkAnonymized(ctx, p, config, plan, state, isReplaced)
	change.warnOfTwo(p)
	isNew := state.ID.IsNull() || isReplaced
	p.LookUps(func(run kit.Run) {
		if isNew {
			checkOrigin(ctx, run, change)
		} else {
			warnOfName(ctx, run, change)
		}
		if isNew || !plan.MaskingRules.Equal(state.MaskingRules) {
			checkMaskedDatabases(ctx, run, config, plan, state, isNew)
		}
	})
	if p.IsCreation() {
		warnOfLimits(p, change.plan)
	}
}

// replacesAnonymized reports whether a plan replaces the branch: because of another origin, or of another parent,
// unless a restore put that in the place of the state's parent.
func replacesAnonymized(ctx context.Context, p kit.Planning, change branchChange) bool {
	if change.state.ID.IsNull() {
		return false
	}
	changed := planReplacement(ctx, p, change)
	if len(changed) == 0 {
		warnOfOtherPosition(ctx, p, change)
		return false
	}
	warnOfReplacement(ctx, change, changed, "With prevent_destroy in its lifecycle block, Terraform refuses such plans.",
		p.Diags)
	return true
}

// checkMaskedDatabases looks for the databases of the rules: on the branch, or on the parent that a new one begins as.
// What the parent had in its past, nobody can tell.
func checkMaskedDatabases(ctx context.Context, run kit.Run, config, plan, state anonymizedModel, isNew bool) {
	branchID := state.ID.ValueString()
	if !kit.IsSet(plan.ProjectID) || isNew && (!plan.ParentLSN.IsNull() || !plan.ParentTimestamp.IsNull()) {
		return
	}
	projectID, seen := plan.ProjectID.ValueString(), map[string]bool{}
	if isNew {
		branchID = plan.ParentID.ValueString()
		if config.ParentID.IsNull() {
			branchID = parentByDefault(ctx, run, projectID)
		}
	}
	if branchID == "" {
		return
	}
	if _, err := run.LookUpBranch(ctx, client.BranchRef{ProjectID: projectID, ID: branchID}); err != nil {
		return // Another look-up says so.
	}
	for _, rule := range maskingRules(plan.MaskingRules) {
		if rule.DatabaseName == "" || seen[rule.DatabaseName] {
			continue
		}
		seen[rule.DatabaseName] = true
		_, err := run.API.GetSharedDatabase(ctx, client.BranchRef{ProjectID: projectID, ID: branchID}, rule.DatabaseName, 0)
		if client.IsAbsent(err) && !run.IsNaming("database", projectID, branchID, rule.DatabaseName) {
			kit.AddAttributeError(run.Diags, path.Root("masking_rules"), "No such database",
				kit.MissingNamed(err, "database_name"))
		}
	}
}

// parentByDefault is the default branch; empty where it can't be read.
func parentByDefault(ctx context.Context, run kit.Run, projectID string) string {
	branch, err := run.LookUpDefaultBranch(ctx, projectID)
	if err != nil || branch == nil {
		return ""
	}
	return branch.ID
}

// plannedState is what the state is to be: an apply that succeeds leaves masked data.
func plannedState(ctx context.Context, plan, state anonymizedModel) types.String {
	rules, err := plan.MaskingRules.ToTerraformValue(ctx)
	switch {
	case plan.Anonymize.ValueBool():
		return types.StringValue(client.Anonymized)
	case plan.Anonymize.IsUnknown(), state.ID.IsNull(), err != nil, !rules.IsFullyKnown():
		return types.StringUnknown()
	case !plan.MaskingRules.Equal(state.MaskingRules):
		return types.StringValue(outdated)
	}
	return state.State
}

// checkAnonymized refuses an expiry that can't be, and sizes.
func checkAnonymized(ctx context.Context, p kit.Planning, config, plan, state anonymizedModel, replaces bool) {
	checkNewExpiry(ctx, p, plan.branch(), state.branch())
	if !replaces {
		checkProtectedExpiry(config.branch(), plan.branch(), state.branch(), p.Diags)
	}
	kit.Decode[compute.Endpoint](plan.Endpoint).CheckSizes(kit.Decode[compute.Endpoint](state.Endpoint),
		func(attribute string) path.Path { return path.Root("endpoint").AtName(attribute) }, p.Diags)
}
