// Package dataapi is the Data API: a REST interface to one database of a branch, for which
// programs identify themselves with tokens of an authentication provider.
package dataapi

import (
	"context"
	"errors"
	"slices"
	"strings"

	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var key = kit.KeyInBranch("A Data API", "neondb",
	kit.KeyPart{Name: "database_name", Description: databaseText, Valid: kit.IsText(kit.LongestName)})

// NewResource returns the managed resource neon_data_api.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:     "data_api",
		Called:   "Data API",
		ListedBy: "databases",
		Key:      key,
		Schema: schema.Schema{
			MarkdownDescription: "Serves a database of a branch over REST. A database can have one Data API, unless it was " +
				"created by SQL instead of Neon's API.\n\nA child branch may start with a copy: import it then. Destroying it " +
				"keeps the schema `auth`, the roles `authenticator`, `authenticated` and `anonymous`, and their grants.\n\nNeon " +
				"doesn't return how tokens are verified. Adding, changing or removing that replaces the Data API; only after an " +
				"import, what you add is recorded in the state and not sent, of which the plan warns.",
			Attributes: attributes(),
		},
		MovedFrom: map[string]string{"neondatabase/neon": "neon_data_api",
			"kenchan0130/neon": "neon_branch_data_api"},
		Recalls:     []string{"settings"},
		Plan:        plan,
		FindAgain:   kit.SameInBranch(read),
		IsExclusive: true,
		IsReadAlone: true,
		Create:      create,
		Read:        read,
		Update:      update,
		Delete:      remove,
	})
}

type model struct {
	kit.InBranch

	DatabaseName     types.String `tfsdk:"database_name"`
	AuthProvider     types.String `tfsdk:"auth_provider"`
	JWKSURL          types.String `tfsdk:"jwks_url"`
	ProviderName     types.String `tfsdk:"provider_name"`
	JWTAudience      types.String `tfsdk:"jwt_audience"`
	AddDefaultGrants types.Bool   `tfsdk:"add_default_grants"`
	SkipAuthSchema   types.Bool   `tfsdk:"skip_auth_schema"`
	Settings         types.Object `tfsdk:"settings"`
	URL              types.String `tfsdk:"url"`
	ID               types.String `tfsdk:"id"`
}

// with returns the model with its address and these settings. Neon never says how tokens are
// verified.
func (m model) with(ctx context.Context, api *client.DataAPI, s settings) model {
	m.ID, m.URL, m.Settings = m.IDOf(m.DatabaseName.ValueString()), types.StringValue(api.URL), s.object(ctx)
	return m
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	keepDatabase(ctx, run, plan)
	created, err := run.API.CreateDataAPI(ctx, plan.Branch(), plan.DatabaseName.ValueString(), client.DataAPICreate{
		AuthProvider: plan.AuthProvider.ValueString(), JWKSURL: plan.JWKSURL.ValueString(),
		ProviderName: plan.ProviderName.ValueString(),
		JWTAudience:  plan.JWTAudience.ValueString(), AddDefaultGrants: plan.AddDefaultGrants.ValueBool(),
		SkipAuthSchema: plan.SkipAuthSchema.ValueBool(), Settings: client.DataAPISettings(settingsFrom(ctx, plan.Settings)),
	})
	if err != nil {
		return adviseRights(err)
	}
	save(plan.with(ctx, created, settingsFrom(ctx, plan.Settings)))
	if err := saveFilled(ctx, run, plan, save); err != nil {
		return kit.Unfinished(err) // It is there, and another one would have another address.
	}
	return nil
}

// databaseMark is in the private state of a Data API that was created here: the id of its database, whose new name it
// has when that is renamed.
const databaseMark = "database"

// keepDatabase stores which database the Data API is of. If that can't be read, no rename is followed.
func keepDatabase(ctx context.Context, run kit.Run, plan model) {
	var id any
	if database, err := run.API.GetSharedDatabase(ctx, plan.Branch(), plan.DatabaseName.ValueString(), 0); err == nil {
		id = database.ID
	}
	kit.SetMark(ctx, run.Private, databaseMark, id, run.Diags)
}

// unreturnedMark is in the private state of a Data API: the names of settings that Neon didn't return right after they
// were set.
const unreturnedMark = "unsaid"

