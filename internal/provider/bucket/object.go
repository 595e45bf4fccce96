package bucket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	objectText = "Key of the object, such as `img/logo.png`."
	longestKey = 1024
)

var objectKey = kit.Key{
	Rule: "An object is imported by project_id/branch_id/bucket_name/key, such as wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/uploads/img/logo.png",
	Parts: []kit.KeyPart{
		{Name: "project_id", Description: projectText, Valid: kit.IsID("project_id")},
		{Name: "branch_id", Description: branchText, Valid: kit.IsID("branch_id")},
		{Name: "bucket_name", Description: nameText, Valid: func(name string) bool { return name != "" && len(name) <= longestName }},
		{Name: "key", Description: objectText, Valid: func(key string) bool { return key != "" && len(key) <= longestKey }},
	},
}

// NewObjectResource returns the managed resource neon_bucket_object.
func NewObjectResource() resource.Resource {
	return kit.NewResource(kit.Resource[objectModel]{
		Name: "bucket_object",
		Key:  objectKey,
		Schema: schema.Schema{
			MarkdownDescription: "A file in a bucket, for a few small files that belong to the infrastructure. Neither the state nor a plan file ever " +
				"holds its content. An object that has the key already is replaced.",
			Attributes: objectAttributes(),
		},
		MovedFrom: []kit.MovedSource{{Provider: "neondatabase/neon", TypeName: "neon_bucket_object"}},
		FindAgain: func(ctx context.Context, api *client.Client, state objectModel, branchID types.String) (objectModel, error) {
			state.BranchID = branchID
			return readObject(ctx, api, state)
		},
		Plan:   planObject,
		Create: upload,
		Read:   readObject,
		Update: func(ctx context.Context, api *client.Client, _, plan objectModel, save func(objectModel)) error {
			return upload(ctx, api, plan, save)
		},
		Delete: func(ctx context.Context, api *client.Client, state objectModel) error {
			at := state.place()
			return api.DeleteBucketObject(ctx, at.ProjectID, at.BranchID, at.Bucket, at.Key)
		},
	})
}

func objectAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id":  kit.ImmutableString(projectText, kit.IDValidators()...),
		"branch_id":   kit.FollowedBranch(branchText),
		"bucket_name": kit.ImmutableString(nameText, stringvalidator.UTF8LengthBetween(1, longestName)),
		"key":         kit.ImmutableString(objectText, stringvalidator.LengthBetween(1, longestKey)),
		"source": schema.StringAttribute{
			MarkdownDescription: "Path of the file, which must exist when Terraform plans. Changed contents are uploaded. It isn't compared with what " +
				"Neon has. Changes in place.",
			Required: true, Validators: kit.NotEmpty(),
		},
		"content_type": schema.StringAttribute{
			MarkdownDescription: "Media type of the content, such as `image/png`. Neon doesn't return it: it isn't compared with what Neon has. Changes in place, by another upload.",
			Optional:            true, Validators: kit.NotEmpty(),
		},
		"source_hash": kit.ComputedString("SHA-256 of the file that was uploaded last, in hexadecimal digits. Null after an import, or if Neon has " +
			"other contents: the next apply then uploads the file."),
		"etag": schema.StringAttribute{MarkdownDescription: "ETag of the content.", Computed: true},
		"size": schema.Int64Attribute{MarkdownDescription: "Size in bytes.", Computed: true},
		"id":   kit.ComputedString("`project_id/branch_id/bucket_name/key`, by which the object is imported."),
	}
}

type objectModel struct {
	kit.InBranch

	Bucket      types.String `tfsdk:"bucket_name"`
	Key         types.String `tfsdk:"key"`
	Source      types.String `tfsdk:"source"`
	ContentType types.String `tfsdk:"content_type"`
	SourceHash  types.String `tfsdk:"source_hash"`
	ETag        types.String `tfsdk:"etag"`
	Size        types.Int64  `tfsdk:"size"`
	ID          types.String `tfsdk:"id"`
}

func (m objectModel) place() client.BucketPlace {
	projectID, branchID := m.IDs()
	return client.BucketPlace{ProjectID: projectID, BranchID: branchID, Bucket: m.Bucket.ValueString(), Key: m.Key.ValueString()}
}

// with returns the model with what Neon says. A hash doesn't count for another content.
func (m objectModel) with(object *client.BucketObject) objectModel {
	if kit.IsSet(m.ETag) && m.ETag.ValueString() != object.ETag {
		m.SourceHash = types.StringNull()
	}
	m.ID, m.ETag, m.Size = m.IDOf(m.Bucket.ValueString()+"/"+m.Key.ValueString()), types.StringValue(object.ETag), types.Int64Value(object.Size)
	return m
}

// hashOf reads a file for its hash and its size.
func hashOf(name string) (hash string, size int64, err error) {
	file, err := os.Open(name) //nolint:gosec // The configuration names it.
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	size, err = io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), size, err
}

// planObject plans the hash of the file, and another upload where that isn't the one of the last.
func planObject(ctx context.Context, _ *kit.Platform, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() || resp.Diagnostics.HasError() {
		return
	}
	var source, planned types.String
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("source"), &source)...)
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("source_hash"), &planned)...)
	if source.IsUnknown() || resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("source_hash"), types.StringUnknown())...)
		return
	}
	hash, _, err := hashOf(source.ValueString())
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("source"), "Unable to read the file", fmt.Sprintf("%s. Terraform plans with its content: a file that the same run writes must be "+
			"there before, as by an earlier apply.", kit.Sentence(err.Error())))
		return
	}
	if planned.ValueString() != hash {
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("source_hash"), hash)...)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("etag"), types.StringUnknown())...)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("size"), types.Int64Unknown())...)
	}
}

func upload(ctx context.Context, api *client.Client, plan objectModel, save func(objectModel)) error {
	name := plan.Source.ValueString()
	hash, size, err := hashOf(name)
	switch {
	case err != nil:
		return err
	case !plan.SourceHash.IsUnknown() && plan.SourceHash.ValueString() != hash:
		return kit.Advise(errors.New("the file has changed since the plan"), "Nothing was uploaded. Apply again, with a file that stays as it is meanwhile.")
	}
	err = api.UploadBucketObject(ctx, plan.place(), plan.ContentType.ValueString(), size, func() (io.ReadCloser, error) {
		return os.Open(name) //nolint:gosec // As above.
	})
	var failed *client.UploadError
	if errors.As(err, &failed) {
		err = kit.Advise(err, "The content goes to the object storage itself, at another host than Neon's API: check the network and any proxy on the way, and apply again.")
	}
	if err != nil {
		return err
	}
	plan = plan.with(&client.BucketObject{Size: size})
	plan.SourceHash, plan.ETag = types.StringValue(hash), types.StringNull()
	object, err := api.SharedBucketObject(ctx, plan.place())
	if err != nil { // What was uploaded is kept all the same.
		kit.Warn(ctx, "The object was uploaded, and could not be read", "The next plan reads its etag. "+kit.Describe(err, nil))
	} else {
		plan = plan.with(object)
	}
	save(plan)
	return nil
}

func readObject(ctx context.Context, api *client.Client, state objectModel) (objectModel, error) {
	object, err := api.SharedBucketObject(ctx, state.place())
	if err != nil {
		return objectModel{}, err
	}
	return state.with(object), nil
}
