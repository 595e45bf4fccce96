package branch

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
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

// imported returns the model with Neon's values, except for the branch's origin in its parent's history: Neon returns a
// position and a time for each branch, which may differ from the configured ones.
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
func (m branchModel) resolved(ctx context.Context, branch *client.Branch) branchModel {
	actual := m.imported(branch)
	if !kit.IsSet(m.ParentTimestamp) {
		actual.ParentLSN = kit.OptionalString(branch.ParentLSN)
	}
	return kit.Resolved(ctx, m, actual)
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

// endpointModels decodes the endpoints, except those that are unknown as a whole.
func endpointModels(endpoints types.Map) map[string]compute.Endpoint {
	models := map[string]compute.Endpoint{}
	for label, element := range endpoints.Elements() {
		if object, ok := element.(types.Object); ok && kit.IsSet(object) {
			models[label] = kit.Decode[compute.Endpoint](object)
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

func endpointsValue(models map[string]compute.Endpoint) types.Map {
	elements := map[string]attr.Value{}
	for label, model := range models {
		elements[label] = kit.Encode(model, endpointType)
	}
	return types.MapValueMust(endpointType, elements)
}

func sortedLabels[T any](models map[string]T) []string { return slices.Sorted(maps.Keys(models)) }
