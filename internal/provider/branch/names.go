package branch

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// checkNewName refuses to replace a branch by one whose name another branch has.
func checkNewName(ctx context.Context, run kit.Run, change branchChange) {
	existing := otherNamed(ctx, run.API, change.plan, change.state.ID)
	if existing == nil {
		return
	}
	run.Diags.AddAttributeError(path.Root("name"), "The name is taken", fmt.Sprintf("Project %s already has a branch "+
		"named %s, %s. Branch %s would be deleted first, and Neon would then refuse the new one: choose another name, or "+
		"apply first what takes the name from the other one.", existing.ProjectID, kit.Quoted(existing.Name), existing.ID,
		change.state.ID.ValueString()))
}

// warnOfName warns of a new branch, or a new name, that finds the name taken. A branch that the state has may be gone
// or renamed by then, or be this resource's own that is tainted. An apply, which plans all anew, doesn't look again.
func warnOfName(ctx context.Context, run kit.Run, change branchChange) {
	id := change.state.ID
	if change.plan.Name.Equal(change.state.Name) || run.IsApplying() {
		return
	}
	existing := otherNamed(ctx, run.API, change.plan, id)
	if existing == nil {
		return
	}
	if run.IsGoing(existing.ID) || run.RenamesBranch(existing.ID, existing.Name) ||
		run.IsManaged("branch", existing.ProjectID, existing.ID) ||
		run.IsManaged("anonymized_branch", existing.ProjectID, existing.ID) {
		if !id.IsNull() {
			kit.WarnOfOthersName(describe(change.state), existing.Name, run.Diags)
		}
		return
	}
	run.Diags.AddAttributeWarning(path.Root("name"), "The name is taken", fmt.Sprintf("Project %s already has a "+
		"branch named %s, %s, and Neon refuses a second one. %s", existing.ProjectID, kit.Quoted(existing.Name),
		existing.ID, change.adviseNamed(existing)))
}

// warnOfTwo warns if the same plan gives the branch's new name to another branch of the project. A replacement is
// checked when Terraform plans its creation.
func (c branchChange) warnOfTwo(p kit.Planning) {
	if !c.plan.Name.Equal(c.state.Name) && !p.Replaces() {
		p.WarnOfTwo("branch", path.Root("name"), c.plan.ProjectID.ValueString(), c.plan.Name.ValueString())
	}
}

// otherNamed returns the branch with the planned name and another id; nil if there is none, or if the creation will
// report the error.
func otherNamed(ctx context.Context, api *client.Client, plan branchModel, id types.String) *client.Branch {
	if !kit.IsSet(plan.ProjectID) || !kit.IsSet(plan.Name) {
		return nil
	}
	name := plan.Name.ValueString()
	existing, err := api.GetSharedBranchByName(client.ForHint(ctx), plan.ProjectID.ValueString(), name)
	if err != nil || existing == nil || existing.Name != name || existing.ID == id.ValueString() {
		return nil
	}
	return existing
}

// adviseTaken names the branch that has the planned name, where Neon refuses that, and says what to do about it.
func (c branchChange) adviseTaken(ctx context.Context, api *client.Client, refusal error) error {
	existing, err := api.GetBranchByName(ctx, c.plan.ProjectID.ValueString(), c.plan.Name.ValueString())
	switch {
	case err != nil:
		refusal = kit.Advise(refusal, "The branch of that name could not be read ("+err.Error()+"). Apply again, which "+
			"names it; or choose another name, or import that branch.")
	case existing == nil:
		refusal = kit.Advise(refusal, "No branch of that name is listed: one may be on its way, as after an answer that "+
			"was lost, or just be deleted. Apply again, which names it where it exists; or choose another name.")
	default:
		refusal = kit.Advise(fmt.Errorf("the name is taken: project %s already has a branch named %q: %s, created at %s. %w",
			existing.ProjectID, existing.Name, existing.ID, existing.CreatedAt.UTC().Format(time.RFC3339), refusal),
			c.adviseNamed(existing))
	}
	return kit.Blame(refusal, path.Root("name"))
}

// adviseNamed advises what to do about a branch that already has the new name.
func (c branchChange) adviseNamed(existing *client.Branch) string {
	switch {
	case !c.state.ID.IsNull():
		return "If another resource of this configuration has that name until it is renamed in this run, apply that " +
			"first, with a name of its own here. Otherwise choose another name."
	case c.kind == anonymized && !existing.IsAnonymized():
		return "It isn't an anonymized one: choose another name."
	}
	advice := "If another resource of this configuration has that name, or has it until it is replaced or renamed in " +
		"this run, choose another name: importing it here too would have two resources manage one branch. Otherwise, for " +
		"instance after an interrupted run or with the state lost, " +
		kit.ImportIt(c.kind, existing.ProjectID, existing.ID)
	if existing.Default {
		advice = "It is the project's default branch, which default_branch of neon_project manages as well: configure it " +
			"there, or choose another name. " + advice
	}
	return advice
}
