package branch

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

// planOrdinary keeps the values of the endpoints that stay, and checks what is known only at
// plan.
func planOrdinary(ctx context.Context, p kit.Planning) {
	if p.IsDestruction() {
		planDestruction(ctx, p)
		return
	}
	nameBranch(ctx, p)
	setEndpoints(ctx, p)
	left := readUnfinished(ctx, p.Private, p.Diags)
	timeouts := compute.ConfiguredTimeouts(ctx, p.Private)
	// Decoding a thousand unchanged branches takes seconds.
	if len(left.Operations)+len(left.Changes)+len(timeouts) == 0 && p.IsUnchanged() {
		return
	}
	state, plan, config := kit.ModelsOf[branchModel](ctx, p)
	if p.Diags.HasError() {
		return
	}
	p.CheckPast(ctx, "parent_timestamp", config.ParentTimestamp, p.Diags)
	planProtection(ctx, p, config, state)
	change := branchChange{ordinary, config, plan, state}
	planOrigin(ctx, p, change)
	change.warnOfTwo(p)
	if p.IsCreation() {
		warnOfLimits(p, plan)
	}
	checkFinalSnapshot(ctx, p, change)
	checkNewExpiry(ctx, p, plan, state)
	if !p.Replaces() {
		checkProtectedExpiry(config, plan, state, p.Diags)
	}
	if p.IsCreation() { // No new branch is the default one.
		p.Set(ctx, path.Root("default"), false)
	}
	left.plan(ctx, p)
	current := existingEndpoints(state.Endpoints)
	if plan.Endpoints.IsNull() && len(current) > 0 {
		_, areImported := kit.MarkOf[bool](ctx, p.Private, importedEndpoints)
		warnOfReleased(p.Diags, state.ID.ValueString(), current, areImported)
	}
	if kit.IsSet(plan.Endpoints) {
		planGiven(ctx, p, change, current, timeouts)
	}
}

// planGiven plans the endpoints that are configured. Timeouts are the labels of those that had a time of suspension.
func planGiven(
	ctx context.Context, p kit.Planning, change branchChange, current map[string]compute.Endpoint, timeouts []string,
) {
	config, plan, state := change.config, change.plan, change.state
	configured := endpointModels(config.Endpoints)
	planned := planEndpoints(configured, current)
	for label, endpoint := range planned {
		if endpoint.Type.ValueString() == client.EndpointReadWrite && endpoint.ID.IsUnknown() {
			compute.WarnOfTwo(p, plan.ProjectID, state.ID, endpointPath(label, "type"))
		}
	}
	warnOfWaking(plan, state, configured, p.Diags)
	planTimeouts(ctx, p, plan.ProjectID.ValueString(), planned, removedTimeouts(configured, planned, current, timeouts))
	// Those that are removed are forgotten once the change is made: this one may fail.
	compute.KeepConfiguredTimeouts(ctx, p.Private, append(withTimeout(configured), timeouts...), p.Diags)
	for label, endpoint := range planned {
		p.Set(ctx, path.Root("endpoints").AtMapKey(label), &endpoint)
	}
	if !p.Replaces() && len(planned) == len(plan.Endpoints.Elements()) {
		refusesDeleted(ctx, p, config, state, planned, current)
		warnOfDeleted(p, state.ID.ValueString(), planned, current)
	}
	for _, label := range sortedLabels(planned) {
		before := currentEndpoint(label, planned[label].Type, current)
		planned[label].CheckSizes(before, func(attribute string) path.Path {
			return endpointPath(label, attribute)
		}, p.Diags)
	}
}

// planDestruction refuses to destroy what is protected, or what Neon would refuse to delete.
func planDestruction(ctx context.Context, p kit.Planning) {
	state := kit.ModelOf[branchModel](ctx, p.State, p.Diags)
	if !deletionProtection.Refuses(ctx, p, "") && !p.Diags.HasError() {
		planDeletion(ctx, p, ordinary, state)
		checkLeavesSnapshot(p, state)
	}
}

