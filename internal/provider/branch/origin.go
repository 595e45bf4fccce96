package branch

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	initSchemaOnly   = "schema-only"
	initParentSchema = "parent-schema"
)

// planOrigin replaces a branch that is to begin elsewhere, and says whose data goes
// with it. Before anything is created or deleted because of it, what the
// configuration names must exist.
func planOrigin(ctx context.Context, p kit.Planning, change branchChange) {
	if !change.state.ID.IsNull() {
		changed := planReplacement(ctx, p, change)
		if len(changed) == 0 {
			warnOfOtherPosition(ctx, p, change)
			p.LookUps(func(run kit.Run) {
				warnOfName(ctx, run, change)
			})
			return
		}
		if deletionProtection.Refuses(ctx, p, changed[0]) {
			return
		}
		warnOfReplacement(ctx, change, changed, p.HowRefused(ctx), p.Diags)
		planDeletion(ctx, p, change.kind, change.state)
	}
	p.LookUps(func(run kit.Run) {
		checkOrigin(ctx, run, change)
	})
}

// planReplacement replaces a branch that is to begin elsewhere, and returns the attributes that say so. A parent that a
// restore has put into the place of the one in the state isn't another.
func planReplacement(ctx context.Context, p kit.Planning, change branchChange) (changed []string) {
	changed = change.replacing()
	if parentMoved(ctx, p, change, changed) {
		changed = slices.DeleteFunc(changed, func(name string) bool { return name == "parent_id" })
	}
	p.Replace(changed...)
	return changed
}

// branchChange is a branch as it is configured, planned and stored, by the resource of a kind.
type branchChange struct {
	kind                string
	config, plan, state branchModel
}

const (
	ordinary   = "neon_branch"
	anonymized = "neon_anonymized_branch"
)

// replacing returns the attributes whose change replaces the branch: those that are
// configured and fixed at creation.
func (c branchChange) replacing() []string {
	var names []string
	for _, attribute := range c.fixed() {
		if !attribute.config.IsNull() && !attribute.plan.Equal(attribute.state) && !c.adopts(attribute.name) {
			names = append(names, attribute.name)
		}
	}
	return names
}

// fixedValue is an attribute that is fixed at creation, as it is configured, planned and stored.
type fixedValue struct {
	name                string
	config, plan, state attr.Value
}

func (c branchChange) fixed() []fixedValue {
	return []fixedValue{
		{"project_id", c.config.ProjectID, c.plan.ProjectID, c.state.ProjectID},
		{"parent_id", c.config.ParentID, c.plan.ParentID, c.state.ParentID},
		{"parent_lsn", c.config.ParentLSN, c.plan.ParentLSN, c.state.ParentLSN},
		{"parent_timestamp", c.config.ParentTimestamp, c.plan.ParentTimestamp, c.state.ParentTimestamp},
		{"init_source", c.config.InitSource, c.plan.InitSource, c.state.InitSource},
	}
}

// parentMoved reports whether the planned parent has replaced the one in the state in a restore,
// and says so: the branch goes on as it is.
func parentMoved(ctx context.Context, p kit.Planning, change branchChange, changed []string) bool {
	if !slices.Contains(changed, "parent_id") || slices.Contains(changed, "project_id") ||
		!kit.IsSet(change.plan.ParentID) || p.Diags.HasError() {
		return false
	}
	planned, earlier := kit.InBranch{ProjectID: change.plan.ProjectID, BranchID: change.plan.ParentID},
		change.state.ParentID
	api := p.CheckProject(ctx, change.plan.ProjectID.ValueString(), p.Diags)
	if api == nil || !kit.Succeeds(ctx, api, planned, earlier, p.Diags) {
		return false
	}
	id := change.state.ID.ValueString()
	kit.WarnOfMove(ctx, api, "parent_id", planned, earlier.ValueString(), "branch "+id,
		fmt.Sprintf("branch %s keeps its data, and only its parent_id is another", id), p.Diags)
	return true
}

