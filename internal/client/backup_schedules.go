package client

import (
	"context"
	"net/http"
	"slices"
)

// BackupEntry is a time at which Neon takes snapshots of a branch. Nil is left to Neon, or without a meaning.
type BackupEntry struct {
	// Frequency is an open set: "daily", "weekly" and "monthly" are published.
	Frequency string `json:"frequency"`
	Hour      *int64 `json:"hour,omitempty"`  // of the day, 0 to 23
	Day       *int64 `json:"day,omitempty"`   // of the week or the month, 1 to 31
	Month     *int64 `json:"month,omitempty"` // of the year, 1 to 12
	// RetentionSeconds is how long each snapshot is kept.
	RetentionSeconds *int64 `json:"retention_seconds,omitempty"`
}

// DefaultRetentionSeconds is how long Neon keeps scheduled snapshots by default and at most: 35 days.
const DefaultRetentionSeconds = 3024000

// Allows reports whether an entry of Neon's is what this one asks for.
func (e BackupEntry) Allows(actual BackupEntry) bool {
	fits := func(wanted, actual *int64) bool { return wanted == nil || actual != nil && *wanted == *actual }
	return e.Frequency == actual.Frequency && fits(e.Hour, actual.Hour) && fits(e.Day, actual.Day) &&
		fits(e.Month, actual.Month) &&
		fits(e.RetentionSeconds, actual.RetentionSeconds)
}

// GetBackupSchedule reads when Neon takes snapshots of a branch, in Neon's order. IsAbsent is true
// for the error about a branch that has no schedule, or doesn't exist.
// GET /projects/{project_id}/branches/{branch_id}/backup_schedule: https://api-docs.neon.tech/reference/getsnapshotschedule
func (c *Client) GetBackupSchedule(ctx context.Context, branch BranchRef) ([]BackupEntry, error) {
	entries, err := All(kind[BackupEntry]{
		noun: "backup schedule entry", field: "schedule", id: func(entry BackupEntry) string { return entry.Frequency },
	}.each(ctx, c, scheduleCall(http.MethodGet, branch)))
	if err == nil && len(entries) == 0 {
		err = &AbsentError{What: "branch " + branch.ID + " has no backup schedule"}
	}
	return entries, err
}

// SetBackupSchedule replaces the schedule of a root branch as a whole.
// PUT /projects/{project_id}/branches/{branch_id}/backup_schedule: https://api-docs.neon.tech/reference/setsnapshotschedule
func (c *Client) SetBackupSchedule(ctx context.Context, branch BranchRef, entries []BackupEntry) error {
	request := scheduleCall(http.MethodPut, branch)
	request.subject = "the backup schedule of branch " + branch.ID
	if request.body = map[string]any{"schedule": entries}; len(entries) == 0 {
		request.by = removal(request.by.path)
	}
	return c.settle(ctx, request, "", func(ctx context.Context) (bool, error) {
		actual, err := c.GetBackupSchedule(ctx, branch)
		isMissing := func(entry BackupEntry) bool { return !slices.ContainsFunc(actual, entry.Allows) }
		return len(actual) == len(entries) && !slices.ContainsFunc(entries, isMissing), unlessAbsent(err)
	})
}

// DeleteBackupSchedule has Neon take no more snapshots of a branch by itself; those that it
// took stay. A branch that is gone is no error.
// PUT /projects/{project_id}/branches/{branch_id}/backup_schedule: https://api-docs.neon.tech/reference/setsnapshotschedule
func (c *Client) DeleteBackupSchedule(ctx context.Context, branch BranchRef) error {
	return unlessAbsent(c.SetBackupSchedule(ctx, branch, []BackupEntry{}))
}

func scheduleCall(method string, branch BranchRef) call {
	request := call{method: method, route: "/projects/{project_id}/branches/{branch_id}/backup_schedule",
		params: []string{branch.ProjectID, branch.ID}}
	return request.identified(true)
}
