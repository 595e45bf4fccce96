package client

import (
	"context"
	"testing"
	"time"
)

// Calls about branches, endpoints and databases.
func TestCalls_branches(t *testing.T) {
	quarter, yes, no, seconds, name := 0.25, true, false, int64(300), "new"
	at := time.Date(2026, 12, 1, 2, 3, 4, 0, time.UTC)
	const (
		endpoint       = `{"endpoints":[],"endpoint":{"id":"e","branch_id":"b","type":"read_write","host":"e.h","autoscaling_limit_min_cu":0.25},"operations":[` + anOperation + `]}`
		branchDatabase = `{"database":{"id":7,"branch_id":"b","name":"d","owner_name":"r"},"operations":[` +
			anOperation + `]}`
		mark = `"annotation_value":{"` + creationAnnotation + `":"*"`
	)
	holdCalls(t, []exchange{
		{"list branches", func(ctx context.Context, c *Client) (any, error) {
			return first(c.ListBranches(ctx, "p", BranchQuery{Search: "x y"}))
		}, "GET /api/v2/projects/p/branches?limit=10000&search=x+y&sort_by=created_at&sort_order=desc ", 200,
			`{"branches":[{"id":"b","name":"n"}],"annotations":{"b":{"value":{"a":"1"}}}}`, `"id":"b"`},
		{"read a branch", func(ctx context.Context, c *Client) (any, error) {
			return c.GetSharedBranch(ctx, BranchRef{ProjectID: "p", ID: "../b"})
		},
			"GET /api/v2/projects/p/branches/..%2Fb ", 200,
			`{"branch":{"id":"../b","expires_at":"2026-12-01T02:03:04Z"},"annotation":{"value":{"a":"1"}}}`,
			`"expires_at":"2026-12-01T02:03:04Z"`},
		{"create a plain branch", func(ctx context.Context, c *Client) (any, error) { return c.CreateBranch(ctx, "p", BranchCreate{}) },
			`POST /api/v2/projects/p/branches {` + mark + `},"branch":{}}`, 201,
			`{"branch":{"id":"b"},"operations":[` + anOperation + `]}`, `"id":"o"`},
		{"create a branch", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateBranch(ctx, "p", BranchCreate{
				Name: "n", ParentID: "b0", ParentLSN: "0/1", ParentTimestamp: &at, InitSource: "schema-only", Protected: &no,
				Archived: true, ExpiresAt: &at,
				Annotations: map[string]string{"z": "1"},
				Endpoints: []EndpointCreate{{Type: EndpointReadWrite, EndpointSettings: EndpointSettings{
					AutoscalingLimitMinCU: &quarter, AutoscalingLimitMaxCU: &quarter, SuspendTimeoutSeconds: &seconds,
				}}},
			})
		}, `POST /api/v2/projects/p/branches {` + mark +
			`,"z":"1"},"branch":{"archived":true,"expires_at":"2026-12-01T02:03:04Z","init_source":"schema-only",` +
			`"name":"n","parent_id":"b0","parent_lsn":"0/1","parent_timestamp":"2026-12-01T02:03:04Z","protected":false},` +
			`"endpoints":[{"autoscaling_limit_max_cu":0.25,"autoscaling_limit_min_cu":0.25,"suspend_timeout_seconds":300,"type":"read_write"}]}`,
			201, `{"branch":{"id":"b"},"endpoints":[{"id":"e"}]}`, `"id":"e"`},
		{"change a branch", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.UpdateBranch(ctx, aBranch, BranchUpdate{Name: &name, Protected: &yes, ExpiresAt: &at}))
		}, `PATCH /api/v2/projects/p/branches/b {"branch":{"expires_at":"2026-12-01T02:03:04Z","name":"new","protected":true}}`, 200,
			`{"branch":{"id":"b","name":"new"}}`, `"name":"new"`},
		{"remove a branch's expiry", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.UpdateBranch(ctx, aBranch, BranchUpdate{RemoveExpiry: true}))
		}, `PATCH /api/v2/projects/p/branches/b {"branch":{"expires_at":null}}`, 200, `{"branch":{"id":"b"}}`,
			`"expires_at":null`},
		{"delete a branch", func(ctx context.Context, c *Client) (any, error) { return c.DeleteBranch(ctx, aBranch) },
			"DELETE /api/v2/projects/p/branches/b ", 200, `{"branch":{"id":"b"},"operations":[` + anOperation + `]}`,
			`"id":"o"`},
		{"delete a branch that is gone", func(ctx context.Context, c *Client) (any, error) { return c.DeleteBranch(ctx, aBranch) },
			"DELETE /api/v2/projects/p/branches/b ", 204, "", `null`},
		{"a branch's endpoints", func(ctx context.Context, c *Client) (any, error) { return c.ListSharedEndpoints(ctx, aBranch) },
			"GET /api/v2/projects/p/branches/b/endpoints ", 200, `{"endpoints":[{"id":"e"}]}`, `"id":"e"`},
		{"a project's endpoints", func(ctx context.Context, c *Client) (any, error) {
			return All(c.ListEndpoints(ctx, BranchRef{ProjectID: "p", ID: ""}))
		},
			"GET /api/v2/projects/p/endpoints ", 200, `{"endpoints":[{"id":"e"}]}`, `"id":"e"`},
		{"read an endpoint", func(ctx context.Context, c *Client) (any, error) {
			return c.GetSharedEndpoint(ctx, EndpointRef{"p", "e"})
		},
			"GET /api/v2/projects/p/endpoints/e ", 200, endpoint, `"autoscaling_limit_min_cu":0.25`},
		{"create an endpoint", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateEndpoint(ctx, aBranch, EndpointCreate{
				Type: EndpointReadOnly, Name: "n", Disabled: &no,
				EndpointSettings: EndpointSettings{SuspendTimeoutSeconds: &seconds},
			})
		}, `POST /api/v2/projects/p/endpoints {"endpoint":{"branch_id":"b","disabled":false,"name":"n","suspend_timeout_seconds":300,"type":"read_only"}}`,
			201, endpoint, `"host":"e.h"`},
		{"change an endpoint", func(ctx context.Context, c *Client) (any, error) {
			return OperationsOf(c.UpdateEndpoint(ctx, EndpointRef{"p", "e"},
				EndpointUpdate{Disabled: &yes, EndpointSettings: EndpointSettings{AutoscalingLimitMaxCU: &quarter}}))
		}, `PATCH /api/v2/projects/p/endpoints/e {"endpoint":{"autoscaling_limit_max_cu":0.25,"disabled":true}}`, 200,
			endpoint, `"id":"o"`},
		{"an endpoint's PostgreSQL settings", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.UpdateEndpoint(ctx, EndpointRef{"p", "e"},
				EndpointUpdate{EndpointSettings: EndpointSettings{Postgres: &PostgresSettings{
					PgSettings: map[string]string{}, PreloadLibraries: &PreloadLibraries{UseDefaults: true,
						EnabledLibraries: []string{"anon"}},
				}}}))
		}, `PATCH /api/v2/projects/p/endpoints/e {"endpoint":{"settings":{"pg_settings":{},"preload_libraries":{"enabled_libraries":["anon"],"use_defaults":true}}}}`,
			200, `{"endpoint":{"id":"e","region_id":"r","settings":{"pg_settings":{"a":"b"}}}}`,
			`"settings":{"pg_settings":{"a":"b"}}`},
		{"delete an endpoint", func(ctx context.Context, c *Client) (any, error) {
			return c.DeleteEndpoint(ctx, EndpointRef{"p", "e"})
		},
			"DELETE /api/v2/projects/p/endpoints/e ", 200, endpoint, `"id":"o"`},
		{"delete an endpoint that is gone", func(ctx context.Context, c *Client) (any, error) {
			return c.DeleteEndpoint(ctx, EndpointRef{"p", "e"})
		},
			"DELETE /api/v2/projects/p/endpoints/e ", 204, "", `null`},
		{"a branch's databases", func(ctx context.Context, c *Client) (any, error) { return All(c.ListDatabases(ctx, aBranch)) },
			"GET /api/v2/projects/p/branches/b/databases ", 200, `{"databases":[{"id":7,"name":"d"}]}`, `"id":7`},
		{"create a database", func(ctx context.Context, c *Client) (any, error) {
			return OperationsOf(c.CreateDatabase(ctx, aBranch, DatabaseCreate{Name: "d", OwnerName: "r"}))
		}, `POST /api/v2/projects/p/branches/b/databases {"database":{"name":"d","owner_name":"r"}}`, 201,
			`{"databases":[],` + branchDatabase[1:], `"id":"o"`},
		{"read a database", func(ctx context.Context, c *Client) (any, error) {
			return databaseKind.read(ctx, c, "p", "b", "d/1")
		}, "GET /api/v2/projects/p/branches/b/databases/d%2F1 ", 200, `{"database":{"id":7,"name":"d/1","owner_name":"r"}}`,
			`"owner_name":"r"`},
		{"rename a database", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.UpdateDatabase(ctx, aBranch, "d", 7, DatabaseUpdate{Name: &name}))
		}, `PATCH /api/v2/projects/p/branches/b/databases/d {"database":{"name":"new"}}`, 200, branchDatabase, `"id":7`},
		{"give a database another owner", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.UpdateDatabase(ctx, aBranch, "d", 7, DatabaseUpdate{OwnerName: &name}))
		}, `PATCH /api/v2/projects/p/branches/b/databases/d {"database":{"owner_name":"new"}}`, 200, branchDatabase,
			`"id":7`},
		{"delete a database", func(ctx context.Context, c *Client) (any, error) { return c.DeleteDatabase(ctx, aBranch, "d") },
			"DELETE /api/v2/projects/p/branches/b/databases/d ", 200, branchDatabase, `"id":"o"`},
		{"delete a database that is gone", func(ctx context.Context, c *Client) (any, error) { return c.DeleteDatabase(ctx, aBranch, "d") },
			"DELETE /api/v2/projects/p/branches/b/databases/d ", 204, "", `null`},
		{"start an endpoint", func(ctx context.Context, c *Client) (any, error) {
			return OperationsOf(c.StartEndpoint(ctx, EndpointRef{"p", "e"}))
		}, "POST /api/v2/projects/p/endpoints/e/start ", 200, endpoint, `"id":"o"`},
		{"suspend an endpoint", func(ctx context.Context, c *Client) (any, error) {
			return OperationsOf(c.SuspendEndpoint(ctx, EndpointRef{"p", "e"}))
		}, "POST /api/v2/projects/p/endpoints/e/suspend ", 200, endpoint, `"id":"o"`},
		{"restart an endpoint", func(ctx context.Context, c *Client) (any, error) {
			return OperationsOf(c.RestartEndpoint(ctx, EndpointRef{"p", "e"}))
		}, "POST /api/v2/projects/p/endpoints/e/restart ", 200, endpoint, `"id":"o"`},
		{"restore a branch", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.RestoreBranch(ctx, aBranch, BranchRestore{SourceID: "s", Timestamp: &at,
				PreserveUnderName: "old"}))
		}, `POST /api/v2/projects/p/branches/b/restore {"preserve_under_name":"old","source_branch_id":"s","source_timestamp":"2026-12-01T02:03:04Z"}`,
			200, `{"branch":{"id":"b","last_reset_at":"2026-12-01T02:03:04Z"},"operations":[` + anOperation + `]}`,
			`"last_reset_at":"2026-12-01T02:03:04Z"`},
		{"reset a branch", func(ctx context.Context, c *Client) (any, error) {
			return OperationsOf(c.RestoreBranch(ctx, aBranch, BranchRestore{SourceID: "s", LSN: "0/1"}))
		}, `POST /api/v2/projects/p/branches/b/restore {"source_branch_id":"s","source_lsn":"0/1"}`,
			200, `{"branch":{"id":"b"},"operations":[` + anOperation + `]}`, `"id":"o"`},
		{"set the default branch", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.SetDefaultBranch(ctx, aBranch))
		}, "POST /api/v2/projects/p/branches/b/set_as_default ", 200, `{"branch":{"id":"b","default":true},"operations":[]}`,
			`"default":true`},
	})
}
