package provider

import (
	"bytes"
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// unchangedServer reads and plans what has not changed. Most of a plan over many
// resources is that, and the framework takes a millisecond for each question, in
// which it goes through all attributes many times. The answers are the framework's;
// whatever isn't plainly unchanged is left to it.
type unchangedServer struct {
	frameworkServer

	provider *neonProvider
}

// unchangedRead looks whether the platform has an object as the state has it.
type unchangedRead struct {
	look func(ctx context.Context, api *client.Client, stored *storedObject) (identity map[string]string, unchanged bool, err error)
	// failure is the summary of any other error.
	failure string
}

var unchangedReads = map[string]unchangedRead{
	"neon_api_key":     {unchangedAPIKey, unableToReadPersonalKey},
	branchType:         {unchangedBranch, unableToReadBranch},
	"neon_org_api_key": {unchangedOrgAPIKey, unableToReadOrgKey},
}

// ReadResource answers with the state that it was sent, where that still holds.
func (s *unchangedServer) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	read, known := unchangedReads[req.TypeName]
	stored := storedObjectOf(req.CurrentState)
	api := s.provider.control()
	if !known || stored == nil || api == nil || !hasNoPrivateState(req.Private) {
		return s.frameworkServer.ReadResource(ctx, req)
	}
	identity, unchanged, err := read.look(ctx, api, stored)
	failed := err != nil && !client.IsAbsent(err)
	if stored.strange || !unchanged && !failed {
		return s.frameworkServer.ReadResource(ctx, req)
	}
	answer := &tfprotov6.ReadResourceResponse{NewState: req.CurrentState}
	if failed {
		answer.Diagnostics = []*tfprotov6.Diagnostic{
			{Severity: tfprotov6.DiagnosticSeverityError, Summary: read.failure, Detail: describe(err, unseenHints(err, req.TypeName))},
		}
	}
	answer.NewIdentity, err = identityOr(req.CurrentIdentity, identity)
	return answer, err
}

// PlanResourceChange answers with the plan that it was sent, where that is the state
// and no default differs from it.
func (s *unchangedServer) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	if req.TypeName != "neon_branch" || s.provider.control() == nil || !hasNoPrivateState(req.PriorPrivate) || !isSame(req.PriorState, req.ProposedNewState) {
		return s.frameworkServer.PlanResourceChange(ctx, req)
	}
	stored := storedObjectOf(req.PriorState)
	if stored == nil || !hasDefaultValues(stored) {
		return s.frameworkServer.PlanResourceChange(ctx, req)
	}
	identity, err := identityOr(req.PriorIdentity, nil)
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedIdentity: identity}, err
}

// hasDefaultValues tells whether each attribute of a branch that has a default has
// that value, so that it doesn't matter whether it is configured.
func hasDefaultValues(stored *storedObject) bool {
	protected := stored.truth("protected")
	return !stored.strange && isSet(protected) && !protected.ValueBool()
}

// hasNoPrivateState tells whether nothing is noted beside the state, such as an
// interruption or an import.
func hasNoPrivateState(private []byte) bool {
	return len(private) == 0 || string(private) == "{}"
}

func isSame(a, b *tfprotov6.DynamicValue) bool {
	return a != nil && b != nil && len(a.MsgPack) > 0 && bytes.Equal(a.MsgPack, b.MsgPack)
}

// identityOr gives the identity that is there, or else another as Terraform is told
// it; nil is one that isn't known.
func identityOr(there *tfprotov6.ResourceIdentityData, other map[string]string) (*tfprotov6.ResourceIdentityData, error) {
	if there != nil {
		return there, nil
	}
	data, err := msgpack.Marshal(other)
	return &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: data}}, err
}

// unchangedAPIKey looks for a personal key.
func unchangedAPIKey(ctx context.Context, api *client.Client, stored *storedObject) (map[string]string, bool, error) {
	state := storedAPIKey(stored)
	unchanged, err := isUnchangedKey(ctx, api, state.scope(), state)
	return map[string]string{"key_id": state.ID.ValueString()}, unchanged, err
}

