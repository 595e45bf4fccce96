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
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Planning is the plan of one resource: what Terraform asks, what it is answered so far, and Neon to look things up.
type Planning struct {
	resource.ModifyPlanRequest // Plan in it is what Terraform proposes.
	*Platform                  // nil while Terraform only validates

	Diags  *diag.Diagnostics
	Answer *resource.ModifyPlanResponse
}

// Planning returns the plan of a request.
func (b *ResourceBase) Planning(req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) Planning {
	return Planning{req, b.Platform, &resp.Diagnostics, resp}
}

// IsCreation reports whether there is no object yet, or none that is to be replaced any more.
func (p Planning) IsCreation() bool { return p.State.Raw.IsNull() }

// IsDestruction reports whether there is to be no object any more.
func (p Planning) IsDestruction() bool { return p.Plan.Raw.IsNull() }

// IsChange reports whether there is an object, which stays or is replaced by another one.
func (p Planning) IsChange() bool { return !p.IsCreation() && !p.IsDestruction() }

// IsUnchanged reports whether Terraform proposes the object as it is. Most of a plan are so, and reading attributes of
// theirs to compare them is slow.
func (p Planning) IsUnchanged() bool { return p.Plan.Raw.Equal(p.State.Raw) }

// Set plans a value.
func (p Planning) Set(ctx context.Context, at path.Path, value any) {
	p.Diags.Append(p.Answer.Plan.SetAttribute(ctx, at, value)...)
}

// Replace has the attributes replace the object.
func (p Planning) Replace(names ...string) {
	for _, name := range names {
		p.Answer.RequiresReplace.Append(path.Root(name))
	}
}

// Replaces reports whether anything so far replaces the object, besides the attributes whose modifiers do.
func (p Planning) Replaces() bool { return len(p.Answer.RequiresReplace) > 0 }

// Changed returns the first of the attributes whose value changes; empty where none does.
func (p Planning) Changed(ctx context.Context, names ...string) string {
	if p.IsUnchanged() {
		return ""
	}
	for _, name := range names {
		planned, present := p.plannedAndPresent(ctx, name)
		if !p.Diags.HasError() && !planned.Equal(present) {
			return name
		}
	}
	return ""
}

// plannedAndPresent is an attribute as it is planned, and as it is in the state.
func (p Planning) plannedAndPresent(ctx context.Context, name string) (planned, present attr.Value) {
	return Get[attr.Value](ctx, p.Plan, path.Root(name), p.Diags), Get[attr.Value](ctx, p.State, path.Root(name), p.Diags)
}

// TextOf is a text of the state; empty for none.
func (p Planning) TextOf(name string) string { return textOf(p.State.Raw, name) }

// textOf is a text that an object has; empty for none. It takes a fraction of the time that the framework takes, which
// walks the schema for it.
func textOf(object tftypes.Value, name string) (text string) {
	var attributes map[string]tftypes.Value
	if object.As(&attributes) == nil {
		_ = attributes[name].As(&text) // It leaves the text empty where it fails.
	}
	return text
}

// ModelsOf returns the models of a resource in a plan: its state, its plan so far, and its configuration. The state is
// empty for a creation, the others for a destruction.
func ModelsOf[M any](ctx context.Context, p Planning) (state, planned, config M) {
	state = ModelOf[M](ctx, p.State, p.Diags)
	if !p.IsDestruction() {
		planned = ModelOf[M](ctx, p.Answer.Plan, p.Diags)
		config = ModelOf[M](ctx, p.Config, p.Diags)
	}
	return state, planned, config
}

// LookUps runs a plan's look-ups, if it can (see CanLookUp). Problems with an existing object are errors, before
// anything is deleted because of it. Problems with an object that is only to be created are warnings here, and errors
// of its creation: terraform destroy plans all resources first, and must not fail because of one that it never creates.
func (p Planning) LookUps(look func(run Run)) {
	if !p.CanLookUp() {
		return
	}
	if p.Control(p.Diags) == nil {
		return
	}
	var found diag.Diagnostics
	look(p.Run(&found))
	for _, problem := range found {
		if caused, ok := problem.(causedDiagnostic); ok && p.IsCreation() && caused.isAboutObject() {
			problem = diag.NewAttributeWarningDiagnostic(caused.Path(), caused.Summary(), caused.Detail()+untilMended)
		}
		p.Diags.Append(problem)
	}
}

const untilMended = "\n\nUntil that is mended, the creation fails."

// WarnOfTwo warns if the plan gives a key to a second resource; not if a part of the key is unknown, and so empty. It
// is called for each resource that the plan creates or renames, and for unchanged ones if that costs little. Objects
// that the plan destroys or renames don't count.
func (p Planning) WarnOfTwo(noun string, at path.Path, key ...string) {
	if p.Platform == nil || !p.plansOnce.Load() || p.IsApplying() || p.Diags.HasError() ||
		slices.Contains(key, "") || p.begins("plan of "+noun, strings.Join(key, "/")) {
		return
	}
	summary, detail := twoForOne(noun, key)
	p.Diags.AddAttributeWarning(at, summary, detail+"\n\nUntil that is mended, an apply fails that creates or renames "+
		"one of them.")
}

// NameBranch refuses a name for a branch for which a resource of another kind plans another name.
func (p Planning) NameBranch(id, kind, name string, at path.Path) {
	if id == "" || name == "" {
		return
	}
	if other, differs := p.Other("name of branch "+id, Planned{kind, types.StringValue(name)}); differs {
		p.Diags.AddAttributeError(at, "Two names for one branch ("+id+")", fmt.Sprintf("Branch %s is to be named %s here, "+
			"and %s by a %s of this configuration, so that each apply would rename it. Write the same name in both, or leave "+
			"default_branch.name of the neon_project out.",
			id, Quoted(name), Quoted(Text(other.Value)), other.Kind))
	}
}
