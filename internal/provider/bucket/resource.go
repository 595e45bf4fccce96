// Package bucket is object storage of a branch: where it is reached, its buckets, and small objects in them.
package bucket

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	branchText    = "Id of the branch."
	nameText      = "Name of the bucket."
	accessText    = "Who may read objects without a credential: nobody (`private`), or everybody (`public_read`)."
	createdText   = "When the bucket was created."
	longestName   = 255
	inheritedText = "Whether it was created on the parent of the branch. Neon may say so, too, of one that has become " +
		"the branch's own since."
	accessLevel = "access_level"
	private     = "private"
)

var _ = kit.Introduce(kit.Noun{Called: "bucket", ListedBy: "buckets", Advise: adviseRegion})

// adviseRegion lists the regions with object storage, functions, the AI gateway and service credentials, after Neon
// refused one of these.
func adviseRegion(err error) string {
	var answer *client.Error
	if !errors.As(err, &answer) || answer.StatusCode != http.StatusNotFound ||
		!slices.Contains([]string{"org_not_entitled", "region_unavailable", "ai_gateway_unavailable"}, answer.Reason) &&
			!strings.Contains(answer.Message, "platform credentials not available") {
		return ""
	}
	return "Neon has object storage, functions, the AI gateway and service credentials in some regions only, such as " +
		"aws-us-east-1, aws-us-east-2, aws-eu-central-1 and aws-ap-southeast-1, and for organizations that may use them: " +
		"choose another region_id of neon_project, or ask Neon's support. https://neon.com/docs/storage/overview has the " +
		"regions."
}

var key = kit.KeyInBranch("A bucket", "uploads",
	kit.KeyPart{Name: "name", Description: nameText, Valid: kit.IsText(longestName)})

// NewResource returns the managed resource neon_bucket.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name: "bucket",
		Key:  key,
		Schema: schema.Schema{
			MarkdownDescription: "A bucket in the object storage of a branch. A child branch starts with a copy of the bucket " +
				"and its objects: this resource on the child takes the copy over, and destroying it leaves the parent's bucket " +
				"alone. By Neon's documentation, a reset of a branch copies its parent's objects in two regions; other restores " +
				"keep the branch's own. No change deletes objects: the plan refuses to replace a bucket that has some.",
			Attributes: attributes(),
		},
		MovedFrom:   map[string]string{"neondatabase/neon": "neon_bucket"},
		Holds:       "the bucket with, if force_destroy is true, all its objects",
		ReplacedBy:  []string{"project_id", "branch_id", "name"},
		SaysLoss:    true,
		IsExclusive: true,
		IsInherited: func(ctx context.Context, api *client.Client, place model) (bool, error) {
			bucket, err := find(api, ctx, place.Branch(), place.Name.ValueString())
			return err == nil && bucket.isInherited, err
		},
		Remembers: accessLevel,
		Plan:      plan,
		FindAgain: kit.SameInBranch(read),
		Create: func(ctx context.Context, run kit.Run, plan model, save func(model)) error {
			name := plan.Name.ValueString()
			created, err := run.API.CreateBucket(ctx, plan.Branch(), name, plan.Access.ValueString())
			var other *client.AccessError
			if errors.As(err, &other) {
				return otherLevel(plan, other)
			}
			if err != nil {
				return err
			}
			save(plan.with(created))
			return nil
		},
		Read:   read,
		Delete: remove,
	})
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":  kit.FollowedBranch(branchText),
		"name": kit.ImmutableString(nameText+" 1 to 255 characters without a slash.",
			stringvalidator.UTF8LengthBetween(1, longestName), noSlash, noDots, kit.TextRule(checkName)),
		accessLevel: schema.StringAttribute{
			MarkdownDescription: accessText + " Defaults to `private`. Changing it replaces the bucket, which a plan refuses " +
				"while it has objects. One that somebody changed elsewhere, or that is left out later, is left as it is, with " +
				"a warning.",
			Optional: true, Computed: true, Default: stringdefault.StaticString(private),
			Validators: []validator.String{stringvalidator.OneOf(private, "public_read")},
		},
		"force_destroy": kit.Flag("Whether destroying the bucket first deletes all objects in it. Otherwise Neon refuses "+
			"that. No replacement deletes objects, whatever it says. It only affects this resource, once it is applied. "+
			"Defaults to `false`.", false),
		"deletion_protection": kit.DeletionProtection("bucket"),
		"id":                  kit.ComputedString("`project_id/branch_id/name`."),
		"created_at":          kit.ComputedTime(createdText),
	}
}

type model struct {
	kit.InBranch

	Name         types.String      `tfsdk:"name"`
	Access       types.String      `tfsdk:"access_level"`
	ForceDestroy types.Bool        `tfsdk:"force_destroy"`
	Protection   types.Bool        `tfsdk:"deletion_protection"`
	ID           types.String      `tfsdk:"id"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
}

func (m model) with(bucket *client.Bucket) model {
	m.ID, m.Access, m.CreatedAt = m.IDOf(m.Name.ValueString()), types.StringValue(bucket.Access),
		kit.OptionalTime(&bucket.CreatedAt)
	m.ForceDestroy, m.Protection = types.BoolValue(m.ForceDestroy.ValueBool()), types.BoolValue(m.Protection.ValueBool())
	return m
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedBucket(ctx, state.Branch(), state.Name.ValueString()))
}

func remove(ctx context.Context, run kit.Run, state model) error {
	branch := state.Branch()
	name := state.Name.ValueString()
	_, isDestroyed := kit.MarkOf[bool](ctx, run.Private, destroyedMark)
	isEmptied := state.ForceDestroy.ValueBool() && isDestroyed
	if isEmptied {
		if err := run.API.EmptyBucket(ctx, branch, name); err != nil && !client.IsMissing(err) {
			return err // If the bucket isn't found, the deletion below decides.
		}
	}
	err := run.API.DeleteBucket(ctx, branch, name)
	switch {
	case client.IsRefused(err) && state.ForceDestroy.ValueBool() && !isEmptied:
		return kit.Advise(err, "The bucket has objects, and a replacement deletes no objects, whatever force_destroy says. "+
			"If it is only marked as tainted, run terraform untaint; otherwise plan again.")
	case client.IsRefused(err):
		return kit.Advise(err, "Neon keeps a bucket that has objects. Delete those that nobody needs, or set\n\n  "+
			"force_destroy = true\n\nand apply that first; where the block of the bucket was removed from the configuration, "+
			"put it back for that.")
	}
	return err
}

// NewListResource returns the list resource neon_bucket: the buckets of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "bucket", key,
		"Lists the buckets of a branch, also those that come from its parent.",
		(*client.Client).ListBuckets, model.with,
		func(bucket client.Bucket) (id, name string) { return bucket.Name, bucket.Name })
}
