package bucket

import (
	"context"
	"crypto/md5" //nolint:gosec // What S3 calls the ETag of a small object.
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	objectText = "Key of the object, 1 to 1024 bytes, such as `img/logo.png`."
	longestKey = 1024
)

var objectKey = kit.KeyInBranch("An object", "uploads/config/main.tf",
	kit.KeyPart{Name: "bucket_name", Description: nameText, Valid: kit.IsText(longestName), MovedFrom: "bucket"},
	kit.KeyPart{Name: "key", Description: objectText, Valid: kit.IsText(longestKey)})

// NewObjectResource returns the managed resource neon_bucket_object.
func NewObjectResource() resource.Resource {
	return kit.NewResource(kit.Resource[objectModel]{
		Name: "bucket_object",
		Key:  objectKey,
		Schema: schema.Schema{
			MarkdownDescription: "A file in a bucket, for a few small files that belong to the infrastructure. Neither the " +
				"state nor a plan file holds the content of a `source`. Generated configuration has neither `source` nor " +
				"`content`: add one.",
			Attributes: objectAttributes(),
		},
		MovedFrom: map[string]string{"neondatabase/neon": "neon_bucket_object"},
		FindAgain: kit.SameInBranch(readObject),
		Plan:      planObject,
		Create:    create,
		Read:      readObject,
		Update: func(ctx context.Context, run kit.Run, _, plan objectModel, save func(objectModel)) error {
			if !plan.ETag.IsUnknown() { // Neon already has this content.
				save(plan)
				return nil
			}
			return upload(ctx, run, plan, save)
		},
		Delete: func(ctx context.Context, run kit.Run, state objectModel) error {
			if run.IsSuperseded(ctx, "bucket_object", state.ID.ValueString()) {
				return nil
			}
			return run.API.DeleteBucketObject(ctx, state.place())
		},
	})
}

func objectAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id":  kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":   kit.FollowedBranch(branchText),
		"bucket_name": kit.ImmutableString(nameText, stringvalidator.UTF8LengthBetween(1, longestName), noSlash, noDots),
		"key":         kit.ImmutableString(objectText, stringvalidator.LengthBetween(1, longestKey), contentKey, noDots),
		"source": schema.StringAttribute{
			MarkdownDescription: "Path of the file, which must exist when Terraform plans. Changed contents are uploaded. " +
				"Null where it isn't configured, and in the state once Neon has other contents: those are replaced, unless " +
				"`ignore_changes` has it. Exactly one of this and `content` is needed.",
			Optional: true, Validators: append(kit.NotEmpty(),
				stringvalidator.ExactlyOneOf(path.MatchRoot("source"), path.MatchRoot("content"))),
		},
		"content": schema.StringAttribute{
			MarkdownDescription: "Content in place of a file, such as `jsonencode(...)`. The state and plan files have it, so " +
				"it must hold no secrets. It isn't compared with what Neon has, but is null in the state once Neon has other " +
				"contents: those are replaced, unless `ignore_changes` has it.",
			Optional: true,
		},
		"content_type": schema.StringAttribute{
			MarkdownDescription: "Media type of the content, such as `image/png`. Neon doesn't return it: it isn't " +
				"compared with what Neon has. A change uploads the content again.",
			Optional: true, Validators: []validator.String{typeRule},
		},
		"source_hash": kit.ComputedString("SHA-256 of the content that was uploaded last, in hexadecimal digits. Null " +
			"after an import, or if Neon has other contents: the next apply then uploads it, unless the ETag and the size " +
			"prove that Neon has it."),
		"overwrite": kit.Flag("Whether the creation overwrites an object that has the key already, with another content. "+
			"Otherwise that is refused. It only affects this resource. Defaults to `false`.", false),
		"etag": schema.StringAttribute{MarkdownDescription: "ETag of the content.", Computed: true},
		"size": schema.Int64Attribute{MarkdownDescription: "Size in bytes.", Computed: true},
		"id":   kit.ComputedString("`project_id/branch_id/bucket_name/key`."),
	}
}

