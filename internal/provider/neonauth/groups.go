package neonauth

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/people"
)

func number(text string, least, most int64) schema.Attribute {
	return kit.KeptInt64(text, int64validator.Between(least, most))
}

const mostNumber = 1<<31 - 1

// groups are the settings by their names.
var groups = map[string]schema.SingleNestedAttribute{
	"email_and_password": kit.KeptObject("How people sign in with an email address and a "+
		"password.", map[string]schema.Attribute{
		"enabled": kit.KeptBool("Whether people can sign in this way. Neon's default is `true`."),
		"email_verification_method": kit.KeptString("How an address is verified: by a `link` or a one-time password "+
			"(`otp`).", stringvalidator.OneOf("link", "otp")),
		"require_email_verification": kit.KeptBool("Whether an address must be verified first. Neon's default is " +
			"`false`."),
		"auto_sign_in_after_verification": kit.KeptBool("Whether the verification signs people in. Neon's default " +
			"is `true`."),
		"send_verification_email_on_sign_up": kit.KeptBool("Whether signing up sends the mail. Neon's default is `false`."),
		"send_verification_email_on_sign_in": kit.KeptBool("Whether signing in sends the mail. Neon's default is `false`."),
		"disable_sign_up":                    kit.KeptBool("Whether nobody new can sign up. Neon's default is `false`."),
	}),
	"magic_link": kit.KeptObject("How people sign in with a link in a mail.", map[string]schema.Attribute{
		"enabled":         kit.KeptBool("Whether people can sign in this way. Neon's default is `false`."),
		"expires_in":      number("Minutes until a link expires, 5 to 1440. Neon's default is 5.", 5, 1440),
		"disable_sign_up": kit.KeptBool("Whether nobody new can sign up by a link. Neon's default is `false`."),
	}),
	"phone_number": kit.KeptObject("How people sign in with a phone number.", map[string]schema.Attribute{
		"enabled":        kit.KeptBool("Whether people can sign in this way. Neon's default is `false`."),
		"otp_expires_in": number("Seconds until the one-time password expires, 60 to 600. Neon's default is 300.", 60, 600),
	}),
	"organization": kit.KeptObject("Organizations of the application's users.", map[string]schema.Attribute{
		"enabled":            kit.KeptBool("Whether people can create and join organizations. Neon's default is `true`."),
		"organization_limit": number("How many organizations one person can create. Neon's default is 10.", 1, mostNumber),
		"membership_limit":   number("How many members an organization can have. Neon's default is 100.", 1, mostNumber),
		"creator_role": kit.KeptString("Role of the person who creates an organization: `admin`, or `owner`, which is "+
			"Neon's default.", stringvalidator.OneOf("admin", "owner")),
		"send_invitation_email": kit.KeptBool("Whether invitations are sent by mail. Neon's default is `false`."),
	}),
	"email_provider": kit.KeptObject("Server that sends the mails. Its password is `email_provider_password_wo`. A "+
		"change sends all that is configured, with the password. A `standard` one needs all of it. Removing the block "+
		"goes back to Neon's own server.", map[string]schema.Attribute{
		"type": kit.KeptString("`standard` for a server of yours, which a new one is by default, or `shared` for Neon's own.",
			stringvalidator.OneOf(shared, standard)),
		"host":         kit.KeptString("Host name of the server, for `standard` only."),
		"port":         number("Port of the server, 1 to 65535, for `standard` only.", 1, 65535),
		"username":     kit.KeptString("Name to sign in to the server with, for `standard` only."),
		"sender_email": kit.KeptString("Address that the mails come from, at most 256 bytes.", people.EmailValidators()...),
		"sender_name":  kit.KeptString("Name that the mails come from."),
	}),
	"webhook": kit.KeptObject("Webhook to which Neon Auth reports events. Removing the block switches it off.",
		map[string]schema.Attribute{
			"enabled": kit.KeptBool("Whether the webhook is used. Becomes `true` once a new `url` is set, unless it is " +
				"configured."),
			"url": kit.KeptString("Address to report to, which begins with `https://`; without one the webhook can't be "+
				"enabled.", kit.IsHTTPS()),
			"events": schema.SetAttribute{
				MarkdownDescription: "Events to report: `" + strings.Join(events, "`, `") + "`.", Optional: true, Computed: true,
				ElementType:   types.StringType,
				Validators:    []validator.Set{kit.NoNulls{}, setvalidator.ValueStringsAre(stringvalidator.OneOf(events...))},
				PlanModifiers: []planmodifier.Set{setplanmodifier.UseStateForUnknown()},
			},
			"timeout_seconds": number("Seconds that an answer may take, 1 to 10. Neon's default is 5.", 1, 10),
		}),
}

func typesOf(name string) map[string]attr.Type {
	return groups[name].GetType().(types.ObjectType).AttrTypes //nolint:forcetypeassert // It has no type of its own.
}

// onWire is what Neon calls a member of a group.
func onWire(member string) string {
	switch member {
	case "url":
		return "webhook_url"
	case "events":
		return "enabled_events"
	}
	return member
}

// sent returns the known values of a group as a request has them, without those that equal the others.
func sent(values, others types.Object) map[string]any {
	request, present := map[string]any{}, others.Attributes()
	for name, value := range values.Attributes() {
		if !kit.IsSet(value) || present[name] != nil && present[name].Equal(value) {
			continue
		}
		switch value := value.(type) {
		case types.Bool:
			request[onWire(name)] = value.ValueBool()
		case types.Int64:
			request[onWire(name)] = value.ValueInt64()
		case types.String:
			request[onWire(name)] = value.ValueString()
		case types.Set:
			texts := kit.Texts(value.Elements())
			slices.Sort(texts)
			request[onWire(name)] = texts
		}
	}
	return request
}

// received is a group with Neon's values, or else with those that are known, but for those of a server that
// Neon's own has replaced. What is planned isn't replaced: it was sent. Where there is nothing of either, there is no
// group: one without values would be refused in the configuration that Terraform writes for it.
func received(
	ctx context.Context, name string, actual map[string]any, known types.Object, planned bool,
) types.Object {
	if len(actual) == 0 && !kit.IsSet(known) {
		return types.ObjectNull(typesOf(name))
	}
	values, present := map[string]attr.Value{}, known.Attributes()
	for member, kind := range typesOf(name) {
		values[member] = valueOf(ctx, kind, actual[onWire(member)])
		own := present[member]
		if own != nil && !own.IsUnknown() && (planned || values[member].IsNull() && actual["type"] != shared) {
			values[member] = own
		}
	}
	return types.ObjectValueMust(typesOf(name), values)
}

// valueOf returns a JSON value as a Terraform value; null if it has another type.
func valueOf(ctx context.Context, kind attr.Type, value any) attr.Value {
	text, _ := json.Marshal(value) // It was decoded from JSON.
	raw, err := (&tfprotov6.RawState{JSON: text}).Unmarshal(kind.TerraformType(ctx))
	if err != nil {
		raw = tftypes.NewValue(kind.TerraformType(ctx), nil)
	}
	of, _ := kind.ValueFromTerraform(ctx, raw) // Each type has one.
	return of
}
