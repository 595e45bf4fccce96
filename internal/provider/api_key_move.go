package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var (
	_ resource.ResourceWithMoveState = (*apiKeyResource)(nil)
	_ resource.ResourceWithMoveState = (*orgAPIKeyResource)(nil)
)

var movedAPIKeys = []movedSource{
	{"kislerdm/neon", "neon_api_key", 1},
	{"kenchan0130/neon", "neon_api_key", 0},
	{"neondatabase/neon", "neon_api_key", 0},
}

var movedOrgAPIKeys = []movedSource{
	{"kislerdm/neon", "neon_org_api_key", 1},
	{"kenchan0130/neon", "neon_organization_api_key", 0},
	{"neondatabase/neon", "neon_org_api_key", 0},
	{"neondatabase/neon", "neon_organization_api_key", 0},
}

// movedAPIKey is what the keys of other providers have in common with ours.
type movedAPIKey struct {
	ID        movedText `json:"id"`
	Name      string    `json:"name"`
	Key       string    `json:"key"`
	OrgID     string    `json:"org_id"`
	ProjectID string    `json:"project_id"`
}

// model is the moved key. The read that follows fills in the rest.
func (m movedAPIKey) model() apiKeyModel {
	return apiKeyModel{
		ID: types.StringValue(string(m.ID)), Name: types.StringValue(m.Name), Key: optionalString(m.Key),
		RotationTriggers: types.MapNull(types.StringType), CreatedAt: timetypes.NewRFC3339Null(),
	}
}

// MoveState takes over personal keys of other providers, with their tokens.
func (r *apiKeyResource) MoveState(context.Context) []resource.StateMover {
	const importBlock = "import {\n  to = neon_api_key.NAME\n  id = \"key_id\"\n}"
	return []resource.StateMover{{StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
		var moved movedAPIKey
		if !readMoved(req, movedAPIKeys, importBlock, &moved, &resp.Diagnostics) {
			return
		}
		if !isKeyID(string(moved.ID)) || moved.Name == "" {
			refuseMove(movedAPIKeys[0], "Its id or its name is missing.", importBlock, &resp.Diagnostics)
			return
		}
		model := moved.model()
		resp.Diagnostics.Append(resp.TargetState.Set(ctx, &model)...)
		setIdentity(ctx, resp.TargetIdentity, apiKeyIdentity{model.ID}, &resp.Diagnostics)
	}}}
}

// MoveState takes over keys of an organization, or of one of its projects.
func (r *orgAPIKeyResource) MoveState(context.Context) []resource.StateMover {
	const importBlock = "import {\n  to = neon_org_api_key.NAME\n  id = \"org_id/key_id\"\n}"
	return []resource.StateMover{{StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
		var moved movedAPIKey
		if !readMoved(req, movedOrgAPIKeys, importBlock, &moved, &resp.Diagnostics) {
			return
		}
		if !isKeyID(string(moved.ID)) || moved.Name == "" || !idPattern.MatchString(moved.OrgID) {
			refuseMove(movedOrgAPIKeys[0], "Its id, its name or its organization is missing.", importBlock, &resp.Diagnostics)
			return
		}
		model := orgAPIKeyModel{
			apiKeyModel: moved.model(), OrgID: types.StringValue(moved.OrgID), ProjectID: optionalString(moved.ProjectID),
		}
		resp.Diagnostics.Append(resp.TargetState.Set(ctx, &model)...)
		setIdentity(ctx, resp.TargetIdentity, model.identity(), &resp.Diagnostics)
	}}}
}
