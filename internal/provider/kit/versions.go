package kit

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// FirstSchemaVersion is the first schema version that only we have. It is above those of all other providers for Neon
// (kislerdm/neon is at 11), so that Terraform has a state of theirs upgraded after terraform state replace-provider,
// instead of decoding it as ours. Identities begin there, too.
const FirstSchemaVersion = 100

// schemaVersion is a text because the linker can set nothing else: a test builds the provider with the next version.
var schemaVersion = "101"

// SchemaVersion is the schema version of each resource with a key.
func SchemaVersion() int64 {
	version, err := strconv.ParseInt(schemaVersion, 10, 64)
	if err != nil || version < FirstSchemaVersion {
		panic("the schema version is " + schemaVersion) // It was built wrong.
	}
	return version
}

// UpgradeState upgrades states of earlier versions of this provider as a whole. Of a state that another provider left
// for a resource of the same name (terraform state replace-provider), it takes only the key.
func (r *managed[M]) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	upgraders := map[int64]resource.StateUpgrader{}
	for version := range SchemaVersion() {
		upgrade := r.upgradeForeign
		switch {
		case version == 0: // Ours had it too.
			upgrade = r.upgradeFirst
		case version >= FirstSchemaVersion:
			upgrade = r.upgradeOurs
		}
		upgraders[version] = resource.StateUpgrader{StateUpgrader: upgrade}
	}
	return upgraders
}

func (r *managed[M]) upgradeForeign(
	ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse,
) {
	r.spec.Key.Upgrade(ctx, req, resp, "neon_"+r.Name, r.spec.MovedTexts...)
}

func (r *managed[M]) upgradeOurs(
	ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse,
) {
	if err := takeWhole(ctx, req.RawState, r.spec.Renamed, &resp.State); err != nil {
		resp.Diagnostics.AddError("Unable to read the state of an earlier version", fmt.Sprintf(
			"A neon_%s is in the state as an earlier version of this provider wrote it, and can't be read: %s. Nothing was "+
				"changed. Go back to that version, or forget the resource with terraform state rm, and %s", r.Name, err,
			importSentence("neon_"+r.Name, r.spec.Key.names()...)))
	}
}

// upgradeFirst takes a state of version 0, which may be ours. Where that is in doubt, what the state has of a
// protection counts.
func (r *managed[M]) upgradeFirst(
	ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse,
) {
	var attributes map[string]json.RawMessage
	if req.RawState != nil && json.Unmarshal(req.RawState.JSON, &attributes) == nil && r.isOurs(attributes, resp) &&
		takeWhole(ctx, req.RawState, r.spec.Renamed, &resp.State) == nil {
		return
	}
	r.upgradeForeign(ctx, req, resp)
	protected, has := attributes[protectionName]
	if _, can := resp.State.Schema.GetAttributes()[protectionName]; can && has && string(protected) != "false" &&
		!resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(protectionName), true)...)
	}
}

// isOurs reports whether attributes are those of a state that this provider wrote before its first version of its own:
// all that it wrote then, and no others than it had since.
func (r *managed[M]) isOurs(attributes map[string]json.RawMessage, resp *resource.UpgradeStateResponse) bool {
	first := strings.Fields(r.spec.First)
	known := map[string]bool{}
	for _, name := range first {
		if _, has := attributes[name]; !has {
			return false
		}
		known[name] = true
	}
	for name := range resp.State.Schema.GetAttributes() {
		known[name] = true
	}
	for name := range attributes {
		if !known[name] {
			return false
		}
	}
	return len(first) > 0
}

// takeWhole takes a state of this provider, with renamed attributes. Attributes that the schema no longer has are
// dropped, and new ones are null, except that an object without a stored protection is unprotected.
func takeWhole(
	ctx context.Context, from *tfprotov6.RawState, renamed map[string]string, state *tfsdk.State,
) error {
	var written map[string]json.RawMessage
	if err := json.Unmarshal(from.JSON, &written); err != nil {
		return err
	}
	if err := rename(written, renamed); err != nil {
		return err
	}
	text, err := json.Marshal(written)
	if err != nil {
		return err
	}
	value, err := (&tfprotov6.RawState{JSON: text}).UnmarshalWithOpts(state.Schema.Type().TerraformType(ctx),
		tfprotov6.UnmarshalOpts{ValueFromJSONOpts: tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}})
	if err != nil {
		return err
	}
	var values map[string]tftypes.Value
	if err := value.As(&values); err != nil {
		return err
	}
	if _, could := written[protectionName]; !could && state.Schema.GetAttributes()[protectionName] != nil {
		values[protectionName] = tftypes.NewValue(tftypes.Bool, false)
	}
	state.Raw = tftypes.NewValue(value.Type(), values)
	return nil
}

// rename calls attributes what they are called now.
func rename(attributes map[string]json.RawMessage, renamed map[string]string) error {
	for before, now := range renamed {
		name, inner, isInside := strings.Cut(before, ".")
		value, has := attributes[name]
		switch {
		case !has:
		case !isInside:
			delete(attributes, name)
			attributes[now] = value
		default:
			var members map[string]json.RawMessage
			if err := json.Unmarshal(value, &members); err != nil || members == nil {
				return err
			}
			if err := rename(members, map[string]string{inner: strings.TrimPrefix(now, name+".")}); err != nil {
				return err
			}
			text, err := json.Marshal(members)
			if err != nil {
				return err
			}
			attributes[name] = text
		}
	}
	return nil
}

// UpgradeIdentity leaves identities of earlier versions and other providers to the next read, which computes them from
// the state. Terraform before 1.12 writes none at all.
func (r *managed[M]) UpgradeIdentity(context.Context) map[int64]resource.IdentityUpgrader {
	upgraders := map[int64]resource.IdentityUpgrader{}
	for version := range FirstSchemaVersion + r.spec.Key.Version {
		upgraders[version] = resource.IdentityUpgrader{IdentityUpgrader: r.forgetIdentity}
	}
	return upgraders
}

func (r *managed[M]) forgetIdentity(
	ctx context.Context, _ resource.UpgradeIdentityRequest, resp *resource.UpgradeIdentityResponse,
) {
	resp.Identity.Raw = tftypes.NewValue(resp.Identity.Schema.Type().TerraformType(ctx), nil)
	for _, part := range r.spec.Key.Parts {
		resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(part.Name), types.StringNull())...)
	}
}
