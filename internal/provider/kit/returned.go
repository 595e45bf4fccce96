package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Returned maps the names of a data source's attributes to their description and value. Each object has the same
// attributes, so the schema comes from a zero object.
type Returned map[string]Field

// Field is an attribute that a data source returns.
type Field interface {
	attribute() schema.Attribute
	terraform(ctx context.Context) (tftypes.Value, error)
}

// Returns is an attribute with its text and its value.
func Returns(text string, value attr.Value) Field { return field{text, value} }

type field struct {
	text  string
	value attr.Value
}

func (f field) attribute() schema.Attribute {
	switch of := f.value.Type(context.Background()).(type) {
	case basetypes.BoolType:
		return schema.BoolAttribute{MarkdownDescription: f.text, Computed: true}
	case basetypes.Int64Type:
		return schema.Int64Attribute{MarkdownDescription: f.text, Computed: true}
	case basetypes.Float64Type:
		return schema.Float64Attribute{MarkdownDescription: f.text, Computed: true}
	case basetypes.SetType:
		return schema.SetAttribute{MarkdownDescription: f.text, Computed: true, ElementType: of.ElemType}
	case basetypes.ListType:
		return schema.ListAttribute{MarkdownDescription: f.text, Computed: true, ElementType: of.ElemType}
	case basetypes.MapType:
		return schema.MapAttribute{MarkdownDescription: f.text, Computed: true, ElementType: of.ElemType}
	case timetypes.RFC3339Type:
		return schema.StringAttribute{MarkdownDescription: f.text, Computed: true, CustomType: of}
	default:
		return schema.StringAttribute{MarkdownDescription: f.text, Computed: true}
	}
}

func (f field) terraform(ctx context.Context) (tftypes.Value, error) {
	return f.value.ToTerraformValue(ctx)
}

// ReturnsAs is an attribute whose schema doesn't follow from its value, as that of objects in a set.
func ReturnsAs(attribute schema.Attribute, value attr.Value) Field {
	return special{field{value: value}, attribute}
}

type special struct {
	field

	as schema.Attribute
}

func (s special) attribute() schema.Attribute { return s.as }

// ReturnsObject is an object with attributes of its own; null where it isn't there.
func ReturnsObject(text string, isThere bool, members Returned) Field {
	return member{text, members, isThere}
}

type member struct {
	text    string
	members Returned
	isThere bool
}

func (m member) attribute() schema.Attribute {
	return schema.SingleNestedAttribute{MarkdownDescription: m.text, Computed: true, Attributes: m.members.attributes()}
}

func (m member) terraform(ctx context.Context) (tftypes.Value, error) {
	value, err := m.members.terraform(ctx)
	if err == nil && !m.isThere {
		value = tftypes.NewValue(value.Type(), nil)
	}
	return value, err
}

// ReturnsObjects are several objects, each with the attributes that returns says.
func ReturnsObjects[T any](text string, objects []T, returns func(T) Returned) Field {
	return members[T]{text, objects, returns}
}

type members[T any] struct {
	text    string
	objects []T
	returns func(T) Returned
}

func (m members[T]) attribute() schema.Attribute {
	var none T
	return ReturnedObjects(m.text, m.returns(none).attributes())
}

func (m members[T]) terraform(ctx context.Context) (tftypes.Value, error) {
	var none T
	empty, err := m.returns(none).terraform(ctx)
	values := make([]tftypes.Value, len(m.objects))
	for i := 0; i < len(values) && err == nil; i++ {
		values[i], err = m.returns(m.objects[i]).terraform(ctx)
	}
	if err != nil {
		return empty, err
	}
	return tftypes.NewValue(tftypes.List{ElementType: empty.Type()}, values), nil
}

func (r Returned) attributes() map[string]schema.Attribute {
	attributes := make(map[string]schema.Attribute, len(r))
	for name, field := range r {
		attributes[name] = field.attribute()
	}
	return attributes
}

func (r Returned) terraform(ctx context.Context) (tftypes.Value, error) {
	values, kinds := make(map[string]tftypes.Value, len(r)), make(map[string]tftypes.Type, len(r))
	for name, field := range r {
		value, err := field.terraform(ctx)
		if err != nil {
			return value, err
		}
		values[name], kinds[name] = value, value.Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: kinds}, values), nil
}
