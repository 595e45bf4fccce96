package project

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

var branchPath = path.Root("default_branch")

// plan chooses the organization of a new project, and refuses what Neon can't do in place.
func plan(
	ctx context.Context, platform *kit.Platform, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() {
		checkGoes(ctx, platform, req, &resp.Diagnostics)
		return
	}
	checkSizes(ctx, req, path.Root("default_endpoint_settings"), &resp.Diagnostics)
	checkSizes(ctx, req, branchPath.AtName("endpoint"), &resp.Diagnostics)
	checkWindow(ctx, req, &resp.Diagnostics)
	kit.PlanLeftAlone(ctx, leftAlone, req, resp)
	if req.State.Raw.IsNull() {
		if kit.IsReplacedByForce(ctx, req) {
			replaced := model{ID: types.StringValue(kit.Remembered(ctx, req))}
			resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("name"), &replaced.Name)...)
			checkProtected(ctx, platform, replaced, req.Private, &resp.Diagnostics)
		}
		chooseOrganization(ctx, platform, req, resp)
		return
	}
	keepBranch(ctx, req, resp)
	nameBranch(ctx, platform, req, &resp.Diagnostics)
	setEndpoint(ctx, platform, req, &resp.Diagnostics)
	noteSuspension(ctx, platform, req, &resp.Diagnostics)
	if kit.Changed(ctx, req, replacing, &resp.Diagnostics) != "" {
		kit.ForgetReplaced(ctx, resp)
		checkGoes(ctx, platform, req, &resp.Diagnostics)
		warnOfRegion(ctx, platform, req, &resp.Diagnostics)
		return
	}
	for name, what := range lasting {
		refuseSwitchingOff(ctx, req, name, what, &resp.Diagnostics)
	}
	refuseLowering(ctx, req, &resp.Diagnostics)
	warnOfOpening(ctx, req, &resp.Diagnostics)
	if from, to := values[types.String](ctx, req, path.Root("org_id"), &resp.Diagnostics); kit.IsSet(from) &&
		kit.IsSet(to) && !from.Equal(to) {
		resp.Diagnostics.AddAttributeWarning(path.Root("org_id"), "Project-scoped API keys will be revoked ("+
			from.ValueString()+" to "+to.ValueString()+")",
			fmt.Sprintf("Applying this transfers the project from organization %s to %s in place. Neon revokes all API keys "+
				"that are scoped to it. A neon_org_api_key of it is to be created again in the new organization: change its "+
				"org_id, or replace it.", from.ValueString(), to.ValueString()))
	}
	refuseRename(ctx, req, "role_name", "A role can't be renamed. Create another one with neon_role", &resp.Diagnostics)
	refuseRename(ctx, req, "database_name", "Rename the database with neon_database", &resp.Diagnostics)
}

// warnOfRegion warns of a region for a new project that Neon doesn't list: the old project goes before Neon refuses it.
func warnOfRegion(
	ctx context.Context, platform *kit.Platform, req resource.ModifyPlanRequest, diags *diag.Diagnostics,
) {
	present, planned := values[types.String](ctx, req, path.Root("region_id"), diags)
	_, orgID := values[types.String](ctx, req, path.Root("org_id"), diags)
	if !kit.IsSet(planned) || planned.Equal(present) || orgID.IsUnknown() {
		return
	}
	platform.LookUps(req.State, diags, func(api *client.Client, diags *diag.Diagnostics) {
		advice := regionsThere(ctx, api, orgID.ValueString(), planned.ValueString())
		if advice == "" {
			return
		}
		diags.AddAttributeWarning(path.Root("region_id"), "No such region ("+planned.ValueString()+")", advice+" Neon "+
			"deletes the old project first, and there is none if it then refuses the new one.")
	})
}

// keepBranch plans the id of the default branch as it is where the rest of it isn't known yet: no configuration changes
// the id, which others refer to.
func keepBranch(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	configured := kit.Get[types.Object](ctx, req.Config, branchPath, &resp.Diagnostics)
	present := kit.Get[types.Object](ctx, req.State, branchPath, &resp.Diagnostics)
	if !configured.IsUnknown() || present.IsNull() {
		return
	}
	values := map[string]attr.Value{}
	for name, kind := range branchType.AttrTypes {
		values[name] = kit.UnknownOf(ctx, kind)
	}
	values["id"] = present.Attributes()["id"]
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, branchPath, types.ObjectValueMust(branchType.AttrTypes,
		values))...)
}

