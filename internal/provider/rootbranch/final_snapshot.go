package rootbranch

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	finalName = "final_snapshot"
	// takenMark holds, in the private state, the id of a final snapshot that was taken before a deletion that failed.
	takenMark = "final_snapshot_taken"
	// sameDestruction is the maximum age of a snapshot that a destruction reuses: from a failed attempt before, or from
	// another resource of the branch in the same run.
	sameDestruction = 10 * time.Minute
	// shortestStay is the shortest expires_in. It is longer than clocks may differ.
	shortestStay = time.Hour
)

// FinalSnapshot returns the attribute final_snapshot; before names what the snapshot is taken before.
func FinalSnapshot(before string) schema.Attribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: fmt.Sprintf("A snapshot to take of the branch before Terraform destroys or replaces %s, even "+
			"if its block is removed from the configuration. If the snapshot can't be taken, nothing is deleted. The branch "+
			"must be a root, without a parent. It only affects this resource, not Neon. See [A last "+
			"snapshot](../guides/restore-points.md#a-last-snapshot).", before),
		Optional: true,
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				MarkdownDescription: "Name of the snapshot. One of this name from the last ten minutes is enough, unless what is " +
					"destroyed was created after it.",
				Required:   true,
				Validators: kit.NotEmpty(),
			},
			"expires_in": schema.StringAttribute{
				MarkdownDescription: "How long Neon keeps the snapshot, such as `30d`, at least `1h`. Without it the " +
					"snapshot stays.",
				Optional:   true,
				Validators: []validator.String{kit.TextRule(checkStay)},
			},
		},
	}
}

// checkStay refuses an invalid expires_in.
func checkStay(at path.Path, text string, diags *diag.Diagnostics) {
	if stay, err := kit.ParseDuration(text); err != nil || stay < shortestStay {
		diags.AddAttributeError(at, "Invalid expiry", at.String()+" must be a duration of at least 1h, such as 30d, got: "+
			kit.Quoted(text)+".")
	}
}

// final is the model of final_snapshot.
type final struct {
	Name      types.String `tfsdk:"name"`
	ExpiresIn types.String `tfsdk:"expires_in"`
}

// CheckFinal refuses final_snapshot on a branch with a parent. A branch that can't be read passes here: another look-up
// reports it.
func CheckFinal(ctx context.Context, p kit.Planning, in kit.InBranch, configured types.Object) {
	if !kit.IsSet(configured) || !kit.IsSet(in.ProjectID) || !kit.IsSet(in.BranchID) || !p.CanLookUp() {
		return
	}
	ref := in.Branch()
	if branch, err := p.LookUpBranch(ctx, ref); err == nil && branch.ParentID != "" {
		RefuseFinal(fmt.Sprintf("Branch %s (%s) has the parent %s", ref.ID, kit.Quoted(branch.Name), branch.ParentID),
			p.Diags)
	}
}

// RefuseFinal adds the error for final_snapshot on a branch with a parent.
func RefuseFinal(hasParent string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(finalName), "No snapshot can be taken of this branch", hasParent+
		", and "+rootsAlone+". Remove "+finalName+". To keep the data of a branch with a parent, keep the branch, or create "+
		"another one from it before it goes.")
}

// CheckGoes refuses a plan that deletes an object with final_snapshot together with its project: Neon deletes snapshots
// with the project.
func CheckGoes(p kit.Planning, projectID types.String, called string, stored types.Object) {
	if stored.IsNull() {
		return
	}
	snapshot := kit.Planned{Kind: finalName, Value: types.StringValue(called)}
	if _, goes := p.Other(projectGoes+projectID.ValueString(), snapshot); goes {
		p.Diags.AddAttributeError(path.Root(finalName), goesAlong, whyGoesAlong(called, projectID.ValueString()))
	}
}

// CheckProjectGoes is CheckGoes for a project that is planned after the object.
func CheckProjectGoes(p kit.Planning, projectID string) {
	project := kit.Planned{Kind: "neon_project", Value: types.StringValue(projectID)}
	if other, found := p.Other(projectGoes+projectID, project); found {
		p.Diags.AddError(goesAlong, whyGoesAlong(kit.Text(other.Value), projectID))
	}
}

const (
	projectGoes = "last snapshots in project "
	goesAlong   = "The last snapshot would go with the project"
)

func whyGoesAlong(called, projectID string) string {
	return fmt.Sprintf("The %s would be deleted together with project %s. Its %s asks for a snapshot before that, but a "+
		"project takes all its snapshots along. Keep the project, or give the snapshot up: set\n\n  %[3]s = null\n\nand "+
		"apply that first.", called, projectID, finalName)
}

// CheckBranchGoes refuses a plan that deletes a branch with final_snapshot after one of its databases without: the
// snapshot would be taken when the database is already gone.
func CheckBranchGoes(p kit.Planning, branchID types.String, stored types.Object) {
	if stored.IsNull() {
		return
	}
	branch := kit.Planned{Kind: "neon_branch", Value: branchID}
	if database, goes := p.Other(branchGoes+branchID.ValueString(), branch); goes {
		p.Diags.AddAttributeError(path.Root(finalName), goesBefore,
			whyGoesBefore(kit.Text(database.Value), branchID.ValueString()))
	}
}

