// Package region is a region of a cloud, which Neon runs projects in. A project stays in
// the region that it was created in.
package region

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_regions: the regions that projects can be created in.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Region, model]{
		Name: "regions", Called: "regions", Attribute: "regions", Objects: "The regions.", Model: newModel,
		Text: "The regions that projects can be created in, in Neon's order. Neon has been seen to refuse an " +
			"organization's key here: use a personal one where it does.",
		Schema: map[string]schema.Attribute{
			"id":       kit.ReturnedString("Id of the region, such as `aws-us-east-2`."),
			"name":     kit.ReturnedString("What Neon calls the region."),
			"default":  kit.ReturnedBool("Whether new projects are created in this region unless they name another."),
			"geo_lat":  kit.ReturnedString("Approximate latitude in degrees. Null if Neon doesn't know it."),
			"geo_long": kit.ReturnedString("Approximate longitude in degrees. Null if Neon doesn't know it."),
		},
	}, map[string]schema.Attribute{
		"org_id": kit.OrganizationID("Id of the organization whose regions to list. Defaults to the provider's `org_id`. " +
			"Without either, Neon lists all regions; not every organization has every one."),
	}, func(
		ctx context.Context, platform *kit.Platform, in *listModel, diags *diag.Diagnostics,
	) iter.Seq2[client.Region, error] {
		in.OrgID = platform.Organization(in.OrgID, diags)
		return platform.Client.ListRegions(ctx, in.OrgID.ValueString())
	})
}

type listModel struct {
	OrgID types.String `tfsdk:"org_id"`
}

type model struct {
	ID      types.String `tfsdk:"id"`
	Name    types.String `tfsdk:"name"`
	Default types.Bool   `tfsdk:"default"`
	GeoLat  types.String `tfsdk:"geo_lat"`
	GeoLong types.String `tfsdk:"geo_long"`
}

func newModel(region client.Region) model {
	return model{
		ID:      types.StringValue(region.ID),
		Name:    types.StringValue(region.Name),
		Default: types.BoolValue(region.Default),
		GeoLat:  kit.OptionalString(region.Latitude),
		GeoLong: kit.OptionalString(region.Longitude),
	}
}
