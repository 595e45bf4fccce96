package kit

import (
	"context"
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
		MarkdownDescription: fmt.Sprintf("Whether Terraform refuses to destroy or replace the %s. Neon doesn't know this setting: it only affects "+
			"this resource. Defaults to `%t`. Changes in place.", noun, standard),
		Optional: true,
		Computed: true,
		Default:  booldefault.StaticBool(standard),
	}
}

// checkDestruction refuses the plan to destroy or replace what is protected, and says what
// is lost by a replacement. What a plain destroy deletes, the user knows.
func (r *managed[M]) checkDestruction(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	if req.State.Raw.IsNull() {
		return
	}
	replacing := ""
	if !req.Plan.Raw.IsNull() {
		if replacing = Changed(ctx, req, r.spec.ReplacedBy, diags); replacing == "" {
			return
		}
	}
	switch {
	case r.isProtected(ctx, req.State, diags):
		r.addProtected(diags)
	case r.spec.Final != "":
		diags.AddWarning("Destroyed for good ("+strings.Join(r.Key.values(ctx, req.State, diags), "/")+")", r.spec.Final)
	case replacing != "":
		diags.AddAttributeWarning(path.Root(replacing), "Data will be lost ("+strings.Join(r.Key.values(ctx, req.State, diags), "/")+")",
			fmt.Sprintf("The change of %s replaces the %s: Neon deletes %s, and a new one is created empty. To keep it, set %s "+
				"back. With %s = true, or prevent_destroy in its lifecycle block, Terraform refuses such plans.",
				replacing, r.noun(), r.spec.Holds, replacing, protectionName))
	}
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

func (r *managed[M]) addProtected(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(protectionName), "The "+r.noun()+" is protected", fmt.Sprintf(
		"It would be destroyed, and with it %[1]s, but its %[2]s is true. Nothing was changed. If it is meant to go, set\n\n"+
			"  %[2]s = false\n\nand apply that first. If it is only marked as tainted, run terraform untaint instead.", r.spec.Holds, protectionName))
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