// adopts reports whether a configured origin is recorded in the state without replacing the branch, since Neon doesn't
// return the original one: it returns its own position and time for each branch, no parent for a schema-only branch,
// and either value of init_source for a schema-only branch.
func (c branchChange) adopts(name string) bool {
	switch name {
	case "parent_lsn", "parent_timestamp":
		return c.positionUnknown()
	case "init_source":
		isRoot := c.state.ParentID.IsNull() && isSchemaOnly(c.state.InitSource)
		return c.state.InitSource.IsNull() || isRoot && isSchemaOnly(c.config.InitSource)
	case "parent_id":
		return c.state.ParentID.IsNull() && isSchemaOnly(c.state.InitSource)
	}
	return false
}

// positionUnknown reports whether it isn't known where the branch was asked to begin, as after an
// import.
func (c branchChange) positionUnknown() bool {
	return c.state.ParentLSN.IsNull() && c.state.ParentTimestamp.IsNull()
}

func isSchemaOnly(source types.String) bool {
	return source.ValueString() == initSchemaOnly || source.ValueString() == initParentSchema
}

// warnOfOtherPosition warns if a branch whose state lacks its origin begins elsewhere than configured. It isn't
// replaced: both may mean the same.
func warnOfOtherPosition(ctx context.Context, p kit.Planning, change branchChange) {
	state, lsn, moment := change.state, change.config.ParentLSN, change.config.ParentTimestamp
	if !change.positionUnknown() || isSchemaOnly(state.InitSource) || !kit.IsSet(lsn) && !kit.IsSet(moment) {
		return
	}
	if !p.CanLookUp() {
		return
	}
	branch, err := p.LookUpBranch(ctx, state.ref())
	if err != nil || begins(branch, lsn.ValueString(), kit.Instant(moment)) {
		return // The next read says what is wrong.
	}
	name, says := "parent_lsn", "no position"
	if kit.IsSet(moment) {
		name = "parent_timestamp"
	}
	if branch.ParentLSN != "" {
		says = "position " + branch.ParentLSN
	}
	if branch.ParentTimestamp != nil {
		says += ", where the parent was last changed at " + kit.OptionalTime(branch.ParentTimestamp).ValueString()
	}
	p.Diags.AddAttributeWarning(path.Root(name), "A branch is kept that may begin elsewhere ("+branch.ID+")", fmt.Sprintf(
		"Neon returns %s for branch %s (%q), which isn't what %s says. The branch stays as it is, and the state takes "+
			"%[4]s from the configuration. If the branch must begin there, replace it with terraform apply -replace, which "+
			"deletes all data written to it.",
		says, branch.ID, branch.Name, name))
}

// begins reports whether a branch may have been asked to begin at a position, or else at a moment.
// Neon rounds positions up to eight bytes, and returns the moment of the last change before.
func begins(branch *client.Branch, lsn string, moment *time.Time) bool {
	if moment != nil {
		return branch.ParentTimestamp != nil && !moment.Before(*branch.ParentTimestamp) && !moment.After(branch.CreatedAt)
	}
	asked, isAsked := kit.Position(lsn)
	actual, isActual := kit.Position(branch.ParentLSN)
	return isAsked && isActual && actual-asked < 8
}

func warnOfReplacement(
	ctx context.Context, change branchChange, changed []string, howRefused string, diags *diag.Diagnostics,
) {
	state, moved := change.state, ""
	if slices.Contains(changed, "parent_id") && !state.ParentID.IsNull() && !change.plan.ParentID.IsUnknown() {
		moved = " Where the configured parent was restored, Neon has moved the branch to another, which an import reads."
	}
	var instead, keeping []string
	for _, attribute := range change.fixed() {
		if slices.Contains(changed, attribute.name) {
			instead = append(instead, kit.Instead(ctx, attribute.name, attribute.plan, attribute.state))
			keeping = append(keeping, kit.Keeping(attribute.name, attribute.state))
		}
	}
	diags.AddAttributeWarning(path.Root(changed[0]), "A branch will be replaced ("+state.ID.ValueString()+")", fmt.Sprintf(
		"Applying this deletes branch %s (%q) of project %s with all data written to it, and creates another in its place: "+
			"%s. To keep the branch, %s, or leave out what is optional. %s%s", state.ID.ValueString(), state.Name.ValueString(),
		state.ProjectID.ValueString(), strings.Join(instead, " and "),
		strings.Join(keeping, " and "), howRefused, moved))
}

