package branch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const initSchemaOnly = "schema-only"

// planOrigin replaces a branch that is to begin elsewhere, and says whose data goes
// with it. Before anything is created or deleted because of it, what the
// configuration names must exist.
func (r *branchResource) planOrigin(ctx context.Context, change branchChange, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if !change.state.ID.IsNull() {
		changed := change.replacing()
		if r.parentMoved(ctx, change, changed, &resp.Diagnostics) {
			changed = slices.DeleteFunc(changed, func(name string) bool { return name == "parent_id" })
		}
		if len(changed) == 0 {
			return
		}
		for _, name := range changed {
			resp.RequiresReplace.Append(path.Root(name))
		}
		warnOfReplacement(change.state, changed, &resp.Diagnostics)
	}
	r.LookUps(req.State, &resp.Diagnostics, func(_ *client.Client, diags *diag.Diagnostics) { r.checkOrigin(ctx, change, diags) })
}

// branchChange is a branch as it is configured, planned and stored.
type branchChange struct{ config, plan, state branchModel }

// replacing returns the attributes whose change replaces the branch: those that are
// configured and fixed at creation.
func (c branchChange) replacing() []string {
	var names []string
	// Neon doesn't say what a schema-only branch was created from.
	originUnknown := c.state.InitSource.ValueString() == initSchemaOnly
	for _, attribute := range []struct {
		name                string
		config, plan, state attr.Value
	}{
		{"project_id", c.config.ProjectID, c.plan.ProjectID, c.state.ProjectID},
		{"parent_id", c.config.ParentID, c.plan.ParentID, c.state.ParentID},
		{"parent_lsn", c.config.ParentLSN, c.plan.ParentLSN, c.state.ParentLSN},
		{"parent_timestamp", c.config.ParentTimestamp, c.plan.ParentTimestamp, c.state.ParentTimestamp},
		{"init_source", c.config.InitSource, c.plan.InitSource, c.state.InitSource},
	} {
		if !attribute.config.IsNull() && !attribute.plan.Equal(attribute.state) && (!originUnknown || !attribute.state.IsNull()) {
			names = append(names, attribute.name)
		}
	}
	return names
}

// parentMoved reports whether the planned parent has replaced the one in the state in a restore,
// and says so: the branch goes on as it is.
func (r *branchResource) parentMoved(ctx context.Context, change branchChange, changed []string, diags *diag.Diagnostics) bool {
	if !slices.Contains(changed, "parent_id") || slices.Contains(changed, "project_id") || !kit.IsSet(change.plan.ParentID) || diags.HasError() {
		return false
	}
	planned, earlier := kit.InBranch{ProjectID: change.plan.ProjectID, BranchID: change.plan.ParentID}, change.state.ParentID
	api := r.CheckProject(ctx, change.plan.ProjectID.ValueString(), diags)
	if api == nil || !kit.Succeeds(ctx, api, planned, earlier, diags) {
		return false
	}
	id := change.state.ID.ValueString()
	kit.WarnOfMove(ctx, api, "parent_id", planned, earlier.ValueString(), "branch "+id,
		fmt.Sprintf("branch %s keeps its data, and only its parent_id is another", id), diags)
	return true
}

func warnOfReplacement(state branchModel, changed []string, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root(changed[0]), "A branch will be replaced ("+state.ID.ValueString()+")", fmt.Sprintf(
		"Applying this deletes branch %s (%q) of project %s with all data written to it, and creates another in its place, because "+
			"of the change of %s. If that isn't intended, undo the change. With lifecycle { prevent_destroy = true }, Terraform "+
			"refuses such a plan.",
		state.ID.ValueString(), state.Name.ValueString(), state.ProjectID.ValueString(), strings.Join(changed, " and ")))
}

// checkOrigin looks up the project and the parent that are known by their ids. What
// is known only after apply is left to the creation.
func (r *branchResource) checkOrigin(ctx context.Context, change branchChange, diags *diag.Diagnostics) {
	projectID, parentID := change.plan.ProjectID.ValueString(), change.config.ParentID.ValueString()
	if projectID == "" {
		return
	}
	api := r.CheckProject(ctx, projectID, diags)
	if api == nil || parentID == "" {
		return
	}
	parent := path.Root("parent_id")
	if parentID == change.state.ID.ValueString() {
		diags.AddAttributeError(parent, "A branch can't be its own parent", "parent_id names branch "+parentID+" itself.")
		return
	}
	if err := r.checkParent(ctx, api, projectID, parentID); err != nil {
		kit.AddAttributeError(diags, parent, "Unable to create a branch from this parent", err)
	}
}

// checkParent reports why Neon would refuse to create a branch from this parent (API
// document, section 3.3).
func (r *branchResource) checkParent(ctx context.Context, api *client.Client, projectID, parentID string) error {
	parent, err := r.LookUpBranch(ctx, api, projectID, parentID)
	if err != nil {
		return err
	}
	if parent.ExpiresAt != nil {
		return fmt.Errorf("branch %s expires at %s, and a branch that expires can't have children", parent.ID, kit.OptionalTime(parent.ExpiresAt).ValueString())
	}
	return nil
}