// saveFilled saves the plan with what Neon chose: answers to writes don't have the settings.
func saveFilled(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	actual, err := run.API.GetDataAPI(ctx, plan.Branch(), plan.DatabaseName.ValueString())
	if err != nil {
		return err
	}
	planned, returned := settingsFrom(ctx, plan.Settings), newSettings(actual.Settings)
	save(plan.with(ctx, actual, planned.filledFrom(returned)))
	var names []string
	said := returned.object(ctx).Attributes()
	for name, value := range planned.object(ctx).Attributes() {
		if !value.IsNull() && said[name].IsNull() {
			names = append(names, name)
		}
	}
	kit.SetMark(ctx, run.Private, unreturnedMark, names, run.Diags)
	return nil
}

// unreturned are the settings of a state that Neon doesn't return.
func unreturned(ctx context.Context, run kit.Run, state model) settings {
	names, _ := kit.MarkOf[[]string](ctx, run.Private, unreturnedMark) // Without a mark, none.
	kept := settings{}.object(ctx).Attributes()
	for name, value := range state.Settings.Attributes() {
		if slices.Contains(names, name) {
			kept[name] = value
		}
	}
	return settingsFrom(ctx, types.ObjectValueMust(settingTypes, kept))
}

// adviseRights says what it means that Neon can't make what it needs in the database.
func adviseRights(err error) error {
	var answer *client.Error
	if !errors.As(err, &answer) || !strings.Contains(answer.Message, "permission denied") &&
		!strings.Contains(answer.Message, "unknown internal server error") {
		return err
	}
	return kit.Advise(err, "Neon lacks these rights in a database that SQL created: create it with neon_database, or in "+
		"the web console, whose databases belong to a role of neon_superuser.")
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	actual, err := run.API.GetDataAPI(ctx, state.Branch(), state.DatabaseName.ValueString())
	if client.IsAbsent(err) {
		actual, err = renamed(ctx, run, state, err)
	}
	if err != nil {
		return model{}, err
	}
	state.DatabaseName = types.StringValue(actual.DatabaseName)
	if actual.Settings == nil { // Neon doesn't say them.
		return state.with(ctx, actual, settingsFrom(ctx, state.Settings)), nil
	}
	return state.with(ctx, actual, newSettings(actual.Settings).filledFrom(unreturned(ctx, run, state))), nil
}

// renamed reads the Data API by its database's present name, or returns the error where none has the database's id.
func renamed(ctx context.Context, run kit.Run, state model, absence error) (*client.DataAPI, error) {
	id, isKnown := kit.MarkOf[int64](ctx, run.Private, databaseMark)
	if !isKnown {
		return nil, absence
	}
	database, err := run.API.GetDatabase(ctx, state.Branch(), state.DatabaseName.ValueString(), id)
	if client.IsAbsent(err) || err == nil && database.ID != id {
		return nil, absence
	}
	if err != nil {
		return nil, err
	}
	return run.API.GetDataAPI(ctx, state.Branch(), database.Name)
}

// update sends the settings that differ, and those that aren't configured any more as unset. What counts at the
// creation only is recorded, after an import.
func update(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
	if run.IsMove { // A branch's databases have ids of their own.
		keepDatabase(ctx, run, plan)
	}
	planned, present := settingsFrom(ctx, plan.Settings), settingsFrom(ctx, state.Settings)
	different, unset := planned.without(present), unsetIn(plan.Settings)
	if different.object(ctx).Equal(settings{}.object(ctx)) && len(unset) == 0 {
		plan.Settings = planned.filledFrom(present).object(ctx)
		save(plan)
		return nil
	}
	branch := plan.Branch()
	err := run.API.UpdateDataAPI(ctx, branch, plan.DatabaseName.ValueString(), client.DataAPISettings(different),
		client.DataAPISettings(planned.filledFrom(present)), unset...)
	if err != nil {
		return err
	}
	return saveFilled(ctx, run, plan, save)
}

func remove(ctx context.Context, run kit.Run, state model) error {
	return run.API.DeleteDataAPI(ctx, state.Branch(), state.DatabaseName.ValueString())
}

// NewListResource returns the list resource neon_data_api: the Data APIs of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "data_api", key,
		"Lists the Data APIs of a branch, by their databases. Sends a request for each database.",
		(*client.Client).ListDataAPIs,
		func(imported model, api *client.DataAPI) model {
			return imported.with(context.Background(), api, newSettings(api.Settings))
		},
		func(api client.DataAPI) (id, name string) { return api.DatabaseName, api.DatabaseName })
}
