package apikey

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ datasource.DataSourceWithConfigure = (*apiKeysDataSource)(nil)

// apiKeysDataSource is neon_api_keys: the personal API keys of a user.
type apiKeysDataSource struct {
	kit.DataSourceBase
}

func NewDataSource() datasource.DataSource {
	return &apiKeysDataSource{kit.DataSourceBase{Kind: "api_keys"}}
}

// Schema describes neon_api_keys.
func (d *apiKeysDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The live personal API keys of the user whose key the provider has. Their tokens are never shown again by " +
			"the platform, and are not here.",
		Attributes: map[string]schema.Attribute{
			"name": keyNameFilter(),
			"keys": listedKeysAttribute(listedKeyAttributes()),
		},
	}
}

// keyNameFilter narrows a list of keys, whose names need not be unique.
func keyNameFilter() schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: "Exact name of the keys to list; names need not be unique. Must not be empty. By default all are listed.",
		Optional:            true,
		Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
	}
}

func listedKeysAttribute(attributes map[string]schema.Attribute) schema.Attribute {
	return schema.ListNestedAttribute{
		MarkdownDescription: "The keys, in the platform's order.",
		Computed:            true,
		NestedObject:        schema.NestedAttributeObject{Attributes: attributes},
	}
}

func listedKeyAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":                  kit.ListedString("Id of the key, a whole number."),
		"name":                kit.ListedString("Name of the key."),
		"created_at":          kit.ListedTime("When the key was made, in RFC 3339."),
		"created_by":          kit.ListedString("Id of the user who made the key."),
		"last_used_at":        kit.ListedTime("When the key was last used, in RFC 3339; null for one that was never used. The provider uses what it creates once, right then."),
		"last_used_from_addr": kit.ListedString("IP address that the key was last used from; null for one that was never used."),
	}
}

type apiKeysModel struct {
	Name types.String     `tfsdk:"name"`
	Keys []listedKeyModel `tfsdk:"keys"`
}

type listedKeyModel struct {
	ID               types.String      `tfsdk:"id"`
	Name             types.String      `tfsdk:"name"`
	CreatedAt        timetypes.RFC3339 `tfsdk:"created_at"`
	CreatedBy        types.String      `tfsdk:"created_by"`
	LastUsedAt       timetypes.RFC3339 `tfsdk:"last_used_at"`
	LastUsedFromAddr types.String      `tfsdk:"last_used_from_addr"`
}

func listedKeyModelFrom(key client.APIKey) listedKeyModel {
	return listedKeyModel{
		ID:               types.StringValue(strconv.FormatInt(key.ID, 10)),
		Name:             types.StringValue(key.Name),
		CreatedAt:        kit.OptionalTime(&key.CreatedAt),
		CreatedBy:        kit.OptionalString(string(key.CreatedBy)),
		LastUsedAt:       kit.OptionalTime(key.LastUsedAt),
		LastUsedFromAddr: kit.OptionalString(key.LastUsedFromAddr),
	}
}

// listed tells whether a key passes the filter.
func listed(key client.APIKey, name types.String) bool {
	return !key.Revoked && (name.IsNull() || name.ValueString() == key.Name)
}

// Read lists the keys.
func (d *apiKeysDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model apiKeysModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	api := d.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	keys, err := api.APIKeys(ctx, client.APIKeyScope{})
	if err != nil {
		kit.AddError(&resp.Diagnostics, "Unable to list API keys", err)
		return
	}
	model.Keys = []listedKeyModel{}
	for _, key := range keys {
		if listed(key, model.Name) {
			model.Keys = append(model.Keys, listedKeyModelFrom(key))
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
