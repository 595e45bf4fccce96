package bucket

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

type dataModel struct {
	kit.InBranch
	foundBucket
}

type foundBucket struct {
	Name      types.String      `tfsdk:"name"`
	Access    types.String      `tfsdk:"access_level"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
	Inherited types.Bool        `tfsdk:"inherited"`
}

// found reads whether the branch has a bucket of its own.
func found(ctx context.Context, api *client.Client, branch client.BranchRef, b *client.Bucket) (foundBucket, error) {
	isInherited, err := api.IsBucketInherited(ctx, branch, b)
	return foundBucket{types.StringValue(b.Name), types.StringValue(b.Access), kit.OptionalTime(&b.CreatedAt),
		types.BoolValue(isInherited)}, err
}

func bucketAttributes(name schema.Attribute) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": name, "access_level": kit.ReturnedString(accessText), "created_at": kit.ReturnedTime(createdText),
		"inherited": kit.ReturnedBool(inheritedText),
	}
}

// NewDataSource returns neon_bucket: a bucket of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[dataModel]{
		Name: "bucket", Called: "bucket", By: "name",
		Text:   "A bucket of a branch, also one that comes from its parent.",
		Schema: bucketAttributes(kit.RequiredText(nameText)),
		Read: func(ctx context.Context, api *client.Client, m *dataModel) error {
			bucket, err := api.GetSharedBucket(ctx, m.Branch(), m.Name.ValueString())
			if err == nil {
				m.foundBucket, err = found(ctx, api, m.Branch(), bucket)
			}
			return err
		},
	})
}

// NewListDataSource returns neon_buckets: the buckets of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInBranch(kit.ListSource[foundBucket, foundBucket]{
		Name: "buckets", Called: "buckets", Attribute: "buckets", Objects: "The buckets.", Model: kit.Itself[foundBucket],
		Text:   "The buckets of a branch, also those that come from its parent, in Neon's order.",
		Schema: bucketAttributes(kit.ReturnedString(nameText)),
	}, func(api *client.Client, ctx context.Context, branch client.BranchRef) iter.Seq2[foundBucket, error] {
		return kit.With(api.ListBuckets(ctx, branch), func(bucket client.Bucket) (foundBucket, error) {
			return found(ctx, api, branch, &bucket)
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
	return kit.NewBranchSource(kit.BranchSource[storageModel]{
		Name: "branch_storage", Called: "object storage", By: "branch_id",
		Text: "Where S3 clients reach the object storage of a branch. Their keys come from `neon_service_credential`.",
		Schema: map[string]schema.Attribute{
			"s3_endpoint":      kit.ReturnedString("Address for S3 clients."),
			"region":           kit.ReturnedString("Region that S3 clients name."),
			"force_path_style": kit.ReturnedBool("Whether S3 clients must name the bucket in the path instead of the host."),
		},
		Read: func(ctx context.Context, api *client.Client, m *storageModel) error {
			storage, err := api.GetStorage(ctx, m.Branch())
			if err == nil {
				m.S3Endpoint, m.Region = types.StringValue(storage.S3Endpoint), types.StringValue(storage.Region)
				m.ForcePathStyle = types.BoolValue(storage.ForcePathStyle)
			}
			return err
		},
	})
}

type gatewayModel struct {
	kit.InBranch

	BaseURL types.String `tfsdk:"base_url"`
}

// NewGatewayDataSource returns neon_ai_gateway: the address of the AI gateway of a branch.
func NewGatewayDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[gatewayModel]{
		Name: "ai_gateway", Called: "AI gateway", By: "branch_id",
		Text: "The AI gateway of a branch. Programs use it with a service credential whose scopes have " +
			"`ai_gateway:invoke`.",
		Schema: map[string]schema.Attribute{"base_url": kit.ReturnedString("Its address.")},
		Read: func(ctx context.Context, api *client.Client, m *gatewayModel) error {
			address, err := api.GetAIGateway(ctx, m.Branch())
			m.BaseURL = types.StringValue(address)
			return err
		},
	})
}