type objectModel struct {
	kit.InBranch

	Bucket      types.String `tfsdk:"bucket_name"`
	Key         types.String `tfsdk:"key"`
	Source      types.String `tfsdk:"source"`
	Content     types.String `tfsdk:"content"`
	ContentType types.String `tfsdk:"content_type"`
	SourceHash  types.String `tfsdk:"source_hash"`
	ETag        types.String `tfsdk:"etag"`
	Size        types.Int64  `tfsdk:"size"`
	Overwrite   types.Bool   `tfsdk:"overwrite"`
	ID          types.String `tfsdk:"id"`
}

func (m objectModel) place() client.BucketPlace {
	return client.BucketPlace{Branch: m.Branch(), Bucket: m.Bucket.ValueString(), Key: m.Key.ValueString()}
}

// with returns the model with Neon's values. If the ETag differs from the state's, source, content and source_hash
// become null: they describe other content, and ignore_changes would keep them.
func (m objectModel) with(object *client.BucketObject) objectModel {
	if kit.IsSet(m.ETag) && m.ETag.ValueString() != object.ETag {
		m.Source, m.Content, m.SourceHash = types.StringNull(), types.StringNull(), types.StringNull()
	}
	m.Overwrite = types.BoolValue(m.Overwrite.ValueBool())
	m.ID, m.ETag, m.Size = m.IDOf(m.Bucket.ValueString()+"/"+m.Key.ValueString()), types.StringValue(object.ETag),
		types.Int64Value(object.Size)
	return m
}

// open opens the configured file or text for reading.
func (m objectModel) open() (io.ReadCloser, error) {
	if m.Source.IsNull() {
		return io.NopCloser(strings.NewReader(m.Content.ValueString())), nil
	}
	return os.Open(m.Source.ValueString())
}

// content identifies what would be uploaded.
type content struct {
	hash, md5 string
	size      int64
}

func (m objectModel) content() (content, error) {
	file, err := m.open()
	if err != nil {
		return content{}, err
	}
	defer func() { _ = file.Close() }()
	long, short := sha256.New(), md5.New() //nolint:gosec // What S3 calls the ETag of a small object.
	size, err := io.Copy(io.MultiWriter(long, short), file)
	return content{hex.EncodeToString(long.Sum(nil)), hex.EncodeToString(short.Sum(nil)), size}, err
}

// isOf reports whether the object m has this content: m's recorded source_hash is the content's, or its ETag is the
// content's MD5.
func (c content) isOf(m objectModel) bool {
	return c.hash != "" && m.SourceHash.ValueString() == c.hash ||
		c.md5 != "" && strings.Trim(m.ETag.ValueString(), `"`) == c.md5 && m.Size.ValueInt64() == c.size
}

// planObject plans the hash of the content, and an upload if the object has other content.
func planObject(ctx context.Context, p kit.Planning) {
	if p.IsDestruction() || p.Diags.HasError() {
		return
	}
	state, plan, _ := kit.ModelsOf[objectModel](ctx, p)
	// For a new object, present is the plan: its ETag is unknown. If the branch was replaced, the plan already has the
	// values of the object on the new branch.
	present := plan
	if !p.IsCreation() && plan.BranchID.Equal(state.BranchID) {
		present = state
	}
	var file content
	p.PlanSource(ctx, "Unable to read the file", sourceOrContent(plan), func() (hash string, err error) {
		file, err = plan.content()
		return file.hash, err
	})
	etag, size := types.StringUnknown(), types.Int64Unknown()
	isIgnored := sourceOrContent(plan).IsNull() // ignore_changes removed them: the configuration must have one.
	if isIgnored || file.isOf(present) && plan.ContentType.Equal(state.ContentType) {
		etag, size = present.ETag, present.Size
	}
	p.Set(ctx, path.Root("etag"), etag)
	p.Set(ctx, path.Root("size"), size)
	p.CheckReplacement(ctx, "bucket object", "key", []string{"project_id", "bucket_name", "key"},
		func(api *client.Client) error {
			return refusesOther(ctx, api, plan)
		})
	p.CheckNeeded(ctx, "bucket_name", []string{"project_id", "bucket_name"},
		func(api *client.Client, branch client.BranchRef, name string) error {
			_, err := api.GetSharedBucket(ctx, branch, name)
			return err
		})
}

