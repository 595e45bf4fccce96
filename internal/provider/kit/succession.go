package kit

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

const followsText = " Changing it replaces the resource, [except after a " +
	"restore](../guides/restore-points.md#what-to-know)."

// FollowedBranch is the branch of a resource that FollowsBranch.
func FollowedBranch(text string) schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: text + followsText, Required: true, Validators: IDValidators()}
}

// OptionalFollowedBranch is FollowedBranch where it may be left out.
func OptionalFollowedBranch(text string) schema.Attribute {
	attribute := StayingString(text+followsText, IDValidators()...)
	attribute.PlanModifiers = []planmodifier.String{fixed{}}
	return attribute
}

// movable is the pointer to a model that has [InBranch].
type movable[M any] interface {
	*M
	setBranch(id types.String)
}

// SameInBranch is the FindAgain of an object that has the same name in each branch.
func SameInBranch[M any, P movable[M]](
	read func(ctx context.Context, run Run, state M) (M, error),
) func(ctx context.Context, run Run, state M, branchID types.String) (M, error) {
	return func(ctx context.Context, run Run, state M, branchID types.String) (M, error) {
		P(&state).setBranch(branchID)
		return read(ctx, run, state)
	}
}

func (b *InBranch) setBranch(id types.String) { b.BranchID = id }

// planBranch handles another branch_id: if that branch has replaced the present one, the object moves along and
// planBranch returns true; otherwise the object is replaced.
func (r *managed[M]) planBranch(ctx context.Context, p Planning) (moves bool) {
	if r.spec.FindAgain == nil || !p.IsChange() || p.IsUnchanged() || p.Diags.HasError() {
		return false
	}
	var planned, present InBranch
	planned.ReadFrom(ctx, p.Plan, p.Diags)
	present.ReadFrom(ctx, p.State, p.Diags)
	if planned.BranchID.Equal(present.BranchID) || p.Diags.HasError() {
		return false
	}
	var api *client.Client
	if IsSet(planned.BranchID) && planned.ProjectID.Equal(present.ProjectID) {
		api = r.CheckProject(ctx, planned.ProjectID.ValueString(), p.Diags)
	}
	if api != nil {
		moves = Succeeds(ctx, api, planned, present.BranchID, p.Diags)
	}
	if !moves {
		p.Replace("branch_id")
		return false
	}
	r.planMove(ctx, api, planned, p)
	return true
}

// Succeeds reports whether a planned branch has taken the place of the one in the state.
func Succeeds(
	ctx context.Context, api *client.Client, planned InBranch, present types.String, diags *diag.Diagnostics,
) bool {
	if present.IsNull() {
		return false
	}
	succeeds, err := api.Succeeds(ctx, planned.Branch(), present.ValueString())
	if err != nil {
		AddAttributeError(diags, path.Root("branch_id"), "Unable to read branch", err)
	}
	return succeeds
}

// planMove plans the attributes that Neon assigned to the same object on the planned branch; unknown if it isn't there
// yet.
func (r *managed[M]) planMove(ctx context.Context, api *client.Client, planned InBranch, p Planning) {
	state := ModelOf[M](ctx, p.State, p.Diags)
	if p.Diags.HasError() {
		return
	}
	found, err := r.spec.FindAgain(ctx, r.Run(p.Diags), state, planned.BranchID)
	if err != nil && !client.IsAbsent(err) {
		r.report("read", err, p.Diags)
		return
	}
	actual := tfsdk.State{Schema: p.State.Schema, Raw: p.State.Raw}
	if err == nil {
		p.Diags.Append(actual.Set(ctx, &found)...)
	}
	var values, assigned map[string]tftypes.Value
	if p.Answer.Plan.Raw.As(&values) != nil || actual.Raw.As(&assigned) != nil {
		return
	}
	for name, attribute := range r.spec.Schema.Attributes {
		switch {
		case !attribute.IsComputed() || attribute.IsOptional():
		case err != nil:
			values[name] = tftypes.NewValue(values[name].Type(), tftypes.UnknownValue)
		default:
			values[name] = assigned[name]
		}
	}
	p.Answer.Plan.Raw = tftypes.NewValue(p.Plan.Raw.Type(), values)
	becomes := "Nothing is deleted because of that: branch %s has this %s too, which Terraform manages from now on" +
		restStays
	switch {
	case err != nil && r.spec.IsSole:
		becomes = "This deletes it there and creates it on branch %s, as no two branches can have the same %s. There is " +
			"none for a moment."
	case err != nil:
		becomes = "Nothing is deleted because of that: branch %s has no such %s yet, so it is created there" + restStays
	}
	present := Get[types.String](ctx, p.State, path.Root("branch_id"), p.Diags)
	called := strings.Join(r.spec.Key.values(p.State.Raw), "/")
	warnOfMove(ctx, api, "branch_id", planned, present.ValueString(), r.noun()+" "+called,
		fmt.Sprintf(becomes, planned.BranchID.ValueString(), r.noun()), p.Diags)
}

