package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// exchange is the advice for two resources that take each other's places: Terraform gives them no order.
const exchange = "Where two resources only change places, as after a change of a list that count reads, give each " +
	"the other's address by terraform state mv. " + destroyInstead

// destroyInstead is the advice about a plan that refuses to change what is there: to destroy it, Terraform plans the
// configuration first, and doesn't say what for.
const destroyInstead = "To destroy all instead, run terraform destroy -refresh=false."

// WarnOfOthersName warns of a new name that another object has now, with other data. A plan can't see whether a list
// that count reads has lost an element, where each object takes the name of the next and the last is destroyed.
func WarnOfOthersName(object, name string, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("name"), "The new name is another's now", fmt.Sprintf("The new name of %s is "+
		"%s, which another one has now: who connects by that name would find other data. It is so where a list that count "+
		"reads has lost an element: each takes the name of the next one, and the last is destroyed. If that isn't meant, "+
		"don't apply this: use for_each in place of count, with moved blocks for what is there. If it is, apply first what "+
		"gives the name up: Terraform gives the two no order, and Neon refuses a name that is in use.", object, Quoted(name)))
}

// CheckReplacement checks, before a plan replaces an object because of one of the parts or another branch, that the new
// one can be created. Look returns an error if it can't, which is added to the attribute.
func (p Planning) CheckReplacement(
	ctx context.Context, noun, attribute string, parts []string, look func(*client.Client) error,
) {
	if !p.replacesBy(ctx, parts) {
		return
	}
	for _, name := range append([]string{"project_id", "branch_id"}, parts...) {
		if _, has := p.Plan.Schema.GetAttributes()[name]; !has {
			continue
		}
		planned := Get[attr.Value](ctx, p.Plan, path.Root(name), p.Diags)
		if planned == nil || planned.IsUnknown() {
			return // Nobody can have it yet.
		}
	}
	p.LookUps(func(run Run) {
		switch err := look(run.API); {
		case client.IsAbsent(err):
			AddAttributeError(p.Diags, path.Root(attribute), "Unable to replace "+noun,
				Advise(err, adviceFor(err)+"\n\n"+destroyInstead))
		case err != nil:
			AddAttributeError(p.Diags, path.Root(attribute), "Unable to replace "+noun,
				Advise(err, strings.TrimSpace(strings.TrimSuffix(adviceFor(err), ownInTheWay)+"\n\n"+exchange)))
		}
	})
}

// CheckNeeded checks that the object exists which an attribute names on the branch: for a creation, and for a
// replacement because of one of the parts or another branch.
func (p Planning) CheckNeeded(
	ctx context.Context, attribute string, parts []string,
	find func(api *client.Client, branch client.BranchRef, name string) error,
) {
	// While a run applies, Neon itself says it of a creation.
	if isNew := p.IsCreation() && !p.IsDestruction() && !p.IsApplying(); !isNew && !p.replacesBy(ctx, parts) {
		return
	}
	var in InBranch
	in.ReadFrom(ctx, p.Answer.Plan, p.Diags)
	p.CheckNamed(ctx, in, attribute, Get[types.String](ctx, p.Answer.Plan, path.Root(attribute), p.Diags), find)
}

// CheckNamed checks that the object exists which an attribute newly names on the branch. If the branch can't be read,
// another look-up reports it.
func (p Planning) CheckNamed(
	ctx context.Context, in InBranch, attribute string, name types.String,
	find func(api *client.Client, branch client.BranchRef, name string) error,
) {
	if p.Diags.HasError() || !IsSet(in.ProjectID) || !IsSet(in.BranchID) || !IsSet(name) {
		return
	}
	p.LookUps(func(run Run) {
		branch := in.Branch()
		if _, err := p.LookUpBranch(ctx, branch); err != nil {
			return
		}
		err := find(run.API, branch, name.ValueString())
		if client.IsAbsent(err) && !p.IsNaming(missingNoun(err), branch.ProjectID, branch.ID, name.ValueString()) {
			problem := MissingNamed(err, attribute)
			if !p.IsCreation() {
				problem = Advise(problem, adviceFor(problem)+"\n\n"+destroyInstead)
			}
			AddAttributeError(run.Diags, path.Root(attribute), "No such "+missingNoun(err), problem)
		}
	})
}

