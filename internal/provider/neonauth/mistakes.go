package neonauth

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// events are those that Neon's description has.
var events = []string{
	"user.before_create", "user.created", "send.otp", "send.magic_link", "organization.invitation.created",
	"organization.invitation.accepted",
	"phone_number.verified",
}

// check refuses what Neon would refuse, or take without a word and not do.
func check(config, state, planned model, diags *diag.Diagnostics) {
	for name, own := range config.groups() {
		if kit.IsSet(*own) && !slices.ContainsFunc(slices.Collect(maps.Values(own.Attributes())), isGiven) {
			diags.AddAttributeError(path.Root(name), "Nothing is configured in "+name, "None of its attributes is set: "+
				strings.Join(slices.Sorted(maps.Keys(own.Attributes())), ", ")+
				". Terraform drops any other name without a word: look for a misspelt one, or remove "+name+".")
		}
	}
	hook, present := config.Webhook.Attributes(), state.Webhook.Attributes()
	if is, ok := hook["enabled"].(types.Bool); ok && is.ValueBool() && !isGiven(hook["url"]) &&
		kit.Text(present["url"]) == "" {
		diags.AddAttributeError(path.Root("webhook").AtName("url"), "A webhook without an address", "Set url to the "+
			"address that Neon Auth reports to, such as \"https://shop.example.com/hooks/neon-auth\", or set enabled = false.")
	}
	checkServer(config, state, planned, diags)
}

// addPasswordAlone refuses the password of a mail server that isn't configured.
func addPasswordAlone(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("email_provider_password_wo"), "A password without its server",
		"It is the password of a mail server of your own, and none is configured: add email_provider with type = "+
			"\"standard\" and its host, port, username, sender_email and sender_name, or remove email_provider_password_wo "+
			"and its version.")
}

// checkServer refuses an incomplete custom mail server when it becomes the one in use, and settings that Neon's own
// server doesn't have.
func checkServer(config, state, planned model, diags *diag.Diagnostics) {
	at, own := path.Root("email_provider"), config.EmailProvider.Attributes()
	kind := planned.EmailProvider.Attributes()["type"]
	if !kit.IsSet(config.EmailProvider) {
		kind = state.EmailProvider.Attributes()["type"]
	}
	hasPassword := !config.Password.IsNull()
	switch {
	case config.EmailProvider.IsUnknown(), kind != nil && kind.IsUnknown() && isGiven(own["type"]):
	case kit.Text(kind) == shared, !kit.IsSet(config.EmailProvider) && !isGiven(kind):
		for _, member := range []string{"host", "port", "username"} {
			if isGiven(own[member]) {
				diags.AddAttributeError(at.AtName(member), "Not of Neon's own server", "With type = \"shared\", Neon's own "+
					"server sends the mails, and "+member+
					" means nothing: remove it, or set type = \"standard\" for a server of your own.")
			}
		}
		if hasPassword {
			addPasswordAlone(diags)
		}
	case kit.IsSet(config.EmailProvider) && kit.Text(state.EmailProvider.Attributes()["type"]) == standard:
		checkOtherHost(config, state, diags)
	case kit.IsSet(config.EmailProvider):
		var missing []string
		for _, member := range []string{"host", "port", "username", "sender_email", "sender_name"} {
			if !isGiven(own[member]) {
				missing = append(missing, member)
			}
		}
		if !hasPassword {
			missing = append(missing, "email_provider_password_wo (beside email_provider; a password inside of it is dropped "+
				"by Terraform)")
		}
		if len(missing) > 0 {
			diags.AddAttributeError(at, "The mail server isn't whole", "Neon needs all of a server of your own before it can "+
				"send mails by it. Set also "+strings.Join(missing, ", ")+
				", or set type = \"shared\" for Neon's own.")
		}
	}
}

// checkOtherHost refuses to send the password of one server to another host.
func checkOtherHost(config, state model, diags *diag.Diagnostics) {
	host := kit.Text(config.EmailProvider.Attributes()["host"])
	before := kit.Text(state.EmailProvider.Attributes()["host"])
	if config.Password.IsNull() && host != "" && before != "" && host != before {
		diags.AddAttributeError(path.Root("email_provider").AtName("host"), "Another mail server without its password",
			"Neon keeps the password for "+before+", and would send it to "+host+". Set also email_provider_password_wo and "+
				"its version.")
	}
}

// isGiven reports whether a value is configured, perhaps as one that isn't known yet.
func isGiven(value attr.Value) bool { return value != nil && !value.IsNull() }
