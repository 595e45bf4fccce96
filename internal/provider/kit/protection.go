package kit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

const protectionName = "deletion_protection"

// DeletionProtection is the attribute with which a resource that holds data refuses to be
// destroyed or replaced.
func DeletionProtection(noun string) schema.Attribute { return protection(noun, false) }

// StandingProtection is DeletionProtection that holds unless it is set to false.
func StandingProtection(noun string) schema.Attribute { return protection(noun, true) }

func protection(noun string, standard bool) schema.Attribute {
	return schema.BoolAttribute{
		MarkdownDescription: fmt.Sprintf("Whether Terraform refuses to destroy or replace the %s. It only affects this resource, not Neon. A tainted "+
			"%[1]s is refused only during the apply: add `prevent_destroy` to refuse that in the plan. Defaults to `%[2]t`. Changes in place.", noun, standard),
		Optional: true,
		Computed: true,
		Default:  booldefault.StaticBool(standard),
	}
}

// checkDestruction refuses the plan to destroy or replace what is protected, and says what
// is lost by a replacement. What a plain destroy deletes, the user knows.
func (r *managed[M]) checkDestruction(ctx context.Context, req resource.ModifyPlanRequest, replacedBy path.Paths, diags *diag.Diagnostics) {
	if req.State.Raw.IsNull() {
		r.checkForced(ctx, req.Private, diags)
		return
	}
	replacing := ""
	if !req.Plan.Raw.IsNull() {
		replacing = Changed(ctx, req, r.spec.ReplacedBy, diags)
		if len(replacedBy) > 0 {
			replacing = cmp.Or(replacing, replacedBy[0].String())
		}
		if replacing == "" {
			return
		}
	}
	called := r.called(ctx, req.State, diags)
	switch isProtected := r.isProtected(ctx, req.State, diags); {
	case isProtected && replacing != "":
		diags.AddAttributeError(path.Root(replacing), "The "+r.noun()+" is protected", fmt.Sprintf("The change of %s replaces the %s, and with it would go %s. Its %s is true, "+
			"which refuses that. Undo the change, or give what is to be different a resource of its own. If this one is meant to go, set\n\n  %[4]s = false\n\n"+
			"and apply that first.", replacing, called, r.spec.Holds, protectionName))
	case isProtected:
		diags.AddAttributeError(path.Root(protectionName), "The "+r.noun()+" is protected", fmt.Sprintf("The %s would be destroyed, and with it %s, but its %s is true.%s",
			called, r.spec.Holds, protectionName, r.advice()))
	case r.spec.Final != "":
		diags.AddWarning("Destroyed for good ("+strings.Join(r.Key.values(ctx, req.State, diags), "/")+")", r.spec.Final)
	case replacing != "" && !diags.HasError():
		diags.AddAttributeWarning(path.Root(replacing), "Data will be lost ("+strings.Join(r.Key.values(ctx, req.State, diags), "/")+")",
			fmt.Sprintf("The change of %s replaces the %s: Neon deletes %s, and %s. To keep it, set %s "+
				"back. With %s = true, or prevent_destroy in its lifecycle block, Terraform refuses such plans.",
				replacing, r.noun(), r.spec.Holds, cmp.Or(r.spec.Replaced, "a new one is created empty"), replacing, protectionName))
	}
}

// protectedMark is in the private state of what is protected, with what it is called. Terraform
// hands that over even where it plans the creation of what is to replace the object because of
// -replace or replace_triggered_by, which it doesn't tell.
const protectedMark = "protected"

// mark puts the mark where it belongs, and takes it away where it doesn't.
func (r *managed[M]) mark(ctx context.Context, state tfsdk.State, private privateState, diags *diag.Diagnostics) {
	if r.spec.Holds == "" || state.Raw.IsNull() || diags.HasError() {
		return
	}
	var mark []byte
	if r.isProtected(ctx, state, diags) {
		mark, _ = json.Marshal(r.called(ctx, state, diags)) // A text.
	}
	if before, _ := private.GetKey(ctx, protectedMark); !bytes.Equal(before, mark) {
		diags.Append(private.SetKey(ctx, protectedMark, mark)...)
	}
}

// checkForced refuses to replace what is protected where the configuration doesn't ask for it.
func (r *managed[M]) checkForced(ctx context.Context, private privateState, diags *diag.Diagnostics) {
	mark, _ := private.GetKey(ctx, protectedMark)
	var called string
	if mark != nil && json.Unmarshal(mark, &called) == nil {
		diags.AddAttributeError(path.Root(protectionName), "The "+r.noun()+" is protected", fmt.Sprintf("The %s would be replaced, by -replace or replace_triggered_by, and with it "+
			"would go %s. Its %s is true, which refuses that.%s", called, r.spec.Holds, protectionName, r.advice()))
	}
}