// checkFinalSnapshot refuses a last snapshot of a branch that has, or will have, a parent.
func checkFinalSnapshot(ctx context.Context, p kit.Planning, change branchChange) {
	switch source := change.config.InitSource; {
	case p.Replaces(): // The new branch has a plan of its own.
		checkLeavesSnapshot(p, change.state)
	case !change.state.ID.IsNull():
		rootbranch.CheckFinal(ctx, p, kit.InBranch{ProjectID: change.state.ProjectID, BranchID: change.state.ID},
			change.plan.FinalSnapshot)
	case kit.IsSet(change.plan.FinalSnapshot) && !source.IsUnknown() && !isSchemaOnly(source):
		rootbranch.RefuseFinal("Without init_source = \"schema-only\", a new branch has a parent", p.Diags)
	}
}

// checkLeavesSnapshot refuses to delete a branch in a way that leaves no snapshot of it, where there is to be one.
func checkLeavesSnapshot(p kit.Planning, state branchModel) {
	rootbranch.CheckGoes(p, state.ProjectID, describe(state), state.FinalSnapshot)
	rootbranch.CheckBranchGoes(p, state.ID, state.FinalSnapshot)
}

// describe is what messages call a branch.
func describe(state branchModel) string {
	return fmt.Sprintf("branch %s (%s)", state.ID.ValueString(), kit.Quoted(state.Name.ValueString()))
}

// planProtection refuses to replace by force what Neon keeps, and leaves an older state as it is.
func planProtection(ctx context.Context, p kit.Planning, config, state branchModel) {
	if p.IsCreation() {
		planForced(ctx, p)
		return
	}
	if config.DeletionProtection.IsNull() && state.DeletionProtection.IsNull() {
		// The state is older than the attribute, and the next read fills it in.
		p.Set(ctx, path.Root("deletion_protection"), types.BoolNull())
	}
}

// warnOfWaking warns of an endpoint whose start ends the archiving at once.
func warnOfWaking(plan, state branchModel, configured map[string]compute.Endpoint, diags *diag.Diagnostics) {
	if !state.ID.IsNull() || !plan.Archived.ValueBool() {
		return
	}
	for _, label := range slices.Sorted(maps.Keys(configured)) {
		if configured[label].Type.ValueString() == client.EndpointReadWrite {
			diags.AddAttributeWarning(path.Root("archived"), "The branch won't stay archived", "Its endpoint "+kit.Quoted(label)+
				" starts a compute with the branch, and the first compute ends the archiving. Remove archived, or the endpoint "+
				"until somebody needs it.")
			return
		}
	}
}

// nameBranch compares the planned name with that of a neon_project's default_branch.
func nameBranch(ctx context.Context, p kit.Planning) {
	if p.IsCreation() {
		return
	}
	id := kit.Get[types.String](ctx, p.State, path.Root("id"), p.Diags)
	name := kit.Get[types.String](ctx, p.Plan, path.Root("name"), p.Diags)
	p.NameBranch(id.ValueString(), "neon_branch", name.ValueString(), path.Root("name"))
}

// setEndpoints compares what is configured of the endpoints with what other resources have for them.
func setEndpoints(ctx context.Context, p kit.Planning) {
	configured := kit.Get[types.Map](ctx, p.Config, path.Root("endpoints"), p.Diags)
	if !kit.IsSet(configured) || p.IsCreation() {
		return
	}
	current := existingEndpoints(kit.Get[types.Map](ctx, p.State, path.Root("endpoints"), p.Diags))
	for label, endpoint := range endpointModels(configured) {
		endpoint.Disabled = configuredOr(endpoint.Disabled, types.BoolValue(false))
		compute.CheckOthers(p, currentEndpoint(label, endpoint.Type, current).ID.ValueString(), "neon_branch", endpoint,
			func(attribute string) path.Path { return endpointPath(label, attribute) })
	}
}

// importedEndpoints is in the private state of a branch whose endpoints came to the state by an import.
const importedEndpoints = "imported_endpoints"

// warnOfReleased names the endpoints that a configuration without endpoints no longer manages. Those of imported
// branches never were: Terraform shows the first of many such warnings, which have the same summary, and counts the
// others.
func warnOfReleased(diags *diag.Diagnostics, branchID string, endpoints map[string]compute.Endpoint, imported bool) {
	summary := "Endpoints are no longer managed (branch " + branchID + ")"
	if imported {
		summary = "Endpoints of imported branches aren't managed"
	}
	diags.AddAttributeWarning(path.Root("endpoints"), summary, fmt.Sprintf(
		"The configuration doesn't have the attribute endpoints, so this resource no longer manages these endpoints of "+
			"branch %s: %s. They stay on Neon as they are, and resources neon_endpoint can manage them. To delete them "+
			"instead, set endpoints = {}.",
		branchID, strings.Join(describeEndpoints(endpoints), ", ")))
}

