package branch

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// mostRoots is how many root branches a project has at most, by the subscriptions that Neon names for its present
// plans. What any other has isn't known.
var mostRoots = map[string]int{"free_v3": 3, "launch_v3": 5, "scale_v3": 25}

// warnOfLimits warns of a new branch that takes the last place of its project, or is one too many, as far as that shows
// in what this plan has read for other reasons: the project, and the list of its branches. It sends no request.
func warnOfLimits(p kit.Planning, plan branchModel) {
	if p.Diags.HasError() || !kit.IsSet(plan.ProjectID) || !p.CanLookUp() {
		return
	}
	projectID, isRoot := plan.ProjectID.ValueString(), plan.InitSource.ValueString() == initSchemaOnly
	others := p.Adding("branches of "+projectID, plan.Name.ValueString())
	otherRoots := 0
	if isRoot {
		otherRoots = p.Adding("root branches of "+projectID, plan.Name.ValueString())
	}
	project, isRead := p.Client.AnsweredProject(projectID)
	listed, isListed := p.Client.ListedBranches(projectID)
	if !isRead || !isListed || project.Owner == nil {
		return
	}
	present := p.StayingBranches(listed)
	if most := project.Owner.BranchesLimit; most > 0 {
		warnOfPlaces(places{"branches", path.Root("name"), projectID, len(present) + others, most}, p.Diags)
	}
	if most := mostRoots[project.Owner.SubscriptionType]; isRoot && most > 0 {
		roots := slices.DeleteFunc(present, func(branch client.Branch) bool { return branch.ParentID != "" })
		warnOfPlaces(places{"root branches", path.Root("init_source"), projectID, len(roots) + otherRoots, most}, p.Diags)
	}
}

// places are what a project has room for, and how many of them others take.
type places struct {
	of          string
	at          path.Path
	projectID   string
	taken, most int
}

func warnOfPlaces(p places, diags *diag.Diagnostics) {
	counted := fmt.Sprintf("%d of the %d %s of project %s are taken, with those that this plan creates",
		p.taken, p.most, p.of, p.projectID)
	switch {
	case p.taken >= p.most:
		diags.AddAttributeWarning(p.at, "One too many of the "+p.of, counted+". This branch is one more, which Neon will "+
			"refuse unless another is deleted before.")
	case p.taken == p.most-1:
		diags.AddAttributeWarning(p.at, "The last of the "+p.of, counted+". This branch takes the last place.")
	}
}
