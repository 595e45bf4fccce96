package dataapi

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// texts describe the settings, whose names are Neon's.
var texts = map[string]string{
	"db_aggregates_enabled": "Whether queries may aggregate. Neon's default is `true`.",
	"db_anon_role":          "Role of requests without a token. Neon's default is `anonymous`.",
	"db_extra_search_path":  "Schemas to add to the search path, with commas between them. Neon's default is none.",
	"db_max_rows":           "Most rows that a request returns. Neon's default is no limit.",
	"db_schemas": "Schemas that are served. A request that names none uses the first. Neon's default " +
		"is `[\"public\"]`.",
	"jwt_role_claim_key":     "Where the role is in a token, as a JSON path. Neon's default is `.role`.",
	"jwt_cache_max_lifetime": "How long verified tokens are cached, in seconds.",
	"openapi_mode": "Description of the API in OpenAPI: `ignore-privileges`, or `disabled`, which is " +
		"Neon's default.",
	"server_cors_allowed_origins": "Origins whose pages may call the API, with commas between them.",
	"server_timing_enabled":       "Whether answers have headers that say how long they took. Neon's default is `false`.",
}

func settingsAttribute() schema.SingleNestedAttribute {
	text := func(name string) schema.Attribute { return kit.KeptString(texts[name]) }
	number := func(name string) schema.Attribute { return kit.KeptInt64(texts[name], int64validator.AtLeast(0)) }
	boolean := func(name string) schema.Attribute { return kit.KeptBool(texts[name]) }
	return kit.KeptObject("Settings of the Data API. What isn't configured keeps its value, and what was configured and "+
		"is removed goes back to Neon's default.",
		map[string]schema.Attribute{
			"db_aggregates_enabled": boolean("db_aggregates_enabled"), "db_anon_role": text("db_anon_role"),
			"db_extra_search_path": text("db_extra_search_path"), "db_max_rows": number("db_max_rows"),
			"db_schemas": schema.ListAttribute{
				MarkdownDescription: texts["db_schemas"], Optional: true, Computed: true, ElementType: types.StringType,
				Validators: []validator.List{listvalidator.SizeAtLeast(1), kit.NoNulls{},
					listvalidator.ValueStringsAre(kit.NotEmpty()...)},
				PlanModifiers: []planmodifier.List{listplanmodifier.UseStateForUnknown()},
			},
			"jwt_role_claim_key": text("jwt_role_claim_key"), "jwt_cache_max_lifetime": number("jwt_cache_max_lifetime"),
			"openapi_mode": text("openapi_mode"), "server_cors_allowed_origins": text("server_cors_allowed_origins"),
			"server_timing_enabled": boolean("server_timing_enabled"),
		})
}

var settingTypes = settingsAttribute().GetType().(types.ObjectType).AttrTypes //nolint:forcetypeassert // It has no type of its own.

// settings are null if nothing is known of one.
type settings struct {
	AggregatesEnabled   types.Bool   `tfsdk:"db_aggregates_enabled"`
	AnonRole            types.String `tfsdk:"db_anon_role"`
	ExtraSearchPath     types.String `tfsdk:"db_extra_search_path"`
	MaxRows             types.Int64  `tfsdk:"db_max_rows"`
	Schemas             types.List   `tfsdk:"db_schemas"`
	RoleClaimKey        types.String `tfsdk:"jwt_role_claim_key"`
	CacheMaxLifetime    types.Int64  `tfsdk:"jwt_cache_max_lifetime"`
	OpenAPIMode         types.String `tfsdk:"openapi_mode"`
	CORSAllowedOrigins  types.String `tfsdk:"server_cors_allowed_origins"`
	ServerTimingEnabled types.Bool   `tfsdk:"server_timing_enabled"`
}

// settingsFrom are those of a plan or a state, with those that are unknown as null.
func settingsFrom(ctx context.Context, object types.Object) settings {
	s := settings{Schemas: types.ListNull(types.StringType)}
	if !kit.IsSet(object) || object.As(ctx, &s, basetypes.ObjectAsOptions{}).HasError() {
		return s
	}
	return s.over(s)
}

