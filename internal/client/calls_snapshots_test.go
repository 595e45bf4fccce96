package client

import (
	"context"
	"testing"
	"time"
)

// Calls about snapshots, restores and schemas.
func TestCalls_snapshots(t *testing.T) {
	seconds, name := int64(300), "new"
	at := time.Date(2026, 12, 1, 2, 3, 4, 0, time.UTC)
	const snapshot = `{"id":"s","name":"n","lsn":"0/1","source_branch_id":"b","created_at":"2026-12-01T02:03:04Z","manual":true}`
	holdCalls(t, []exchange{
		{"take a snapshot", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateSnapshot(ctx, aBranch, SnapshotCreate{Name: "a&b", Slug: "s-1", LSN: "0/1", ExpiresAt: &at})
		}, "POST /api/v2/projects/p/branches/b/snapshot?expires_at=2026-12-01T02%3A03%3A04Z&lsn=0%2F1&name=a%26b&slug=s-1 ", 200,
			`{"snapshots":[],"snapshot":` + snapshot + `,"operations":[` + anOperation + `]}`, `"full_size":null`},
		{"a project's snapshots", func(ctx context.Context, c *Client) (any, error) { return All(c.ListSnapshots(ctx, "p")) },
			"GET /api/v2/projects/p/snapshots ", 200, `{"snapshots":[` + snapshot + `]}`,
			`"source_branch_id":"b","lsn":"0/1","timestamp":null`},
		{"change a snapshot", func(ctx context.Context, c *Client) (any, error) {
			return c.UpdateSnapshot(ctx, SnapshotRef{"p", "s"}, SnapshotUpdate{Name: &name, RemoveExpiry: true})
		}, `PATCH /api/v2/projects/p/snapshots/s {"snapshot":{"expires_at":null,"name":"new"}}`, 200,
			`{"snapshot":` + snapshot + `}`, `"manual":true`},
		{"delete a snapshot", func(ctx context.Context, c *Client) (any, error) {
			return c.DeleteSnapshot(ctx, SnapshotRef{"p", "s"})
		},
			"DELETE /api/v2/projects/p/snapshots/s ", 202, `{"operations":[` + anOperation + `]}`, `"id":"o"`},
		{"a backup schedule", func(ctx context.Context, c *Client) (any, error) { return c.GetBackupSchedule(ctx, aBranch) },
			"GET /api/v2/projects/p/branches/b/backup_schedule ", 200, `{"schedule":[{"frequency":"daily","hour":0}]}`,
			`[{"frequency":"daily","hour":0}]`},
		{"set a backup schedule", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.SetBackupSchedule(ctx, aBranch, []BackupEntry{{Frequency: "monthly", RetentionSeconds: &seconds}})
		}, `PUT /api/v2/projects/p/branches/b/backup_schedule {"schedule":[{"frequency":"monthly","retention_seconds":300}]}`,
			200, `{}`, `null`},
		{"remove a backup schedule", func(ctx context.Context, c *Client) (any, error) { return nil, c.DeleteBackupSchedule(ctx, aBranch) },
			`PUT /api/v2/projects/p/branches/b/backup_schedule {"schedule":[]}`, 200, `{}`, `null`},
		{"a schema as SQL", func(ctx context.Context, c *Client) (any, error) {
			return c.GetBranchSchemaSQL(ctx, aBranch, "d&e", SchemaMoment{LSN: "0/1"})
		}, "GET /api/v2/projects/p/branches/b/schema?db_name=d%26e&lsn=0%2F1 ", 200, `{"sql":"CREATE"}`, `"CREATE"`},
		{"a schema as JSON", func(ctx context.Context, c *Client) (any, error) {
			return c.GetBranchSchemaJSON(ctx, aBranch, "d", SchemaMoment{Timestamp: &at})
		}, "GET /api/v2/projects/p/branches/b/schema?db_name=d&format=json&timestamp=2026-12-01T02%3A03%3A04Z ", 200,
			`{"json":{"tables":[]}}`, `{"tables":[]}`},
		{"compare schemas", func(ctx context.Context, c *Client) (any, error) {
			return c.GetSchemaDiff(ctx, "p", SchemaComparison{BranchID: "b", Database: "d", BaseBranchID: "c",
				BaseAt: SchemaMoment{LSN: "0/1", Timestamp: &at}})
		}, "GET /api/v2/projects/p/branches/b/compare_schema?base_branch_id=c&base_lsn=0%2F1&base_timestamp=2026-12-01T02%3A03%3A04Z&db_name=d ", 200,
			`{"diff":"+x"}`, `"+x"`},
		{"restore a snapshot", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.RestoreSnapshot(ctx, SnapshotRef{"p", "s"}, SnapshotRestore{TargetBranchID: "b", Finalize: true}))
		}, `POST /api/v2/projects/p/snapshots/s/restore {"finalize_restore":true,"target_branch_id":"b"}`, 200,
			`{"branches":[],"branch":{"id":"c","restored_as":"b"},"operations":[` + anOperation + `]}`, `"restored_as":"b"`},
		{"finalize a restore", func(ctx context.Context, c *Client) (any, error) { return c.FinalizeRestore(ctx, aBranch, "old") },
			`POST /api/v2/projects/p/branches/b/finalize_restore {"name":"old"}`, 200, `{"operations":[` + anOperation + `]}`,
			`"id":"o"`},
	})
}
