package snapshot

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

// origin returns the plan modifiers of the snapshot's position and time. If the state lacks them, checkPlan compares.
func origin() []planmodifier.String {
	return []planmodifier.String{kit.SameInstant(), stringplanmodifier.UseStateForUnknown(), kit.ReplacesKnown()}
}

// checkPlan checks for an expiry that is over already, and replaces the snapshot of another
// branch.
func checkPlan(ctx context.Context, p kit.Planning) {
	if p.IsDestruction() {
		return
	}
	plan := kit.ModelOf[model](ctx, p.Plan, p.Diags)
	state := kit.ModelOf[model](ctx, p.State, p.Diags)
	if p.Diags.HasError() {
		return
	}
	if !kit.AtSameInstant(plan.ExpiresAt, state.ExpiresAt) {
		p.CheckExpiry(ctx, plan.ExpiresAt)
	}
	p.CheckPast(ctx, "timestamp", plan.Timestamp, p.Diags)
	if !p.IsCreation() {
		p.Replace(append(replacing(ctx, p, plan, state), changedOrigin(plan, state)...)...)
		if p.Replaces() && kit.IsSet(plan.ProjectID) {
			p.LookUps(func(run kit.Run) {
				plan.checkNew(ctx, run, state)
			})
		}
	}
	rootbranch.CheckPlanned(ctx, p, "snapshot")
}

// checkNew refuses to replace a snapshot with one that Neon would refuse only after the old one is deleted.
func (m model) checkNew(ctx context.Context, run kit.Run, state model) {
	if project, err := run.LookUpProject(ctx, m.ProjectID.ValueString()); err == nil { // Else another says so.
		kit.CheckHistory("timestamp", m.Timestamp, project, run.API.Now(ctx), run.Diags)
	}
	if other := m.withSlug(ctx, run.API); other != nil && other.ID != state.ID.ValueString() {
		kit.AddAttributeError(run.Diags, path.Root("slug"), "Unable to replace snapshot", m.adviseTaken(other,
			errors.New("the slug is taken. Neon would delete the old snapshot first, and then refuse the new one")))
	}
}

// changedOrigin returns the attributes that replace the snapshot by their modifiers.
func changedOrigin(plan, state model) (names []string) {
	for _, origin := range []struct {
		name        string
		plan, state attr.Value
	}{{"project_id", plan.ProjectID, state.ProjectID}, {"slug", plan.Slug, state.Slug}, {"lsn", plan.LSN, state.LSN},
		{"timestamp", plan.Timestamp, state.Timestamp}} {
		if !origin.state.IsNull() && !origin.plan.Equal(origin.state) {
			names = append(names, origin.name)
		}
	}
	return names
}

// replacing returns the attributes that replace the snapshot, by comparison with the planned branch for those that an
// import didn't read. If Neon can't be asked yet, it returns all that may.
func replacing(ctx context.Context, p kit.Planning, plan, state model) []string {
	isOfAnother := !state.BranchID.IsNull() && !plan.BranchID.Equal(state.BranchID)
	saysPosition := kit.IsSet(plan.LSN) && state.LSN.IsNull()
	saysMoment := kit.IsSet(plan.Timestamp) && state.Timestamp.IsNull()
	if !isOfAnother && !saysPosition && !saysMoment {
		return nil
	}
	var api *client.Client
	if kit.IsSet(plan.ProjectID) {
		api = p.CheckProject(ctx, plan.ProjectID.ValueString(), p.Diags)
	}
	var names []string
	switch {
	case !isOfAnother:
	case api == nil || !kit.Succeeds(ctx, api, plan.InBranch, state.BranchID, p.Diags):
		names = append(names, "branch_id")
	default:
		kit.WarnOfMove(ctx, api, "branch_id", plan.InBranch, state.BranchID.ValueString(), "snapshot "+state.ID.ValueString(),
			"the snapshot is the same, and counts as one of the new branch from now on", p.Diags)
	}
	taken := &client.Snapshot{}
	if api != nil && (saysPosition || saysMoment) {
		var err error
		if taken, err = api.GetSharedSnapshot(ctx, kit.RefOf[client.Snapshot](state.ProjectID, state.ID)); err != nil {
			kit.AddError(p.Diags, "Unable to read snapshot", err)
			return nil
		}
	}
	if saysPosition && !kit.AtSamePosition(plan.LSN.ValueString(), taken.LSN) {
		names = append(names, "lsn")
	}
	if saysMoment && !kit.AtSameInstant(plan.Timestamp, kit.OptionalTime(taken.Timestamp)) {
		names = append(names, "timestamp")
	}
	return names
}
