package neonauth

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// Types of the server that sends the mails: Neon's own, and one of somebody's own.
const (
	shared   = "shared"
	standard = "standard"
)

// plan refuses another database for the users that there are, and plans what another type of the mail server means.
func plan(ctx context.Context, _ *kit.Platform, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.State.Raw.IsNull() || req.Plan.Raw.IsNull() || resp.Diagnostics.HasError() {
		return
	}
	var state, planned, config model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Plan.Get(ctx, &planned)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	isElsewhere := len(resp.RequiresReplace) > 0 || !planned.ProjectID.Equal(state.ProjectID)
	if kit.IsSet(planned.DatabaseName) && !planned.DatabaseName.Equal(state.DatabaseName) && !isElsewhere {
		resp.Diagnostics.AddAttributeError(path.Root("database_name"), "Users can't move to another database ("+state.ID.ValueString()+")", otherDatabase(state, planned))
	}
	planSwitchedOff(ctx, req.Private, config, state, &planned, resp)
	if typed := typeOf(planned.EmailProvider); !typed.IsUnknown() && !typed.Equal(typeOf(state.EmailProvider)) {
		planned.EmailProvider = retyped(config.EmailProvider, typed)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("email_provider"), planned.EmailProvider)...)
	}
}

// planSwitchedOff switches off the webhook and the mail server whose blocks were removed: who took their blocks away
// may take them down as well, and sign-ups fail while Neon can't reach a webhook.
func planSwitchedOff(ctx context.Context, private kit.PrivateState, config, state model, planned *model, resp *resource.ModifyPlanResponse) {
	isRemoved := func(group client.AuthGroup, configured types.Object) bool {
		return configured.IsNull() && len(kit.NoLongerConfigured(ctx, private, string(group), configured)) > 0
	}
	if isRemoved(client.AuthEmailProvider, config.EmailProvider) && kit.IsSet(state.EmailProvider) {
		planned.EmailProvider = retyped(config.EmailProvider, types.StringValue(shared))
	}
	if is, ok := state.Webhook.Attributes()["enabled"].(types.Bool); ok && is.ValueBool() && isRemoved(client.AuthWebhook, config.Webhook) {
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("webhook").AtName("enabled"), false)...)
	}
}

// otherDatabase says why the users stay in the database where they are, and how one begins without them.
func otherDatabase(state, planned model) string {
	return fmt.Sprintf("The users of Neon Auth are in the database %s, and Neon can't move it to %s. Replacing it would end all sign-ins. Write\n\n  database_name = %[1]s\n\n"+
		"To begin in another database, without the users that there are: set delete_data_on_destroy = true and apply, which deletes nothing yet; then remove the blocks of "+
		"neon_auth, its OAuth providers and its trusted domains and apply, which deletes all users for good; then put them back with the other database.",
		kit.Quoted(state.DatabaseName.ValueString()), kit.Quoted(planned.DatabaseName.ValueString()))
}

// retyped is a mail server whose type changes: what isn't configured is not that of the one before.
func retyped(configured types.Object, typed attr.Value) types.Object {
	values, present := map[string]attr.Value{}, configured.Attributes()
	for member, kind := range typesOf(string(client.AuthEmailProvider)) {
		switch own := present[member]; {
		case own != nil && kit.IsSet(own):
			values[member] = own
		case kind == types.Int64Type:
			values[member] = types.Int64Unknown()
		default:
			values[member] = types.StringUnknown()
		}
	}
	values["type"] = typed
	return types.ObjectValueMust(typesOf(string(client.AuthEmailProvider)), values)
}

// sentServer is what a request has of the mail server: what differs, and all of it, with its password, where the
// type does, since Neon may have forgotten the rest. The type is needed with every change.
func sentServer(ctx context.Context, state, plan model) map[string]any {
	present, typed := state.EmailProvider, typeOf(plan.EmailProvider)
	isOther := !typed.Equal(typeOf(state.EmailProvider))
	if isOther {
		present = types.ObjectNull(typesOf(string(client.AuthEmailProvider)))
	}
	change := sent(plan.EmailProvider, present)
	if isOther || !plan.PasswordVersion.Equal(state.PasswordVersion) {
		if password := kit.WriteOnly(ctx, "email_provider_password_wo"); password != "" && kit.Text(typed) == standard {
			change["password"] = password
		}
	}
	if len(change) > 0 {
		change["type"] = kit.Text(typed)
	}
	return change
}