// unchangedOrgAPIKey looks for a key of an organization, or of one of its projects.
func unchangedOrgAPIKey(ctx context.Context, api *client.Client, stored *storedObject) (map[string]string, bool, error) {
	state := orgAPIKeyModel{apiKeyModel: storedAPIKey(stored), OrgID: stored.text("org_id"), ProjectID: stored.text("project_id")}
	unchanged, err := isUnchangedKey(ctx, api, state.scope(), state.apiKeyModel)
	return map[string]string{"org_id": state.OrgID.ValueString(), "key_id": state.ID.ValueString()}, unchanged, err
}

func isUnchangedKey(ctx context.Context, api *client.Client, scope client.APIKeyScope, state apiKeyModel) (bool, error) {
	key, err := api.APIKey(ctx, scope, state.number())
	if err != nil {
		return false, err
	}
	actual := state
	actual.read(key)
	return actual.ID.Equal(state.ID) && actual.Name.Equal(state.Name) && actual.CreatedAt.Equal(state.CreatedAt) &&
		actual.CreatedBy.Equal(state.CreatedBy) && key.ProjectID == scope.ProjectID, nil
}

// storedAPIKey is what the platform knows of a key.
func storedAPIKey(stored *storedObject) apiKeyModel {
	return apiKeyModel{
		ID: stored.text("id"), Name: stored.text("name"),
		CreatedAt: stored.moment("created_at"), CreatedBy: stored.text("created_by"),
	}
}

// unchangedBranch looks for a branch and for its endpoints that are managed.
func unchangedBranch(ctx context.Context, api *client.Client, stored *storedObject) (map[string]string, bool, error) {
	state, managed := storedBranch(stored)
	identity := map[string]string{"project_id": state.ProjectID.ValueString(), "branch_id": state.ID.ValueString()}
	if stored.strange {
		return identity, false, nil
	}
	branch, endpoints, err := readBranch(ctx, api, state, managed, managed != nil)
	if err != nil {
		return identity, false, err
	}
	unchanged := state.refreshed(branch).equal(state) &&
		maps.EqualFunc(managed, refreshEndpoints(managed, endpoints), endpointModel.equal)
	return identity, unchanged, nil
}

// storedBranch is a branch as the state has it, but for what only Terraform knows,
// and apart from it the endpoints; nil where they aren't managed.
func storedBranch(stored *storedObject) (branchModel, map[string]endpointModel) {
	branch := branchModel{
		ProjectID:    stored.text("project_id"),
		Name:         stored.text("name"),
		ParentID:     stored.text("parent_id"),
		Protected:    stored.truth("protected"),
		ExpiresAt:    stored.moment("expires_at"),
		ID:           stored.text("id"),
		Default:      stored.truth("default"),
		CurrentState: stored.text("current_state"),
		CreatedAt:    stored.moment("created_at"),
		Endpoints:    types.MapNull(endpointType),
	}
	objects := stored.objects("endpoints")
	if objects == nil {
		return branch, nil
	}
	endpoints := make(map[string]endpointModel, len(objects))
	for label, object := range objects {
		endpoints[label] = storedEndpoint(object)
		stored.strange = stored.strange || object.strange
	}
	return branch, endpoints
}

func storedEndpoint(stored *storedObject) endpointModel {
	return endpointModel{
		Type:                  stored.text("type"),
		AutoscalingLimitMinCU: stored.number("autoscaling_limit_min_cu"),
		AutoscalingLimitMaxCU: stored.number("autoscaling_limit_max_cu"),
		SuspendTimeoutSeconds: stored.whole("suspend_timeout_seconds"),
		Disabled:              stored.truth("disabled"),
		Name:                  stored.text("name"),
		ID:                    stored.text("id"),
		Host:                  stored.text("host"),
		PoolerHost:            stored.text("pooler_host"),
	}
}
