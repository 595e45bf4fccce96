package project

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

var branchPath = path.Root("default_branch")

// plan chooses the organization of a new project, and refuses what Neon can't do in place.
func plan(ctx context.Context, p kit.Planning) {
	if p.IsDestruction() {
		checkGoes(ctx, p)
		return
	}
	checkSizes(ctx, p, path.Root("default_endpoint_settings"))
	checkSizes(ctx, p, branchPath.AtName("endpoint"))
	checkWindow(ctx, p)
	p.PlanLeftAlone(ctx, leftAlone)
	if p.IsCreation() {
		if p.IsReplacedByForce(ctx) {
			replaced := model{ID: types.StringValue(p.Remembered(ctx))}
			p.Diags.Append(p.Plan.GetAttribute(ctx, path.Root("name"), &replaced.Name)...)
			checkProtected(ctx, p, replaced)
		}
		chooseOrganization(ctx, p)
		return
	}
	keepBranch(ctx, p)
	nameBranch(ctx, p)
	setEndpoint(ctx, p)
	noteSuspension(ctx, p)
	if p.Changed(ctx, replacing...) != "" {
		p.ForgetReplaced(ctx)
		checkGoes(ctx, p)
		warnOfRegion(ctx, p)
		return
	}
	for name, what := range lasting {
		refuseSwitchingOff(ctx, p, name, what)
	}
	refuseLowering(ctx, p)
	warnOfOpening(ctx, p)
	if from, to := values[types.String](ctx, p, path.Root("org_id")); kit.IsSet(from) &&
		kit.IsSet(to) && !from.Equal(to) {
		p.Diags.AddAttributeWarning(path.Root("org_id"), "Project-scoped API keys will be revoked ("+
			from.ValueString()+" to "+to.ValueString()+")",
			fmt.Sprintf("Applying this transfers the project from organization %s to %s in place. Neon revokes all API keys "+
				"that are scoped to it. A neon_org_api_key of it is to be created again in the new organization: change its "+
				"org_id, or replace it.", from.ValueString(), to.ValueString()))
	}
	refuseRename(ctx, p, "role_name", "A role can't be renamed. Create another one with neon_role")
	refuseRename(ctx, p, "database_name", "Rename the database with neon_database")
}

// warnOfRegion warns of a region for a new project that Neon doesn't list: the old project goes before Neon refuses it.
func warnOfRegion(ctx context.Context, p kit.Planning) {
	present, planned := values[types.String](ctx, p, path.Root("region_id"))
	_, orgID := values[types.String](ctx, p, path.Root("org_id"))
	if !kit.IsSet(planned) || planned.Equal(present) || orgID.IsUnknown() {
		return
	}
	p.LookUps(func(run kit.Run) {
		advice := regionsThere(ctx, run.API, orgID.ValueString(), planned.ValueString())
		if advice == "" {
			return
		}
		run.Diags.AddAttributeWarning(path.Root("region_id"), "No such region ("+planned.ValueString()+")", advice+" Neon "+
			"deletes the old project first, and there is none if it then refuses the new one.")
	})
}

// keepBranch plans the id of the default branch as it is where the rest of it isn't known yet: no configuration changes
// the id, which others refer to.
func keepBranch(ctx context.Context, p kit.Planning) {
	configured := kit.Get[types.Object](ctx, p.Config, branchPath, p.Diags)
	present := kit.Get[types.Object](ctx, p.State, branchPath, p.Diags)
	if !configured.IsUnknown() || present.IsNull() {
		return
	}
	values := map[string]attr.Value{}
	for name, kind := range branchType.AttrTypes {
		values[name] = kit.UnknownOf(ctx, kind)
	}
	values["id"] = present.Attributes()["id"]
	p.Set(ctx, branchPath, types.ObjectValueMust(branchType.AttrTypes, values))
}

