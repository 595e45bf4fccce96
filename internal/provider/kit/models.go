package kit

import (
	"context"
	"iter"
	"maps"
	"reflect"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// attributesOf are the fields of a model, a pointer to a struct with tfsdk tags, by the names of their attributes.
func attributesOf(model any) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		fields := reflect.ValueOf(model).Elem()
		for _, field := range visibleFields(fields.Type()) {
			if name, is := field.Tag.Lookup("tfsdk"); is && !yield(name, fields.FieldByIndex(field.Index)) {
				return
			}
		}
	}
}

// fieldsByType has the fields of each type that was asked for: finding them takes longer than reading them.
var fieldsByType sync.Map

func visibleFields(kind reflect.Type) []reflect.StructField {
	known, isKnown := fieldsByType.Load(kind)
	if !isKnown {
		known, _ = fieldsByType.LoadOrStore(kind, reflect.VisibleFields(kind))
	}
	fields, _ := known.([]reflect.StructField)
	return fields
}

// Decode returns the model of an object; a zero model if the object is null or unknown. The framework's reflection
// compiles a regular expression for each field, which is slow in a plan over many branches and endpoints
// (https://github.com/hashicorp/terraform-plugin-framework/issues/725).
func Decode[M any](object types.Object) (model M) {
	values := object.Attributes()
	for name, field := range attributesOf(&model) {
		if value, has := values[name]; has {
			field.Set(reflect.ValueOf(value))
		}
	}
	return model
}

// decoded is ModelOf by Decode, where the model has only what the framework has of values.
func decoded[M any](ctx context.Context, from source, diags *diag.Diagnostics) (model M) {
	for _, field := range attributesOf(&model) {
		if _, isValue := field.Interface().(attr.Value); !isValue {
			return ModelOf[M](ctx, from, diags)
		}
	}
	return Decode[M](ModelOf[types.Object](ctx, from, diags))
}

// Encode is the opposite of [Decode]: an object with those attributes of a model that its type has.
func Encode[M any](model M, kind types.ObjectType) types.Object {
	values := map[string]attr.Value{}
	for name, field := range attributesOf(&model) {
		if _, has := kind.AttrTypes[name]; has {
			values[name], _ = field.Interface().(attr.Value)
		}
	}
	return types.ObjectValueMust(kind.AttrTypes, values)
}

// Resolved is a planned model with the actual values of those attributes that the plan left open, also within objects.
func Resolved[M any](ctx context.Context, planned, actual M) M {
	found := maps.Collect(attributesOf(&actual))
	for name, field := range attributesOf(&planned) {
		if value, is := field.Interface().(attr.Value); is {
			other, _ := found[name].Interface().(attr.Value)
			field.Set(reflect.ValueOf(resolved(ctx, value, other)))
		}
	}
	return planned
}

func resolved(ctx context.Context, planned, actual attr.Value) attr.Value {
	object, _ := planned.(types.Object)
	found, _ := actual.(types.Object)
	if !IsSet(object) || found.IsNull() {
		return Known(planned, actual)
	}
	values, present := object.Attributes(), found.Attributes()
	for name, value := range values {
		values[name] = resolved(ctx, value, present[name])
	}
	return types.ObjectValueMust(found.AttributeTypes(ctx), values)
}

// Get returns an attribute of a configuration, a plan, a state or an identity; null where all of that is null.
func Get[T attr.Value](ctx context.Context, from object, at path.Path, diags *diag.Diagnostics) (value T) {
	diags.Append(from.GetAttribute(ctx, at, &value)...)
	return value
}

// ModelOf returns the model of a configuration, a plan or a state; a zero model for a state that is null.
func ModelOf[M any](ctx context.Context, from source, diags *diag.Diagnostics) (model M) {
	if state, is := from.(tfsdk.State); !is || !state.Raw.IsNull() {
		diags.Append(from.Get(ctx, &model)...)
	}
	return model
}