// checkOrigin looks up the project and the parent that are known by their ids. What
// is known only after apply is left to the creation.
func checkOrigin(ctx context.Context, run kit.Run, change branchChange) {
	projectID, parentID := change.plan.ProjectID.ValueString(), change.config.ParentID.ValueString()
	if projectID == "" {
		return
	}
	if run.CheckProject(ctx, projectID, run.Diags) == nil {
		return
	}
	if change.state.ID.IsNull() {
		warnOfName(ctx, run, change)
	} else {
		checkNewName(ctx, run, change)
	}
	checkHistory(ctx, run, change.plan.ProjectID, change.plan.ParentTimestamp)
	if parentID == "" {
		return
	}
	parent := path.Root("parent_id")
	if parentID == change.state.ID.ValueString() {
		run.Diags.AddAttributeError(parent, "A branch can't be its own parent", "parent_id names branch "+parentID+" itself.")
		return
	}
	if err := checkParent(ctx, run, projectID, parentID); err != nil {
		if client.IsAbsent(err) {
			err = kit.Advise(err, "A parent is a branch of the same project. The data source neon_branches lists those that "+
				"there are.")
		}
		kit.AddAttributeError(run.Diags, parent, "Unable to create a branch from this parent", err)
		return
	}
	checkUnmasked(ctx, run, change)
}

// checkUnmasked refuses to begin a branch in the past of an anonymized one: nobody says whether its data was masked
// then.
func checkUnmasked(ctx context.Context, run kit.Run, change branchChange) {
	lsn, moment := change.config.ParentLSN, change.config.ParentTimestamp
	name := "parent_timestamp"
	switch {
	case !lsn.IsNull() && !change.plan.ParentLSN.Equal(change.state.ParentLSN):
		name = "parent_lsn"
	case moment.IsNull() || moment.Equal(change.state.ParentTimestamp):
		return
	}
	parent, err := run.LookUpBranch(ctx, kit.RefOf[client.Branch](change.plan.ProjectID, change.config.ParentID))
	if err == nil && parent.IsAnonymized() {
		run.Diags.AddAttributeError(path.Root(name), "The data may not be masked", fmt.Sprintf("Branch %s is anonymized, "+
			"and Neon doesn't say whether a branch of its past, from before its data was masked, has the real data. Remove %s: "+
			"the new branch then begins with the data that is masked now.", parent.ID, name))
	}
}

// checkHistory refuses to replace a branch with one that begins at a time for which Neon keeps no history. If the
// branch is new or tainted, it warns.
func checkHistory(ctx context.Context, run kit.Run, projectID types.String, moment timetypes.RFC3339) {
	if !kit.IsSet(projectID) || !kit.IsSet(moment) {
		return
	}
	project, err := run.LookUpProject(ctx, projectID.ValueString())
	if err == nil { // Else another look-up says so.
		kit.CheckHistory("parent_timestamp", moment, project, run.API.Now(ctx), run.Diags)
	}
}

// adviseHistory says since when there is history, where Neon refuses the moment at which a branch is to begin.
func adviseHistory(ctx context.Context, api *client.Client, plan branchModel, refusal error) error {
	if !kit.IsSet(plan.ParentTimestamp) || !kit.Is[*client.Error](refusal) {
		return refusal
	}
	project, err := api.GetProject(ctx, plan.ProjectID.ValueString())
	if err != nil {
		return refusal
	}
	if advice := kit.LacksHistory("parent_timestamp", plan.ParentTimestamp, project, api.Now(ctx)); advice != "" {
		return kit.Advise(refusal, advice)
	}
	return refusal
}

// checkParent reports why Neon would refuse to create a branch from this parent.
func checkParent(ctx context.Context, run kit.Run, projectID, parentID string) error {
	parent, err := run.LookUpBranch(ctx, client.BranchRef{ProjectID: projectID, ID: parentID})
	if err != nil {
		return err
	}
	if parent.ExpiresAt != nil {
		return fmt.Errorf("branch %s expires at %s, and a branch that expires can't have children", parent.ID,
			kit.OptionalTime(parent.ExpiresAt).ValueString())
	}
	return nil
}
