package kit

import (
	"cmp"
	"context"
	"iter"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// ListSource describes a data source that lists objects of one kind. T is what the client lists.
type ListSource[T any] struct {
	Name      string // what follows neon_
	Text      string // of its page
	Called    string // what errors call the objects; by default its name in words
	Attribute string // the attribute that has the objects; by default of its name
	Objects   string // its text; by default what they are called
	Returns   func(T) Returned
}

// NewListSource returns the data source that spec describes. In are the arguments that select or filter the objects; P
// is their model, in which list may fill in defaults.
func NewListSource[P, T any](
	spec ListSource[T], in map[string]schema.Attribute,
	list func(ctx context.Context, run Run, in *P) iter.Seq2[T, error],
) datasource.DataSource {
	called := cmp.Or(spec.Called, strings.ReplaceAll(spec.Name, "_", " "))
	returns := func(objects []T) Returned {
		return Returned{cmp.Or(spec.Attribute, spec.Name): ReturnsObjects(cmp.Or(spec.Objects, "The "+called+"."), objects,
			spec.Returns)}
	}
	return newReturningSource(spec.Name, spec.Text, false, in, returns(nil),
		func(ctx context.Context, run Run, in *P) Returned {
			each := list(ctx, run, in)
			if run.Diags.HasError() {
				return nil
			}
			objects, err := client.All(each)
			if err != nil {
				AddListError(run.Diags, "Unable to list "+called, err)
			}
			return returns(objects)
		})
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
