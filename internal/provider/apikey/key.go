package apikey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	unableToReadPersonalKey = "Unable to read API key"
	unableToReadOrgKey      = "Unable to read organization API key"
)

// KeyIDPattern is a key's id: a whole number that fits the platform's 64 bits.
var KeyIDPattern = regexp.MustCompile(`^[1-9][0-9]{0,18}$`)

// keyModel is what neon_api_key and neon_org_api_key have in common.
type keyModel struct {
	ID               types.String      `tfsdk:"id"`
	Name             types.String      `tfsdk:"name"`
	RotationTriggers types.Map         `tfsdk:"rotation_triggers"`
	Key              types.String      `tfsdk:"key"`
	CreatedAt        timetypes.RFC3339 `tfsdk:"created_at"`
	CreatedBy        types.String      `tfsdk:"created_by"`
}

func apiKeyAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			MarkdownDescription: "Name of the key, 1 to 64 characters. Names need not be unique. Changing it replaces the key.",
			Required:            true,
			Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 64)},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
		},
		"rotation_triggers": schema.MapAttribute{
			MarkdownDescription: "Any values of yours. Any change revokes the key and creates a new one. Null values count as " +
				"absent, and no map as an empty one. Setting triggers for the first time on an imported key doesn't replace it.",
			Optional:    true,
			ElementType: types.StringType,
			PlanModifiers: []planmodifier.Map{mapplanmodifier.RequiresReplaceIf(replaceOnRotation,
				"A change replaces the key, unless it was imported and has no triggers yet.",
				"A change replaces the key, unless it was imported and has no triggers yet.")},
		},
		"id": kit.ComputedString("Id of the key, a whole number."),
		"key": schema.StringAttribute{
			MarkdownDescription: "The secret token. The platform shows it only once, when the key is made, so it is null after an import.",
			Computed:            true,
			Sensitive:           true,
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"created_at": schema.StringAttribute{
			CustomType:          timetypes.RFC3339Type{},
			MarkdownDescription: "When the key was made, in RFC 3339.",
			Computed:            true,
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"created_by": kit.ComputedString("Id of the user who made the key."),
	}
}

// replaceOnRotation leaves a key alone that was just imported: its triggers are nowhere
// but in the configuration, and somebody is using it.
func replaceOnRotation(ctx context.Context, req planmodifier.MapRequest, resp *mapplanmodifier.RequiresReplaceIfFuncResponse) {
	var key types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, req.Path.ParentPath().AtName("key"), &key)...)
	before, after := triggers(req.StateValue), triggers(req.PlanValue)
	imported := key.IsNull() && len(before) == 0
	resp.RequiresReplace = !imported && (req.PlanValue.IsUnknown() || !maps.EqualFunc(before, after, attr.Value.Equal))
}

// triggers are the values that count: an absent one, a null one and no map at all mean
// the same.
func triggers(configured types.Map) map[string]attr.Value {
	elements := configured.Elements()
	maps.DeleteFunc(elements, func(_ string, value attr.Value) bool { return value.IsNull() })
	return elements
}

// created takes over the answer to a creation. Everything is known afterwards.
func (m *keyModel) created(key *client.CreatedAPIKey) {
	m.Key = types.StringValue(key.Key)
	m.read(&key.APIKey)
}

// read takes over what a list says of the key.
func (m *keyModel) read(key *client.APIKey) {
	m.ID = types.StringValue(strconv.FormatInt(key.ID, 10))
	m.Name = types.StringValue(key.Name)
	m.CreatedAt = kit.OptionalTime(&key.CreatedAt)
	m.CreatedBy = kit.OptionalString(string(key.CreatedBy))
}

// complete fills in what the answer to a creation may lack. The key exists, so
// that a failure here is no failure of the creation: a later read makes up for it.
func (m *keyModel) complete(ctx context.Context, api *client.Client, scope client.APIKeyScope) {
	if !m.CreatedAt.IsNull() && !m.CreatedBy.IsNull() {
		return
	}
	key, err := api.APIKey(ctx, scope, m.number())
	if err != nil {
		tflog.Warn(ctx, "the new key could not be read back", map[string]any{"error": err.Error()})
		return
	}
	m.read(key)
}

// Scope is whose key it is. Without its maker, as after an import, it is the caller's.
func (m *keyModel) scope() client.APIKeyScope {
	return client.APIKeyScope{UserID: m.CreatedBy.ValueString()}
}

func (m *keyModel) number() int64 {
	id, err := strconv.ParseInt(m.ID.ValueString(), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// isKeyID tells whether a text can be the id of a key.
func isKeyID(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return KeyIDPattern.MatchString(text) && err == nil
}

// lostKeyHints says what only the creation of a key needs: its token is lost with
// the answer.
func lostKeyHints(err error) []string {
	var lost *client.AmbiguousError
	if !errors.As(err, &lost) {
		return nil
	}
	return []string{"If the key was made, its token is lost with the answer: look for it in the web console, revoke it there, and apply again."}
}

// warnOfLeftovers names keys that an earlier attempt may have left behind, with
// what revokes them.
func warnOfLeftovers(diags *diag.Diagnostics, api *client.Client, scope client.APIKeyScope, key *client.CreatedAPIKey) {
	warnOfLost(diags, key)
	unused := slices.DeleteFunc(slices.Clone(key.Namesakes), func(namesake client.APIKey) bool { return !namesake.NeverUsed() })
	if len(unused) == 0 {
		return
	}
	diags.AddWarning(fmt.Sprintf("Other API keys of the same name as %d", key.ID), fmt.Sprintf(
		"API key %d was made. These keys are named %q too, were there before, and were never used; an interrupted run may have "+
			"left them. Revoke those that nobody needs (a key that this one replaces is among them until it is revoked):\n%s",
		key.ID, key.Name, api.DescribeAPIKeys(scope, unused)))
}

func warnOfLost(diags *diag.Diagnostics, key *client.CreatedAPIKey) {
	if key.Lost != nil {
		diags.AddWarning(fmt.Sprintf("An API key may have been left behind beside %d", key.ID),
			"An earlier attempt made a key whose token was lost with the answer. "+kit.Sentence(key.Lost.Error()))
	}
}

// apiKeyIdentity tells a personal key from all others. Terraform 1.12 keeps
// identities beside the state, and imports by them.
type apiKeyIdentity struct {
	KeyID types.String `tfsdk:"key_id"`
}