func describeEndpoints(endpoints map[string]compute.Endpoint) []string {
	var texts []string
	for _, label := range sortedLabels(endpoints) {
		texts = append(texts, fmt.Sprintf("%s (%s)", label, endpoints[label].ID.ValueString()))
	}
	return texts
}

// warnOfDeleted names the endpoints that are deleted while the branch stays, as the plan's last
// line doesn't count them, and notes them for an endpoint that moves to their place.
func warnOfDeleted(p kit.Planning, branchID string, planned, current map[string]compute.Endpoint) {
	deleted, inDoubt := deletedEndpoints(planned, current)
	if len(inDoubt) > 0 {
		p.Diags.AddAttributeWarning(path.Root("endpoints"), "Endpoints may be deleted (branch "+branchID+")", fmt.Sprintf(
			"A type isn't known yet. If it turns out to be the one that the endpoint has, these endpoints of branch %s stay "+
				"as they are: %s. If it doesn't, applying this deletes them, and what takes their place has another host name.",
			branchID, strings.Join(describeEndpoints(inDoubt), ", ")))
	}
	if len(deleted) == 0 {
		return
	}
	hosts := []string{}
	for _, label := range sortedLabels(deleted) {
		hosts = append(hosts, deleted[label].Host.ValueString())
		p.Goes(deleted[label].ID.ValueString())
		compute.CheckStay(p, deleted[label].ID.ValueString(), "neon_branch", false, path.Root("endpoints"))
	}
	p.Diags.AddAttributeWarning(path.Root("endpoints"), "Endpoints will be deleted (branch "+branchID+")", fmt.Sprintf(
		"Applying this deletes these endpoints of branch %s: %s. Nothing can connect to their host names any more: %s. An "+
			"endpoint that takes the place of one has another host name, as a read_only endpoint does that gets another "+
			"label, or another type. An endpoint is kept by its label with its type.",
		branchID, strings.Join(describeEndpoints(deleted), ", "), strings.Join(hosts, ", ")))
}

// deletedEndpoints returns the endpoints that a plan deletes, and those that it may delete, since a type isn't known
// yet.
func deletedEndpoints(planned, current map[string]compute.Endpoint) (deleted, inDoubt map[string]compute.Endpoint) {
	kept, isUnknown := labelsByID(planned), false
	for _, endpoint := range planned {
		isUnknown = isUnknown || endpoint.Type.IsUnknown()
	}
	deleted, inDoubt = map[string]compute.Endpoint{}, map[string]compute.Endpoint{}
	for label, endpoint := range current {
		_, isKept := kept[endpoint.ID.ValueString()]
		mayStay := planned[label].Type.IsUnknown() || isUnknown && endpoint.Type.ValueString() == client.EndpointReadWrite
		switch {
		case isKept:
		case mayStay:
			inDoubt[label] = endpoint
		default:
			deleted[label] = endpoint
		}
	}
	return deleted, inDoubt
}

// refusesDeleted refuses to delete endpoints of a branch that somebody else has protected, which Neon would refuse when
// the rest is done.
func refusesDeleted(
	ctx context.Context, p kit.Planning, config, state branchModel, planned, current map[string]compute.Endpoint,
) {
	deleted, _ := deletedEndpoints(planned, current)
	if len(deleted) == 0 || !state.Protected.ValueBool() || !config.Protected.IsNull() ||
		isOwnProtection(ctx, p.Private) {
		return
	}
	p.Diags.AddAttributeError(path.Root("endpoints"), "Somebody has protected the branch ("+state.ID.ValueString()+")",
		fmt.Sprintf(
			"Applying this would delete these endpoints: %s. %s", strings.Join(describeEndpoints(deleted), ", "),
			keptEndpoint(state.ID.ValueString())))
}

// keptEndpoint says why Neon deletes no endpoint of a branch.
func keptEndpoint(branchID string) string {
	return "Neon deletes no endpoint of a protected branch, and this resource hasn't protected branch " + branchID +
		", so it doesn't take that off. If the endpoints are meant to go, set\n\n  protected = false\n\nand apply that. " +
		"Otherwise keep them in endpoints, with their labels and types."
}

