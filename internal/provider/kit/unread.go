package kit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// RefusesUnread refuses to change or replace an object that was taken over from another provider and not read yet: its
// differences from the configuration are unknown.
func (r *managed[M]) RefusesUnread(p Planning) bool {
	if !p.IsChange() || p.IsUnchanged() || r.wasRead(p.State) {
		return false
	}
	p.Diags.AddError("Not read yet", fmt.Sprintf("The state of neon_%s %s was taken over and hasn't been read yet: plan "+
		"without -refresh=false first.",
		r.Name, strings.Join(r.spec.Key.values(p.State.Raw), "/")))
	return true
}

// wasRead reports whether the state has more than what an import or another provider's state gives.
func (r *managed[M]) wasRead(state tfsdk.State) bool {
	var values map[string]tftypes.Value
	if state.Raw.As(&values) != nil {
		return false
	}
	for name, value := range values {
		isGiven := name == protectionName || slices.Contains(r.spec.MovedTexts, name) ||
			slices.ContainsFunc(r.spec.Key.Parts, func(part KeyPart) bool { return part.Name == name })
		if !isGiven && !value.IsNull() {
			return true
		}
	}
	return false
}

// keepsUnanswered keeps the state, with an error, if Neon's answer lacks a required attribute: a plan would replace the
// object because of that gap. Optional attributes that never change keep their value.
func keepsUnanswered(noun string, before tfsdk.State, read *tfsdk.State, diags *diag.Diagnostics) bool {
	var had, has map[string]tftypes.Value
	if before.Raw.As(&had) != nil || read.Raw.As(&has) != nil {
		return false
	}
	gaps := map[string]tftypes.Value{}
	for name, attribute := range read.Schema.GetAttributes() {
		switch isLacking := !isNothing(had[name]) && isNothing(has[name]); {
		case isLacking && isFixed(attribute):
			gaps[name] = had[name]
		case isLacking && attribute.IsRequired():
			read.Raw = before.Raw
			diags.AddAttributeError(path.Root(name), "Unable to read "+noun, fmt.Sprintf("Neon's answer has no %s of this %s, "+
				"which each has. The state keeps what it was. %s", inMessages(name), noun, badAnswerAdvice))
			return true
		}
	}
	if len(gaps) > 0 {
		has = maps.Clone(has)
		maps.Copy(has, gaps)
		read.Raw = tftypes.NewValue(read.Raw.Type(), has)
	}
	return false
}

// isFixed reports whether an attribute is what an object has for good, or lacks for good.
func isFixed(attribute any) bool {
	text, isText := attribute.(schema.StringAttribute)
	return isText && slices.Contains(text.PlanModifiers, planmodifier.String(fixed{}))
}

// isNothing reports whether a value is null, or an empty text or set of texts. A set of objects, such as that of
// masking rules, may be empty.
func isNothing(value tftypes.Value) bool {
	var text string
	var elements []tftypes.Value
	return value.IsNull() || value.Type().Is(tftypes.String) && value.As(&text) == nil && text == "" ||
		value.Type().Equal(tftypes.Set{ElementType: tftypes.String}) && value.As(&elements) == nil && len(elements) == 0
}