// replacesBy reports whether a plan without errors replaces an object: since one of these attributes changes, or since
// the plan so far says so.
func (p Planning) replacesBy(ctx context.Context, parts []string) bool {
	return p.IsChange() && !p.Diags.HasError() && (p.Changed(ctx, parts...) != "" || p.Replaces())
}

// replacing are the attributes whose change replaces an object, or else those of its key. Whether another branch does
// is in the plan already; see planBranch.
func (r *managed[M]) replacing() []string {
	names := r.spec.ReplacedBy
	if len(names) == 0 {
		names = r.spec.Key.names()
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "branch_id" })
}

// checkPlace refuses a replacement if another object has the new key: Neon would delete the old object and then refuse
// the new one.
func (r *managed[M]) checkPlace(ctx context.Context, p Planning) {
	if !p.replacesBy(ctx, r.replacing()) {
		return
	}
	key := r.spec.Key.values(p.Plan.Raw)
	if !r.spec.Key.valid(key) || slices.Equal(key, r.spec.Key.values(p.State.Raw)) {
		return // Nobody can have it yet, or it is this object itself.
	}
	p.LookUps(func(run Run) {
		if !r.isThere(ctx, run.API, p.State, key, p.Diags) {
			return
		}
		AddAttributeError(p.Diags, r.configuredKey(), "Unable to replace "+r.noun(),
			Advise(fmt.Errorf("%s %s is there already. Neon would delete the old one first, and then refuse the new one",
				r.noun(), strings.Join(key, "/")), "If another resource of this configuration manages it, remove one of the two, "+
				"and apply that first. "+exchange+" Otherwise "+importThere("neon_"+r.Name, key...)))
	})
}

// checkFree warns of a creation that finds an object of its key. One that the state has may be gone by then, or be this
// resource's own that is tainted. An apply, which plans all anew, doesn't look again.
func (r *managed[M]) checkFree(ctx context.Context, p Planning) {
	if p.IsDestruction() || p.Diags.HasError() || r.IsApplying() {
		return
	}
	key := r.spec.Key.values(p.Plan.Raw)
	if !r.spec.Key.valid(key) || r.IsManaged(r.spec.Name, key...) {
		return
	}
	p.LookUps(func(run Run) {
		if r.isThere(client.ForHint(ctx), run.API, p.State, key, run.Diags) {
			run.Diags.AddAttributeWarning(r.configuredKey(), "The "+r.noun()+" is there already",
				fmt.Sprintf("%s %s is there already, and Neon refuses to create it again. If another resource of this "+
					"configuration manages it, remove one of the two; if one did that has another name now, write a moved block. "+
					"Otherwise %s", r.noun(), strings.Join(key, "/"), importThere("neon_"+r.Name, key...)))
		}
	})
}

// isThere reports whether an object of a key is there, and isn't only inherited: that, a creation takes over. What
// can't be read is left to the creation.
func (r *managed[M]) isThere(
	ctx context.Context, api *client.Client, of tfsdk.State, key []string, diags *diag.Diagnostics,
) bool {
	there, found := tfsdk.State{Schema: of.Schema, Raw: tftypes.NewValue(of.Raw.Type(), nil)}, diag.Diagnostics{}
	r.spec.Key.set(ctx, key, &there, nil, &found)
	var place M
	if found.Append(there.Get(ctx, &place)...); found.HasError() {
		diags.Append(found...)
		return false
	}
	if _, err := r.spec.Read(ctx, r.Run(&found), place); err != nil {
		return false
	}
	if r.spec.IsInherited == nil {
		return true
	}
	isInherited, err := r.spec.IsInherited(ctx, api, place)
	return !isInherited && err == nil
}
