// Package neonauth is Neon Auth: users, sessions and settings of an application in the data of a
// branch, with the providers by which people sign in and the domains to which they are sent back.
package neonauth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var key = kit.KeyInBranch("Neon Auth", "")

// provider is the only one that Neon still offers.
const provider = "better_auth"

// NewResource returns the managed resource neon_auth.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:     "auth",
		Called:   "Neon Auth",
		ListedBy: "branches",
		Key:      key,
		Schema: schema.Schema{
			MarkdownDescription: "Neon Auth on a branch: sign-up, sign-in and sessions for an application, kept in the schema " +
				"`neon_auth` of a database. A branch has at most one, and needs a `read_write` endpoint for it.\n\nA setting " +
				"that isn't configured keeps its value. A child branch starts with a copy, users and settings included. This " +
				"resource on the child takes the copy over. Destroying it there leaves the parent's alone.\n\nDestroying it " +
				"keeps the schema with its users, and Neon may then refuse to enable Neon Auth again. `delete_data_on_destroy`, " +
				"once it is applied, deletes the schema, too.",
			Attributes: attributes(),
		},
		MovedFrom: map[string]string{"kenchan0130/neon": "neon_branch_neon_auth"},
		Holds: "Neon Auth with its OAuth providers, its trusted domains and, if delete_data_on_destroy is true, " +
			"all users",
		ReplacedBy:  []string{"project_id", "branch_id"},
		IsExclusive: true,
		IsReadAlone: true,
		IsInherited: func(ctx context.Context, api *client.Client, place model) (bool, error) {
			return client.IsInherited(ctx, api, place.Branch(), api.GetAuth)
		},
		Remembers: "id",
		Renamed:   map[string]string{"webhook.webhook_url": "webhook.url", "webhook.enabled_events": "webhook.events"},
		Recalls:   []string{string(client.AuthEmailProvider), string(client.AuthWebhook)},
		Plan:      plan,
		FindAgain: kit.SameInBranch(read),
		Create:    create,
		Read:      read,
		Update:    update,
		Delete:    remove,
	})
}

type model struct {
	kit.InBranch

	ID                types.String `tfsdk:"id"`
	DatabaseName      types.String `tfsdk:"database_name"`
	AllowLocalhost    types.Bool   `tfsdk:"allow_localhost"`
	EmailAndPassword  types.Object `tfsdk:"email_and_password"`
	MagicLink         types.Object `tfsdk:"magic_link"`
	PhoneNumber       types.Object `tfsdk:"phone_number"`
	Organization      types.Object `tfsdk:"organization"`
	EmailProvider     types.Object `tfsdk:"email_provider"`
	Password          types.String `tfsdk:"email_provider_password_wo"`
	PasswordVersion   types.String `tfsdk:"email_provider_password_wo_version"`
	Webhook           types.Object `tfsdk:"webhook"`
	DeleteData        types.Bool   `tfsdk:"delete_data_on_destroy"`
	BaseURL           types.String `tfsdk:"base_url"`
	JWKSURL           types.String `tfsdk:"jwks_url"`
	Protection        types.Bool   `tfsdk:"deletion_protection"`
	ProviderProjectID types.String `tfsdk:"auth_provider_project_id"`
}

// groups are the model's, by their names.
func (m *model) groups() map[string]*types.Object {
	return map[string]*types.Object{
		"email_and_password": &m.EmailAndPassword, "magic_link": &m.MagicLink, "phone_number": &m.PhoneNumber,
		"organization": &m.Organization, "email_provider": &m.EmailProvider, "webhook": &m.Webhook,
	}
}

