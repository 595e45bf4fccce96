package kit

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

const protectionName = "deletion_protection"

// DeletionProtection is the attribute with which a resource that holds data refuses to be
// destroyed or replaced.
func DeletionProtection(noun string) schema.Attribute { return protection(noun, false) }

// StandingProtection is DeletionProtection that holds unless it is set to false.
func StandingProtection(noun string) schema.Attribute { return protection(noun, true) }

func protection(noun string, standard bool) schema.Attribute {
	return Flag(fmt.Sprintf("Whether Terraform refuses to destroy or replace the %s "+
		"([details](../guides/secrets-and-protection.md#protection-against-deletion)). It only affects this resource, not "+
		"Neon. Defaults to `%t`.", noun, standard), standard)
}

// Protected is the error of what would delete an object of a kind that protect of the provider block names; by is who
// configured that.
func Protected(kind, by, what string) (summary, detail string) {
	return "The provider protects each " + kind, fmt.Sprintf("%s. That is refused for each %s, whatever its resource "+
		"says, by %s. To let one go, take %q out there first.",
		what, kind, strings.TrimSuffix(by, ","), kind)
}

// Protection is the attribute deletion_protection of a kind of objects, and what it keeps.
type Protection struct {
	Name   string // what follows neon_
	Called string // what messages call the object
	Key    Key
	// Holds is what Neon deletes with the object, such as "the database and all its data".
	Holds string
	// HasName is true where the schema has a name that isn't in the key.
	HasName bool
}

// protection is that of what this resource manages.
func (r *managed[M]) protection() Protection {
	_, named := r.spec.Schema.Attributes["name"]
	return Protection{r.Name, r.noun(), r.spec.Key, r.spec.Holds, named && r.lastPart() != "name"}
}

// checkDestruction refuses to destroy or replace a protected object, and warns of what a replacement loses. It doesn't
// warn of a plain destroy, which the user asked for.
func (r *managed[M]) checkDestruction(ctx context.Context, p Planning) {
	replacing := ""
	if p.IsChange() {
		replacing = p.Changed(ctx, r.spec.ReplacedBy...)
		if p.Replaces() {
			replacing = cmp.Or(replacing, p.Answer.RequiresReplace[0].String())
		}
		if replacing == "" {
			return
		}
	}
	isRefused := r.protection().Refuses(ctx, p, replacing)
	switch id := strings.Join(r.spec.Key.values(p.State.Raw), "/"); {
	case isRefused || p.IsCreation():
	case r.spec.Final != "":
		p.Diags.AddWarning("Destroyed for good ("+id+")", r.spec.Final)
	case replacing != "" && !r.spec.SaysLoss && !p.Diags.HasError():
		instead, keeping := p.difference(ctx, replacing)
		stays := p.whyStays(p.TextOf("branch_id")) // Terraform drops this warning from the plan of -replace of the branch.
		if stays != "" {
			stays = "\n\n" + stays
		}
		p.Diags.AddAttributeWarning(path.Root(replacing), "Data will be lost ("+id+")", fmt.Sprintf("%s replaces it: "+
			"Neon deletes %s, and %s. To keep it, %s. %s%s",
			instead, r.spec.Holds, cmp.Or(r.spec.Replaced, "a new one is created empty"), keeping,
			p.HowRefused(ctx), stays))
	}
}

// HowRefused says what would have Terraform refuse a plan that replaces what it plans.
func (p Planning) HowRefused(ctx context.Context) string {
	if Get[types.Bool](ctx, p.Plan, path.Root(protectionName), p.Diags).IsUnknown() {
		return "Its " + protectionName + " is known only after apply, so it can't refuse this plan."
	}
	return "With " + protectionName + " = true, or prevent_destroy in its lifecycle block, Terraform refuses such plans."
}

// Refuses refuses a plan that destroys or replaces an object which its state or its plan protects. Replacing is the
// attribute that causes a replacement, or "".
func (p Protection) Refuses(ctx context.Context, of Planning, replacing string) bool {
	diags := of.Diags
	switch {
	case of.IsCreation():
		return p.refusesForced(ctx, of.Private, diags)
	case !p.isOn(ctx, of.State, diags) && (of.IsDestruction() || !p.isOn(ctx, of.Plan, diags)):
		return false
	case replacing != "":
		instead, keeping := of.difference(ctx, replacing)
		diags.AddAttributeError(path.Root(replacing), p.summary(), fmt.Sprintf("%s replaces the %s: Neon would delete "+
			"%s. Its %s is true, which refuses that. To keep it, %s, or give what is to be different a resource of its own. "+
			"If this one is meant to go, set\n\n  %[4]s = false\n\nand apply that first.", instead,
			p.called(of.State.Raw), p.Holds, protectionName, keeping))
	default:
		diags.AddAttributeError(path.Root(protectionName), p.summary(), fmt.Sprintf("The %s would be destroyed: Neon "+
			"would delete %s. Its %s is true, which refuses that.%s",
			p.called(of.State.Raw), p.Holds, protectionName, p.advice()))
	}
	return true
}

// protectedMark holds, in the private state of a protected object, what messages call it. For -replace and
// replace_triggered_by, Terraform plans a creation that only this private state shows to be a replacement.
const protectedMark = "protected"