// noteSuspension has endpoints that go back to the project's time of suspension plan the one that it will be, which
// isn't known where the settings as a whole aren't.
func noteSuspension(ctx context.Context, p kit.Planning) {
	settings := path.Root("default_endpoint_settings")
	present, planned := values[types.Int64](ctx, p, settings.AtName("suspend_timeout_seconds"))
	if kit.Get[types.Object](ctx, p.Plan, settings, p.Diags).IsUnknown() {
		planned = types.Int64Unknown()
	}
	if !planned.IsNull() && !planned.Equal(present) {
		compute.NoteSuspension(p, p.TextOf("id"), planned)
	}
}

// checkGoes refuses to delete or replace a project that Neon would keep after everything in it is deleted, and a
// project that would take a final snapshot along.
func checkGoes(ctx context.Context, p kit.Planning) {
	state := kit.ModelOf[model](ctx, p.State, p.Diags)
	if p.Diags.HasError() {
		return
	}
	checkProtected(ctx, p, state)
	rootbranch.CheckProjectGoes(p, state.ID.ValueString())
}

// checkSizes compares the planned limits of an object's computes.
func checkSizes(ctx context.Context, p kit.Planning, object path.Path) {
	before, planned := values[types.Object](ctx, p, object)
	kit.Decode[compute.Endpoint](planned).CheckSizes(kit.Decode[compute.Endpoint](before), object.AtName, p.Diags)
}

// checkWindow warns of a window that ends on the day after its weekdays, or when it begins.
func checkWindow(ctx context.Context, p kit.Planning) {
	at := path.Root("maintenance_window")
	begins := kit.Get[types.String](ctx, p.Config, at.AtName("start_time"), p.Diags)
	ends := kit.Get[types.String](ctx, p.Config, at.AtName("end_time"), p.Diags)
	if kit.IsSet(begins) && kit.IsSet(ends) && ends.ValueString() <= begins.ValueString() {
		p.Diags.AddAttributeWarning(at.AtName("end_time"), "The maintenance window ends before it begins",
			fmt.Sprintf("maintenance_window begins at %s and ends at %s. "+
				"Neon doesn't say whether that is a window across midnight, so it may refuse it. Write an end_time after "+
				"start_time.", begins.ValueString(), ends.ValueString()))
	}
}

// nameBranch compares the configured name of the default branch with that of a neon_branch for it.
func nameBranch(ctx context.Context, p kit.Planning) {
	id := kit.Get[types.String](ctx, p.State, branchPath.AtName("id"), p.Diags)
	name := kit.Get[types.String](ctx, p.Config, branchPath.AtName("name"), p.Diags)
	p.NameBranch(id.ValueString(), "neon_project", name.ValueString(), branchPath.AtName("name"))
}

// setEndpoint compares the configured endpoint of the default branch with other resources for the same endpoint.
func setEndpoint(ctx context.Context, p kit.Planning) {
	at := branchPath.AtName("endpoint")
	id := kit.Get[types.String](ctx, p.State, at.AtName("id"), p.Diags)
	configured := kit.Get[types.Object](ctx, p.Config, at, p.Diags)
	compute.CheckOthers(p, id.ValueString(), "neon_project", kit.Decode[compute.Endpoint](configured), at.AtName)
}

func chooseOrganization(ctx context.Context, p kit.Planning) {
	configured := kit.Get[types.String](ctx, p.Config, path.Root("org_id"), p.Diags)
	if p.Platform != nil && configured.IsNull() && p.OrgID != "" && p.UnknownOf("org_id") == "" {
		p.Set(ctx, path.Root("org_id"), p.OrgID)
	}
}

// warnOfOpening names the restrictions of the network that go because they were removed from the configuration.
func warnOfOpening(ctx context.Context, p kit.Planning) {
	id := kit.Get[types.String](ctx, p.State, path.Root("id"), p.Diags)
	warn := func(name, lost, keeping, lifting string) {
		p.Diags.AddAttributeWarning(path.Root(name), "A restriction of the network would go ("+id.ValueString()+", "+name+")",
			fmt.Sprintf(
				"The configuration of project %s doesn't have %s any more, so applying this %s. To keep that as it is, "+
					"write\n\n  %[2]s = %[4]s\n\nTo lift it on purpose, write %[2]s = %[5]s.", id.ValueString(), name, lost, keeping,
				lifting))
	}
	if before := vanishing[types.Set](ctx, p, "allowed_ips"); len(before.Elements()) > 0 {
		addresses := texts(before)
		warn("allowed_ips", "lets every address connect, where now only "+strings.Join(addresses, ", ")+" may", "["+
			strings.Join(kit.TextsOf(addresses, strconv.Quote), ", ")+"]", "[]")
	}
	for name, from := range map[string]string{
		"block_public_connections": "the internet", "block_vpc_connections": "VPC endpoints",
	} {
		if vanishing[types.Bool](ctx, p, name).ValueBool() {
			warn(name, "lets connections from "+from+" in, which are refused now", "true", "false")
		}
	}
}