// noteSuspension has endpoints that go back to the project's time of suspension plan the one that it will be.
func noteSuspension(
	ctx context.Context, platform *kit.Platform, req resource.ModifyPlanRequest, diags *diag.Diagnostics,
) {
	present, planned := values[types.Int64](ctx, req,
		path.Root("default_endpoint_settings").AtName("suspend_timeout_seconds"), diags)
	if !planned.IsNull() && !planned.Equal(present) {
		compute.NoteSuspension(platform, kit.TextOf(ctx, req, "id"), planned)
	}
}

// checkGoes refuses to delete or replace a project that Neon would keep when all that belongs to it is deleted, and
// one together with what is to leave a snapshot in it.
func checkGoes(
	ctx context.Context, platform *kit.Platform, req resource.ModifyPlanRequest, diags *diag.Diagnostics,
) {
	state := kit.ModelOf[model](ctx, req.State, diags)
	if diags.HasError() {
		return
	}
	checkProtected(ctx, platform, state, req.Private, diags)
	rootbranch.CheckProjectGoes(platform, state.ID.ValueString(), diags)
}

// checkSizes compares the planned limits of an object's computes.
func checkSizes(ctx context.Context, req resource.ModifyPlanRequest, object path.Path, diags *diag.Diagnostics) {
	before, planned := values[types.Object](ctx, req, object, diags)
	kit.Decode[compute.Endpoint](planned).CheckSizes(kit.Decode[compute.Endpoint](before), object.AtName, diags)
}

// checkWindow warns of a window that ends on the day after its weekdays, or when it begins.
func checkWindow(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	at := path.Root("maintenance_window")
	begins := kit.Get[types.String](ctx, req.Config, at.AtName("start_time"), diags)
	ends := kit.Get[types.String](ctx, req.Config, at.AtName("end_time"), diags)
	if kit.IsSet(begins) && kit.IsSet(ends) && ends.ValueString() <= begins.ValueString() {
		diags.AddAttributeWarning(at.AtName("end_time"), "The maintenance window ends before it begins",
			fmt.Sprintf("maintenance_window begins at %s and ends at %s. "+
				"Neon doesn't say whether that is a window across midnight, so it may refuse it. Write an end_time after "+
				"start_time.", begins.ValueString(), ends.ValueString()))
	}
}

// nameBranch compares the configured name of the default branch with that of a neon_branch for it.
func nameBranch(ctx context.Context, platform *kit.Platform, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	id := kit.Get[types.String](ctx, req.State, branchPath.AtName("id"), diags)
	name := kit.Get[types.String](ctx, req.Config, branchPath.AtName("name"), diags)
	platform.NameBranch(id.ValueString(), "neon_project", name.ValueString(), branchPath.AtName("name"), diags)
}

// setEndpoint compares what is configured of the default branch's endpoint with what another resource has for it.
func setEndpoint(ctx context.Context, platform *kit.Platform, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	at := branchPath.AtName("endpoint")
	id := kit.Get[types.String](ctx, req.State, at.AtName("id"), diags)
	configured := kit.Get[types.Object](ctx, req.Config, at, diags)
	compute.CheckOthers(platform, id.ValueString(), "neon_project", kit.Decode[compute.Endpoint](configured),
		at.AtName, diags)
}

func chooseOrganization(
	ctx context.Context, platform *kit.Platform, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	configured := kit.Get[types.String](ctx, req.Config, path.Root("org_id"), &resp.Diagnostics)
	if platform != nil && configured.IsNull() && platform.OrgID != "" && platform.UnknownOf("org_id") == "" {
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("org_id"), platform.OrgID)...)
	}
}

