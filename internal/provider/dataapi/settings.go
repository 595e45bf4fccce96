package dataapi

import (
	"context"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
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

// settings are those of a plan, a state, or Neon's; nil is what isn't known.
type settings struct {
	AggregatesEnabled   *bool    `tfsdk:"db_aggregates_enabled"`
	AnonRole            *string  `tfsdk:"db_anon_role"`
	ExtraSearchPath     *string  `tfsdk:"db_extra_search_path"`
	MaxRows             *int64   `tfsdk:"db_max_rows"`
	Schemas             []string `tfsdk:"db_schemas"`
	RoleClaimKey        *string  `tfsdk:"jwt_role_claim_key"`
	CacheMaxLifetime    *int64   `tfsdk:"jwt_cache_max_lifetime"`
	OpenAPIMode         *string  `tfsdk:"openapi_mode"`
	CORSAllowedOrigins  *string  `tfsdk:"server_cors_allowed_origins"`
	ServerTimingEnabled *bool    `tfsdk:"server_timing_enabled"`
}

// settingsFrom are those of a plan or a state, with those that are unknown as nil.
func settingsFrom(ctx context.Context, object types.Object) (s settings) {
	// The fields are the schema's attributes, so that nothing can fail.
	_ = object.As(ctx, &s, basetypes.ObjectAsOptions{UnhandledNullAsEmpty: true, UnhandledUnknownAsEmpty: true})
	return s
}

func (s settings) object(ctx context.Context) types.Object {
	object, _ := types.ObjectValueFrom(ctx, settingTypes, s) // The types are the schema's.
	return object
}

// newSettings are those of Neon's.
func newSettings(actual *client.DataAPISettings) settings {
	if actual == nil {
		return settings{}
	}
	return settings(*actual)
}

// over takes from others what isn't set here.
func (s settings) over(others settings) settings {
	fields, other := reflect.ValueOf(&s).Elem(), reflect.ValueOf(others)
	for i := range fields.NumField() {
		if fields.Field(i).IsNil() {
			fields.Field(i).Set(other.Field(i))
		}
	}
	return s
}

// without leaves out those that others have, too.
func (s settings) without(others settings) settings {
	fields, other := reflect.ValueOf(&s).Elem(), reflect.ValueOf(others)
	for i := range fields.NumField() {
		if reflect.DeepEqual(fields.Field(i).Interface(), other.Field(i).Interface()) {
			fields.Field(i).SetZero()
		}
	}
	return s
}