// vanishing is what the state has of an attribute that was configured and isn't any more; null for any other.
func vanishing[T attr.Value](ctx context.Context, p kit.Planning, name string) (before T) {
	var configured T
	p.Diags.Append(p.Config.GetAttribute(ctx, path.Root(name), &configured)...)
	if configured.IsNull() && kit.WasConfigured(ctx, p.Private, name) {
		p.Diags.Append(p.State.GetAttribute(ctx, path.Root(name), &before)...)
	}
	return before
}

// refuseSwitchingOff refuses to switch off what Neon keeps on for ever, and warns that it stays on without its line.
func refuseSwitchingOff(ctx context.Context, p kit.Planning, name, what string) {
	if vanishing[types.Bool](ctx, p, name).ValueBool() {
		id := p.TextOf("id")
		p.Diags.AddAttributeWarning(path.Root(name), "A setting stays on without its line ("+id+", "+name+")", fmt.Sprintf(
			"The configuration of project %s doesn't have %s any more, but Neon never switches %s off again, so it stays "+
				"on. To have the configuration say what is, write\n\n  %[2]s = true\n\nA project without it is a new one, with "+
				"another resource.", id, name, what))
	}
	before, after := values[types.Bool](ctx, p, path.Root(name))
	if before.ValueBool() && !after.IsUnknown() && !after.ValueBool() {
		p.Diags.AddAttributeError(path.Root(name), "Can't be switched off again", fmt.Sprintf(
			"The project has %s, and Neon refuses to switch that off again (400). Nothing was changed. Write\n\n  %s = "+
				"true\n\nA project without it is a new one, with another resource.", what, name))
	}
}

const baseLevel = "base"

// higherLevels are the audit levels that Neon doesn't lower to base.
var higherLevels = []string{"extended", "full"}

// refuseLowering refuses to lower the audit level to base, which Neon would refuse.
func refuseLowering(ctx context.Context, p kit.Planning) {
	level := path.Root("audit_log_level")
	before, after := values[types.String](ctx, p, level)
	isHigher := slices.Contains(higherLevels, before.ValueString()) // What Neon adds may be lower.
	if isHigher && after.ValueString() == baseLevel {
		p.Diags.AddAttributeError(level, "Can't go back to base", fmt.Sprintf("The project's audit_log_level is %[1]s, and "+
			"Neon refuses to lower it to base (400). Nothing was changed. Leave it out, or write\n\n  audit_log_level = %[1]q",
			before.ValueString()))
	}
}

// refuseRename refuses to rename an object that was created with the project.
func refuseRename(ctx context.Context, p kit.Planning, name, advice string) {
	at := branchPath.AtName(name)
	before, after := values[types.String](ctx, p, at)
	if kit.IsSet(before) && kit.IsSet(after) && !before.Equal(after) {
		p.Diags.AddAttributeError(at, "Can't be changed later", fmt.Sprintf(
			"The project was created with %s = %s, and a change of it would neither rename nor replace anything. %s, and set "+
				"this back or leave it out:\n\n  %s = %s", name, kit.Quoted(before.ValueString()), advice, name,
			kit.Quoted(before.ValueString())))
	}
}

// values returns an attribute before and after what is planned.
func values[T attr.Value](ctx context.Context, p kit.Planning, at path.Path) (before, after T) {
	return kit.Get[T](ctx, p.State, at, p.Diags), kit.Get[T](ctx, p.Plan, at, p.Diags)
}
