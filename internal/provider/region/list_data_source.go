// Package region is a region of a cloud, which Neon runs projects in. A project stays in
// the region that it was created in.
package region

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListDataSource returns neon_regions: the regions that projects can be created in.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Region]{
		Name: "regions", Returns: returned,
		Text: "The regions that projects can be created in, in Neon's order.",
	}, map[string]schema.Attribute{
		"org_id": kit.OrganizationID("Id of the organization whose regions to list. Defaults to the provider's `org_id`. " +
			"Without either, Neon lists all regions; not every organization has every one."),
	}, func(ctx context.Context, run kit.Run, in *listModel) iter.Seq2[client.Region, error] {
		in.OrgID = run.Organization(in.OrgID, run.Diags)
		return run.API.ListRegions(ctx, in.OrgID.ValueString())
	})
}

type listModel struct {
	OrgID types.String `tfsdk:"org_id"`
}

func returned(region client.Region) kit.Returned {
	return kit.Returned{
		"id":   kit.Returns("Id of the region, such as `aws-us-east-2`.", types.StringValue(region.ID)),
		"name": kit.Returns("What Neon calls the region.", types.StringValue(region.Name)),
		"default": kit.Returns("Whether new projects are created in this region unless they name another.",
			types.BoolValue(region.Default)),
		"geo_lat": kit.Returns("Approximate latitude in degrees. Null if Neon doesn't know it.",
			kit.OptionalString(region.Latitude)),
		"geo_long": kit.Returns("Approximate longitude in degrees. Null if Neon doesn't know it.",
			kit.OptionalString(region.Longitude)),
	}
}