// sourceOrContent returns source, or content if source is null.
func sourceOrContent(plan objectModel) types.String {
	if plan.Source.IsNull() {
		return plan.Content
	}
	return plan.Source
}

// create uploads the object. It overwrites an object with other content only if overwrite is set.
func create(ctx context.Context, run kit.Run, plan objectModel, save func(objectModel)) error {
	err := refusesOther(ctx, run.API, plan)
	if err == nil {
		err = upload(ctx, run, plan, func(created objectModel) {
			run.Creates(ctx, "bucket_object", created.ID.ValueString())
			save(created)
		})
	}
	if client.IsMissing(err) {
		err = kit.Blame(kit.Advise(err, "There is no bucket "+kit.Quoted(plan.Bucket.ValueString())+" on the branch. Where "+
			"it is one of this configuration, refer to its resource, as in bucket_name = neon_bucket.NAME.name, so that it is "+
			"created first."), path.Root("bucket_name"))
	}
	return err
}

// refusesOther returns an error if the key already has an object with other content and overwrite isn't set. It reads
// this object alone, since a bucket may have very many, and reads it again at each creation: somebody may have uploaded
// the object since the plan, and Neon would overwrite it.
func refusesOther(ctx context.Context, api *client.Client, plan objectModel) error {
	if plan.Overwrite.ValueBool() {
		return nil
	}
	at := plan.place()
	present, err := api.GetSharedBucketObject(ctx, at)
	if client.IsAbsent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	differs := "with another content"
	if sourceOrContent(plan).IsUnknown() { // When the content is known during apply, it is too late to refuse.
		differs = "perhaps with another content"
	} else if file, err := plan.content(); err != nil || file.isOf(objectModel{}.with(present)) {
		return err
	}
	return kit.Blame(kit.Advise(fmt.Errorf("bucket %q has an object %q already, of %d bytes, %s", at.Bucket, at.Key,
		present.Size, differs),
		"Give this one another key. Or have it overwritten, which loses that content, with\n\n  overwrite = true\n\nIf it "+
			"is an earlier version of this file, "+
			kit.ImportIt("neon_bucket_object", at.Branch.ProjectID, at.Branch.ID, at.Bucket, at.Key)), path.Root("key"))
}

func upload(ctx context.Context, run kit.Run, plan objectModel, save func(objectModel)) error {
	file, err := plan.content()
	switch {
	case err != nil:
		return err
	case !plan.SourceHash.IsUnknown() && plan.SourceHash.ValueString() != file.hash:
		return kit.Advise(errors.New("the file has changed since the plan"), "Nothing was uploaded. Apply again, with a "+
			"file that stays as it is meanwhile.")
	}
	etag, err := run.API.UploadBucketObject(ctx, plan.place(), plan.ContentType.ValueString(), file.size, plan.open)
	var failed *client.UploadError
	if errors.As(err, &failed) {
		err = kit.Advise(err, "The content goes to the object storage itself, at another host than Neon's API: check the "+
			"network and any proxy on the way, and apply again.")
	}
	if err != nil {
		return err
	}
	plan = plan.with(&client.BucketObject{Size: file.size})
	plan.SourceHash, plan.ETag = types.StringValue(file.hash), types.StringNull()
	object, err := run.API.GetSharedBucketObject(ctx,
		plan.place()) // Upload and list may write the ETag differently: the state keeps the list's.
	if err != nil { // The upload succeeded, so it is saved.
		run.Warn("The object was uploaded, and could not be read", "The next plan reads its etag. "+kit.Describe(err, nil))
	} else if isAnothers := etag != "" && etag != strings.Trim(object.ETag, `"`) || object.Size != file.size; isAnothers {
		plan.ETag = types.StringValue(etag) // The next plan sees another ETag, and uploads again.
		run.Warn("The object has another content already", "The file was uploaded, and something else was put in its place "+
			"before it could be read. Find out what else writes this key: the next plan uploads the file again.")
	} else {
		plan = plan.with(object)
	}
	save(plan)
	return nil
}

func readObject(ctx context.Context, run kit.Run, state objectModel) (objectModel, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedBucketObject(ctx, state.place()))
}
