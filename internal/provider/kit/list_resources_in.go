package kit

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

type inProject struct {
	ProjectID types.String `tfsdk:"project_id"`
}

// NewListInProject returns the list resource of what Neon lists for a project: each is the list of the client. With
// fills in an imported model, and describe returns the end of an object's import id, and the name that Terraform shows.
func NewListInProject[T, M any](
	name string, key Key, text string,
	each func(api *client.Client, ctx context.Context, projectID string) iter.Seq2[T, error],
	with func(imported M, object *T) M, describe func(T) (id, name string),
) list.ListResource {
	return NewListResource(ListResource[inProject, M]{
		Name: name, Key: key,
		Schema: schema.Schema{
			MarkdownDescription: text, Attributes: map[string]schema.Attribute{"project_id": RequiredID(ProjectText)},
		},
		List: func(
			ctx context.Context, platform *Platform, config inProject, _ *diag.Diagnostics,
		) iter.Seq2[Listed[M], error] {
			projectID := config.ProjectID.ValueString()
			return listingIn(key, each(platform.Client, ctx, projectID), with, describe, projectID)
		},
	})
}

// listingIn lists what parents have.
func listingIn[T, M any](
	key Key, objects iter.Seq2[T, error], with func(imported M, object *T) M, describe func(T) (id, name string),
	parents ...string,
) iter.Seq2[Listed[M], error] {
	return Listing(objects, func(object T) Listed[M] {
		id, name := describe(object)
		return Listed[M]{
			Key:         slices.Concat(parents, strings.SplitN(id, "/", len(key.Parts)-len(parents))),
			DisplayName: name,
			Read:        func(imported M) (M, error) { return with(imported, &object), nil },
		}
	})
}

type inOrganization struct {
	OrgID types.String `tfsdk:"org_id"`
}

// NewListInOrganization is NewListInProject for what Neon lists for an organization: the
// provider's unless another is configured.
func NewListInOrganization[T, M any](
	name string, key Key, text string,
	each func(api *client.Client, ctx context.Context, orgID string) iter.Seq2[T, error],
	with func(imported M, object *T) M, describe func(T) (id, name string),
) list.ListResource {
	return NewListResource(ListResource[inOrganization, M]{
		Name: name, Key: key,
		Schema: schema.Schema{
			MarkdownDescription: text,
			Attributes: map[string]schema.Attribute{
				"org_id": OptionalID(listedOrganizationText),
			},
		},
		List: func(
			ctx context.Context, platform *Platform, config inOrganization, diags *diag.Diagnostics,
		) iter.Seq2[Listed[M], error] {
			orgID := platform.NeedOrganization(config.OrgID, diags).ValueString()
			return listingIn(key, each(platform.Client, ctx, orgID), with, describe, orgID)
		},
	})
}

const listedOrganizationText = "Id of the organization. Defaults to the provider's `org_id`."

// NewListInBranch is NewListInProject for what Neon lists for a branch: the default branch
// unless another is configured.
func NewListInBranch[T, M any](
	name string, key Key, text string,
	each func(api *client.Client, ctx context.Context, branch client.BranchRef) iter.Seq2[T, error],
	with func(imported M, object *T) M, describe func(T) (id, name string),
) list.ListResource {
	return NewListResource(ListResource[InBranch, M]{
		Name: name, Key: key,
		Schema: schema.Schema{
			MarkdownDescription: text,
			Attributes: map[string]schema.Attribute{
				"project_id": RequiredID(ProjectText),
				"branch_id":  OptionalID("Id of the branch. Defaults to the project's default branch."),
			},
		},
		List: func(
			ctx context.Context, platform *Platform, config InBranch, diags *diag.Diagnostics,
		) iter.Seq2[Listed[M], error] {
			branch := platform.listedBranch(ctx, config, diags)
			return listingIn(key, each(platform.Client, ctx, branch), with, describe, branch.ProjectID, branch.ID)
		},
	})
}

func (p *Platform) listedBranch(ctx context.Context, config InBranch, diags *diag.Diagnostics) client.BranchRef {
	listed := config.Branch()
	if listed.ID != "" {
		return listed
	}
	branch, err := p.Client.GetDefaultBranch(ctx, listed.ProjectID)
	if err != nil {
		AddError(diags, "Unable to read the default branch", err)
		return listed
	}
	listed.ID = branch.ID
	return listed
}