// with returns the model with Neon's values. If planned is true, planned values stay as they were sent.
func (m model) with(ctx context.Context, auth *client.Auth, settings *client.AuthSettings, planned bool) model {
	branch := m.Branch()
	m.ID = types.StringValue(branch.ProjectID + "/" + branch.ID)
	for own, actual := range map[*types.String]types.String{
		&m.DatabaseName: kit.OptionalString(auth.DatabaseName), &m.BaseURL: kit.OptionalString(auth.BaseURL),
		&m.JWKSURL: types.StringValue(auth.JWKSURL), &m.ProviderProjectID: types.StringValue(auth.ProviderProjectID),
	} {
		if !planned || own.IsUnknown() { // Where it was enabled anew since the plan, the next one shows that.
			*own = actual
		}
	}
	m.DeleteData = types.BoolValue(m.DeleteData.ValueBool()) // An import knows nothing of it, nor of the protection.
	m.Protection = types.BoolValue(m.Protection.ValueBool())
	if settings.AllowLocalhost != nil && (!planned || !kit.IsSet(m.AllowLocalhost)) {
		m.AllowLocalhost = types.BoolPointerValue(settings.AllowLocalhost)
	}
	m.AllowLocalhost = kit.Known(m.AllowLocalhost, types.BoolNull())
	if hook := settings.Groups[client.AuthWebhook]; !planned && hook["webhook_url"] == nil && isUsed(m.Webhook) {
		m.Webhook = types.ObjectNull(typesOf(string(client.AuthWebhook))) // It was removed elsewhere, with all it had.
	}
	for name, own := range m.groups() {
		*own = received(ctx, name, settings.Groups[client.AuthGroup(name)], *own, planned)
	}
	m.Password = types.StringNull()
	return m
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	branch := plan.Branch()
	enabled, err := run.API.EnableAuth(ctx, branch, client.AuthEnable{Provider: provider,
		DatabaseName: plan.DatabaseName.ValueString()})
	isInherited := client.HasStatus(err, http.StatusConflict)
	if isInherited {
		enabled, err = inherited(ctx, run.API, plan, err)
	}
	if err != nil {
		return adviseSchemaLeft(ctx, run.API, plan, err)
	}
	save(plan.with(ctx, enabled, &client.AuthSettings{}, true))
	if isInherited && kit.IsSet(plan.Webhook) {
		plan.Webhook, err = filledWebhook(ctx, run.API, plan)
	}
	if err == nil {
		err = apply(ctx, run, model{}, plan, save)
	}
	if err != nil && !run.IsMove {
		keepUnset(ctx, run, plan, err)
		return nil
	}
	return err
}

// unsetMark is in the private state of Neon Auth whose state may have settings that Neon was never sent.
const unsetMark = "unset"

// keepUnset keeps Neon Auth enabled if its settings can't be set, with a warning. An error would taint it, and the next
// apply would disable it for all users, after which Neon may refuse to enable it again.
func keepUnset(ctx context.Context, run kit.Run, plan model, err error) {
	branch := plan.Branch()
	kit.SetMark(ctx, run.Private, unsetMark, true, run.Diags)
	run.Warn("Not all settings of Neon Auth are set ("+branch.ProjectID+"/"+branch.ID+")", kit.Describe(err, nil)+
		"\n\nNeon Auth is enabled and kept in the state. The next plan shows the settings that Neon doesn't have, and the "+
		"next apply sets them.")
}

// seenUnset is a state in which nothing stands that Neon may not have been sent.
func (m model) seenUnset(ctx context.Context, run kit.Run) model {
	if _, is := kit.MarkOf[bool](ctx, run.Private, unsetMark); !is {
		return m
	}
	kit.SetMark(ctx, run.Private, unsetMark, nil, run.Diags)
	for name, own := range m.groups() {
		*own = types.ObjectNull(typesOf(name))
	}
	m.PasswordVersion = types.StringNull()
	return m
}

// inherited is what the branch has from its parent, which a refusal to enable it is about; else it returns the refusal.
func inherited(ctx context.Context, api *client.Client, plan model, refusal error) (*client.Auth, error) {
	branch := plan.Branch()
	present, err := api.GetAuth(ctx, branch)
	if client.IsAbsent(err) {
		return nil, refusal
	}
	if err == nil {
		err = client.TakeOver(ctx, api, branch, "Neon Auth", api.GetAuth)
	}
	switch {
	case errors.Is(err, client.ErrTaken):
		return nil, refusal
	case err != nil:
		return nil, err
	case kit.IsSet(plan.DatabaseName) && plan.DatabaseName.ValueString() != present.DatabaseName:
		return nil, kit.Blame(kit.Advise(fmt.Errorf("branch %s has Neon Auth from its parent, in the database %s", branch.ID,
			kit.Quoted(present.DatabaseName)),
			"Its users are there, and Neon can't move them. Leave database_name out, or set it to "+
				kit.Quoted(present.DatabaseName)+"."), path.Root("database_name"))
	}
	return present, nil
}

