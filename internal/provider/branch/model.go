package branch

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// attributes are those of a branch that the resource and the data sources have.
type attributes struct {
	ID              types.String      `tfsdk:"id"`
	ProjectID       types.String      `tfsdk:"project_id"`
	Name            types.String      `tfsdk:"name"`
	ParentID        types.String      `tfsdk:"parent_id"`
	ParentLSN       types.String      `tfsdk:"parent_lsn"`
	ParentTimestamp timetypes.RFC3339 `tfsdk:"parent_timestamp"`
	InitSource      types.String      `tfsdk:"init_source"`
	Protected       types.Bool        `tfsdk:"protected"`
	ExpiresAt       timetypes.RFC3339 `tfsdk:"expires_at"`
	Default         types.Bool        `tfsdk:"default"`
	CurrentState    types.String      `tfsdk:"current_state"`
	CreatedAt       timetypes.RFC3339 `tfsdk:"created_at"`
}

// branchModel is the resource neon_branch in configuration, plan and state.
type branchModel struct {
	attributes

	Archived           types.Bool     `tfsdk:"archived"`
	DeletionProtection types.Bool     `tfsdk:"deletion_protection"`
	ExpiresIn          types.String   `tfsdk:"expires_in"`
	FinalSnapshot      types.Object   `tfsdk:"final_snapshot"`
	Endpoints          types.Map      `tfsdk:"endpoints"` // of compute.Endpoint
	Timeouts           timeouts.Value `tfsdk:"timeouts"`
}

// newAttributes returns a branch as Neon returns it.
func newAttributes(branch *client.Branch) attributes {
	return attributes{
		ID:              types.StringValue(branch.ID),
		ProjectID:       types.StringValue(branch.ProjectID),
		Name:            types.StringValue(branch.Name),
		ParentID:        kit.OptionalString(branch.ParentID),
		ParentLSN:       kit.OptionalString(branch.ParentLSN),
		ParentTimestamp: kit.OptionalTime(branch.ParentTimestamp),
		InitSource:      kit.OptionalString(branch.InitSource),
		Protected:       types.BoolValue(branch.Protected),
		ExpiresAt:       kit.OptionalTime(branch.ExpiresAt),
		Default:         types.BoolValue(branch.Default),
		CurrentState:    types.StringValue(branch.CurrentState),
		CreatedAt:       timetypes.NewRFC3339TimeValue(branch.CreatedAt.UTC()),
	}
}

func (m branchModel) ref() client.BranchRef { return kit.RefOf[client.Branch](m.ProjectID, m.ID) }

// isImported reports whether only the key is known, as after an import until the first read.
func (m branchModel) isImported() bool { return m.Name.IsNull() }

// imported returns the model with everything that Neon returns, except for where in its parent's
// history the branch begins: Neon returns both a position and a moment for each branch, neither
// of which needs to be what a configuration asks for.
func (m branchModel) imported(branch *client.Branch) branchModel {
	projectID := m.ProjectID
	m.attributes = newAttributes(branch)
	m.ProjectID = projectID
	m.ParentLSN, m.ParentTimestamp = types.StringNull(), timetypes.NewRFC3339Null()
	m.DeletionProtection = types.BoolValue(m.DeletionProtection.ValueBool())
	return m
}

// importedWith is imported, with the endpoints that the branch has.
func (m branchModel) importedWith(branch *client.Branch, endpoints []client.Endpoint) branchModel {
	m = m.imported(branch)
	if len(endpoints) > 0 {
		m.Endpoints = endpointsValue(labelImported(endpoints, branch.Annotations[labelsAnnotation]))
	}
	return m
}

// resolved returns the plan with Neon's values for those that were unknown. Endpoints stay
// as they are.
func (m branchModel) resolved(branch *client.Branch) branchModel {
	actual := m.imported(branch)
	if !kit.IsSet(m.ParentTimestamp) {
		actual.ParentLSN = kit.OptionalString(branch.ParentLSN)
	}
	m.ParentID = kit.Known(m.ParentID, actual.ParentID)
	m.ParentLSN = kit.Known(m.ParentLSN, actual.ParentLSN)
	m.ParentTimestamp = kit.Known(m.ParentTimestamp, actual.ParentTimestamp)
	m.InitSource = kit.Known(m.InitSource, actual.InitSource)
	m.Protected = kit.Known(m.Protected, actual.Protected)
	m.DeletionProtection = kit.Known(m.DeletionProtection, actual.DeletionProtection)
	m.ID = kit.Known(m.ID, actual.ID)
	m.Default = kit.Known(m.Default, actual.Default)
	m.CurrentState = kit.Known(m.CurrentState, actual.CurrentState)
	m.CreatedAt = kit.Known(m.CreatedAt, actual.CreatedAt)
	return m
}

