package apikey

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	_ resource.ResourceWithMoveState = (*keyResource)(nil)
	_ resource.ResourceWithMoveState = (*orgKeyResource)(nil)
)

var movedAPIKeys = []kit.MovedSource{
	{Provider: "kislerdm/neon", TypeName: "neon_api_key", Version: 1},
	{Provider: "kenchan0130/neon", TypeName: "neon_api_key", Version: 0},
	{Provider: "neondatabase/neon", TypeName: "neon_api_key", Version: 0},
}

var movedOrgAPIKeys = []kit.MovedSource{
	{Provider: "kislerdm/neon", TypeName: "neon_org_api_key", Version: 1},
	{Provider: "kenchan0130/neon", TypeName: "neon_organization_api_key", Version: 0},
	{Provider: "neondatabase/neon", TypeName: "neon_org_api_key", Version: 0},
	{Provider: "neondatabase/neon", TypeName: "neon_organization_api_key", Version: 0},
}

// movedAPIKey is what the keys of other providers have in common with ours.
type movedAPIKey struct {
	ID        kit.MovedText `json:"id"`
	Name      string        `json:"name"`
	Key       string        `json:"key"`
	OrgID     string        `json:"org_id"`
	ProjectID string        `json:"project_id"`
}

// model is the moved key. The read that follows fills in the rest.
func (m movedAPIKey) model() keyModel {
	return keyModel{
		ID: types.StringValue(string(m.ID)), Name: types.StringValue(m.Name), Key: kit.OptionalString(m.Key),
		RotationTriggers: types.MapNull(types.StringType), CreatedAt: timetypes.NewRFC3339Null(),
	}
}

// MoveState takes over personal keys of other providers, with their tokens.
func (r *keyResource) MoveState(context.Context) []resource.StateMover {
	const importBlock = "import {\n  to = neon_api_key.NAME\n  id = \"key_id\"\n}"
	return []resource.StateMover{{StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
		var moved movedAPIKey
		if !kit.ReadMoved(req, movedAPIKeys, importBlock, &moved, &resp.Diagnostics) {
			return
		}
		if !isKeyID(string(moved.ID)) || moved.Name == "" {
			kit.RefuseMove(movedAPIKeys[0], "Its id or its name is missing.", importBlock, &resp.Diagnostics)
			return
		}
		model := moved.model()
		resp.Diagnostics.Append(resp.TargetState.Set(ctx, &model)...)
		kit.SetIdentity(ctx, resp.TargetIdentity, apiKeyIdentity{model.ID}, &resp.Diagnostics)
	}}}
}

// MoveState takes over keys of an organization, or of one of its projects.
func (r *orgKeyResource) MoveState(context.Context) []resource.StateMover {
	const importBlock = "import {\n  to = neon_org_api_key.NAME\n  id = \"org_id/key_id\"\n}"
	return []resource.StateMover{{StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
		var moved movedAPIKey
		if !kit.ReadMoved(req, movedOrgAPIKeys, importBlock, &moved, &resp.Diagnostics) {
			return
		}
		if !isKeyID(string(moved.ID)) || moved.Name == "" || !kit.IDPattern.MatchString(moved.OrgID) {
			kit.RefuseMove(movedOrgAPIKeys[0], "Its id, its name or its organization is missing.", importBlock, &resp.Diagnostics)
			return
		}
		model := orgKeyModel{
			keyModel: moved.model(), OrgID: types.StringValue(moved.OrgID), ProjectID: kit.OptionalString(moved.ProjectID),
		}
		resp.Diagnostics.Append(resp.TargetState.Set(ctx, &model)...)
		kit.SetIdentity(ctx, resp.TargetIdentity, model.identity(), &resp.Diagnostics)
	}}}
}
