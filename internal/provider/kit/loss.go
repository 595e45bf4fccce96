package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// WarnOfLoss says what goes with an object that holds no data where a plan replaces it because of a
// change of one of the attributes. A value that isn't known yet may turn out to be the same.
func WarnOfLoss(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, attributes []string, summary,
	loss string,
) {
	if req.State.Raw.IsNull() || req.Plan.Raw.IsNull() || resp.Diagnostics.HasError() {
		return
	}
	for _, at := range resp.RequiresReplace { // Those that the resource itself has found.
		attributes = append(slices.Clone(attributes), at.String())
	}
	var changed, instead []string
	for _, name := range attributes {
		planned, present := plannedAndPresent(ctx, req, name, &resp.Diagnostics)
		if !resp.Diagnostics.HasError() && !planned.IsUnknown() && !planned.Equal(present) {
			changed, instead = append(changed, name), append(instead, Instead(ctx, name, planned, present))
		}
	}
	if len(changed) > 0 {
		resp.Diagnostics.AddAttributeWarning(path.Root(changed[0]), summary,
			fmt.Sprintf("%s replaces it: %s", begin(strings.Join(instead, " and ")), loss))
	}
}

// Instead says what an attribute is to be, and what it is, to go on with a sentence. Nobody need have changed it: an
// import differs from its configuration, too.
func Instead(ctx context.Context, name string, planned, present attr.Value) string {
	_, isCollection := planned.Type(ctx).(attr.TypeWithElementType)
	_, isObject := planned.Type(ctx).(attr.TypeWithAttributeTypes)
	switch {
	case planned.IsUnknown(), isCollection, isObject:
		return "another " + name
	case present.IsNull():
		return name + " = " + planned.String()
	case planned.IsNull():
		return "no " + name + " instead of " + present.String()
	}
	return name + " = " + planned.String() + " instead of " + present.String()
}

// begin begins a sentence with what Instead says, which may be the name of an attribute.
func begin(instead string) string {
	for _, word := range []string{"another ", "no "} {
		if strings.HasPrefix(instead, word) {
			return strings.ToUpper(instead[:1]) + instead[1:]
		}
	}
	return instead
}

// difference is Instead of a plan, and how to configure the attribute so that nothing differs.
func difference(
	ctx context.Context, req resource.ModifyPlanRequest, name string, diags *diag.Diagnostics,
) (instead, keeping string) {
	planned, present := plannedAndPresent(ctx, req, name, diags)
	if planned == nil || present == nil {
		return "Another " + name, "leave " + name + " as it is"
	}
	return begin(Instead(ctx, name, planned, present)), Keeping(name, present)
}

// plannedAndPresent is an attribute in a plan, and in the state that the plan begins with.
func plannedAndPresent(
	ctx context.Context, req resource.ModifyPlanRequest, name string, diags *diag.Diagnostics,
) (planned, present attr.Value) {
	return Get[attr.Value](ctx, req.Plan, path.Root(name), diags), Get[attr.Value](ctx, req.State, path.Root(name), diags)
}

// Keeping says how to configure an attribute as it is.
func Keeping(name string, present attr.Value) string {
	if present.IsNull() {
		return "leave " + name + " out"
	}
	return "set " + name + " = " + present.String()
}

// TextOf is a text of the state that a plan begins with; empty for none.
func TextOf(ctx context.Context, req resource.ModifyPlanRequest, name string) string {
	var value attr.Value
	if req.State.Raw.IsNull() || req.State.GetAttribute(ctx, path.Root(name), &value).HasError() {
		return ""
	}
	return Text(value)
}
