package project

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// settingsModel has the settings of a project. Null means Neon's neutral value: no limit, no restriction, false.
// Settings without a neutral value, or that can't be undone, keep their value if they aren't configured.
type settingsModel struct {
	Quota                           *quotaModel        `tfsdk:"quota"`
	AllowedIPs                      types.Set          `tfsdk:"allowed_ips"`
	AllowedIPsProtectedBranchesOnly types.Bool         `tfsdk:"allowed_ips_protected_branches_only"`
	BlockPublicConnections          types.Bool         `tfsdk:"block_public_connections"`
	BlockVPCConnections             types.Bool         `tfsdk:"block_vpc_connections"`
	EnableLogicalReplication        types.Bool         `tfsdk:"enable_logical_replication"`
	HIPAA                           types.Bool         `tfsdk:"hipaa"`
	AuditLogLevel                   types.String       `tfsdk:"audit_log_level"`
	MaintenanceWindow               types.Object       `tfsdk:"maintenance_window"` // a windowModel
	PreloadLibraries                *compute.Libraries `tfsdk:"preload_libraries"`
}

type quotaModel struct {
	ActiveTimeSeconds  types.Int64 `tfsdk:"active_time_seconds"`
	ComputeTimeSeconds types.Int64 `tfsdk:"compute_time_seconds"`
	WrittenDataBytes   types.Int64 `tfsdk:"written_data_bytes"`
	DataTransferBytes  types.Int64 `tfsdk:"data_transfer_bytes"`
	LogicalSizeBytes   types.Int64 `tfsdk:"logical_size_bytes"`
}

type windowModel struct {
	Weekdays  types.Set    `tfsdk:"weekdays"`
	StartTime types.String `tfsdk:"start_time"`
	EndTime   types.String `tfsdk:"end_time"`
}

// with returns the settings as Neon has them. A neutral value stays null if it was, and
// windows and libraries that aren't managed stay null whatever Neon has.
func (m settingsModel) with(actual client.ProjectSettings) settingsModel {
	m.Quota = m.Quota.with(actual.Quota)
	allowed := client.AllowedIPs{}
	if actual.AllowedIPs != nil {
		allowed = *actual.AllowedIPs
	}
	if !m.AllowedIPs.IsNull() || len(allowed.IPs) > 0 {
		m.AllowedIPs = kit.SetOf(allowed.IPs)
	}
	m.AllowedIPsProtectedBranchesOnly = flag(m.AllowedIPsProtectedBranchesOnly, &allowed.ProtectedBranchesOnly)
	m.BlockPublicConnections = flag(m.BlockPublicConnections, actual.BlockPublicConnections)
	m.BlockVPCConnections = flag(m.BlockVPCConnections, actual.BlockVPCConnections)
	m.EnableLogicalReplication = types.BoolValue(isOn(actual.EnableLogicalReplication))
	m.HIPAA = types.BoolValue(isOn(actual.HIPAA))
	m.AuditLogLevel = kit.OptionalString(actual.AuditLogLevel)
	m.MaintenanceWindow = newWindow(actual.MaintenanceWindow)
	if m.PreloadLibraries != nil {
		m.PreloadLibraries = compute.NewLibraries(actual.PreloadLibraries)
	}
	return m
}

func flag(prior types.Bool, actual *bool) types.Bool {
	if prior.IsNull() && !isOn(actual) {
		return prior
	}
	return types.BoolValue(isOn(actual))
}

func isOn(actual *bool) bool { return actual != nil && *actual }

func (m *quotaModel) with(actual *client.ProjectQuota) *quotaModel {
	var has client.ProjectQuota
	if actual != nil {
		has = *actual
	}
	if m == nil && has == (client.ProjectQuota{}) {
		return nil
	}
	var prior quotaModel
	if m != nil {
		prior = *m
	}
	return &quotaModel{
		ActiveTimeSeconds:  limit(prior.ActiveTimeSeconds, has.ActiveTimeSeconds),
		ComputeTimeSeconds: limit(prior.ComputeTimeSeconds, has.ComputeTimeSeconds),
		WrittenDataBytes:   limit(prior.WrittenDataBytes, has.WrittenDataBytes),
		DataTransferBytes:  limit(prior.DataTransferBytes, has.DataTransferBytes),
		LogicalSizeBytes:   limit(prior.LogicalSizeBytes, has.LogicalSizeBytes),
	}
}

