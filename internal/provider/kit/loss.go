package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// WarnOfLoss warns of what is lost with an object without data if a change of one of the attributes replaces it. An
// unknown value doesn't count, since it may be unchanged.
func (p Planning) WarnOfLoss(ctx context.Context, attributes []string, summary, loss string) {
	if !p.IsChange() || p.IsUnchanged() || p.Diags.HasError() {
		return
	}
	for _, at := range p.Answer.RequiresReplace { // Those that the resource itself has found.
		attributes = append(slices.Clone(attributes), at.String())
	}
	var changed, instead []string
	for _, name := range attributes {
		planned, present := p.plannedAndPresent(ctx, name)
		if !p.Diags.HasError() && !planned.IsUnknown() && !planned.Equal(present) {
			changed, instead = append(changed, name), append(instead, Instead(ctx, name, planned, present))
		}
	}
	if len(changed) > 0 {
		p.Diags.AddAttributeWarning(path.Root(changed[0]), summary,
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
func (p Planning) difference(ctx context.Context, name string) (instead, keeping string) {
	planned, present := p.plannedAndPresent(ctx, name)
	if planned == nil || present == nil {
		return "Another " + name, "leave " + name + " as it is"
	}
	return begin(Instead(ctx, name, planned, present)), Keeping(name, present)
}

// Keeping says how to configure an attribute as it is.
func Keeping(name string, present attr.Value) string {
	if present.IsNull() {
		return "leave " + name + " out"
	}
	return "set " + name + " = " + present.String()
}