// called is what an object is called: its kind, its id and its name.
func (r *managed[M]) called(ctx context.Context, state object, diags *diag.Diagnostics) string {
	text := r.noun() + " " + strings.Join(r.Key.values(ctx, state, diags), "/")
	if _, named := r.spec.Schema.Attributes["name"]; named && r.Key.Parts[len(r.Key.Parts)-1].Name != "name" {
		var name types.String
		diags.Append(state.GetAttribute(ctx, path.Root("name"), &name)...)
		text += " (" + Quoted(name.ValueString()) + ")"
	}
	return text
}

// advice says how one goes on with an object that is protected.
func (r *managed[M]) advice() string {
	return fmt.Sprintf(" If it is meant to go, set\n\n  %s = false\n\nand apply that first; where its block was removed from the configuration, put it back for that. To "+
		"have Terraform forget it instead, without deleting it, write this, where NAME is the name of the resource:\n\n%s\n\nA deposed object, which a replacement with "+
		"create_before_destroy has left, can't be configured any more: terraform state rm takes it out of the state, and the resource with it, which an import block brings "+
		"back.", protectionName, RemovedBlock("neon_"+r.Name+".NAME"))
}

// Changed returns the first of the attributes whose value changes; empty where none does.
func Changed(ctx context.Context, req resource.ModifyPlanRequest, names []string, diags *diag.Diagnostics) string {
	for _, name := range names {
		var planned, current attr.Value
		diags.Append(req.Plan.GetAttribute(ctx, path.Root(name), &planned)...)
		diags.Append(req.State.GetAttribute(ctx, path.Root(name), &current)...)
		if !diags.HasError() && !planned.Equal(current) {
			return name
		}
	}
	return ""
}

func (r *managed[M]) isProtected(ctx context.Context, state object, diags *diag.Diagnostics) bool {
	var protected types.Bool
	diags.Append(state.GetAttribute(ctx, path.Root(protectionName), &protected)...)
	return protected.ValueBool()
}

// addProtected refuses to delete what no plan has refused, such as a tainted object.
func (r *managed[M]) addProtected(ctx context.Context, state object, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(protectionName), "The "+r.noun()+" is protected", fmt.Sprintf("The %s wasn't destroyed, since its %s is true. What the same run has created or "+
		"destroyed before, such as what belonged to it or is to replace it, stays created or destroyed.%s If it is only marked as tainted, run terraform untaint.",
		r.called(ctx, state, diags), protectionName, r.advice()))
}

// checkParents looks up the project and the branch that a plan names anew by ids, before
// anything is created or deleted because of them.
func (r *managed[M]) checkParents(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	if req.Plan.Raw.IsNull() || diags.HasError() {
		return
	}
	projectID, projectIsNew := r.parent(ctx, req.Plan, req.State, "project_id", diags)
	branchID, branchIsNew := r.parent(ctx, req.Plan, req.State, "branch_id", diags)
	if projectID != "" && (projectIsNew || branchIsNew) {
		r.LookUps(req.State, diags, func(_ *client.Client, diags *diag.Diagnostics) { r.lookUpParents(ctx, projectID, branchID, diags) })
	}
}

// checkNewParents refuses to create what the plan has warned of.
func (r *managed[M]) checkNewParents(ctx context.Context, plan tfsdk.Plan, diags *diag.Diagnostics) {
	projectID, _ := r.parent(ctx, plan, tfsdk.State{}, "project_id", diags)
	branchID, _ := r.parent(ctx, plan, tfsdk.State{}, "branch_id", diags)
	r.lookUpParents(ctx, projectID, branchID, diags)
}

func (r *managed[M]) lookUpParents(ctx context.Context, projectID, branchID string, diags *diag.Diagnostics) {
	if projectID == "" {
		return
	}
	api := r.CheckProject(ctx, projectID, diags)
	if api == nil || branchID == "" {
		return
	}
	if _, err := r.LookUpBranch(ctx, api, projectID, branchID); err != nil {
		addMissing(diags, "branch_id", err)
	}
}

func addMissing(diags *diag.Diagnostics, attribute string, err error) {
	summary := "Unable to read " + strings.TrimSuffix(attribute, "_id")
	if client.IsAbsent(err) {
		summary = "No such " + strings.TrimSuffix(attribute, "_id")
	}
	AddAttributeError(diags, path.Root(attribute), summary, err)
}

// parent returns the id that a plan names in an attribute, empty where it isn't known or
// the schema has no such attribute, and whether that is new.
func (r *managed[M]) parent(ctx context.Context, plan tfsdk.Plan, state tfsdk.State, name string, diags *diag.Diagnostics) (id string, isNew bool) {
	if _, has := r.spec.Schema.Attributes[name]; !has {
		return "", false
	}
	var planned, current types.String
	diags.Append(plan.GetAttribute(ctx, path.Root(name), &planned)...)
	if !state.Raw.IsNull() {
		diags.Append(state.GetAttribute(ctx, path.Root(name), &current)...)
	}
	return planned.ValueString(), !planned.Equal(current)
}
