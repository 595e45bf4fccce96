package branch

import (
	"context"
	"maps"
	"sort"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// branchModel is neon_branch in configuration, plan and state.
type branchModel struct {
	ProjectID       types.String      `tfsdk:"project_id"`
	Name            types.String      `tfsdk:"name"`
	ParentID        types.String      `tfsdk:"parent_id"`
	ParentLSN       types.String      `tfsdk:"parent_lsn"`
	ParentTimestamp timetypes.RFC3339 `tfsdk:"parent_timestamp"`
	InitSource      types.String      `tfsdk:"init_source"`
	Protected       types.Bool        `tfsdk:"protected"`
	ExpiresAt       timetypes.RFC3339 `tfsdk:"expires_at"`
	Endpoints       types.Map         `tfsdk:"endpoints"` // of endpointModel
	Timeouts        timeouts.Value    `tfsdk:"timeouts"`
	ID              types.String      `tfsdk:"id"`
	Default         types.Bool        `tfsdk:"default"`
	CurrentState    types.String      `tfsdk:"current_state"`
	CreatedAt       timetypes.RFC3339 `tfsdk:"created_at"`
}

// endpointModel is one endpoint of a branch.
type endpointModel struct {
	Type                  types.String  `tfsdk:"type"`
	AutoscalingLimitMinCU types.Float64 `tfsdk:"autoscaling_limit_min_cu"`
	AutoscalingLimitMaxCU types.Float64 `tfsdk:"autoscaling_limit_max_cu"`
	SuspendTimeoutSeconds types.Int64   `tfsdk:"suspend_timeout_seconds"`
	Disabled              types.Bool    `tfsdk:"disabled"`
	Name                  types.String  `tfsdk:"name"`
	ID                    types.String  `tfsdk:"id"`
	Host                  types.String  `tfsdk:"host"`
	PoolerHost            types.String  `tfsdk:"pooler_host"`
}

var endpointType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"type":                     types.StringType,
	"autoscaling_limit_min_cu": types.Float64Type,
	"autoscaling_limit_max_cu": types.Float64Type,
	"suspend_timeout_seconds":  types.Int64Type,
	"disabled":                 types.BoolType,
	"name":                     types.StringType,
	"id":                       types.StringType,
	"host":                     types.StringType,
	"pooler_host":              types.StringType,
}}

// branchModelFrom is a branch as the platform tells of it, without what only
// Terraform knows.
func branchModelFrom(branch *client.Branch) branchModel {
	return branchModel{
		ProjectID:       types.StringValue(branch.ProjectID),
		Name:            types.StringValue(branch.Name),
		ParentID:        kit.OptionalString(branch.ParentID),
		ParentLSN:       kit.OptionalString(branch.ParentLSN),
		ParentTimestamp: kit.OptionalTime(branch.ParentTimestamp),
		InitSource:      kit.OptionalString(branch.InitSource),
		Protected:       types.BoolValue(branch.Protected),
		ExpiresAt:       kit.OptionalTime(branch.ExpiresAt),
		ID:              types.StringValue(branch.ID),
		Default:         types.BoolValue(branch.Default),
		CurrentState:    types.StringValue(branch.CurrentState),
		CreatedAt:       timetypes.NewRFC3339TimeValue(branch.CreatedAt.UTC()),
	}
}

// identity tells the branch from all others.
func (m branchModel) identity() branchIdentity { return branchIdentity{m.ProjectID, m.ID} }

// imported returns the branch with all that Neon says of it. Of where it began, that is
// a moment or a position: a configuration can't have both.
func (m branchModel) imported(branch *client.Branch) branchModel {
	actual := branchModelFrom(branch)
	if !actual.ParentTimestamp.IsNull() {
		actual.ParentLSN = types.StringNull()
	}
	actual.ProjectID, actual.Timeouts = m.ProjectID, m.Timeouts
	actual.Endpoints = types.MapNull(endpointType)
	return actual
}

// resolved gives the plan with all that was unknown in it filled in from what
// the platform tells. Endpoints are not looked at.
func (m branchModel) resolved(branch *client.Branch) branchModel {
	actual := m.imported(branch)
	if kit.IsSet(m.ParentLSN) {
		actual.ParentTimestamp = timetypes.NewRFC3339Null()
	}
	m.ParentID = kit.Known(m.ParentID, actual.ParentID)
	m.ParentLSN = kit.Known(m.ParentLSN, actual.ParentLSN)
	m.ParentTimestamp = kit.Known(m.ParentTimestamp, actual.ParentTimestamp)
	m.InitSource = kit.Known(m.InitSource, actual.InitSource)
	m.Protected = kit.Known(m.Protected, actual.Protected)
	m.ID = kit.Known(m.ID, actual.ID)
	m.Default = kit.Known(m.Default, actual.Default)
	m.CurrentState = kit.Known(m.CurrentState, actual.CurrentState)
	m.CreatedAt = kit.Known(m.CreatedAt, actual.CreatedAt)
	return m
}

