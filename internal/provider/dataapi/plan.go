package dataapi

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/postgresname"
)

// plan replaces the Data API if an attribute changes that Neon accepts only at creation. Settings that are no longer
// configured go back to Neon's defaults.
func plan(ctx context.Context, p kit.Planning) {
	if p.IsDestruction() || p.Diags.HasError() {
		return
	}
	state, planned, config := kit.ModelsOf[model](ctx, p)
	if !planned.DatabaseName.Equal(state.DatabaseName) {
		postgresname.CheckDatabase(ctx, p, planned.InBranch, planned.DatabaseName)
	}
	if p.IsCreation() || p.Diags.HasError() {
		return
	}
	isCreated := kit.IsCreatedHere(ctx, p.Private)
	present, wanted := state.kept(), config.kept()
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		switch {
		case present[name].Equal(wanted[name]):
		case isFalse(present[name]) && isFalse(wanted[name]): // false is Neon's default, so it equals null.
		case present[name].IsNull() && !isCreated:
			p.Diags.AddAttributeWarning(path.Root(name), "Recorded, not sent ("+state.ID.ValueString()+")",
				"The Data API was imported, and Neon neither says nor changes its "+
					name+". This one is written into the state alone, and what counts at Neon may be another. To be sure of it, "+
					"have the Data API created anew: terraform apply -replace with its address.")
		default:
			p.Replace(name)
		}
	}
	if p.IsGoing("database "+state.ID.ValueString()) && !p.Replaces() {
		// The database is replaced by -replace, so the Data API is created again and gets another address.
		p.Set(ctx, path.Root("url"), types.StringUnknown())
		p.Replace("url")
	}
	for _, member := range kit.NoLongerConfigured(ctx, p.Private, "settings", config.Settings) {
		p.Set(ctx, path.Root("settings").AtName(member),
			kit.UnknownOf(ctx, settingTypes[member]))
	}
}

// kept returns the attributes that Neon accepts only at creation.
func (m model) kept() map[string]attr.Value {
	return map[string]attr.Value{
		"auth_provider": m.AuthProvider, "jwks_url": m.JWKSURL, "provider_name": m.ProviderName,
		"jwt_audience":       m.JWTAudience,
		"add_default_grants": m.AddDefaultGrants, "skip_auth_schema": m.SkipAuthSchema,
	}
}

func isFalse(value attr.Value) bool {
	is, ok := value.(types.Bool)
	return ok && !is.IsUnknown() && !is.ValueBool()
}

// unsetIn returns the names of the settings that the plan leaves to Neon.
func unsetIn(planned types.Object) (names []string) {
	for name, value := range planned.Attributes() {
		if value.IsUnknown() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