// Mark sets the mark if the object is protected, and removes it otherwise.
func (p Protection) Mark(ctx context.Context, state tfsdk.State, private PrivateState, diags *diag.Diagnostics) {
	if state.Raw.IsNull() || diags.HasError() {
		return
	}
	var mark any
	if p.isOn(ctx, state, diags) {
		mark = p.called(state.Raw)
	}
	SetMark(ctx, private, protectedMark, mark, diags)
}

// MarkPlanned puts the mark where the plan for an object that exists protects it: in the same run
// the object may be replaced by -replace.
func (p Protection) MarkPlanned(ctx context.Context, of Planning) {
	if of.IsChange() && !of.IsUnchanged() && !of.Diags.HasError() && p.isOn(ctx, of.Plan, of.Diags) &&
		!p.isOn(ctx, of.State, of.Diags) {
		SetMark(ctx, of.Private, protectedMark, p.called(of.State.Raw), of.Diags)
	}
}

// refusesForced refuses to replace what is protected where the configuration doesn't ask for it.
func (p Protection) refusesForced(ctx context.Context, private PrivateState, diags *diag.Diagnostics) bool {
	called, isProtected := MarkOf[string](ctx, private, protectedMark)
	if !isProtected {
		return false
	}
	diags.AddAttributeError(path.Root(protectionName), p.summary(), fmt.Sprintf("The %s would be replaced, by -replace "+
		"or replace_triggered_by: Neon would delete %s. Its %s is true, which refuses that.%s", called, p.Holds,
		protectionName, p.advice()))
	return true
}

func (p Protection) summary() string { return "The " + p.Called + " is protected" }

// called is what an object is called: its kind, its id and its name.
func (p Protection) called(state tftypes.Value) string {
	text := p.Called + " " + strings.Join(p.Key.values(state), "/")
	if p.HasName {
		text += " (" + Quoted(textOf(state, "name")) + ")"
	}
	return text
}

// advice says how one goes on with an object that is protected.
func (p Protection) advice() string {
	return fmt.Sprintf(" If it is meant to go, set\n\n  %s = false\n\nand apply that first; where its block was removed "+
		"from the configuration, put it back for that. To have Terraform forget it instead, without deleting it, write "+
		"this, where NAME is the name of the resource:\n\n%s\n\nA deposed object, which a replacement with "+
		"create_before_destroy has left, can't be configured any more: terraform state rm takes it out of the state, and "+
		"the resource with it, which an import block brings back.", protectionName, RemovedBlock("neon_"+p.Name+".NAME"))
}

// isOn reports whether a state or a plan says for certain that the object is protected.
func (Protection) isOn(ctx context.Context, from object, diags *diag.Diagnostics) bool {
	return Get[types.Bool](ctx, from, path.Root(protectionName), diags).ValueBool()
}

// Keeps refuses to delete what is protected and no plan has refused to, such as a tainted object.
func (p Protection) Keeps(ctx context.Context, state tfsdk.State, diags *diag.Diagnostics) bool {
	if !p.isOn(ctx, state, diags) {
		return false
	}
	diags.AddAttributeError(path.Root(protectionName), p.summary(), fmt.Sprintf("The %s wasn't destroyed, since its %s "+
		"is true. What the same run has created or destroyed before, such as what belonged to it or is to replace it, "+
		"stays created or destroyed.%s If it is only marked as tainted, run terraform untaint.",
		p.called(state.Raw), protectionName, p.advice()))
	return true
}

// checkParents looks up the project and the branch that a plan names anew by ids, before
// anything is created or deleted because of them.
func (r *managed[M]) checkParents(ctx context.Context, p Planning) {
	if p.IsDestruction() || p.IsUnchanged() || p.Diags.HasError() {
		return
	}
	planned := r.parents(ctx, p.Plan, p.Diags)
	if IsSet(planned.ProjectID) && planned != r.parents(ctx, p.State, p.Diags) {
		p.LookUps(func(run Run) { r.CheckBranch(ctx, planned, run.Diags) })
	}
}

// checkNewParents refuses to create what the plan has warned of.
func (r *managed[M]) checkNewParents(ctx context.Context, plan tfsdk.Plan, diags *diag.Diagnostics) {
	if planned := r.parents(ctx, plan, diags); IsSet(planned.ProjectID) {
		r.CheckBranch(ctx, planned, diags)
	}
}

// parents are the project and the branch that a plan or a state names; null where the schema has no such attribute.
func (r *managed[M]) parents(ctx context.Context, from object, diags *diag.Diagnostics) (named InBranch) {
	for name, id := range map[string]*types.String{"project_id": &named.ProjectID, "branch_id": &named.BranchID} {
		if _, has := r.spec.Schema.Attributes[name]; has {
			*id = Get[types.String](ctx, from, path.Root(name), diags)
		}
	}
	return named
}

// addMissing is the error about the id in an attribute, of which nothing can be read.
func addMissing(diags *diag.Diagnostics, attribute string, err error) {
	summary := "Unable to read "
	if client.IsAbsent(err) {
		summary = "No such "
	}
	summary += nounOf(attribute).Called
	AddAttributeError(diags, path.Root(attribute), summary, err)
}
