// Package apikey is an API key: a secret token with which a program calls Neon's API. A
// personal key has all permissions of its user; a key of an organization works in the
// organization, or in one of its projects.
package apikey

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// personalModel is the model of neon_api_key.
type personalModel struct {
	ID               types.String      `tfsdk:"id"`
	Name             types.String      `tfsdk:"name"`
	RotationTriggers types.Map         `tfsdk:"rotation_triggers"`
	Key              types.String      `tfsdk:"key"`
	CreatedAt        timetypes.RFC3339 `tfsdk:"created_at"`
	CreatedBy        types.String      `tfsdk:"created_by"`
}

// keyModel is the model of neon_org_api_key.
type keyModel struct {
	personalModel

	OrgID     types.String `tfsdk:"org_id"`
	ProjectID types.String `tfsdk:"project_id"`
}

// replaceOnRotation replaces the key when its triggers change. Setting triggers for the first time on an imported key
// doesn't replace it: somebody is using it.
func replaceOnRotation(
	ctx context.Context, req planmodifier.MapRequest, resp *mapplanmodifier.RequiresReplaceIfFuncResponse,
) {
	var key types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, req.Path.ParentPath().AtName("key"), &key)...)
	resp.RequiresReplace = rotates(key, req.StateValue, req.PlanValue)
}

func rotates(key types.String, present, planned types.Map) bool {
	before, after := kit.Triggers(present), kit.Triggers(planned)
	imported := key.IsNull() && len(before) == 0
	return !imported && (planned.IsUnknown() || !maps.EqualFunc(before, after, attr.Value.Equal))
}

// read sets the model's attributes from the key that Neon returned.
func (m *personalModel) read(key *client.APIKey) {
	m.ID = types.StringValue(strconv.FormatInt(key.ID, 10))
	m.Name = types.StringValue(key.Name)
	m.CreatedAt = kit.OptionalTime(&key.CreatedAt)
	m.CreatedBy = kit.OptionalString(string(key.CreatedBy))
}

// scope returns the scope of a personal key: its creator, or the caller if the creator isn't known, as after an import.
func (m personalModel) scope() client.APIKeyScope {
	return client.APIKeyScope{UserID: m.CreatedBy.ValueString()}
}

// scope returns the scope of an organization's key: the organization and, if it is set, the project.
func (m keyModel) scope() client.APIKeyScope {
	return client.APIKeyScope{OrgID: m.OrgID.ValueString(), ProjectID: m.ProjectID.ValueString()}
}

func (m personalModel) number() int64 {
	id, _ := strconv.ParseInt(m.ID.ValueString(), 10, 64) // Ids in the state were parsed before.
	return id
}

// isKeyID reports whether a text can be the id of a key: a positive 64-bit integer.
func isKeyID(text string) bool {
	id, err := strconv.ParseInt(text, 10, 64)
	return err == nil && id > 0 && strconv.FormatInt(id, 10) == text
}

// adviseCreation adds advice to a failed creation: if the answer was lost, so is the token; on a conflict, the key that
// this one replaces may still have the name.
func adviseCreation(err error) error {
	switch {
	case client.HasStatus(err, http.StatusConflict):
		return kit.Advise(err, "A key of that name exists already: choose another name. Where this key takes its place, "+
			"remove create_before_destroy from its lifecycle block, so that the old one is revoked first; or change the name "+
			"with every replacement.")
	case client.IsLost(err):
		return kit.Advise(err, "If the key was created, its token is lost with the answer: look for it in the web console, "+
			"revoke it there, and apply again, which creates another."+kit.BadAnswerAdvice(err))
	}
	return err
}

// warnOfLeftovers warns of unused keys with the same name. An earlier attempt may have left them, but another
// configuration may also be about to use them.
func warnOfLeftovers(diags *diag.Diagnostics, created *client.Answer[client.APIKey]) {
	key := created.Object
	unused := slices.DeleteFunc(slices.Clone(created.Namesakes),
		func(namesake client.APIKey) bool { return !namesake.NeverUsed() })
	if len(unused) == 0 {
		return
	}
	diags.AddWarning(fmt.Sprintf("Other API keys of the same name as %d", key.ID), fmt.Sprintf(
		"API key %d was created. These keys are named %s too, were there before, and were never used; an interrupted run "+
			"may have left them, but so may have another configuration that goes on to use them: a key that this one replaces "+
			"is among them until it is revoked. Look at them in the web console before you revoke any there: %s.",
		key.ID, kit.Quoted(key.Name), client.DescribeAPIKeys(unused)))
}
