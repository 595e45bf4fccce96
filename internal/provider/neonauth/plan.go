package neonauth

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/postgresname"
)

// Types of the server that sends the mails: Neon's own, and one of somebody's own.
const (
	shared   = "shared"
	standard = "standard"
)

// plan refuses to move existing users to another database, refuses -replace, and handles a change of the mail server's
// type.
func plan(ctx context.Context, p kit.Planning) {
	if p.IsDestruction() || p.Diags.HasError() {
		return
	}
	state, planned, config := kit.ModelsOf[model](ctx, p)
	if p.Diags.HasError() {
		return
	}
	check(config, state, planned, p.Diags)
	if p.IsCreation() {
		switch branch := planned.Branch(); {
		case p.IsReplacedByForce(ctx):
			p.Diags.AddError(usersLost, "-replace or replace_triggered_by"+replacementText+"leave that out. "+
				beginAnew("the blocks"))
		case p.IsSaved("auth", branch.ProjectID+"/"+branch.ID): // A refusal would keep it from being destroyed, too.
			p.Diags.AddWarning(usersLost, "This plan"+replacementText+"run terraform untaint where it is tainted, "+
				"or write a moved block where its block has another name now. "+beginAnew("the blocks"))
		}
		postgresname.CheckDatabase(ctx, p, planned.InBranch, config.DatabaseName)
		planSwitchedOn(ctx, p, config, state)
		return
	}
	isElsewhere := p.Replaces() || !planned.ProjectID.Equal(state.ProjectID)
	if isElsewhere {
		p.ForgetReplaced(ctx)
	}
	if kit.IsSet(planned.DatabaseName) && !planned.DatabaseName.Equal(state.DatabaseName) && !isElsewhere {
		p.Diags.AddAttributeError(path.Root("database_name"), "Users can't move to another database ("+
			state.ID.ValueString()+")", otherDatabase(state, planned))
	}
	planSwitchedOff(ctx, p, config, state, &planned)
	planSwitchedOn(ctx, p, config, state)
	typed := typeOf(planned.EmailProvider)
	if kind := config.EmailProvider.Attributes()["type"]; kind != nil && kind.IsUnknown() {
		typed = kind // So is what depends on it.
	}
	if !planned.EmailProvider.IsUnknown() && !typed.Equal(typeOf(state.EmailProvider)) {
		planned.EmailProvider = retyped(ctx, config.EmailProvider, typed)
		p.Set(ctx, path.Root("email_provider"), planned.EmailProvider)
	}
}

// What a plan loses that replaces Neon Auth. By -replace or replace_triggered_by, Terraform shows no warning of it.
const (
	usersLost       = "Users of the application would be lost"
	replacementText = " would replace Neon Auth: nobody could sign in meanwhile, and its OAuth providers and trusted " +
		"domains would go. Where delete_data_on_destroy was applied as true, all users would be deleted for good; " +
		"otherwise their schema would stay, and Neon may refuse to enable Neon Auth again beside it. To keep them, "
)

// beginAnew advises how to start again without the existing users, step by step.
func beginAnew(what string) string {
	return "To begin without the users that there are: set delete_data_on_destroy = true and apply, which deletes " +
		"nothing yet; then remove the blocks of neon_auth, its OAuth providers and its trusted domains and apply, which " +
		"deletes all users for good; then put " + what + " back."
}

// planSwitchedOff switches off the webhook and the mail server whose blocks were removed: who took their blocks away
// may take them down as well, and sign-ups fail while Neon can't reach a webhook.
func planSwitchedOff(ctx context.Context, p kit.Planning, config, state model, planned *model) {
	isRemoved := func(group client.AuthGroup, configured types.Object) bool {
		return configured.IsNull() && len(kit.NoLongerConfigured(ctx, p.Private, string(group), configured)) > 0
	}
	if isRemoved(client.AuthEmailProvider, config.EmailProvider) && kit.IsSet(state.EmailProvider) {
		planned.EmailProvider = retyped(ctx, config.EmailProvider, types.StringValue(shared))
		if !config.Password.IsNull() {
			addPasswordAlone(p.Diags)
		}
	}
	if isUsed(state.Webhook) && isRemoved(client.AuthWebhook, config.Webhook) {
		p.Set(ctx, path.Root("webhook").AtName("enabled"), false)
	}
}

// isUsed reports whether a webhook is enabled.
func isUsed(webhook types.Object) bool {
	is, _ := webhook.Attributes()["enabled"].(types.Bool)
	return is.ValueBool()
}

// planSwitchedOn switches a webhook on that has a new address, or is there again, where nothing says whether it is
// used.
func planSwitchedOn(ctx context.Context, p kit.Planning, config, state model) {
	hook, present := config.Webhook.Attributes(), state.Webhook.Attributes()
	isBack := kit.IsCreatedHere(ctx, p.Private) && !kit.WasConfigured(ctx, p.Private, string(client.AuthWebhook))
	isNew := isGiven(hook["url"]) && (isBack || !hook["url"].Equal(present["url"]))
	is := types.BoolValue(true)
	if isNew && hook["url"].IsUnknown() {
		is = types.BoolUnknown() // It may be the present one, or none.
	}
	if isNew && !isGiven(hook["enabled"]) {
		p.Set(ctx, path.Root("webhook").AtName("enabled"), is)
	}
}

// otherDatabase explains why the users stay in their database, and how to start again without them.
func otherDatabase(state, planned model) string {
	return fmt.Sprintf("The users of Neon Auth are in the database %s, and Neon can't move it to %s. Replacing it would "+
		"end all sign-ins. Write\n\n  database_name = %[1]s\n\n%[3]s",
		kit.Quoted(state.DatabaseName.ValueString()), kit.Quoted(planned.DatabaseName.ValueString()),
		beginAnew("the blocks, with the other database,"))
}

// retyped returns the mail server after a change of its type: unconfigured values of the old server don't carry over.
func retyped(ctx context.Context, configured types.Object, typed attr.Value) types.Object {
	values, present := map[string]attr.Value{}, configured.Attributes()
	for member, kind := range typesOf(string(client.AuthEmailProvider)) {
		switch own := present[member]; {
		case own != nil && kit.IsSet(own):
			values[member] = own
		default:
			values[member] = kit.UnknownOf(ctx, kind)
		}
	}
	values["type"] = typed
	return types.ObjectValueMust(typesOf(string(client.AuthEmailProvider)), values)
}

// sentServer returns the mail server for a request: nil if nothing changes, otherwise all known values and the
// password, since Neon's API requires them together and may have forgotten some.
func sentServer(ctx context.Context, run kit.Run, state, plan model) map[string]any {
	typed := typeOf(plan.EmailProvider)
	isOther := !typed.Equal(typeOf(state.EmailProvider)) || !plan.PasswordVersion.Equal(state.PasswordVersion)
	if !isOther && len(sent(plan.EmailProvider, state.EmailProvider)) == 0 {
		return nil
	}
	all := sent(plan.EmailProvider, types.ObjectNull(typesOf(string(client.AuthEmailProvider))))
	all["type"] = kit.Text(typed)
	if password := run.WriteOnly(ctx, "email_provider_password_wo"); password != "" && all["type"] == standard {
		all["password"] = password
	}
	return all
}