// filledWebhook returns the planned webhook, completed with the branch's present values: a write replaces all of them.
func filledWebhook(ctx context.Context, api *client.Client, plan model) (types.Object, error) {
	const webhook = string(client.AuthWebhook)
	settings, err := api.GetAuthSettings(ctx, plan.Branch())
	if err != nil {
		return plan.Webhook, err
	}
	values := plan.Webhook.Attributes()
	present := received(ctx, webhook, settings.Groups[client.AuthWebhook], types.ObjectNull(typesOf(webhook)), false)
	for name, value := range present.Attributes() {
		if values[name].IsUnknown() && kit.IsSet(value) {
			values[name] = value
		}
	}
	return types.ObjectValueMust(typesOf(webhook), values), nil
}

// adviseSchemaLeft explains a refusal if the branch doesn't have Neon Auth.
func adviseSchemaLeft(ctx context.Context, api *client.Client, plan model, refusal error) error {
	branch := plan.Branch()
	if _, err := api.GetAuth(ctx, branch); !client.IsRefused(refusal) || !client.IsAbsent(err) {
		return refusal
	}
	if _, err := api.GetBranch(ctx, branch); err != nil {
		return refusal
	}
	return kit.Advise(fmt.Errorf("branch %s doesn't have Neon Auth, and Neon refuses to enable it: %s", branch.ID,
		refusal.Error()), "Where it was enabled before "+
		"and disabled without deleting its data, the schema neon_auth with the users is left, and may be in the way. To "+
		"keep the users, ask Neon's support to enable Neon Auth with them, or rename the schema, such as by ALTER SCHEMA "+
		"neon_auth RENAME TO neon_auth_before, and apply again: Neon Auth then begins without users, and the old ones are "+
		"in the renamed schema. Only if nobody needs them, drop the schema instead.")
}

// apply sends the changes from state to plan, and saves the result.
func apply(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
	branch := plan.Branch()
	if kit.IsSet(plan.AllowLocalhost) && !plan.AllowLocalhost.Equal(state.AllowLocalhost) {
		if err := run.API.AllowAuthLocalhost(ctx, branch, plan.AllowLocalhost.ValueBool()); err != nil {
			return err
		}
	}
	planned, present := plan.groups(), state.groups()
	for _, name := range slices.Sorted(maps.Keys(planned)) {
		change := sent(*planned[name], *present[name])
		if name == string(client.AuthEmailProvider) {
			change = sentServer(ctx, run, state, plan)
		}
		if len(change) == 0 {
			continue
		}
		if client.AuthGroup(name) == client.AuthWebhook { // It is replaced as a whole.
			change = sent(*planned[name], types.Object{})
			if change["enabled"] == nil {
				change["enabled"] = false
			}
		}
		if err := run.API.SetAuthGroup(ctx, branch, client.AuthGroup(name), change); err != nil {
			return err
		}
	}
	auth, err := run.API.GetAuth(ctx, branch)
	if err != nil {
		return err
	}
	settings, err := run.API.GetAuthSettings(ctx, branch)
	if err == nil {
		save(plan.with(ctx, auth, settings, true))
	}
	return err
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	branch := state.Branch()
	auth, err := run.API.GetAuth(ctx, branch)
	if err != nil {
		return model{}, err
	}
	settings, err := run.API.GetAuthSettings(ctx, branch)
	if err != nil {
		return model{}, err
	}
	return state.seenUnset(ctx, run).with(ctx, auth, settings, false), nil
}

func update(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
	if kit.IsSet(plan.DatabaseName) && !plan.DatabaseName.Equal(state.DatabaseName) { // The plan didn't know it.
		return errors.New(otherDatabase(state, plan))
	}
	return apply(ctx, run, state, plan, save)
}

func remove(ctx context.Context, run kit.Run, state model) error {
	return run.API.DisableAuth(ctx, state.Branch(), state.DeleteData.ValueBool())
}
