package kit

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	sourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Place is what the objects of a list belong to. P is the model of the attributes that name it, and R what the lists of
// the client take.
type Place[P, R any] struct {
	attributes map[string]sourceschema.Attribute
	// find fills in what is left open. The ids are those that the objects' import ids begin with.
	find func(ctx context.Context, run Run, in *P) (place R, ids []string)
}

type inProject struct {
	ProjectID types.String `tfsdk:"project_id"`
}

// OfProject is the configured project.
var OfProject = Place[inProject, string]{
	map[string]sourceschema.Attribute{"project_id": RequiredID(ProjectText)},
	func(_ context.Context, _ Run, in *inProject) (place string, ids []string) {
		return in.ProjectID.ValueString(), []string{in.ProjectID.ValueString()}
	},
}

type inOrganization struct {
	OrgID types.String `tfsdk:"org_id"`
}

// OfOrganization is the provider's organization unless another is configured.
var OfOrganization = Place[inOrganization, string]{
	map[string]sourceschema.Attribute{
		"org_id": OrganizationID("Id of the organization. Defaults to the provider's `org_id`."),
	},
	func(_ context.Context, run Run, in *inOrganization) (place string, ids []string) {
		in.OrgID = run.NeedOrganization(in.OrgID, run.Diags)
		return in.OrgID.ValueString(), []string{in.OrgID.ValueString()}
	},
}

// OfBranch is the configured branch.
var OfBranch = Place[InBranch, client.BranchRef]{
	inBranchAttributes(),
	func(_ context.Context, _ Run, in *InBranch) (place client.BranchRef, ids []string) {
		return in.Branch(), []string{in.ProjectID.ValueString(), in.BranchID.ValueString()}
	},
}

// OfDefaultBranch is the project's default branch unless another is configured.
var OfDefaultBranch = Place[InBranch, client.BranchRef]{
	map[string]sourceschema.Attribute{
		"project_id": RequiredID(ProjectText),
		"branch_id":  OptionalID("Id of the branch. Defaults to the project's default branch."),
	},
	func(ctx context.Context, run Run, in *InBranch) (place client.BranchRef, ids []string) {
		if in.BranchID.IsNull() {
			branch, err := run.API.GetDefaultBranch(ctx, in.ProjectID.ValueString())
			if err != nil {
				AddError(run.Diags, "Unable to read the default branch", err)
				return in.Branch(), nil
			}
			in.BranchID = types.StringValue(branch.ID)
		}
		return OfBranch.find(ctx, run, in)
	},
}

// NewListSourceIn returns the data source that lists what a place has: each is the list of the client.
func NewListSourceIn[P, R, T any](
	in Place[P, R], spec ListSource[T], each func(api *client.Client, ctx context.Context, of R) iter.Seq2[T, error],
) datasource.DataSource {
	return NewListSource(spec, in.attributes, func(ctx context.Context, run Run, given *P) iter.Seq2[T, error] {
		place, _ := in.find(ctx, run, given)
		return each(run.API, ctx, place)
	})
}

// NewListIn returns the list resource of what a place has: each is the list of the client. With fills in an imported
// model, and describe returns the end of an object's import id, and the name that Terraform shows.
func NewListIn[P, R, T, M any](
	in Place[P, R], name string, key Key, text string,
	each func(api *client.Client, ctx context.Context, of R) iter.Seq2[T, error],
	with func(imported M, object *T) M, describe func(T) (id, name string),
) list.ListResource {
	attributes := map[string]schema.Attribute{}
	for name, attribute := range in.attributes {
		text, _ := attribute.(sourceschema.StringAttribute)
		text.Computed = false // What is queried has no state.
		attributes[name] = text
	}
	return NewListResource(ListResource[P, M]{
		Name: name, Key: key, Schema: schema.Schema{MarkdownDescription: text, Attributes: attributes},
		List: func(ctx context.Context, run Run, config P) iter.Seq2[Listed[M], error] {
			place, ids := in.find(ctx, run, &config)
			return Listing(each(run.API, ctx, place), func(object T) Listed[M] {
				id, name := describe(object)
				return Listed[M]{
					Key:         slices.Concat(ids, strings.SplitN(id, "/", len(key.Parts)-len(ids))),
					DisplayName: name,
					Read:        func(imported M) (M, error) { return with(imported, &object), nil },
				}
			})
		},
	})
}