// warnOfOpening names the restrictions of the network that go because they were removed from the configuration.
func warnOfOpening(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	id := kit.Get[types.String](ctx, req.State, path.Root("id"), diags)
	warn := func(name, lost, kept, opened string) {
		diags.AddAttributeWarning(path.Root(name), "A restriction of the network would go ("+id.ValueString()+", "+name+")",
			fmt.Sprintf(
				"The configuration of project %s doesn't have %s any more, so applying this %s. To keep that as it is, "+
					"write\n\n  %[2]s = %[4]s\n\nTo lift it on purpose, write %[2]s = %[5]s.", id.ValueString(), name, lost, kept,
				opened))
	}
	if before := vanishing[types.Set](ctx, req, "allowed_ips", diags); len(before.Elements()) > 0 {
		addresses := texts(before)
		warn("allowed_ips", "lets every address connect, where now only "+strings.Join(addresses, ", ")+" may", "["+
			strings.Join(kit.TextsOf(addresses, strconv.Quote), ", ")+"]", "[]")
	}
	for name, from := range map[string]string{
		"block_public_connections": "the internet", "block_vpc_connections": "VPC endpoints",
	} {
		if vanishing[types.Bool](ctx, req, name, diags).ValueBool() {
			warn(name, "lets connections from "+from+" in, which are refused now", "true", "false")
		}
	}
}

// vanishing is what the state has of an attribute that was configured and isn't any more; null for any other.
func vanishing[T attr.Value](
	ctx context.Context, req resource.ModifyPlanRequest, name string, diags *diag.Diagnostics,
) (before T) {
	var configured T
	diags.Append(req.Config.GetAttribute(ctx, path.Root(name), &configured)...)
	if configured.IsNull() && kit.WasConfigured(ctx, req.Private, name) {
		diags.Append(req.State.GetAttribute(ctx, path.Root(name), &before)...)
	}
	return before
}

// refuseSwitchingOff refuses to switch off what Neon keeps on for ever, and warns that it stays on without its line.
func refuseSwitchingOff(
	ctx context.Context, req resource.ModifyPlanRequest, name, what string, diags *diag.Diagnostics,
) {
	if vanishing[types.Bool](ctx, req, name, diags).ValueBool() {
		id := kit.TextOf(ctx, req, "id")
		diags.AddAttributeWarning(path.Root(name), "A setting stays on without its line ("+id+", "+name+")", fmt.Sprintf(
			"The configuration of project %s doesn't have %s any more, but Neon never switches %s off again, so it stays "+
				"on. To have the configuration say what is, write\n\n  %[2]s = true\n\nA project without it is a new one, with "+
				"another resource.", id, name, what))
	}
	before, after := values[types.Bool](ctx, req, path.Root(name), diags)
	if before.ValueBool() && !after.IsUnknown() && !after.ValueBool() {
		diags.AddAttributeError(path.Root(name), "Can't be switched off again", fmt.Sprintf(
			"The project has %s, and Neon refuses to switch that off again (400). Nothing was changed. Leave it out, or "+
				"write\n\n  %s = true\n\nA project without it is a new one, with another resource.", what, name))
	}
}

const baseLevel = "base"

// higherLevels are the audit levels that Neon doesn't lower to base.
var higherLevels = []string{"extended", "full"}

// refuseLowering refuses to lower the audit level to base, which Neon would refuse.
func refuseLowering(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	level := path.Root("audit_log_level")
	before, after := values[types.String](ctx, req, level, diags)
	isHigher := slices.Contains(higherLevels, before.ValueString()) // What Neon adds may be lower.
	if isHigher && after.ValueString() == baseLevel {
		diags.AddAttributeError(level, "Can't go back to base", fmt.Sprintf("The project's audit_log_level is %[1]s, and "+
			"Neon refuses to lower it to base (400). Nothing was changed. Leave it out, or write\n\n  audit_log_level = %[1]q",
			before.ValueString()))
	}
}

// refuseRename refuses another name for what was created with the project.
func refuseRename(ctx context.Context, req resource.ModifyPlanRequest, name, advice string, diags *diag.Diagnostics) {
	at := branchPath.AtName(name)
	before, after := values[types.String](ctx, req, at, diags)
	if kit.IsSet(before) && kit.IsSet(after) && !before.Equal(after) {
		diags.AddAttributeError(at, "Can't be changed later", fmt.Sprintf(
			"The project was created with %s = %s, and a change of it would neither rename nor replace anything. %s, and set "+
				"this back or leave it out:\n\n  %s = %s", name, kit.Quoted(before.ValueString()), advice, name,
			kit.Quoted(before.ValueString())))
	}
}

// values returns an attribute before and after what is planned.
func values[T attr.Value](
	ctx context.Context, req resource.ModifyPlanRequest, at path.Path, diags *diag.Diagnostics,
) (before, after T) {
	return kit.Get[T](ctx, req.State, at, diags), kit.Get[T](ctx, req.Plan, at, diags)
}
