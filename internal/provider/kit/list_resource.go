package kit

import (
	"context"
	"iter"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// ListResource describes how terraform query lists the objects of a managed resource. C is
// the model of its configuration, M the resource's: structs with the schemas' attributes in
// tfsdk tags.
type ListResource[C, M any] struct {
	Name   string // the resource's: what follows neon_
	Key    Key    // the resource's
	Schema schema.Schema

	// List returns the objects, page by page: it is read only as far as the limit asks for.
	// An error that comes with an object's key is about that object alone; any other ends
	// the list.
	List func(ctx context.Context, run Run, config C) iter.Seq2[Listed[M], error]
}

// Listed is an object of a list.
type Listed[M any] struct {
	Key         []string // the values of the resource's key
	DisplayName string
	// Read returns the model as a read of the resource does after an import, when only the
	// key is known. It is called where the list includes the resources. What concerns all
	// objects is an error that [EndList] returns.
	Read func(imported M) (M, error)
}

// EndList returns an error of one object that ends the list, since all others would have it.
func EndList(err error) error { return endOfListError{err} }

type endOfListError struct{ error }

func (e endOfListError) Unwrap() error { return e.error }

// Listing describes each object that the client lists.
func Listing[T, M any](objects iter.Seq2[T, error], describe func(T) Listed[M]) iter.Seq2[Listed[M], error] {
	return func(yield func(Listed[M], error) bool) {
		for object, err := range objects {
			if !yield(describe(object), err) {
				return
			}
		}
	}
}

// NewListResource returns the list resource that spec describes.
func NewListResource[C, M any](spec ListResource[C, M]) list.ListResource {
	return &listResource[C, M]{ResourceBase{Name: spec.Name}, spec}
}

var _ list.ListResourceWithConfigure = (*listResource[any, any])(nil)

type listResource[C, M any] struct {
	ResourceBase

	spec ListResource[C, M]
}

func (l *listResource[C, M]) ListResourceConfigSchema(
	_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse,
) {
	resp.Schema = l.spec.Schema
	resp.Schema.MarkdownDescription += howToQuery
}

const howToQuery = "\n\nNeeds Terraform 1.14: [how to run a list](../guides/bring-an-account-in.md#find-everything)."

func (l *listResource[C, M]) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var config C
	diags := req.Config.Get(ctx, &config)
	var objects iter.Seq2[Listed[M], error]
	if l.Control(&diags) != nil && !diags.HasError() {
		objects = l.spec.List(ctx, l.Run(&diags), config)
	}
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(yield func(list.ListResult) bool) {
		left := req.Limit
		for object, err := range objects {
			result, isListed := l.result(ctx, req, object, err)
			if !isListed {
				continue
			}
			// After the last one that is wanted, the next page isn't asked for.
			if left--; !yield(result) || left == 0 || result.Diagnostics.HasError() {
				return
			}
		}
	}
}

// result returns an object as Terraform shows it; isListed is false if it was deleted meanwhile. An error about one
// object becomes a warning, since an error would hide all others.
func (l *listResource[C, M]) result(
	ctx context.Context, req list.ListRequest, object Listed[M], err error,
) (result list.ListResult, isListed bool) {
	result = req.NewListResult(ctx)
	diags := &result.Diagnostics
	result.DisplayName = object.DisplayName
	l.identify(ctx, object.Key, &result)
	if err == nil && req.IncludeResource {
		err = object.fill(ctx, result.Resource, diags)
	}
	switch {
	case err == nil:
	case !l.spec.Key.valid(object.Key) || Is[endOfListError](err) || ctx.Err() != nil:
		AddError(diags, "Unable to list neon_"+l.Name, err, hintsOfQuery(err)...)
	case client.IsAbsent(err):
		return result, false
	default:
		diags.AddWarning("Unable to read neon_"+l.Name+" "+strings.Join(object.Key, "/"), Describe(err, hintsOfQuery(err)))
	}
	return result, true
}

func hintsOfQuery(err error) []string { return hintsToRepeat(err, "Run the query again") }

// identify puts the key into a result.
func (l *listResource[C, M]) identify(ctx context.Context, key []string, result *list.ListResult) {
	for i, value := range key {
		result.Diagnostics.Append(result.Resource.SetAttribute(ctx, path.Root(l.spec.Key.Parts[i].Name), value)...)
	}
	l.spec.Key.Identify(ctx, result.Resource.Raw, result.Identity, &result.Diagnostics)
}

// fill reads the object, of which the resource has the key.
func (o Listed[M]) fill(ctx context.Context, resource *tfsdk.Resource, diags *diag.Diagnostics) error {
	var imported M
	if diags.Append(resource.Get(ctx, &imported)...); diags.HasError() {
		return nil
	}
	actual, err := o.Read(imported)
	if err == nil {
		diags.Append(resource.Set(ctx, &actual)...)
	}
	return err
}
