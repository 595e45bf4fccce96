package kit

import (
	"context"
	"iter"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// ListSource describes a data source that lists objects of one kind. T is what the client lists, M the model of one.
type ListSource[T, M any] struct {
	Name      string // what follows neon_
	Text      string // of its page
	Called    string // what errors call the objects, such as "snapshots"
	Attribute string // the attribute that has the objects
	Objects   string // its text
	Schema    map[string]schema.Attribute
	Model     func(T) M
}

// NewListSourceInProject returns the data source that lists what a project has.
func NewListSourceInProject[T, M any](
	spec ListSource[T, M], each func(api *client.Client, ctx context.Context, projectID string) iter.Seq2[T, error],
) datasource.DataSource {
	in := map[string]schema.Attribute{"project_id": RequiredID(listedProjectText)}
	return NewListSource(spec, in, func(
		ctx context.Context, p *Platform, in *inProject, _ *diag.Diagnostics,
	) iter.Seq2[T, error] {
		return each(p.Client, ctx, in.ProjectID.ValueString())
	})
}

// NewListSourceInBranch is NewListSourceInProject for a branch.
func NewListSourceInBranch[T, M any](
	spec ListSource[T, M], each func(api *client.Client, ctx context.Context, branch client.BranchRef) iter.Seq2[T, error],
) datasource.DataSource {
	return NewListSource(spec, inBranchAttributes(), func(
		ctx context.Context, p *Platform, in *InBranch, _ *diag.Diagnostics,
	) iter.Seq2[T, error] {
		return each(p.Client, ctx, in.Branch())
	})
}

// NewListSourceInOrganization is NewListSourceInProject for an organization: the provider's unless another is
// configured.
func NewListSourceInOrganization[T, M any](
	spec ListSource[T, M], each func(api *client.Client, ctx context.Context, orgID string) iter.Seq2[T, error],
) datasource.DataSource {
	in := map[string]schema.Attribute{"org_id": OrganizationID(listedOrganizationText)}
	return NewListSource(spec, in, func(
		ctx context.Context, p *Platform, in *inOrganization, diags *diag.Diagnostics,
	) iter.Seq2[T, error] {
		in.OrgID = p.NeedOrganization(in.OrgID, diags)
		return each(p.Client, ctx, in.OrgID.ValueString())
	})
}

// NewListSource returns the data source that spec describes. In are the attributes that name what is listed, and narrow
// it; P is their model, of which list fills in what is left open.
func NewListSource[P, T, M any](
	spec ListSource[T, M], in map[string]schema.Attribute,
	list func(ctx context.Context, platform *Platform, in *P, diags *diag.Diagnostics) iter.Seq2[T, error],
) datasource.DataSource {
	all := map[string]schema.Attribute{spec.Attribute: ReturnedObjects(spec.Objects, spec.Schema)}
	maps.Copy(all, in)
	whole := schema.Schema{MarkdownDescription: spec.Text, Attributes: all}
	source := dataSource[P]{spec: DataSource[P]{Name: spec.Name, Schema: whole}}
	return &listSource[P, T, M]{source, spec, schema.Schema{Attributes: in}, list}
}

type listSource[P, T, M any] struct {
	dataSource[P]

	objects ListSource[T, M]
	in      schema.Schema
	list    func(ctx context.Context, platform *Platform, in *P, diags *diag.Diagnostics) iter.Seq2[T, error]
}

func (l *listSource[P, T, M]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	diags := &resp.Diagnostics
	values := map[string]tftypes.Value{} // By attribute: no model has a field for one whose name the spec says.
	if err := req.Config.Raw.As(&values); err != nil {
		diags.AddError("Unable to read the configuration", err.Error())
		return
	}
	none := values[l.objects.Attribute]
	values = maps.Clone(values) // It is the configuration's own map.
	delete(values, l.objects.Attribute)
	parents := tfsdk.State{Schema: l.in, Raw: tftypes.NewValue(l.in.Type().TerraformType(ctx), values)}
	var in P
	if diags.Append(parents.Get(ctx, &in)...); l.platform.Control(diags) == nil || diags.HasError() {
		return
	}
	each := l.list(ctx, l.platform, &in, diags)
	if diags.HasError() {
		return
	}
	models := []M{}
	for object, err := range each {
		if err != nil {
			AddListError(diags, "Unable to list "+l.objects.Called, err)
			return
		}
		models = append(models, l.objects.Model(object))
	}
	diags.Append(parents.Set(ctx, &in)...)
	if err := parents.Raw.As(&values); err != nil {
		diags.AddError("Unable to keep what was listed", err.Error())
		return
	}
	values[l.objects.Attribute] = none
	resp.State.Raw = tftypes.NewValue(req.Config.Raw.Type(), values)
	diags.Append(resp.State.SetAttribute(ctx, path.Root(l.objects.Attribute), models)...)
}

// Only leaves out the objects of a list that aren't wanted.
func Only[T any](objects iter.Seq2[T, error], wants func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for object, err := range objects {
			if (err != nil || wants(object)) && !yield(object, err) {
				return
			}
		}
	}
}

// With looks up what each object of a list needs besides.
func With[T, M any](objects iter.Seq2[T, error], lookUp func(T) (M, error)) iter.Seq2[M, error] {
	return func(yield func(M, error) bool) {
		for object, err := range objects {
			var found M
			if err == nil {
				found, err = lookUp(object)
			}
			if !yield(found, err) {
				return
			}
		}
	}
}

// Itself is the model of what a list has as a model already.
func Itself[M any](model M) M { return model }
