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
func (m model) with(ctx context.Context, project *client.Project, found *defaultBranch) model {
	prior := decode[branchModel](ctx, m.DefaultBranch)
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
	actual := m.with(ctx, project, found)
	actual.settingsModel = m.resolved(actual.settingsModel)
	actual.Name = kit.Known(m.Name, actual.Name)
	actual.OrgID = kit.Known(m.OrgID, actual.OrgID)
	actual.RegionID = kit.Known(m.RegionID, actual.RegionID)
	actual.HistoryRetentionSeconds = kit.Known(m.HistoryRetentionSeconds, actual.HistoryRetentionSeconds)
	actual.ComputeProvisioner = kit.Known(m.ComputeProvisioner, actual.ComputeProvisioner)
	actual.DefaultEndpointSettings = resolved(ctx, m.DefaultEndpointSettings, actual.DefaultEndpointSettings)
	actual.DefaultBranch = resolved(ctx, m.DefaultBranch, actual.DefaultBranch)
	return actual
}

// resolved is a planned object in which what was left open is as it actually is.
func resolved(ctx context.Context, planned, actual types.Object) types.Object {
	if !kit.IsSet(planned) || actual.IsNull() {
		return kit.Known(planned, actual)
	}
	values := map[string]attr.Value{}
	found := actual.Attributes()
	for name, value := range planned.Attributes() {
		if object, isObject := value.(types.Object); isObject {
			value = resolved(ctx, object, found[name].(types.Object)) //nolint:forcetypeassert // Both are of one type.
		} else if value.IsUnknown() {
			value = found[name]
		}
		values[name] = value
	}
	return types.ObjectValueMust(actual.AttributeTypes(ctx), values)
}

// creation returns the request that creates the project. What only a change can say, such
// as the protection of the branch, comes after it.
func (m model) creation(ctx context.Context) client.ProjectCreate {
	branch := decode[branchModel](ctx, m.DefaultBranch)
	create := client.ProjectCreate{
		ProjectUpdate: m.changes(ctx, model{}),
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
func (m model) changes(ctx context.Context, state model) client.ProjectUpdate {
	update := client.ProjectUpdate{
		Settings: m.settingsModel.changes(ctx, state.settingsModel),
		DefaultEndpointSettings: decode[defaultsModel](ctx,
			m.DefaultEndpointSettings).changes(decode[defaultsModel](ctx, state.DefaultEndpointSettings)),
	}
	if kit.IsSet(m.Name) && !m.Name.Equal(state.Name) {
		update.Name = m.Name.ValueStringPointer()
	}
	if kit.IsSet(m.HistoryRetentionSeconds) && !m.HistoryRetentionSeconds.Equal(state.HistoryRetentionSeconds) {
		update.HistoryRetentionSeconds = m.HistoryRetentionSeconds.ValueInt64Pointer()
	}
	return update
}

// defaultsModel is default_endpoint_settings.
type defaultsModel struct {
	AutoscalingLimitMinCU types.Float64 `tfsdk:"autoscaling_limit_min_cu"`
	AutoscalingLimitMaxCU types.Float64 `tfsdk:"autoscaling_limit_max_cu"`
	SuspendTimeoutSeconds types.Int64   `tfsdk:"suspend_timeout_seconds"`
	PgSettings            types.Map     `tfsdk:"pg_settings"`
}

var defaultsType = map[string]attr.Type{
	"autoscaling_limit_min_cu": types.Float64Type, "autoscaling_limit_max_cu": types.Float64Type,
	"suspend_timeout_seconds": types.Int64Type, "pg_settings": types.MapType{ElemType: types.StringType},
}

func defaultsValue(defaults client.EndpointDefaults) types.Object {
	return types.ObjectValueMust(defaultsType, map[string]attr.Value{
		"autoscaling_limit_min_cu": types.Float64PointerValue(defaults.AutoscalingLimitMinCU),
		"autoscaling_limit_max_cu": types.Float64PointerValue(defaults.AutoscalingLimitMaxCU),
		"suspend_timeout_seconds":  types.Int64PointerValue(defaults.SuspendTimeoutSeconds),
		"pg_settings":              newPgSettings(defaults),
	})
}

func newPgSettings(defaults client.EndpointDefaults) types.Map {
	settings := map[string]attr.Value{} // Neon's answer has none where it is empty.
	if defaults.PgSettings != nil {
		for name, value := range *defaults.PgSettings {
			settings[name] = types.StringValue(value)
		}
	}
	return types.MapValueMust(types.StringType, settings)
}

// changes returns what is planned and differs; nil where nothing does.
func (m defaultsModel) changes(state defaultsModel) *client.EndpointDefaults {
	var change client.EndpointDefaults
	if kit.IsSet(m.AutoscalingLimitMinCU) && !m.AutoscalingLimitMinCU.Equal(state.AutoscalingLimitMinCU) {
		change.AutoscalingLimitMinCU = m.AutoscalingLimitMinCU.ValueFloat64Pointer()
	}
	if kit.IsSet(m.AutoscalingLimitMaxCU) && !m.AutoscalingLimitMaxCU.Equal(state.AutoscalingLimitMaxCU) {
		change.AutoscalingLimitMaxCU = m.AutoscalingLimitMaxCU.ValueFloat64Pointer()
	}
	if kit.IsSet(m.SuspendTimeoutSeconds) && !m.SuspendTimeoutSeconds.Equal(state.SuspendTimeoutSeconds) {
		change.SuspendTimeoutSeconds = m.SuspendTimeoutSeconds.ValueInt64Pointer()
	}
	if kit.IsSet(m.PgSettings) && !m.PgSettings.Equal(state.PgSettings) {
		settings := map[string]string{}
		for name, value := range m.PgSettings.Elements() {
			settings[name] = kit.Text(value)
		}
		change.PgSettings = &settings
	}
	if change == (client.EndpointDefaults{}) {
		return nil
	}
	return &change
}
