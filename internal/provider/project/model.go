package project

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

type model struct {
	settingsModel

	ID                      types.String      `tfsdk:"id"`
	Name                    types.String      `tfsdk:"name"`
	OrgID                   types.String      `tfsdk:"org_id"`
	RegionID                types.String      `tfsdk:"region_id"`
	PgVersion               types.Int64       `tfsdk:"pg_version"`
	ComputeProvisioner      types.String      `tfsdk:"compute_provisioner"`
	StorePasswords          types.Bool        `tfsdk:"store_passwords"`
	HistoryRetentionSeconds types.Int64       `tfsdk:"history_retention_seconds"`
	DefaultEndpointSettings types.Object      `tfsdk:"default_endpoint_settings"`
	DefaultBranch           types.Object      `tfsdk:"default_branch"`
	DeletionProtection      types.Bool        `tfsdk:"deletion_protection"`
	CreatedAt               timetypes.RFC3339 `tfsdk:"created_at"`
	ProxyHost               types.String      `tfsdk:"proxy_host"`
	PlatformID              types.String      `tfsdk:"platform_id"`
	Timeouts                timeouts.Value    `tfsdk:"timeouts"`
}

// with returns the model with what Neon says of the project.
func (m model) with(project *client.Project, found *defaultBranch) model {
	prior := kit.Decode[branchModel](m.DefaultBranch)
	isImported := m.CreatedAt.IsNull()
	if present := compute.NewLibraries(project.Settings.PreloadLibraries); isImported &&
		!present.Equal(compute.NeutralLibraries()) {
		m.PreloadLibraries = present
	}
	m.DefaultBranch = found.value(prior)
	m.DefaultEndpointSettings = defaultsValue(project.DefaultEndpointSettings)
	m.settingsModel = m.settingsModel.with(project.Settings)
	m.DeletionProtection = types.BoolValue(m.DeletionProtection.ValueBool())
	m.ID = types.StringValue(project.ID)
	m.Name = types.StringValue(project.Name)
	m.OrgID = kit.OptionalString(project.OrgID)
	m.RegionID = kit.OptionalString(project.RegionID)
	m.PgVersion = types.Int64Value(project.PgVersion)
	m.ComputeProvisioner = kit.OptionalString(project.Provisioner)
	m.StorePasswords = types.BoolValue(project.StorePasswords)
	m.HistoryRetentionSeconds = types.Int64PointerValue(project.HistoryRetentionSeconds)
	m.CreatedAt = kit.OptionalTime(&project.CreatedAt)
	m.ProxyHost = kit.OptionalString(project.ProxyHost)
	m.PlatformID = kit.OptionalString(project.PlatformID)
	return m
}

// applied returns the plan after it was applied, with what it left to Neon.
func (m model) applied(ctx context.Context, project *client.Project, found *defaultBranch) model {
	return kit.Resolved(ctx, m, m.with(project, found))
}

// creation returns the request that creates the project. Settings that only a change can set, such as the branch's
// protection, follow.
func (m model) creation() client.ProjectCreate {
	branch := kit.Decode[branchModel](m.DefaultBranch)
	create := client.ProjectCreate{
		ProjectUpdate: m.changes(model{}),
		OrgID:         m.OrgID.ValueString(), RegionID: m.RegionID.ValueString(), PgVersion: m.PgVersion.ValueInt64(),
		Provisioner: m.ComputeProvisioner.ValueString(),
		Branch: client.ProjectBranch{
			Name: branch.Name.ValueString(), RoleName: branch.RoleName.ValueString(),
			DatabaseName: branch.DatabaseName.ValueString(),
		},
	}
	if kit.IsSet(m.StorePasswords) {
		create.StorePasswords = m.StorePasswords.ValueBoolPointer()
	}
	return create
}

// changes returns the request that changes a project to what is planned.
func (m model) changes(state model) client.ProjectUpdate {
	update := client.ProjectUpdate{
		Settings:                m.settingsModel.changes(state.settingsModel),
		DefaultEndpointSettings: changedDefaults(m.DefaultEndpointSettings, state.DefaultEndpointSettings),
	}
	if kit.IsSet(m.Name) && !m.Name.Equal(state.Name) {
		update.Name = m.Name.ValueStringPointer()
	}
	if kit.IsSet(m.HistoryRetentionSeconds) && !m.HistoryRetentionSeconds.Equal(state.HistoryRetentionSeconds) {
		update.HistoryRetentionSeconds = m.HistoryRetentionSeconds.ValueInt64Pointer()
	}
	return update
}

var defaultsType = endpointDefaultsAttribute().GetType().(types.ObjectType) //nolint:forcetypeassert // It has no type of its own.

// defaultsValue is default_endpoint_settings in the state.
func defaultsValue(defaults client.EndpointDefaults) types.Object {
	return types.ObjectValueMust(defaultsType.AttrTypes, map[string]attr.Value{
		"autoscaling_limit_min_cu": types.Float64PointerValue(defaults.AutoscalingLimitMinCU),
		"autoscaling_limit_max_cu": types.Float64PointerValue(defaults.AutoscalingLimitMaxCU),
		"suspend_timeout_seconds":  types.Int64PointerValue(defaults.SuspendTimeoutSeconds),
		"pg_settings":              newPgSettings(defaults),
	})
}

func newPgSettings(defaults client.EndpointDefaults) types.Map {
	if defaults.PgSettings == nil { // Neon's answer has none where it is empty.
		return kit.MapOf(nil)
	}
	return kit.MapOf(*defaults.PgSettings)
}

func pgSettings(defaults types.Object) types.Map {
	settings, _ := defaults.Attributes()["pg_settings"].(types.Map) // Without an object, null.
	return settings
}

// changedDefaults returns the changes of default_endpoint_settings, or nil if there are none.
func changedDefaults(planned, state types.Object) *client.EndpointDefaults {
	update := kit.Decode[compute.Endpoint](planned).Changes(kit.Decode[compute.Endpoint](state))
	change := client.EndpointDefaults{EndpointSettings: update.EndpointSettings}
	if settings := pgSettings(planned); kit.IsSet(settings) && !settings.Equal(pgSettings(state)) {
		texts := kit.TextMap(settings)
		change.PgSettings = &texts
	}
	if change == (client.EndpointDefaults{}) {
		return nil
	}
	return &change
}
