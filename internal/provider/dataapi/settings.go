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

// settingAttributes are the settings, under Neon's names.
var settingAttributes = map[string]schema.Attribute{
	"db_aggregates_enabled": kit.KeptBool("Whether queries may aggregate. Neon's default is `true`."),
	"db_anon_role":          kit.KeptString("Role of requests without a token. Neon's default is `anonymous`."),
	"db_extra_search_path": kit.KeptString("Schemas to add to the search path, with commas between them. Neon's default " +
		"is none."),
	"db_max_rows": kit.KeptInt64("Most rows that a request returns. Neon's default is no limit.",
		int64validator.AtLeast(0)),
	"db_schemas": schema.ListAttribute{
		MarkdownDescription: "Schemas that are served. A request that names none uses the first. Neon's default is " +
			"`[\"public\"]`.", Optional: true, Computed: true, ElementType: types.StringType,
		Validators: []validator.List{listvalidator.SizeAtLeast(1), kit.NoNulls{},
			listvalidator.ValueStringsAre(kit.NotEmpty()...)},
		PlanModifiers: []planmodifier.List{listplanmodifier.UseStateForUnknown()},
	},
	"jwt_role_claim_key": kit.KeptString("Where the role is in a token, as a JSON path. Neon's default is `.role`."),
	"jwt_cache_max_lifetime": kit.KeptInt64("How long verified tokens are cached, in seconds.",
		int64validator.AtLeast(0)),
	"openapi_mode": kit.KeptString("Description of the API in OpenAPI: `ignore-privileges`, or `disabled`, which is " +
		"Neon's default."),
	"server_cors_allowed_origins": kit.KeptString("Origins whose pages may call the API, with commas between them."),
	"server_timing_enabled": kit.KeptBool("Whether answers have headers that say how long they took. Neon's default is " +
		"`false`."),
}

func settingsAttribute() schema.SingleNestedAttribute {
	return kit.KeptObject("Settings of the Data API. What isn't configured keeps its value, and what was configured and "+
		"is removed goes back to Neon's default.", settingAttributes)
}

var settingTypes = settingsAttribute().GetType().(types.ObjectType).AttrTypes //nolint:forcetypeassert // It has no type of its own.

// settings are the settings of a plan, a state or Neon's answer; nil is unknown or unset.
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

// settingsFrom returns the settings of a plan or a state, with nil for those that are unknown.
func settingsFrom(ctx context.Context, object types.Object) (s settings) {
	// The fields match the schema, so decoding can't fail.
	_ = object.As(ctx, &s, basetypes.ObjectAsOptions{UnhandledNullAsEmpty: true, UnhandledUnknownAsEmpty: true})
	return s
}

func (s settings) object(ctx context.Context) types.Object {
	object, _ := types.ObjectValueFrom(ctx, settingTypes, s) // The types are the schema's.
	return object
}

// newSettings returns the settings of Neon's answer.
func newSettings(actual *client.DataAPISettings) settings {
	if actual == nil {
		return settings{}
	}
	return settings(*actual)
}

// filledFrom fills the settings that are nil from others.
func (s settings) filledFrom(others settings) settings {
	fields, other := reflect.ValueOf(&s).Elem(), reflect.ValueOf(others)
	for i := range fields.NumField() {
		if fields.Field(i).IsNil() {
			fields.Field(i).Set(other.Field(i))
		}
	}
	return s
}

// without removes the settings that equal those of others.
func (s settings) without(others settings) settings {
	fields, other := reflect.ValueOf(&s).Elem(), reflect.ValueOf(others)
	for i := range fields.NumField() {
		if reflect.DeepEqual(fields.Field(i).Interface(), other.Field(i).Interface()) {
			fields.Field(i).SetZero()
		}
	}
	return s
}