// refreshed returns the state as Neon tells it now. Where the branch began is fixed
// at creation and kept from state: Neon gives the children of a restored branch
// another parent. Equal instants keep the state's formatting.
func (m branchModel) refreshed(branch *client.Branch) branchModel {
	actual := branchModelFrom(branch)
	if atSameInstant(m.ExpiresAt, actual.ExpiresAt) {
		actual.ExpiresAt = m.ExpiresAt
	}
	actual.ProjectID = m.ProjectID
	actual.ParentID, actual.ParentLSN = m.ParentID, m.ParentLSN
	actual.ParentTimestamp, actual.InitSource = m.ParentTimestamp, m.InitSource
	actual.Endpoints, actual.Timeouts = m.Endpoints, m.Timeouts
	return actual
}

func endpointModelFrom(endpoint *client.Endpoint) endpointModel {
	return endpointModel{
		Type:                  types.StringValue(endpoint.Type),
		AutoscalingLimitMinCU: types.Float64Value(endpoint.AutoscalingLimitMinCU),
		AutoscalingLimitMaxCU: types.Float64Value(endpoint.AutoscalingLimitMaxCU),
		SuspendTimeoutSeconds: types.Int64Value(endpoint.SuspendTimeoutSeconds),
		Disabled:              types.BoolValue(endpoint.Disabled),
		Name:                  kit.OptionalString(endpoint.Name),
		ID:                    types.StringValue(endpoint.ID),
		Host:                  types.StringValue(endpoint.Host),
		PoolerHost:            types.StringValue(endpoint.PoolerHost()),
	}
}

// resolved gives the plan with all that was unknown in it filled in.
func (m endpointModel) resolved(actual endpointModel) endpointModel {
	m.AutoscalingLimitMinCU = kit.Known(m.AutoscalingLimitMinCU, actual.AutoscalingLimitMinCU)
	m.AutoscalingLimitMaxCU = kit.Known(m.AutoscalingLimitMaxCU, actual.AutoscalingLimitMaxCU)
	m.SuspendTimeoutSeconds = kit.Known(m.SuspendTimeoutSeconds, actual.SuspendTimeoutSeconds)
	m.Disabled = kit.Known(m.Disabled, actual.Disabled)
	m.Name = kit.Known(m.Name, actual.Name)
	m.ID = kit.Known(m.ID, actual.ID)
	m.Host = kit.Known(m.Host, actual.Host)
	m.PoolerHost = kit.Known(m.PoolerHost, actual.PoolerHost)
	return m
}

// endpointModelOf decodes one endpoint, without the reflection that the framework
// takes: a plan does it several times for each.
func endpointModelOf(object types.Object) endpointModel {
	attributes := object.Attributes()
	return endpointModel{
		Type:                  valueOf[types.String](attributes, "type"),
		AutoscalingLimitMinCU: valueOf[types.Float64](attributes, "autoscaling_limit_min_cu"),
		AutoscalingLimitMaxCU: valueOf[types.Float64](attributes, "autoscaling_limit_max_cu"),
		SuspendTimeoutSeconds: valueOf[types.Int64](attributes, "suspend_timeout_seconds"),
		Disabled:              valueOf[types.Bool](attributes, "disabled"),
		Name:                  valueOf[types.String](attributes, "name"),
		ID:                    valueOf[types.String](attributes, "id"),
		Host:                  valueOf[types.String](attributes, "host"),
		PoolerHost:            valueOf[types.String](attributes, "pooler_host"),
	}
}

// valueOf gives an attribute of a type that the schema says it has.
func valueOf[T attr.Value](attributes map[string]attr.Value, name string) T {
	value, _ := attributes[name].(T)
	return value
}

// endpointModels decodes the endpoints that are known at all. An element that
// is unknown as a whole is left out.
func endpointModels(endpoints types.Map) map[string]endpointModel {
	models := map[string]endpointModel{}
	for label, element := range endpoints.Elements() {
		object, ok := element.(types.Object)
		if !ok || object.IsNull() || object.IsUnknown() {
			continue
		}
		models[label] = endpointModelOf(object)
	}
	return models
}

// existingEndpoints are those that have been made: an interrupted creation
// leaves others in state, which have no id.
func existingEndpoints(endpoints types.Map) map[string]endpointModel {
	models := endpointModels(endpoints)
	maps.DeleteFunc(models, func(_ string, model endpointModel) bool { return model.ID.IsNull() })
	return models
}

func endpointsValue(ctx context.Context, models map[string]endpointModel, diags *diag.Diagnostics) types.Map {
	value, problems := types.MapValueFrom(ctx, endpointType, models)
	diags.Append(problems...)
	return value
}

// instant is the moment that a value names, to the second as the platform
// stores it; nil for none.
func instant(value interface {
	attr.Value
	ValueString() string
}) *time.Time {
	if !kit.IsSet(value) {
		return nil
	}
	moment, err := time.Parse(time.RFC3339, value.ValueString())
	if err != nil {
		return nil
	}
	moment = moment.UTC().Truncate(time.Second)
	return &moment
}

func atSameInstant(a, b interface {
	attr.Value
	ValueString() string
}) bool {
	first, second := instant(a), instant(b)
	return first != nil && second != nil && first.Equal(*second)
}

func sortedLabels[T any](models map[string]T) []string {
	labels := make([]string, 0, len(models))
	for label := range models {
		labels = append(labels, label)
	}
	sort.Strings(labels)
	return labels
}

// branchIdentity tells a branch from all others.
type branchIdentity struct {
	ProjectID types.String `tfsdk:"project_id"`
	ID        types.String `tfsdk:"id"`
}
