package bucket

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

type dataModel struct {
	kit.InBranch

	Name      types.String      `tfsdk:"name"`
	Access    types.String      `tfsdk:"access_level"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
	Inherited types.Bool        `tfsdk:"inherited"`
}

// NewDataSource returns neon_bucket: a bucket of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[dataModel]{
		Name: "bucket",
		Schema: schema.Schema{
			MarkdownDescription: "A bucket of a branch, also one that comes from its parent.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID(projectText), "branch_id": kit.RequiredID(branchText),
				"name":         kit.RequiredText(nameText),
				"access_level": kit.ReturnedString(accessText), "created_at": kit.ReturnedTime(createdText),
				"inherited": kit.ReturnedBool(inheritedText),
			},
		},
		Read: func(ctx context.Context, platform *kit.Platform, m *dataModel, diags *diag.Diagnostics) {
			kit.ReadInBranch(platform, m.InBranch, "name", "bucket", diags,
				func(api *client.Client, branch client.BranchRef) (*client.Bucket, error) {
					found, err := api.GetSharedBucket(ctx, branch, m.Name.ValueString())
					if err != nil {
						return nil, err
					}
					isInherited, err := api.IsBucketInherited(ctx, branch, found)
					m.Access, m.CreatedAt, m.Inherited = types.StringValue(found.Access), kit.OptionalTime(&found.CreatedAt),
						types.BoolValue(isInherited)
					return found, err
				})
		},
	})
}

type foundBucket struct {
	Name      types.String      `tfsdk:"name"`
	Access    types.String      `tfsdk:"access_level"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
	Inherited types.Bool        `tfsdk:"inherited"`
}

// NewListDataSource returns neon_buckets: the buckets of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInBranch(kit.ListSource[foundBucket, foundBucket]{
		Name: "buckets", Called: "buckets", Attribute: "buckets", Objects: "The buckets.", Model: kit.Itself[foundBucket],
		Text: "The buckets of a branch, also those that come from its parent, in Neon's order.",
		Schema: map[string]schema.Attribute{
			"name": kit.ReturnedString(nameText), "access_level": kit.ReturnedString(accessText),
			"created_at": kit.ReturnedTime(createdText),
			"inherited":  kit.ReturnedBool(inheritedText),
		},
	}, func(api *client.Client, ctx context.Context, branch client.BranchRef) iter.Seq2[foundBucket, error] {
		return kit.With(api.ListBuckets(ctx, branch), func(bucket client.Bucket) (foundBucket, error) {
			isInherited, err := api.IsBucketInherited(ctx, branch, &bucket)
			return foundBucket{types.StringValue(bucket.Name), types.StringValue(bucket.Access),
				kit.OptionalTime(&bucket.CreatedAt), types.BoolValue(isInherited)}, err
		})
	})
}

type storageModel struct {
	kit.InBranch

	S3Endpoint     types.String `tfsdk:"s3_endpoint"`
	Region         types.String `tfsdk:"region"`
	ForcePathStyle types.Bool   `tfsdk:"force_path_style"`
}

// NewStorageDataSource returns neon_branch_storage: where object storage of a branch is reached.
func NewStorageDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[storageModel]{
		Name: "branch_storage",
		Schema: schema.Schema{
			MarkdownDescription: "Where S3 clients reach the object storage of a branch. Their keys come from " +
				"`neon_service_credential`.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID(projectText), "branch_id": kit.RequiredID(branchText),
				"s3_endpoint":      kit.ReturnedString("Address for S3 clients."),
				"region":           kit.ReturnedString("Region that S3 clients name."),
				"force_path_style": kit.ReturnedBool("Whether S3 clients must name the bucket in the path instead of the host."),
			},
		},
		Read: func(ctx context.Context, platform *kit.Platform, m *storageModel, diags *diag.Diagnostics) {
			found := kit.ReadInBranch(platform, m.InBranch, "branch_id", "object storage", diags,
				func(api *client.Client, branch client.BranchRef) (*client.Storage, error) {
					return api.GetStorage(ctx, branch)
				})
			if found != nil {
				m.S3Endpoint, m.Region, m.ForcePathStyle = types.StringValue(found.S3Endpoint), types.StringValue(found.Region),
					types.BoolValue(found.ForcePathStyle)
			}
		},
	})
}

type gatewayModel struct {
	kit.InBranch

	BaseURL types.String `tfsdk:"base_url"`
}

// NewGatewayDataSource returns neon_ai_gateway: the address of the AI gateway of a branch.
func NewGatewayDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[gatewayModel]{
		Name: "ai_gateway",
		Schema: schema.Schema{
			MarkdownDescription: "The AI gateway of a branch. Programs use it with a service credential whose scopes have " +
				"`ai_gateway:invoke`.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID(projectText), "branch_id": kit.RequiredID(branchText),
				"base_url": kit.ReturnedString("Its address."),
			},
		},
		Read: func(ctx context.Context, platform *kit.Platform, m *gatewayModel, diags *diag.Diagnostics) {
			found := kit.ReadInBranch(platform, m.InBranch, "branch_id", "AI gateway", diags,
				func(api *client.Client, branch client.BranchRef) (*string, error) {
					address, err := api.GetAIGateway(ctx, branch)
					return &address, err
				})
			if found != nil {
				m.BaseURL = types.StringValue(*found)
			}
		},
	})
}
