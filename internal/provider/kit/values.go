package kit

import (
	"context"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Known returns the planned value, or the actual one where the plan left it open.
func Known[T attr.Value](planned, actual T) T {
	if planned.IsUnknown() {
		return actual
	}
	return planned
}

// IsSet reports whether a value is neither null nor unknown.
func IsSet(value attr.Value) bool {
	return !value.IsNull() && !value.IsUnknown()
}

// UnknownOf is the unknown value of a type.
func UnknownOf(ctx context.Context, kind attr.Type) attr.Value {
	unknown := tftypes.NewValue(kind.TerraformType(ctx), tftypes.UnknownValue)
	value, _ := kind.ValueFromTerraform(ctx, unknown) // Each type has one.
	return value
}

// OptionalString is null for the empty text.
func OptionalString(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// OptionalTime is a time in UTC; null for none.
func OptionalTime(moment *time.Time) timetypes.RFC3339 {
	if moment == nil || moment.IsZero() {
		return timetypes.NewRFC3339Null()
	}
	return timetypes.NewRFC3339TimeValue(moment.UTC())
}

// Triggers are the values of triggers that count: an absent one, a null one and no map at
// all mean the same.
func Triggers(configured types.Map) map[string]attr.Value {
	elements := configured.Elements()
	maps.DeleteFunc(elements, func(_ string, value attr.Value) bool { return value.IsNull() })
	return elements
}

// Rotates reports whether other triggers ask for a new secret: setting some for the first time, or removing all,
// doesn't.
func Rotates(present, planned types.Map) bool {
	before, after := Triggers(present), Triggers(planned)
	return len(before) > 0 && len(after) > 0 && !maps.EqualFunc(before, after, attr.Value.Equal)
}

// Text returns the text of an element; empty where it has none.
func Text(element attr.Value) string {
	text, _ := element.(types.String)
	return text.ValueString()
}

// Texts returns the texts of elements.
func Texts(elements []attr.Value) []string { return TextsOf(elements, Text) }

// TextsOf returns a text of each of several objects.
func TextsOf[T any](objects []T, text func(T) string) []string {
	texts := make([]string, len(objects))
	for i, object := range objects {
		texts[i] = text(object)
	}
	return texts
}

// Elements are those of a collection of texts.
func Elements(texts []string) []attr.Value {
	elements := make([]attr.Value, len(texts))
	for i, text := range texts {
		elements[i] = types.StringValue(text)
	}
	return elements
}

// SetOf is a set of texts.
func SetOf(texts []string) types.Set { return types.SetValueMust(types.StringType, Elements(texts)) }

// MapOf is a map of texts.
func MapOf(texts map[string]string) types.Map {
	elements := map[string]attr.Value{}
	for name, text := range texts {
		elements[name] = types.StringValue(text)
	}
	return types.MapValueMust(types.StringType, elements)
}

// TextMap is the opposite of [MapOf].
func TextMap(elements types.Map) map[string]string {
	texts := map[string]string{}
	for name, element := range elements.Elements() {
		texts[name] = Text(element)
	}
	return texts
}

// InBranch has the attributes by which what belongs to a branch names it.
type InBranch struct {
	ProjectID types.String `tfsdk:"project_id"`
	BranchID  types.String `tfsdk:"branch_id"`
}

// Branch is the branch that is meant.
func (b InBranch) Branch() client.BranchRef { return RefOf[client.Branch](b.ProjectID, b.BranchID) }

func (b InBranch) in() InBranch { return b }

// RefOf is the object of a project that the two ids name.
func RefOf[T any](projectID, id types.String) client.Ref[T] {
	return client.Ref[T]{ProjectID: projectID.ValueString(), ID: id.ValueString()}
}

// IDOf is the import id of what has a name of its own in the branch.
func (b InBranch) IDOf(name string) types.String {
	return types.StringValue(b.ProjectID.ValueString() + "/" + b.BranchID.ValueString() + "/" + name)
}

// PlanNamedID keeps the id of a resource with InBranch if its name is unchanged. For a new object or name the id is
// unknown until the apply, so that resources which refer to it wait: see [After].
func PlanNamedID(ctx context.Context, p Planning) {
	if !p.IsChange() || p.IsUnchanged() || p.Diags.HasError() {
		return
	}
	var in InBranch
	in.ReadFrom(ctx, p.Plan, p.Diags)
	name := Get[types.String](ctx, p.Plan, path.Root("name"), p.Diags)
	if id := in.IDOf(name.ValueString()); id.ValueString() == p.TextOf("id") {
		p.Set(ctx, path.Root("id"), id)
	}
}
