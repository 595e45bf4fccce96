package kit

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// ObjectSource describes a data source that reads one object. T is what the client reads, P the model of what is
// configured.
type ObjectSource[P, T any] struct {
	Name    string // what follows neon_
	Text    string // of its page
	Keyless bool   // as in [DataSource]
	// Given are the attributes by which the object is found, of which Read may fill in what is left open.
	Given   map[string]schema.Attribute
	Returns func(T) Returned
	// Read returns the object, or adds an error.
	Read func(ctx context.Context, run Run, given *P) *T
}

// NewObjectSource returns the data source that spec describes.
func NewObjectSource[P, T any](spec ObjectSource[P, T]) datasource.DataSource {
	var none T
	return newReturningSource(spec.Name, spec.Text, spec.Keyless, spec.Given, spec.Returns(none),
		func(ctx context.Context, run Run, given *P) Returned {
			if found := spec.Read(ctx, run, given); found != nil {
				return spec.Returns(*found)
			}
			return nil
		})
}

// BranchSource describes a data source that reads something of a branch. T is what the client reads.
type BranchSource[T any] struct {
	Name   string // what follows neon_
	Text   string // of its page
	Called string // what errors call it
	// By is the attribute that says which of a branch, and Given its schema; branch_id and nil for what a branch has one
	// of.
	By      string
	Given   schema.Attribute
	Returns func(T) Returned
	Read    func(api *client.Client, ctx context.Context, branch client.BranchRef, which string) (*T, error)
}

// NewBranchSource returns the data source that spec describes.
func NewBranchSource[T any](spec BranchSource[T]) datasource.DataSource {
	given := inBranchAttributes()
	if spec.Given != nil {
		given[spec.By] = spec.Given
	}
	return NewObjectSource(ObjectSource[types.Object, T]{
		Name: spec.Name, Text: spec.Text, Given: given, Returns: spec.Returns,
		Read: func(ctx context.Context, run Run, given *types.Object) *T {
			of := func(name string) string { return Text(given.Attributes()[name]) }
			found, err := spec.Read(run.API, ctx, client.BranchRef{ProjectID: of("project_id"), ID: of("branch_id")},
				of(spec.By))
			if err != nil {
				AddReadError(run.Diags, spec.By, spec.Called, err)
				return nil
			}
			return found
		},
	})
}

// inBranchAttributes are those of [InBranch].
func inBranchAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": RequiredID(ProjectText), "branch_id": RequiredID("Id of the branch."),
	}
}

// returningSource is a data source with attributes that are given, of which P is the model, and others that are
// returned.
type returningSource[P any] struct {
	dataSource[P]

	given schema.Schema
	read  func(ctx context.Context, run Run, given *P) Returned
}

func newReturningSource[P any](
	name, text string, keyless bool, given map[string]schema.Attribute, none Returned,
	read func(ctx context.Context, run Run, given *P) Returned,
) datasource.DataSource {
	all := none.attributes()
	maps.Copy(all, given)
	whole := schema.Schema{MarkdownDescription: text, Attributes: all}
	source := dataSource[P]{spec: DataSource[P]{Name: name, Schema: whole, Keyless: keyless}}
	return &returningSource[P]{source, schema.Schema{Attributes: given}, read}
}

func (s *returningSource[P]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	diags := &resp.Diagnostics
	var configured, values map[string]tftypes.Value
	if err := req.Config.Raw.As(&configured); err != nil {
		diags.AddError("Unable to read the configuration", err.Error())
		return
	}
	values = maps.Clone(configured) // It is the configuration's own map.
	maps.DeleteFunc(values, func(name string, _ tftypes.Value) bool { return s.given.Attributes[name] == nil })
	model := tfsdk.State{Schema: s.given, Raw: tftypes.NewValue(s.given.Type().TerraformType(ctx), values)}
	var given P
	diags.Append(model.Get(ctx, &given)...)
	if s.platform.reach(s.spec.Keyless, diags) == nil || diags.HasError() {
		return
	}
	returned := s.read(ctx, s.platform.Run(diags), &given)
	if diags.HasError() {
		return
	}
	diags.Append(model.Set(ctx, &given)...)
	value, err := returned.terraform(ctx)
	var found map[string]tftypes.Value
	for _, problem := range []error{err, model.Raw.As(&values), value.As(&found)} {
		if problem != nil {
			diags.AddError("Unable to keep what was read", problem.Error())
			return
		}
	}
	maps.Copy(values, found)
	resp.State.Raw = tftypes.NewValue(req.Config.Raw.Type(), values)
}