const restStays = ". What the replaced branch has stays as it is."

// WarnOfMove says that something moves along with a branch that was replaced, and what becomes
// of it.
func WarnOfMove(
	ctx context.Context, api *client.Client, attribute string, planned InBranch, earlier, called, becomes string,
	diags *diag.Diagnostics,
) {
	warnOfMove(ctx, api, attribute, planned, earlier, called, "Nothing is deleted because of that: "+becomes+restStays,
		diags)
}

func warnOfMove(
	ctx context.Context, api *client.Client, attribute string, planned InBranch, earlier, called, becomes string,
	diags *diag.Diagnostics,
) {
	branch := planned.Branch()
	diags.AddAttributeWarning(path.Root(attribute), "The branch was replaced by a restore ("+called+")", fmt.Sprintf(
		"Branch %s was restored and has replaced branch %s. %s",
		DescribeBranch(ctx, api, branch),
		DescribeBranch(ctx, api, client.BranchRef{ProjectID: branch.ProjectID, ID: earlier}), becomes))
}

// DescribeBranch names a branch by its id and, where it is known, by its name.
func DescribeBranch(ctx context.Context, api *client.Client, ref client.BranchRef) string {
	branch, err := api.GetSharedBranch(ctx, ref)
	switch {
	case client.IsAbsent(err):
		return ref.ID + ", which is gone"
	case err != nil:
		return ref.ID
	}
	return fmt.Sprintf("%s (%s)", ref.ID, Quoted(branch.Name))
}

// ReadFrom reads the attributes from a plan or a state.
func (b *InBranch) ReadFrom(ctx context.Context, from object, diags *diag.Diagnostics) {
	b.ProjectID = Get[types.String](ctx, from, path.Root("project_id"), diags)
	b.BranchID = Get[types.String](ctx, from, path.Root("branch_id"), diags)
}

// isMove reports whether an update is of an object whose branch was replaced.
func (r *managed[M]) isMove(ctx context.Context, req resource.UpdateRequest, diags *diag.Diagnostics) bool {
	if r.spec.FindAgain == nil {
		return false
	}
	var planned, present InBranch
	planned.ReadFrom(ctx, req.Plan, diags)
	present.ReadFrom(ctx, req.State, diags)
	return !planned.BranchID.Equal(present.BranchID)
}

// move takes over the object that the planned branch has, or creates it there. It returns the state that is left to
// update, or that nothing is.
func (r *managed[M]) move(
	ctx context.Context, run Run, from tfsdk.Plan, state, plan M, save func(M),
) (left M, isDone bool, err error) {
	branchID := Get[types.String](ctx, from, path.Root("branch_id"), run.Diags)
	found, err := r.spec.FindAgain(ctx, r.Run(run.Diags), state, branchID)
	if client.IsAbsent(err) {
		if err = nil; r.spec.IsSole {
			err = r.spec.Delete(ctx, run, state)
		}
		if err == nil {
			err = r.create(ctx, run, from, plan, save)
		}
		return state, true, err
	}
	return found, err != nil, err
}

// awaitsMove reports whether an object that is gone with its branch, or went along with a restore, is there in the
// branch that has replaced that one. The state keeps it until the configuration names that branch.
func (r *managed[M]) awaitsMove(ctx context.Context, run Run, from tfsdk.State, state M, diags *diag.Diagnostics) bool {
	var present InBranch
	if r.spec.FindAgain == nil {
		return false
	}
	if present.ReadFrom(ctx, from, diags); !IsSet(present.BranchID) {
		return false
	}
	branch := present.Branch()
	_, err := run.API.GetSharedBranch(ctx, branch)
	isGone := client.IsAbsent(err)
	switch {
	case err != nil && !isGone: // Whether another one has replaced it isn't known.
		r.report("read", err, diags)
		return true
	case !isGone && !r.spec.GoesAlong:
		return false
	}
	// Only one of several may have what went along.
	successors, err := run.API.ListSuccessors(ctx, branch)
	var successor client.Branch
	for _, successor = range successors {
		if _, err = r.spec.FindAgain(ctx, run, state, types.StringValue(successor.ID)); !client.IsAbsent(err) {
			break
		}
	}
	switch {
	case client.IsAbsent(err), err == nil && len(successors) == 0:
		return false
	case err != nil:
		r.report("read", err, diags)
		return true
	}
	summary, there := "The branch was replaced by a restore ("+branch.ID+")", fmt.Sprintf(". The %s went along", r.noun())
	if isGone {
		summary = "The branch was replaced by a restore, and is gone (" + branch.ID + ")"
		there = fmt.Sprintf(", which was deleted since. The %s is there too", r.noun())
	}
	diags.AddWarning(summary, fmt.Sprintf("Branch %s (%s), which was restored, has replaced branch %s%s. Where "+
		"branch_id is to be %s, this plan moves it there in place.",
		successor.ID, Quoted(successor.Name), branch.ID, there, successor.ID))
	return true
}