// CheckDatabaseGoes is CheckBranchGoes for a database that is planned after its branch.
func CheckDatabaseGoes(p kit.Planning, branchID types.String, called string, stored types.Object) {
	if !stored.IsNull() {
		return
	}
	database := kit.Planned{Kind: "neon_database", Value: types.StringValue(called)}
	if _, goes := p.Other(branchGoes+branchID.ValueString(), database); goes {
		p.Diags.AddAttributeError(path.Root(finalName), goesBefore, whyGoesBefore(called, branchID.ValueString()))
	}
}

const (
	branchGoes = "databases before the last snapshot of branch "
	goesBefore = "The last snapshot wouldn't have the database"
)

func whyGoesBefore(called, branchID string) string {
	return fmt.Sprintf("Branch %s has a %s, so that a snapshot is taken before it is deleted. Terraform deletes the %s "+
		"before that, and the snapshot wouldn't have it. Give the neon_database the same %[2]s, with the same name, and "+
		"apply that first: both then use one snapshot, which is taken before anything is deleted.",
		branchID, finalName, called)
}

// TakeFinal takes the snapshot that final_snapshot asks for and waits until it is complete. After an error, the caller
// must not delete the object. Nothing is taken of a branch that is gone. Since is the time of the object's creation:
// older snapshots don't have it. If the deletion fails afterwards, the next attempt uses the same snapshot.
func TakeFinal(
	ctx context.Context, run kit.Run, branch client.BranchRef, called string, since time.Time, stored types.Object,
) error {
	if stored.IsNull() {
		return nil
	}
	asked := kit.Decode[final](stored)
	create := client.SnapshotCreate{Name: asked.Name.ValueString(), Within: sameDestruction, Since: since}
	create.Whole, _ = kit.MarkOf[string](ctx, run.Private, takenMark) // Without a mark, no snapshot was taken.
	stays := "until somebody deletes it"
	if stay, err := kit.ParseDuration(asked.ExpiresIn.ValueString()); err == nil {
		at := run.API.Now(ctx).Add(stay).UTC().Truncate(time.Second)
		create.ExpiresAt, stays = &at, "until "+at.Format(time.RFC3339)
	}
	taken, err := run.API.CreateSnapshot(ctx, branch, create)
	if err == nil {
		err = run.API.WaitForOperations(ctx, branch.ProjectID, taken.Operations)
	}
	if client.IsAbsent(err) {
		if _, gone := run.API.GetSharedBranch(ctx, branch); client.IsAbsent(gone) {
			return nil
		}
	}
	switch {
	case kit.Is[*client.ReadOnlyError](err):
		return err
	case err != nil:
		advice := howToGoOn(ctx, run.API, branch, err)
		if taken != nil {
			advice = fmt.Sprintf("Snapshot %s may not be whole, and no state has it: the next destroy uses it if it is, and "+
				"otherwise takes another one. Then delete this one.\n\n%s",
				taken.Object.ID, advice)
		}
		return kit.Advise(fmt.Errorf("no last snapshot could be taken, so the %s wasn't deleted: %w", called, err), advice)
	}
	kit.SetMark(ctx, run.Private, takenMark, taken.Object.ID, run.Diags)
	run.Warn("A last snapshot was taken ("+taken.Object.ID+")", fmt.Sprintf("Before the deletion of the %s, "+
		"snapshot %s, named %s, was taken of branch %s. No state has it. Neon keeps it %s, or until the project is "+
		"deleted. The action neon_restore_snapshot makes a branch of it, and the data source neon_snapshots finds it.",
		called, taken.Object.ID, kit.Quoted(taken.Object.Name), branch.ID, stays)+unused(*taken, create))
	return nil
}

// unused returns advice about recent snapshots of the same name that weren't reused: no state has them.
func unused(taken client.Answer[client.Snapshot], create client.SnapshotCreate) (said string) {
	for _, other := range taken.Namesakes {
		if create.IsRecent(other, taken.Object.CreatedAt) {
			said += fmt.Sprintf("\n\nSnapshot %s may not be whole, or isn't kept as long, so that it wasn't used. "+
				"No state has it either: delete it.", other.ID)
		}
	}
	return said
}

// howToGoOn advises what to do if no final snapshot could be taken.
func howToGoOn(ctx context.Context, api *client.Client, ref client.BranchRef, refusal error) string {
	mend := "Destroy it again when the cause is mended."
	if client.HasStatus(refusal, http.StatusUnprocessableEntity) {
		mend = "The account's plan limits how many snapshots a project has: delete one that nobody needs, which the data " +
			"source neon_snapshots lists, and destroy it again."
		if branch, err := api.GetSharedBranch(ctx, ref); err == nil && branch.ParentID != "" {
			mend = hasParent(branch) + ", and " + rootsAlone + "."
		}
	}
	return mend + " To delete it without a snapshot, set\n\n  " + finalName + " = null\n\nand apply that first; where " +
		"its block was removed from the configuration, put it back for that, and where it is marked as tainted, run " +
		"terraform untaint before."
}