func (s settings) object(ctx context.Context) types.Object {
	if s.Schemas.IsNull() { // A zero value has no type of its elements.
		s.Schemas = types.ListNull(types.StringType)
	}
	object, _ := types.ObjectValueFrom(ctx, settingTypes, s) // The types are the schema's.
	return object
}

// newSettings are those of Neon's.
func newSettings(actual *client.DataAPISettings) settings {
	if actual == nil {
		return settings{}
	}
	s := settings{
		AggregatesEnabled: types.BoolPointerValue(actual.AggregatesEnabled),
		AnonRole:          types.StringPointerValue(actual.AnonRole),
		ExtraSearchPath:   types.StringPointerValue(actual.ExtraSearchPath), MaxRows: types.Int64PointerValue(actual.MaxRows),
		RoleClaimKey:        types.StringPointerValue(actual.RoleClaimKey),
		CacheMaxLifetime:    types.Int64PointerValue(actual.CacheMaxLifetime),
		OpenAPIMode:         types.StringPointerValue(actual.OpenAPIMode),
		CORSAllowedOrigins:  types.StringPointerValue(actual.CORSAllowedOrigins),
		ServerTimingEnabled: types.BoolPointerValue(actual.ServerTimingEnabled),
	}
	if actual.Schemas != nil {
		s.Schemas = types.ListValueMust(types.StringType, kit.Elements(actual.Schemas))
	}
	return s
}

// over takes from others what isn't set here.
func (s settings) over(others settings) settings {
	return settings{
		set(s.AggregatesEnabled, others.AggregatesEnabled), set(s.AnonRole, others.AnonRole),
		set(s.ExtraSearchPath, others.ExtraSearchPath),
		set(s.MaxRows, others.MaxRows), set(s.Schemas, others.Schemas), set(s.RoleClaimKey, others.RoleClaimKey),
		set(s.CacheMaxLifetime, others.CacheMaxLifetime), set(s.OpenAPIMode, others.OpenAPIMode),
		set(s.CORSAllowedOrigins, others.CORSAllowedOrigins), set(s.ServerTimingEnabled, others.ServerTimingEnabled),
	}
}

// set is the first value where that is set, else the other one where that is, else null.
func set[T attr.Value](value, other T) T {
	var none T
	switch {
	case kit.IsSet(value):
		return value
	case kit.IsSet(other):
		return other
	}
	return none
}

// without leaves out those that others have, too.
func (s settings) without(others settings) settings {
	return settings{
		changed(s.AggregatesEnabled, others.AggregatesEnabled), changed(s.AnonRole, others.AnonRole),
		changed(s.ExtraSearchPath, others.ExtraSearchPath),
		changed(s.MaxRows, others.MaxRows), changed(s.Schemas, others.Schemas), changed(s.RoleClaimKey, others.RoleClaimKey),
		changed(s.CacheMaxLifetime, others.CacheMaxLifetime), changed(s.OpenAPIMode, others.OpenAPIMode),
		changed(s.CORSAllowedOrigins, others.CORSAllowedOrigins), changed(s.ServerTimingEnabled, others.ServerTimingEnabled),
	}
}

func changed[T attr.Value](value, present T) T {
	var none T
	if value.Equal(present) {
		return none
	}
	return value
}

func (s settings) request() client.DataAPISettings {
	return client.DataAPISettings{
		AggregatesEnabled: s.AggregatesEnabled.ValueBoolPointer(), AnonRole: s.AnonRole.ValueStringPointer(),
		ExtraSearchPath: s.ExtraSearchPath.ValueStringPointer(),
		MaxRows:         s.MaxRows.ValueInt64Pointer(), Schemas: kit.Texts(s.Schemas.Elements()),
		RoleClaimKey:     s.RoleClaimKey.ValueStringPointer(),
		CacheMaxLifetime: s.CacheMaxLifetime.ValueInt64Pointer(), OpenAPIMode: s.OpenAPIMode.ValueStringPointer(),
		CORSAllowedOrigins:  s.CORSAllowedOrigins.ValueStringPointer(),
		ServerTimingEnabled: s.ServerTimingEnabled.ValueBoolPointer(),
	}
}