// refreshed returns the state with Neon's present values. Where the branch began is fixed
// at creation and kept from the state: Neon gives the children of a restored branch
// another parent. Equal instants keep the state's formatting.
func (m branchModel) refreshed(branch *client.Branch) branchModel {
	actual := newAttributes(branch)
	actual.ProjectID, actual.ParentID, actual.ParentLSN = m.ProjectID, m.ParentID, m.ParentLSN
	actual.ParentTimestamp, actual.InitSource = m.ParentTimestamp, m.InitSource
	m = m.withExpiry(branch)
	actual.ExpiresAt = m.ExpiresAt
	m.attributes = actual
	m.DeletionProtection = types.BoolValue(m.DeletionProtection.ValueBool())
	return m
}

// decodeBranch is Get, but for its reflection, which compiles a regular expression for each field: a plan decodes each
// branch (https://github.com/hashicorp/terraform-plugin-framework/issues/725).
func decodeBranch(ctx context.Context, state tfsdk.State, diags *diag.Diagnostics) (model branchModel) {
	var object types.Object
	diags.Append(state.Get(ctx, &object)...)
	values, fields := object.Attributes(), reflect.ValueOf(&model).Elem()
	for _, field := range reflect.VisibleFields(fields.Type()) {
		if value, found := values[field.Tag.Get("tfsdk")]; found {
			fields.FieldByIndex(field.Index).Set(reflect.ValueOf(value))
		}
	}
	return model
}

// decodeEndpoint decodes one endpoint without the framework's reflection, which is slow:
// a plan decodes each endpoint several times.
func decodeEndpoint(object types.Object) compute.Endpoint {
	attributes := object.Attributes()
	return compute.Endpoint{
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

// valueOf returns an attribute that has type T in the schema.
func valueOf[T attr.Value](attributes map[string]attr.Value, name string) T {
	value, _ := attributes[name].(T)
	return value
}

// endpointModels decodes the endpoints, except those that are unknown as a whole.
func endpointModels(endpoints types.Map) map[string]compute.Endpoint {
	models := map[string]compute.Endpoint{}
	for label, element := range endpoints.Elements() {
		if object, ok := element.(types.Object); ok && kit.IsSet(object) {
			models[label] = decodeEndpoint(object)
		}
	}
	return models
}

// existingEndpoints decodes the endpoints that exist. An interrupted creation leaves
// others in the state, which have no id.
func existingEndpoints(endpoints types.Map) map[string]compute.Endpoint {
	models := endpointModels(endpoints)
	maps.DeleteFunc(models, func(_ string, model compute.Endpoint) bool { return model.ID.IsNull() })
	return models
}

// encodeEndpoint is the opposite of decodeEndpoint, and avoids reflection for the same reason.
func encodeEndpoint(model compute.Endpoint) attr.Value {
	return types.ObjectValueMust(endpointType.AttributeTypes(), map[string]attr.Value{
		"type":                     model.Type,
		"autoscaling_limit_min_cu": model.AutoscalingLimitMinCU,
		"autoscaling_limit_max_cu": model.AutoscalingLimitMaxCU,
		"suspend_timeout_seconds":  model.SuspendTimeoutSeconds,
		"disabled":                 model.Disabled,
		"name":                     model.Name,
		"id":                       model.ID,
		"host":                     model.Host,
		"pooler_host":              model.PoolerHost,
	})
}

func endpointsValue(models map[string]compute.Endpoint) types.Map {
	elements := map[string]attr.Value{}
	for label, model := range models {
		elements[label] = encodeEndpoint(model)
	}
	return types.MapValueMust(endpointType, elements)
}

func sortedLabels[T any](models map[string]T) []string { return slices.Sorted(maps.Keys(models)) }
