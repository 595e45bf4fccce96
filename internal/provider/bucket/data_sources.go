package bucket

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// found is a bucket and whether the branch inherits it from its parent.
type found struct {
	client.Bucket

	isInherited bool
}

func returned(b found) kit.Returned {
	return kit.Returned{
		"name":         kit.Returns(nameText, types.StringValue(b.Name)),
		"access_level": kit.Returns(accessText, types.StringValue(b.Access)),
		"created_at":   kit.Returns(createdText, kit.OptionalTime(&b.CreatedAt)),
		"inherited":    kit.Returns(inheritedText, types.BoolValue(b.isInherited)),
	}
}

// NewDataSource returns neon_bucket: a bucket of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[found]{
		Name: "bucket", Called: "bucket", By: "name", Given: kit.RequiredText(nameText), Returns: returned,
		Text: "A bucket of a branch, also one that comes from its parent.",
		Read: find,
	})
}

// find returns a bucket of a branch.
func find(api *client.Client, ctx context.Context, branch client.BranchRef, name string) (*found, error) { //nolint:revive // Like the client's methods.
	bucket, err := api.GetSharedBucket(ctx, branch, name)
	if err != nil {
		return nil, err
	}
	isInherited, err := api.IsBucketInherited(ctx, branch, bucket)
	return &found{*bucket, isInherited}, err
}

// NewListDataSource returns neon_buckets: the buckets of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfBranch, kit.ListSource[found]{
		Name: "buckets", Returns: returned,
		Text: "The buckets of a branch, also those that come from its parent, in Neon's order.",
	}, func(api *client.Client, ctx context.Context, branch client.BranchRef) iter.Seq2[found, error] {
		return kit.With(api.ListBuckets(ctx, branch), func(bucket client.Bucket) (found, error) {
			isInherited, err := api.IsBucketInherited(ctx, branch, &bucket)
			return found{bucket, isInherited}, err
		})
	})
}

// NewStorageDataSource returns neon_branch_storage: the address of a branch's object storage.
func NewStorageDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[client.Storage]{
		Name: "branch_storage", Called: "object storage", By: "branch_id",
		Text: "Where S3 clients reach the object storage of a branch. Their keys come from `neon_service_credential`.",
		Returns: func(storage client.Storage) kit.Returned {
			return kit.Returned{
				"s3_endpoint": kit.Returns("Address for S3 clients.", types.StringValue(storage.S3Endpoint)),
				"region":      kit.Returns("Region that S3 clients name.", types.StringValue(storage.Region)),
				"force_path_style": kit.Returns("Whether S3 clients must name the bucket in the path instead of the host.",
					types.BoolValue(storage.ForcePathStyle)),
			}
		},
		Read: func(api *client.Client, ctx context.Context, branch client.BranchRef, _ string) (*client.Storage, error) {
			return api.GetStorage(ctx, branch)
		},
	})
}

// NewGatewayDataSource returns neon_ai_gateway: the address of the AI gateway of a branch.
func NewGatewayDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[string]{
		Name: "ai_gateway", Called: "AI gateway", By: "branch_id",
		Text: "The AI gateway of a branch. Programs use it with a service credential whose scopes have " +
			"`ai_gateway:invoke`.",
		Returns: func(address string) kit.Returned {
			return kit.Returned{"base_url": kit.Returns("Address of the AI gateway.", types.StringValue(address))}
		},
		Read: func(api *client.Client, ctx context.Context, branch client.BranchRef, _ string) (*string, error) {
			address, err := api.GetAIGateway(ctx, branch)
			return &address, err
		},
	})
}
