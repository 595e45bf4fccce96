package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Unsaid is embedded by validators and plan modifiers: nobody is shown what one says of itself. The attribute's
// description says it, and its messages.
type Unsaid struct{}

// Description is that of a validator or a plan modifier.
func (Unsaid) Description(context.Context) string { return "" }

// MarkdownDescription is that of a validator or a plan modifier.
func (Unsaid) MarkdownDescription(context.Context) string { return "" }

// TextRule is a validator of a text that is known. Check adds what is wrong with it.
func TextRule(check func(at path.Path, text string, diags *diag.Diagnostics)) validator.String {
	return textRule{check: check}
}

type textRule struct {
	Unsaid

	check func(at path.Path, text string, diags *diag.Diagnostics)
}

func (r textRule) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if IsSet(req.ConfigValue) {
		r.check(req.Path, req.ConfigValue.ValueString(), &resp.Diagnostics)
	}
}

// KeepsSpelling plans a text as the state has it, where the planned one means the same.
func KeepsSpelling(same func(planned, present string) bool) planmodifier.String {
	return keepsSpelling{same: same}
}

type keepsSpelling struct {
	Unsaid

	same func(planned, present string) bool
}

func (k keepsSpelling) PlanModifyString(
	_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse,
) {
	if IsSet(req.PlanValue) && IsSet(req.StateValue) && k.same(req.PlanValue.ValueString(), req.StateValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}
