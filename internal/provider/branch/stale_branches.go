package branch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// staleBatch is how many branches are deleted before their operations are waited for: few enough that the newest
// operations of the project have them all.
const staleBatch = 20

func called(branch client.Branch) string {
	return fmt.Sprintf("%s (%s)", kit.Quoted(branch.Name), branch.ID)
}

// deleteStale is one invocation of neon_delete_stale_branches.
func deleteStale(ctx context.Context, api *client.Client, config staleModel) (string, error) {
	found, kept, err := findStale(ctx, api, config)
	if err != nil {
		return "", err
	}
	if config.onlyNames() {
		for _, one := range found {
			client.Say(ctx, "Would delete %s: %s.", called(one.Branch), history(one))
		}
	}
	if most := config.most(); len(found) > most {
		return "", kit.Advise(fmt.Errorf("%d branches are stale, and at_most is %d: none was deleted", len(found), most),
			"Narrow the filters, or name more in keep. If all of them are meant to go, raise at_most.")
	}
	if config.onlyNames() {
		return fmt.Sprintf("This was a dry run: %s would be deleted with dry_run = false, and %s by a rule. Nothing was "+
			"changed.", branches(len(found)), stay(kept)), nil
	}
	deleted, keptLate, err := deleteEach(ctx, api, config, found)
	if err != nil {
		return "", notAll(found, deleted, keptLate, err)
	}
	return fmt.Sprintf("%s deleted, and %s by a rule. The next plan creates again those that Terraform manages.",
		wereDeleted(len(deleted)), stay(kept+len(keptLate))), nil
}

// count is a number of branches, with the words for one and for several, in which %d stands for it.
func count(number int, one, several string) string {
	if number == 1 {
		return one
	}
	return fmt.Sprintf(several, number)
}

func branches(number int) string { return count(number, "1 branch", "%d branches") }

func stay(number int) string { return count(number, "1 stays", "%d stay") }

func wereDeleted(number int) string { return count(number, "1 branch was", "%d branches were") }

// findStale finds what passes the filters, oldest first, and says of what stays why it does.
func findStale(
	ctx context.Context, api *client.Client, config staleModel,
) (found []client.FilteredBranch, kept int, err error) {
	filter := config.filter()
	filter.WithUse = true
	passing, err := client.All(api.ListFilteredBranches(ctx, config.ProjectID.ValueString(), client.BranchQuery{}, filter))
	for _, branch := range slices.Backward(passing) {
		why := config.whyKept(branch)
		if why == "" {
			found = append(found, branch)
			continue
		}
		kept++
		client.Say(ctx, "Keeps %s: %s.", called(branch.Branch), why)
	}
	return found, kept, err
}

// whyKept says which rule keeps a branch that passes the filters; empty for none.
func (m staleModel) whyKept(branch client.FilteredBranch) string {
	switch {
	case branch.Default:
		return "it is the project's default branch"
	case branch.Protected:
		return "it is protected"
	case m.keeps(branch.Name, branch.ID):
		return "keep names it"
	case branch.PendingState != "" || !slices.Contains([]string{"ready", "archived"}, branch.CurrentState):
		return "it is being created or changed, and in the state " + cmp.Or(branch.PendingState, branch.CurrentState)
	case branch.RestoreStatus == client.RestorePreviewed:
		return "a snapshot was restored as it, which neon_finalize_branch_restore hasn't put into its place yet"
	}
	for _, endpoint := range branch.Endpoints {
		if state := endpoint.State(); state != "idle" {
			return fmt.Sprintf("its endpoint %s is in use, and in the state %s", endpoint.ID, state)
		}
	}
	if branch.Child != nil {
		return "it is the parent of " + called(*branch.Child)
	}
	return ""
}

func history(branch client.FilteredBranch) string {
	return fmt.Sprintf("created %s, last used %s", branch.CreatedAt.UTC().Format(time.RFC3339),
		branch.LastUse().UTC().Format(time.RFC3339))
}

// deleteEach reads each branch again and deletes it if it is unchanged. It returns the ids of deleted and kept
// branches, also with an error.
func deleteEach(
	ctx context.Context, api *client.Client, config staleModel, found []client.FilteredBranch,
) (deleted, kept []string, err error) {
	projectID := config.ProjectID.ValueString()
	for batch := range slices.Chunk(found, staleBatch) {
		var running []client.Operation
		for _, one := range batch {
			operations, why, err := deleteOne(ctx, api, config, one)
			running = append(running, operations...)
			switch {
			case err != nil:
				return deleted, kept, &deletionError{one.Branch, err}
			case why != "":
				kept = append(kept, one.ID)
				client.Say(ctx, "Keeps %s: %s.", called(one.Branch), why)
			default:
				deleted = append(deleted, one.ID)
				client.Say(ctx, "Deleted %s: %s.", called(one.Branch), history(one))
			}
		}
		if err := api.WaitForOperations(ctx, projectID, running); err != nil {
			return deleted, kept, err
		}
	}
	return deleted, kept, nil
}

// deleteOne looks at a branch again, and deletes it unless there is a reason why it stays.
func deleteOne(
	ctx context.Context, api *client.Client, config staleModel, one client.FilteredBranch,
) (running []client.Operation, why string, err error) {
	ref := client.BranchRef{ProjectID: config.ProjectID.ValueString(), ID: one.ID}
	now, err := lookAgain(ctx, api, ref)
	switch {
	case client.IsAbsent(err):
		return nil, "somebody else has deleted it", nil
	case err != nil:
		return nil, "", err
	case !strings.HasPrefix(now.Name, config.NamePrefix.ValueString()):
		return nil, "its name is now " + kit.Quoted(now.Name), nil
	case now.LastUse().After(one.LastUse()):
		return nil, "it has been used since it was found", nil
	}
	if why := config.whyKept(now); why != "" {
		return nil, why, nil
	}
	running, err = api.DeleteBranch(ctx, ref)
	switch {
	case client.IsAbsent(err):
		return nil, "somebody else has deleted it", nil
	case client.IsRefused(err):
		if _, children, _ := api.GetSharedFamily(ctx, ref); len(children) > 0 {
			return nil, "it has become the parent of " + called(children[0]), nil
		}
	}
	return running, "", err
}

// deletionError is the error of deleting one branch.
type deletionError struct {
	branch client.Branch
	err    error
}

func (e *deletionError) Error() string {
	return fmt.Sprintf("deleting branch %s failed: %s", called(e.branch), e.err)
}

func (e *deletionError) Unwrap() error { return e.err }

// lookAgain reads a branch and its endpoints by requests of their own.
func lookAgain(ctx context.Context, api *client.Client, ref client.BranchRef) (client.FilteredBranch, error) {
	branch, err := api.GetBranch(ctx, ref)
	if err != nil {
		return client.FilteredBranch{}, err
	}
	endpoints, err := client.All(api.ListEndpoints(ctx, ref))
	return client.FilteredBranch{Branch: *branch, Endpoints: endpoints}, err
}

// notAll says what an invocation that failed has deleted, and what it didn't come to.
func notAll(found []client.FilteredBranch, deleted, kept []string, err error) error {
	failed, _ := errors.AsType[*deletionError](err)
	var gone, left []string
	for _, one := range found {
		switch id := one.ID; {
		case slices.Contains(deleted, id):
			gone = append(gone, called(one.Branch))
		case !slices.Contains(kept, id) && (failed == nil || failed.branch.ID != id):
			left = append(left, called(one.Branch))
		}
	}
	return fmt.Errorf("%w.\n\nDeleted: %s.\n\nNot tried: %s", err, listed(gone), listed(left))
}

func listed(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }
