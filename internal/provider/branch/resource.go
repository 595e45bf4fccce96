// Package branch implements neon_branch and its data sources: a branch is a copy-on-write
// clone of its parent's data at a moment in time, with compute endpoints of its own that
// clients connect to. Every project has a default branch.
package branch

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

var noun = kit.Introduce(kit.Noun{
	Called: "branch", ListedBy: "branches", NamedIn: "branch_id", Advise: adviseUnmasked,
	IDs: kit.IDs{
		Prefix: "br-", Example: "br-wispy-meadow-a1b2c3d4", LookUp: kit.LookUpInProject("branch"),
		In: []string{"branch_id", "parent_id", "source_branch_id", "target_branch_id", "base_branch_id"},
	},
})

var branchKey = kit.Key{
	Rule: "A branch is imported by project_id/branch_id, such as wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4",
	Parts: []kit.KeyPart{
		{Name: "project_id", Description: "Id of the project that the branch belongs to.", Valid: kit.IsID("project_id")},
		{Name: "id", Description: "Id of the branch.", Valid: kit.IsID("branch_id")},
	},
}

// NewResource returns the managed resource neon_branch: a branch with its compute endpoints.
func NewResource() resource.Resource {
	itself := path.Empty()
	return kit.NewResource(kit.Resource[branchModel]{
		Name: "branch",
		First: "created_at current_state default endpoints expires_at id init_source name parent_id parent_lsn " +
			"parent_timestamp project_id protected timeouts",
		Key:      branchKey,
		ListedBy: noun.ListedBy,
		// The endpoints, which are resources of their own there, come with the branch.
		MovedFrom: kit.MovedAs("neon_branch",
			"kislerdm/neon", "kenchan0130/neon", "neondatabase/neon", "terraform-community-providers/neon"),
		Schema: schema.Schema{
			MarkdownDescription: "A branch of a project, with its compute endpoints. It starts as a copy of its parent, and " +
				"its storage costs nothing until it differs.",
			Attributes: ordinaryAttributes(),
		},
		Holds:         deletionProtection.Holds,
		SaysLoss:      true,
		HasSuccessors: true,
		Protects:      &itself,
		Plan:          planOrdinary,
		Create:        createOrdinary,
		Read:          readOrdinary,
		Update:        updateOrdinary,
		Delete:        deleteOrdinary,
	})
}

func ordinaryAttributes() map[string]schema.Attribute {
	attributes := originAttributes()
	attributes["project_id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the project that the branch belongs to. Changing it replaces the branch.",
		Required:            true,
		Validators:          kit.IDValidators(),
	}
	attributes["name"] = nameAttribute()
	attributes["protected"] = protectedAttribute("the branch and its endpoints",
		": to prevent that, use `deletion_protection`")
	attributes["deletion_protection"] = kit.DeletionProtection("branch")
	attributes["final_snapshot"] = rootbranch.FinalSnapshot("it")
	maps.Copy(attributes, expiryAttributes())
	attributes["endpoints"] = endpointsAttribute()
	attributes["timeouts"] = kit.Timeouts(timeouts.Opts{Create: true, Update: true, Delete: true})
	attributes["id"] = kit.ComputedString("Id of the branch.")
	attributes["default"] = kit.ComputedBool("Whether this is the project's default branch, which can't be deleted.")
	attributes["current_state"] = kit.ComputedString("State when it was last read, such as `init`, `ready` or `archived`.")
	attributes["created_at"] = kit.ComputedTime("When the branch was created.")
	return attributes
}

// createOrdinary creates the branch, and saves it before it waits for anything.
func createOrdinary(ctx context.Context, run kit.Run, plan branchModel, save func(branchModel)) error {
	if err := run.Expired(ctx, plan.ExpiresAt); err != nil {
		return err
	}
	config := kit.ConfigOf[branchModel](ctx, run)
	change := branchChange{kind: ordinary, config: config, plan: plan}
	if checkOrigin(ctx, run, change); run.Diags.HasError() {
		return nil
	}
	planned := endpointModels(plan.Endpoints)
	keepTimeouts(ctx, run, config)
	inline, later := splitByCall(planned)
	created, err := run.API.CreateBranch(ctx, plan.ProjectID.ValueString(),
		branchCreate(plan, plan.newExpiry(ctx, run.API), planned, inline, later))
	lost, isLost := errors.AsType[*client.AmbiguousError](err)
	switch {
	case isLost:
		return kit.Advise(err, kit.LostNamed(lost))
	case client.HasStatus(err, http.StatusConflict):
		return change.adviseTaken(ctx, run.API, err)
	case err != nil:
		return adviseHistory(ctx, run.API, plan, err)
	}
	w := &work{
		Run: run, saves: save,
		model:      plan.resolved(ctx, &created.Object.Branch).withExpiry(&created.Object.Branch),
		endpoints:  matchCreated(ctx, planned, inline, created.Object.Endpoints),
		unfinished: nothingUnfinished(), finalState: announcedState(created.Object.Branch),
	}
	w.model.Protected = types.BoolValue(created.Object.Protected)
	w.save()
	maps.Copy(planned, w.endpoints)
	err = w.apply(ctx, created.Operations, plan, planned)
	if errors.Is(err, context.Canceled) || client.IsUnread(err) {
		if wait, is := errors.AsType[*client.WaitError](err); is {
			w.unfinished.Operations = operationIDs(wait.Running)
		}
		w.unfinished.Changes = nil
		err = kit.Unfinished(err)
	}
	w.unfinished.save(ctx, run.Private, run.Diags)
	return err
}

// announcedState is the state that a new branch will have when its operations have
// finished; empty where its answer lacks that, or where it begins.
func announcedState(branch client.Branch) string {
	if branch.ParentID != "" && branch.ParentLSN == "" {
		return ""
	}
	return branch.PendingState
}

// branchCreate returns the request that creates the branch with the endpoints inline. It
// asks for no protection: a branch whose creation fails must be replaceable.
func branchCreate(
	plan branchModel, expiry *time.Time, planned map[string]compute.Endpoint, inline, later []string,
) client.BranchCreate {
	create := client.BranchCreate{
		Name:            plan.Name.ValueString(),
		ParentID:        plan.ParentID.ValueString(),
		ParentLSN:       plan.ParentLSN.ValueString(),
		ParentTimestamp: kit.Instant(plan.ParentTimestamp),
		InitSource:      plan.InitSource.ValueString(),
		Archived:        plan.Archived.ValueBool(),
		ExpiresAt:       expiry,
	}
	for _, label := range inline {
		create.Endpoints = append(create.Endpoints, planned[label].Create())
	}
	if len(planned) > 0 {
		create.Annotations = map[string]string{labelsAnnotation: encodeLabels(planned, slices.Concat(inline, later))}
	}
	return create
}

// readOrdinary reads the branch, or the one that has replaced it.
func readOrdinary(ctx context.Context, run kit.Run, state branchModel) (branchModel, error) {
	branch, endpoints, err := readBranch(ctx, run.API, state)
	if hasNoPlace(branch, err, state) {
		branch, endpoints, err = readSuccessor(ctx, run.API, state, branch, endpoints, err, run.Diags)
	}
	if err != nil {
		return state, err
	}
	left := readUnfinished(ctx, run.Private, run.Diags)
	left, err = left.refreshed(ctx, run.API, state.ProjectID.ValueString(), run.Diags)
	if err != nil {
		return state, err
	}
	left.save(ctx, run.Private, run.Diags)
	actual := state.refreshed(branch)
	switch {
	case kit.IsImport(ctx, run.Private):
		actual = state.importedWith(branch, endpoints)
		kit.SetMark(ctx, run.Private, importedEndpoints, true, run.Diags)
	case state.isImported():
		// A state that was taken over from another provider never had them, so that nothing differs from its configuration.
		actual = state.imported(branch)
	case !state.Endpoints.IsNull():
		actual.Endpoints = endpointsValue(refreshEndpoints(endpointModels(state.Endpoints), endpoints))
	}
	markRead(ctx, actual, run.Private, run.Diags)
	return actual, nil
}

// readBranch reads the branch and, unless they aren't managed, its endpoints.
func readBranch(ctx context.Context, api *client.Client, model branchModel) (*client.Branch, []client.Endpoint, error) {
	ref := model.ref()
	var endpoints []client.Endpoint
	var endpointsErr error
	var reading sync.WaitGroup
	if model.isImported() || !model.Endpoints.IsNull() {
		expected := slices.Collect(maps.Keys(labelsByID(endpointModels(model.Endpoints))))
		// Both lists, which serve all branches of a plan, are fetched at the same time.
		reading.Go(func() {
			endpoints, endpointsErr = api.ListSharedEndpoints(ctx, ref, expected...)
		})
	}
	branch, err := api.GetSharedBranch(ctx, ref)
	reading.Wait()
	return branch, endpoints, cmp.Or(err, endpointsErr)
}

// updateOrdinary changes the branch and its endpoints in place, and completes an interrupted
// creation.
func updateOrdinary(ctx context.Context, run kit.Run, state, plan branchModel, save func(branchModel)) error {
	config, left := kit.ConfigOf[branchModel](ctx, run), readUnfinished(ctx, run.Private, run.Diags)
	w := &work{
		Run: run, saves: save, model: state, endpoints: existingEndpoints(state.Endpoints), unfinished: left,
		keepsProtection: config.Protected.IsNull() && !isOwnProtection(ctx, run.Private),
	}
	w.model.Archived = plan.Archived // Neon takes it at the creation only.
	w.model.DeletionProtection, w.model.FinalSnapshot = plan.DeletionProtection, plan.FinalSnapshot
	if plan.Endpoints.IsNull() { // They are no longer managed.
		w.model.Endpoints, w.endpoints = plan.Endpoints, nil
	}
	w.save()
	err := w.apply(ctx, left.running(w.projectID()), plan, endpointModels(plan.Endpoints))
	if err == nil {
		keepTimeouts(ctx, run, config)
	}
	if client.HasStatus(err, http.StatusConflict) && !plan.Name.Equal(w.model.Name) {
		err = branchChange{kind: ordinary, plan: plan, state: state}.adviseTaken(ctx, run.API, err)
	}
	w.unfinished.save(ctx, run.Private, run.Diags)
	return err
}
