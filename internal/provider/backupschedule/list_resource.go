package backupschedule

import (
	"context"
	"iter"

	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_branch_backup_schedule: the schedules of a
// project's branches.
func NewListResource() framework.ListResource {
	return kit.NewListInProject("branch_backup_schedule", key, "Lists the backup schedules of a project's branches. "+
		"Sends one request for each root branch, since only these can have one.", schedules,
		func(projectID string, found scheduled) kit.Listed[model] {
			return kit.Listed[model]{
				Key: []string{projectID, found.branch.ID}, DisplayName: found.branch.Name,
				Read: func(imported model) (model, error) { return imported.refreshed(found.entries), nil },
			}
		})
}

// scheduled is a branch with its schedule.
type scheduled struct {
	branch  client.Branch
	entries []client.BackupEntry
}

// schedules asks each branch that can have one: the list of branches doesn't say which has.
func schedules(api *client.Client, ctx context.Context, projectID string) iter.Seq2[scheduled, error] { //nolint:revive // Like the client's methods.
	return func(yield func(scheduled, error) bool) {
		for branch, err := range api.ListBranches(ctx, projectID, client.BranchQuery{}) {
			if err == nil && branch.ParentID != "" {
				continue
			}
			found := scheduled{branch: branch}
			if err == nil {
				found.entries, err = api.GetBackupSchedule(ctx, client.BranchRef{ProjectID: projectID, ID: branch.ID})
				if client.IsAbsent(err) {
					continue
				}
			}
			if !yield(found, err) {
				return
			}
		}
	}
}