// withTimeout returns the labels of the endpoints that have a suspend_timeout_seconds.
func withTimeout(endpoints map[string]compute.Endpoint) []string {
	return slices.DeleteFunc(sortedLabels(endpoints),
		func(label string) bool { return endpoints[label].SuspendTimeoutSeconds.IsNull() })
}

// keepTimeouts keeps which endpoints are configured with a time of suspension.
func keepTimeouts(ctx context.Context, run kit.Run, config branchModel) {
	compute.KeepConfiguredTimeouts(ctx, run.Private, withTimeout(endpointModels(config.Endpoints)), run.Diags)
}

// removedTimeouts returns the labels of the planned endpoints whose suspend_timeout_seconds was
// configured, by the labels that had one then, and isn't any more.
func removedTimeouts(configured, planned, current map[string]compute.Endpoint, had []string) []string {
	before := labelsByID(current)
	return slices.DeleteFunc(sortedLabels(planned), func(label string) bool {
		return !configured[label].SuspendTimeoutSeconds.IsNull() ||
			!slices.Contains(had, before[planned[label].ID.ValueString()])
	})
}

// planTimeouts gives endpoints whose suspend_timeout_seconds was removed that of the project.
func planTimeouts(
	ctx context.Context, p kit.Planning, projectID string, planned map[string]compute.Endpoint, labels []string,
) {
	for _, label := range labels {
		endpoint := planned[label]
		endpoint.SuspendTimeoutSeconds = compute.PlannedSuspension(ctx, p, projectID)
		planned[label] = endpoint
	}
}

// planEndpoints fills in what the configuration leaves open: with the endpoint's present
// values if it stays, else with unknown ones.
func planEndpoints(configured, current map[string]compute.Endpoint) map[string]compute.Endpoint {
	planned := map[string]compute.Endpoint{}
	for label, endpoint := range configured {
		planned[label] = withDefaults(endpoint, currentEndpoint(label, endpoint.Type, current))
	}
	return planned
}

// currentEndpoint returns the endpoint that stays for a label: the one that has the label
// and the type, or the branch's only read_write endpoint, which moves with its label. One
// that Neon has yet to create is unknown.
func currentEndpoint(label string, endpointType types.String, current map[string]compute.Endpoint) compute.Endpoint {
	if endpoint, found := current[label]; found && endpoint.Type.Equal(endpointType) {
		return endpoint
	}
	for _, endpoint := range current {
		if endpointType.ValueString() == client.EndpointReadWrite && endpoint.Type.Equal(endpointType) {
			return endpoint
		}
	}
	return unknownEndpoint
}

// unknownEndpoint has the values of an endpoint that Neon has yet to create.
var unknownEndpoint = compute.Endpoint{
	AutoscalingLimitMinCU: types.Float64Unknown(),
	AutoscalingLimitMaxCU: types.Float64Unknown(),
	SuspendTimeoutSeconds: types.Int64Unknown(),
	Name:                  types.StringUnknown(),
	ID:                    types.StringUnknown(),
	Host:                  types.StringUnknown(),
	PoolerHost:            types.StringUnknown(),
}

// withDefaults returns a configured endpoint with the values of before wherever the
// configuration has none.
func withDefaults(configured, before compute.Endpoint) compute.Endpoint {
	configured.AutoscalingLimitMinCU = configuredOr(configured.AutoscalingLimitMinCU, before.AutoscalingLimitMinCU)
	configured.AutoscalingLimitMaxCU = configuredOr(configured.AutoscalingLimitMaxCU, before.AutoscalingLimitMaxCU)
	configured.SuspendTimeoutSeconds = configuredOr(configured.SuspendTimeoutSeconds, before.SuspendTimeoutSeconds)
	configured.Disabled = configuredOr(configured.Disabled, types.BoolValue(false))
	configured.Name = configuredOr(configured.Name, before.Name)
	configured.ID, configured.Host, configured.PoolerHost = before.ID, before.Host, before.PoolerHost
	return configured
}

func configuredOr[T attr.Value](configured, before T) T {
	if configured.IsNull() {
		return before
	}
	return configured
}
