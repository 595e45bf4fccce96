package bucket

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// destroyedMark marks, in the private state, the plan that destroys a bucket. A replacement has no such mark.
const destroyedMark = "goes"

// plan handles changes of the access level, and refuses to replace a bucket that has objects.
func plan(ctx context.Context, p kit.Planning) {
	var mark any
	if p.IsDestruction() {
		mark = true
	}
	kit.SetMark(ctx, p.Private, destroyedMark, mark, p.Diags)
	if p.IsDestruction() || p.Diags.HasError() {
		return
	}
	state, planned, config := kit.ModelsOf[model](ctx, p)
	if p.IsReplacedByForce(ctx) {
		checkEmpty(ctx, p, planned, "")
	}
	if p.IsCreation() {
		checkStorage(ctx, p, planned.InBranch)
		return
	}
	first := p.Remembered(ctx)
	replacing := p.Changed(ctx, "project_id", "name")
	if p.Replaces() { // The planned branch doesn't replace the present one.
		replacing = "branch_id"
	}
	switch {
	case planned.Access.Equal(state.Access):
	case replacing == "" && (config.Access.IsNull() || first == planned.Access.ValueString()):
		keepLevel(ctx, p, state, planned, first)
	default:
		p.Replace(accessLevel)
		if replacing == "" {
			replacing = accessLevel
		}
	}
	if replacing != "" && !state.Protection.ValueBool() { // A protected bucket is refused elsewhere.
		checkEmpty(ctx, p, state, replacing)
	}
	if replacing != accessLevel && p.Replaces() { // With another access level alone, the bucket stays on its branch.
		checkStorage(ctx, p, planned.InBranch)
	}
}

// keepLevel keeps the present access level, with a warning, if the configuration leaves access_level out or somebody
// changed it elsewhere. Neon can't change the level of a bucket, and a new bucket wouldn't have the objects.
func keepLevel(ctx context.Context, p kit.Planning, state, planned model, first string) {
	p.Set(ctx, path.Root(accessLevel), state.Access)
	level := kit.Quoted(state.Access.ValueString())
	if first != planned.Access.ValueString() {
		p.Diags.AddAttributeWarning(path.Root(accessLevel), "The bucket stays "+level+" ("+state.ID.ValueString()+
			")", "The configuration leaves access_level out. That makes a new bucket private, and leaves this one as it is: "+
			"Neon's API can't change the level of a bucket. To say what it is, write\n\n  "+accessLevel+" = "+level)
		return
	}
	p.Diags.AddAttributeWarning(path.Root(accessLevel), "The access level was changed elsewhere ("+
		state.ID.ValueString()+")", fmt.Sprintf(
		"Bucket %s was %s, as it is configured, and is %s now. It stays so: Neon's API can't change the level of a bucket, "+
			"and another bucket would have none of the objects. If it is meant to be so, write\n\n  %s = %s\n\nOtherwise "+
			"change it back where it was changed, such as in the web console.",
		kit.Quoted(state.Name.ValueString()), planned.Access.ValueString(), state.Access.ValueString(), accessLevel, level))
}

// checkEmpty refuses to replace a bucket that has objects. Replacing is the attribute that causes the replacement, or
// "" for -replace and replace_triggered_by.
func checkEmpty(ctx context.Context, p kit.Planning, present model, replacing string) {
	if present.BranchID.IsUnknown() || present.ProjectID.IsUnknown() || present.Name.IsUnknown() {
		return // The plan of the change came first, and found the bucket empty.
	}
	if p.Platform != nil && present.ForceDestroy.ValueBool() {
		p.Control(p.Diags) // Without a look-up, the deletion would empty the bucket.
	}
	branch := present.Branch()
	p.LookUps(func(run kit.Run) {
		// Terraform plans a replacement twice: as a change, and as a creation.
		look := "objects of bucket " + branch.ProjectID + "/" + branch.ID + "/" + present.Name.ValueString()
		object, err := kit.LookUp(p.Platform, look, func() (*client.BucketObject, error) {
			return run.API.GetAnyBucketObject(ctx, branch, present.Name.ValueString())
		})
		switch {
		case client.IsMissing(err): // The bucket is gone, with its objects.
		case err != nil:
			kit.AddAttributeError(run.Diags, path.Root("name"), "Unable to read bucket", err)
		case object != nil:
			cause, undo := "Another "+replacing+" replaces", "leave "+replacing+" as it is, or give the new bucket a block of "+
				"its own and copy the objects"
			switch replacing {
			case accessLevel: // After an import, only this message shows the present level.
				cause = fmt.Sprintf("Another access_level than %s replaces", kit.Quoted(present.Access.ValueString()))
			case "":
				cause, undo = "-replace or replace_triggered_by would replace", "leave that out"
			}
			run.Diags.AddAttributeError(path.Root(cmp.Or(replacing, "name")), "The bucket has objects ("+branch.ProjectID+"/"+
				branch.ID+"/"+present.Name.ValueString()+")", fmt.Sprintf(
				"%s the bucket, and with it would go its objects, such as %s. Terraform never deletes objects to replace a "+
					"bucket, whatever force_destroy says. To keep them, %s. If nobody needs them, delete them first.", cause,
				kit.Quoted(object.Key), undo))
		}
	})
}

// otherLevel returns the error for a bucket that the branch inherits with another access level.
func otherLevel(planned model, other *client.AccessError) error {
	return kit.Blame(kit.Advise(fmt.Errorf("branch %s has bucket %s from its parent, where it is %s",
		planned.BranchID.ValueString(), kit.Quoted(planned.Name.ValueString()), other.Access),
		"Neon's API can't change the level of a bucket. To have it on this branch with its objects, write\n\n  "+accessLevel+
			" = "+kit.Quoted(other.Access)+"\n\nor give this one another name."),
		path.Root(accessLevel))
}

// checkStorage checks that the planned branch can have object storage: some regions and organizations don't.
func checkStorage(ctx context.Context, p kit.Planning, in kit.InBranch) {
	if p.Diags.HasError() || !kit.IsSet(in.ProjectID) || !kit.IsSet(in.BranchID) {
		return
	}
	p.LookUps(func(run kit.Run) {
		branch := in.Branch()
		_, err := kit.LookUp(p.Platform, "storage of branch "+branch.ProjectID+"/"+branch.ID,
			func() (*client.Storage, error) { return run.API.GetStorage(ctx, branch) })
		var answer *client.Error
		if errors.As(err, &answer) && answer.Reason != "" {
			kit.AddAttributeError(run.Diags, path.Root("branch_id"), "No object storage on the branch", err)
		}
	})
}
