package kit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// MovedAs has the same name, such as "neon_role", for each of the providers.
func MovedAs(typeName string, providers ...string) map[string]string {
	sources := map[string]string{}
	for _, provider := range providers {
		sources[provider] = typeName
	}
	return sources
}

// Move takes the key, and the further texts named, from the state of a known source; the
// read that follows fills in the rest. What can't be moved gets an error that shows how
// the object is imported instead.
func (k Key) Move(
	ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse, to string,
	sources map[string]string, further ...string,
) {
	_, provider, _ := strings.Cut(req.SourceProviderAddress, "/")
	reason := unknownAmong(sources, provider, req.SourceTypeName, to)
	if reason == "" {
		reason = k.take(ctx, req.SourceRawState, &resp.TargetState, resp.TargetIdentity, &resp.Diagnostics, further)
	}
	if reason != "" {
		resp.Diagnostics.AddError("Unable to move the resource", fmt.Sprintf(
			"A state of %s of %s can't be moved here. %s Nothing was changed. Forget the old resource, and import the object "+
				"instead of moving it, with these blocks in place of the moved block, where OLD and NAME are the names of the "+
				"resources:\n\n%s\n\n%s", req.SourceTypeName, provider, reason, RemovedBlock(req.SourceTypeName+".OLD"),
			ImportBlock(to, strings.Join(k.names(), "/"))))
	}
}

// moveWhole accepts a state of this provider from another address, of OpenTofu's registry or a mirror, by a moved
// block.
func moveWhole(
	ctx context.Context, req resource.MoveStateRequest, renamed map[string]string, resp *resource.MoveStateResponse,
) {
	if err := takeWhole(ctx, req.SourceRawState, renamed, &resp.TargetState); err != nil {
		resp.Diagnostics.AddError("Unable to move a resource of this provider", fmt.Sprintf("The state of %s has another "+
			"shape than is known: %s. Nothing was changed. Take the moved block out, apply, and put it back.",
			req.SourceTypeName, err))
	}
	resp.TargetPrivate = req.SourcePrivate
}

// Upgrade takes the same as Move from the state of a resource of this name that another provider has left to this one.
func (k Key) Upgrade(
	ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse, name string,
	further ...string,
) {
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), nil)
	if reason := k.take(ctx, req.RawState, &resp.State, nil, &resp.Diagnostics, further); reason != "" {
		resp.Diagnostics.AddError("Unable to read the state of another provider", fmt.Sprintf(
			"A %s is in the state as another provider wrote it. %s Nothing was changed. Forget it with terraform state "+
				"rm, and %s", name, reason,
			importSentence(name, k.names()...)))
	}
}

// take takes the key and further texts from a state of another provider, or says why it can't.
func (k Key) take(
	ctx context.Context, from *tfprotov6.RawState, state *tfsdk.State, identity *tfsdk.ResourceIdentity,
	diags *diag.Diagnostics, further []string,
) (problem string) {
	var attributes map[string]json.RawMessage
	switch {
	case from == nil || len(from.JSON) == 0:
		return "Its state is empty, or was written by a Terraform before 0.12."
	case json.Unmarshal(from.JSON, &attributes) != nil:
		// What went wrong isn't repeated: it may hold a part of a key.
		return "Its state has another shape than is known."
	}
	values, called := make([]string, len(k.Parts)), make([]string, len(k.Parts))
	for i, part := range k.Parts {
		value := cmp.Or(movedText(attributes[part.MovedFrom]), movedText(attributes[part.Name]))
		// An id may begin with those of what it belongs to.
		values[i] = strings.TrimPrefix(value, strings.Join(values[:i], "/")+"/")
		called[i] = strings.TrimSuffix(part.Name, "_id")
	}
	if !k.valid(values) {
		slices.Reverse(called) // "Its id or its project", not the other way round.
		return "Its " + strings.Join(called, " or its ") + " is missing, or has another shape than is known."
	}
	k.set(ctx, values, state, identity, diags)
	for _, name := range further {
		diags.Append(state.SetAttribute(ctx, path.Root(name), OptionalString(movedText(attributes[name])))...)
	}
	return ""
}

// ours are the addresses of this provider: its own, and Terraform's default for a configuration without
// required_providers.
var ours = []string{"seed-a7382548/neon", "hashicorp/neon"}

// unknownAmong says which sources are known, where this one isn't. A type that only another provider has is its also
// where terraform state replace-provider has made the state name this one. OpenTofu 1.10 moves only what the state has
// of this one, and names the provider by the first word of the type, without an address.
func unknownAmong(known map[string]string, provider, typeName, to string) string {
	isLeft := (provider == "" || slices.Contains(ours, provider)) && typeName != to
	var names []string
	for _, theirs := range slices.Sorted(maps.Keys(known)) {
		if known[theirs] == typeName && (theirs == provider || isLeft) {
			return ""
		}
		names = append(names, known[theirs]+" of "+theirs)
	}
	if len(known) == 0 {
		return "No other provider that is known has such a resource."
	}
	return "Known are: " + strings.Join(names, "; ") + "."
}

// movedText returns an id that some providers keep as text and others as a number; empty
// where it is neither.
func movedText(data json.RawMessage) string {
	var text string
	var number json.Number
	if json.Unmarshal(data, &text) == nil {
		return text
	}
	if json.Unmarshal(data, &number) == nil {
		return number.String()
	}
	return ""
}