func limit(prior types.Int64, actual int64) types.Int64 {
	if prior.IsNull() && actual == 0 {
		return prior
	}
	return types.Int64Value(actual)
}

var windowType = windowAttribute().GetType().(types.ObjectType) //nolint:forcetypeassert // It has no type of its own.

func newWindow(actual *client.MaintenanceWindow) types.Object {
	if actual == nil {
		return types.ObjectNull(windowType.AttrTypes)
	}
	days := make([]attr.Value, len(actual.Weekdays))
	for i, day := range actual.Weekdays {
		days[i] = types.Int64Value(day)
	}
	return kit.Encode(windowModel{types.SetValueMust(types.Int64Type, days), types.StringValue(actual.StartTime),
		types.StringValue(actual.EndTime)}, windowType)
}

// changes returns the settings to send, or nil if none differ. A setting without a neutral value is sent only while it
// is configured.
func (m settingsModel) changes(state settingsModel) *client.ProjectSettings {
	change := client.ProjectSettings{
		BlockPublicConnections:   differs(m.BlockPublicConnections, state.BlockPublicConnections),
		BlockVPCConnections:      differs(m.BlockVPCConnections, state.BlockVPCConnections),
		EnableLogicalReplication: differs(m.EnableLogicalReplication, state.EnableLogicalReplication),
		HIPAA:                    differs(m.HIPAA, state.HIPAA),
	}
	if wanted := m.Quota.wire(); wanted != state.Quota.wire() {
		change.Quota = &wanted
	}
	// Sent without its list, the flag would empty it.
	if wanted := m.allowed(); !reflect.DeepEqual(wanted, state.allowed()) {
		change.AllowedIPs = &wanted
	}
	if kit.IsSet(m.AuditLogLevel) && !m.AuditLogLevel.Equal(state.AuditLogLevel) {
		change.AuditLogLevel = m.AuditLogLevel.ValueString()
	}
	if kit.IsSet(m.MaintenanceWindow) && !m.MaintenanceWindow.Equal(state.MaintenanceWindow) {
		change.MaintenanceWindow = kit.Decode[windowModel](m.MaintenanceWindow).wire()
	}
	switch {
	case m.PreloadLibraries.Equal(state.PreloadLibraries):
	case m.PreloadLibraries == nil:
		change.PreloadLibraries = compute.NeutralLibraries().Request()
	default:
		change.PreloadLibraries = m.PreloadLibraries.Request()
	}
	if change == (client.ProjectSettings{}) {
		return nil
	}
	return &change
}

// differs returns the planned value if it differs from the state's, where null is false; otherwise nil.
func differs(planned, state types.Bool) *bool {
	wanted := planned.ValueBool()
	if wanted == state.ValueBool() {
		return nil
	}
	return &wanted
}

func (m *quotaModel) wire() client.ProjectQuota {
	if m == nil {
		return client.ProjectQuota{}
	}
	return client.ProjectQuota{
		ActiveTimeSeconds: m.ActiveTimeSeconds.ValueInt64(), ComputeTimeSeconds: m.ComputeTimeSeconds.ValueInt64(),
		WrittenDataBytes: m.WrittenDataBytes.ValueInt64(), DataTransferBytes: m.DataTransferBytes.ValueInt64(),
		LogicalSizeBytes: m.LogicalSizeBytes.ValueInt64(),
	}
}

func (m settingsModel) allowed() client.AllowedIPs {
	return client.AllowedIPs{IPs: texts(m.AllowedIPs),
		ProtectedBranchesOnly: m.AllowedIPsProtectedBranchesOnly.ValueBool()}
}

func (m windowModel) wire() *client.MaintenanceWindow {
	days := elements(m.Weekdays, types.Int64.ValueInt64)
	return &client.MaintenanceWindow{Weekdays: days, StartTime: m.StartTime.ValueString(),
		EndTime: m.EndTime.ValueString()}
}

func texts(set types.Set) []string { return elements(set, types.String.ValueString) }

// elements returns the elements of a set in order; none for null.
func elements[V attr.Value, T cmp.Ordered](set types.Set, read func(V) T) []T {
	values := []T{}
	for _, element := range set.Elements() {
		values = append(values, read(element.(V))) //nolint:forcetypeassert // The schema has nothing else.
	}
	slices.Sort(values)
	return values
}
