package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// creationMark replaces the random value that a new branch bears.
const creationMark = "*"

// unmarked takes the random value out of a body and brings it into one form.
func unmarked(t *testing.T, body string) string {
	t.Helper()
	if body == "" {
		return ""
	}
	var value map[string]any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if marks, ok := value["annotation_value"].(map[string]any); ok && marks[CreationAnnotation] != "" {
		marks[CreationAnnotation] = creationMark
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each call: what it sends, and what it makes of a documented answer.
func TestCalls(t *testing.T) {
	quarter, yes, no, seconds, name := 0.25, true, false, int64(300), "new"
	at := time.Date(2026, 12, 1, 2, 3, 4, 0, time.UTC)
	const (
		operation = `{"id":"o","project_id":"p","branch_id":"b","endpoint_id":"e","action":"create_branch","status":"running",` +
			`"failures_count":0,"created_at":"2026-12-01T02:03:04Z","updated_at":"2026-12-01T02:03:04Z","total_duration_ms":7,"unknown":{}}`
		endpoint       = `{"endpoint":{"id":"e","branch_id":"b","type":"read_write","host":"e.h","autoscaling_limit_min_cu":0.25},"operations":[` + operation + `]}`
		permission     = `{"id":"s","granted_to_email":"a@b","granted_at":"2026-12-01T02:03:04Z"}`
		invitation     = `{"id":"i","email":"a@b","role":"viewer","invited_by":"u","invited_at":"2026-12-01T02:03:04Z"}`
		jwks           = `{"id":"k","project_id":"p","jwks_url":"https://k","provider_name":"n","branch_id":"b","role_names":["r"]}`
		snapshot       = `{"id":"s","name":"n","lsn":"0/1","source_branch_id":"b","created_at":"2026-12-01T02:03:04Z","manual":true}`
		branchDatabase = `{"database":{"id":7,"branch_id":"b","name":"d","owner_name":"r"},"operations":[` + operation + `]}`
		database       = `{"id":"d","status":"UNCLAIMED","connection_string":"postgresql://x","claim_url":"https://c","expires_at":"2026-12-01T02:03:04.580Z","service_project_id":"p"}`
		mark           = `"annotation_value":{"` + CreationAnnotation + `":"*"`
	)
	scope := APIKeyScope{OrgID: "org/1", ProjectID: "p"}
	for _, test := range []struct {
		name   string
		send   func(context.Context, *Client) (any, error)
		wants  string // the last request's method, URI and body
		status int
		answer string
		result string // a part of what the call gave, as JSON
	}{
		{"list regions", func(ctx context.Context, c *Client) (any, error) { return c.Regions(ctx, "org-1") },
			"GET /api/v2/regions?org_id=org-1 ", 200,
			`{"regions":[{"region_id":"aws-us-east-2","name":"Ohio","default":true,"geo_lat":"39.96","geo_long":""}]}`,
			`"region_id":"aws-us-east-2","name":"Ohio","default":true,"geo_lat":"39.96","geo_long":""`},
		{"list organizations", func(ctx context.Context, c *Client) (any, error) { return c.Organizations(ctx) },
			"GET /api/v2/users/me/organizations ", 200, `{"organizations":[{"id":"org-1","require_mfa":true}]}`, `"require_mfa":true`},
		{"read an organization", func(ctx context.Context, c *Client) (any, error) { return c.Organization(ctx, "org/1") },
			"GET /api/v2/organizations/org%2F1 ", 200, `{"id":"org-1","handle":"h","managed_by":"console"}`, `"managed_by":"console"`},
		{"list members", func(ctx context.Context, c *Client) (any, error) { return first(c.Members(ctx, "org-1")) },
			"GET /api/v2/organizations/org-1/members?limit=500&sort_by=joined_at&sort_order=asc ", 200,
			`{"members":[{"member":{"id":"m","role":"admin"},"user":{"email":"ada@example.com","has_mfa":true}}]}`, `"email":"ada@example.com","has_mfa":true`},
		{"change a member", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.SetMemberRole(ctx, "org/1", "m", "viewer")
		}, `PATCH /api/v2/organizations/org%2F1/members/m {"role":"viewer"}`, 200, `{"id":"m","role":"viewer"}`, `null`},
		{"list invitations", func(ctx context.Context, c *Client) (any, error) { return c.Invitations(ctx, "org-1") },
			"GET /api/v2/organizations/org-1/invitations ", 200, `{"invitations":[` + invitation + `]}`, `"invited_by":"u"`},
		{"list a project's members", func(ctx context.Context, c *Client) (any, error) { return first(c.ProjectMembers(ctx, "p")) },
			"GET /api/v2/projects/p/members ", 200,
			`{"project_members":[{"member_id":"m","org_role":"member","explicit_project_permission":"CAN_EDIT"}]}`, `"org_role":"member"`},
		{"give a member a role in a project", func(ctx context.Context, c *Client) (any, error) {
			return c.SetProjectMemberRole(ctx, "p", "m/1", "editor", true)
		}, `PUT /api/v2/projects/p/members/m%2F1/role?confirm_self_demotion=true {"role":"editor"}`, 200,
			`{"project_id":"p","member_id":"m","credential_rotation_recommended":true}`, `"credential_rotation_recommended":true`},
		{"take a member's role in a project back", func(ctx context.Context, c *Client) (any, error) {
			return c.RemoveProjectMemberRole(ctx, "p", "m", true)
		}, `DELETE /api/v2/projects/p/members/m/role?confirm_self_lockout=true `, 200, `{"project_id":"p","member_id":"m"}`, `"member_id":"m"`},
		{"read the user", func(ctx context.Context, c *Client) (any, error) { return c.CurrentUser(ctx) },
			"GET /api/v2/users/me ", 200, `{"id":"u","email":"ada@example.com","billing_account":{"address_line1":"x"},"projects_limit":10}`, `"projects_limit":10`},
		{"list keys", func(ctx context.Context, c *Client) (any, error) { return c.APIKeys(ctx, APIKeyScope{}) },
			"GET /api/v2/api_keys ", 200,
			`[{"id":7,"name":"ci","created_at":"2026-12-01T02:03:04Z","created_by":{"id":"u","name":"n","image":""},"last_used_at":null,"last_used_from_addr":""}]`,
			`"id":7,"name":"ci","created_at":"2026-12-01T02:03:04Z","created_by":"u","last_used_at":null`},
		{"create a key", func(ctx context.Context, c *Client) (any, error) {
			return c.createAPIKey(ctx, APIKeyScope{}, "ci", nil)
		},
			`POST /api/v2/api_keys {"key_name":"ci"}`, 200,
			`{"id":7,"key":"napi_x","name":"ci","created_at":"2026-12-01T02:03:04Z","created_by":"u"}`, `"created_by":"u"`},
		{"create a project's key", func(ctx context.Context, c *Client) (any, error) { return c.createAPIKey(ctx, scope, "ci", nil) },
			`POST /api/v2/organizations/org%2F1/api_keys {"key_name":"ci","project_id":"p"}`, 200,
			`{"id":7,"key":"napi_x","project_id":"p"}`, `"id":7,"name":"ci","project_id":"p"`},
		{"revoke a key", func(ctx context.Context, c *Client) (any, error) { return nil, c.RevokeAPIKey(ctx, scope, 7) },
			`DELETE /api/v2/organizations/org%2F1/api_keys/7 `, 200, `{"id":7,"revoked":true}`, `null`},
		{"list projects", func(ctx context.Context, c *Client) (any, error) {
			return first(c.Projects(ctx, ProjectQuery{OrgID: "o", Search: "a&b"}))
		}, "GET /api/v2/projects?limit=400&org_id=o&search=a%26b&timeout=30000 ", 200,
			`{"projects":[{"id":"p","name":"n","pg_version":17,"branch_logical_size_limit":512}]}`, `"pg_version":17`},
		{"list shared projects", func(ctx context.Context, c *Client) (any, error) {
			return first(c.Projects(ctx, ProjectQuery{Shared: true}))
		}, "GET /api/v2/projects/shared?limit=400&timeout=30000 ", 200, `{"projects":[{"id":"p"}]}`, `"id":"p"`},
		{"change a project", func(ctx context.Context, c *Client) (any, error) {
			project, _, err := c.UpdateProject(ctx, "p", ProjectUpdate{
				Name: &name, HistoryRetentionSeconds: &seconds,
				DefaultEndpointSettings: &EndpointDefaults{PgSettings: &map[string]string{}},
				Settings:                &ProjectSettings{Quota: &ProjectQuota{}, AllowedIPs: &AllowedIPs{IPs: []string{}}, HIPAA: &yes},
			})
			return project, err
		}, `PATCH /api/v2/projects/p {"project":{"default_endpoint_settings":{"pg_settings":{}},"history_retention_seconds":300,"name":"new","settings":{` +
			`"allowed_ips":{"ips":[],"protected_branches_only":false},"hipaa":true,"quota":{"active_time_seconds":0,"compute_time_seconds":0,` +
			`"data_transfer_bytes":0,"logical_size_bytes":0,"written_data_bytes":0}}}}`, 200,
			`{"project":{"id":"p","settings":{"audit_log_level":"full"}}}`, `"audit_log_level":"full"`},
		{"transfer a project", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.TransferProjects(ctx, []string{"p"}, "o/1", "o2")
		}, `POST /api/v2/organizations/o%2F1/projects/transfer {"destination_org_id":"o2","project_ids":["p"]}`, 200, `{}`, `null`},
		{"delete a project", func(ctx context.Context, c *Client) (any, error) { return nil, c.DeleteProject(ctx, "p") },
			"DELETE /api/v2/projects/p ", 200, `{"project":{"id":"p"}}`, `null`},
		{"list operations", func(ctx context.Context, c *Client) (any, error) { return first(c.Operations(ctx, "p q")) },
			"GET /api/v2/projects/p%20q/operations?limit=1000 ", 200, `{"operations":[` + operation + `]}`, `"total_duration_ms":7`},
		{"read an operation", func(ctx context.Context, c *Client) (any, error) { return c.Operation(ctx, "p", "o?x#y") },
			"GET /api/v2/projects/p/operations/o%3Fx%23y ", 200, `{"operation":` + operation + `}`, `"action":"create_branch","status":"running"`},
		{"list branches", func(ctx context.Context, c *Client) (any, error) {
			return first(c.Branches(ctx, "p", BranchQuery{Search: "x y"}))
		}, "GET /api/v2/projects/p/branches?limit=10000&search=x+y&sort_by=created_at&sort_order=desc ", 200,
			`{"branches":[{"id":"b","name":"n"}],"annotations":{"b":{"value":{"a":"1"}}}}`, `"id":"b"`},
		{"read a branch", func(ctx context.Context, c *Client) (any, error) { return c.Branch(ctx, "p", "../b") },
			"GET /api/v2/projects/p/branches/..%2Fb ", 200,
			`{"branch":{"id":"b","expires_at":"2026-12-01T02:03:04Z"},"annotation":{"value":{"a":"1"}}}`, `"expires_at":"2026-12-01T02:03:04Z"`},
		{"create a plain branch", func(ctx context.Context, c *Client) (any, error) { return c.CreateBranch(ctx, "p", BranchCreate{}) },
			`POST /api/v2/projects/p/branches {` + mark + `},"branch":{}}`, 201, `{"branch":{"id":"b"},"operations":[` + operation + `]}`, `"id":"o"`},
		{"create a branch", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateBranch(ctx, "p", BranchCreate{
				Name: "n", ParentID: "b0", ParentLSN: "0/1", ParentTimestamp: &at, InitSource: "schema-only", Protected: &no, ExpiresAt: &at,
				Annotations: map[string]string{"z": "1"},
				Endpoints: []EndpointCreate{{Type: EndpointReadWrite, EndpointSettings: EndpointSettings{
					AutoscalingLimitMinCU: &quarter, AutoscalingLimitMaxCU: &quarter, SuspendTimeoutSeconds: &seconds,
				}}},
			})
		}, `POST /api/v2/projects/p/branches {` + mark + `,"z":"1"},"branch":{"expires_at":"2026-12-01T02:03:04Z","init_source":"schema-only",` +
			`"name":"n","parent_id":"b0","parent_lsn":"0/1","parent_timestamp":"2026-12-01T02:03:04Z","protected":false},` +
			`"endpoints":[{"autoscaling_limit_max_cu":0.25,"autoscaling_limit_min_cu":0.25,"suspend_timeout_seconds":300,"type":"read_write"}]}`,
			201, `{"branch":{"id":"b"},"endpoints":[{"id":"e"}]}`, `"id":"e"`},
		{"change a branch", func(ctx context.Context, c *Client) (any, error) {
			branch, _, err := c.UpdateBranch(ctx, "p", "b", BranchUpdate{Name: &name, Protected: &yes, ExpiresAt: &at})
			return branch, err
		}, `PATCH /api/v2/projects/p/branches/b {"branch":{"expires_at":"2026-12-01T02:03:04Z","name":"new","protected":true}}`, 200,
			`{"branch":{"id":"b","name":"new"}}`, `"name":"new"`},
		{"remove a branch's expiry", func(ctx context.Context, c *Client) (any, error) {
			branch, _, err := c.UpdateBranch(ctx, "p", "b", BranchUpdate{RemoveExpiry: true})
			return branch, err
		}, `PATCH /api/v2/projects/p/branches/b {"branch":{"expires_at":null}}`, 200, `{"branch":{"id":"b"}}`, `"expires_at":null`},
		{"delete a branch", func(ctx context.Context, c *Client) (any, error) { return c.DeleteBranch(ctx, "p", "b") },
			"DELETE /api/v2/projects/p/branches/b ", 200, `{"branch":{"id":"b"},"operations":[` + operation + `]}`, `"id":"o"`},
		{"delete a branch that is gone", func(ctx context.Context, c *Client) (any, error) { return c.DeleteBranch(ctx, "p", "b") },
			"DELETE /api/v2/projects/p/branches/b ", 204, "", `null`},
		{"a branch's endpoints", func(ctx context.Context, c *Client) (any, error) { return c.BranchEndpoints(ctx, "p", "b") },
			"GET /api/v2/projects/p/branches/b/endpoints ", 200, `{"endpoints":[{"id":"e"}]}`, `"id":"e"`},
		{"a project's endpoints", func(ctx context.Context, c *Client) (any, error) { return c.ProjectEndpoints(ctx, "p") },
			"GET /api/v2/projects/p/endpoints ", 200, `{"endpoints":[{"id":"e"}]}`, `"id":"e"`},
		{"read an endpoint", func(ctx context.Context, c *Client) (any, error) { return c.Endpoint(ctx, "p", "e") },
			"GET /api/v2/projects/p/endpoints/e ", 200, endpoint, `"autoscaling_limit_min_cu":0.25`},
		{"create an endpoint", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateEndpoint(ctx, "p", "b", EndpointCreate{
				Type: EndpointReadOnly, Name: "n", Disabled: &no, EndpointSettings: EndpointSettings{SuspendTimeoutSeconds: &seconds},
			}, nil)
		}, `POST /api/v2/projects/p/endpoints {"endpoint":{"branch_id":"b","disabled":false,"name":"n","suspend_timeout_seconds":300,"type":"read_only"}}`,
			201, endpoint, `"host":"e.h"`},
		{"change an endpoint", func(ctx context.Context, c *Client) (any, error) {
			_, operations, err := c.UpdateEndpoint(ctx, "p", "e", EndpointUpdate{Disabled: &yes, EndpointSettings: EndpointSettings{AutoscalingLimitMaxCU: &quarter}})
			return operations, err
		}, `PATCH /api/v2/projects/p/endpoints/e {"endpoint":{"autoscaling_limit_max_cu":0.25,"disabled":true}}`, 200, endpoint, `"id":"o"`},
		{"an endpoint's PostgreSQL settings", func(ctx context.Context, c *Client) (any, error) {
			changed, _, err := c.UpdateEndpoint(ctx, "p", "e", EndpointUpdate{EndpointSettings: EndpointSettings{Postgres: &PostgresSettings{
				PgSettings: map[string]string{}, PreloadLibraries: &PreloadLibraries{UseDefaults: true, EnabledLibraries: []string{"anon"}},
			}}})
			return changed, err
		}, `PATCH /api/v2/projects/p/endpoints/e {"endpoint":{"settings":{"pg_settings":{},"preload_libraries":{"enabled_libraries":["anon"],"use_defaults":true}}}}`,
			200, `{"endpoint":{"id":"e","region_id":"r","settings":{"pg_settings":{"a":"b"}}}}`, `"settings":{"pg_settings":{"a":"b"}}`},
		{"delete an endpoint", func(ctx context.Context, c *Client) (any, error) { return c.DeleteEndpoint(ctx, "p", "e") },
			"DELETE /api/v2/projects/p/endpoints/e ", 200, endpoint, `"id":"o"`},
		{"delete an endpoint that is gone", func(ctx context.Context, c *Client) (any, error) { return c.DeleteEndpoint(ctx, "p", "e") },
			"DELETE /api/v2/projects/p/endpoints/e ", 204, "", `null`},
		{"a branch's databases", func(ctx context.Context, c *Client) (any, error) { return c.Databases(ctx, "p", "b") },
			"GET /api/v2/projects/p/branches/b/databases ", 200, `{"databases":[{"id":7,"name":"d"}]}`, `"id":7`},
		{"create a database", func(ctx context.Context, c *Client) (any, error) {
			_, operations, err := c.CreateDatabase(ctx, "p", "b", "d", "r")
			return operations, err
		}, `POST /api/v2/projects/p/branches/b/databases {"database":{"name":"d","owner_name":"r"}}`, 201, branchDatabase, `"id":"o"`},
		{"read a database", func(ctx context.Context, c *Client) (any, error) {
			return c.databaseNow(ctx, "p", "b", "d/1")
		}, "GET /api/v2/projects/p/branches/b/databases/d%2F1 ", 200, branchDatabase, `"owner_name":"r"`},
		{"rename a database", func(ctx context.Context, c *Client) (any, error) {
			database, _, err := c.UpdateDatabase(ctx, "p", "b", "d", 7, DatabaseUpdate{Name: &name})
			return database, err
		}, `PATCH /api/v2/projects/p/branches/b/databases/d {"database":{"name":"new"}}`, 200, branchDatabase, `"id":7`},
		{"give a database another owner", func(ctx context.Context, c *Client) (any, error) {
			database, _, err := c.UpdateDatabase(ctx, "p", "b", "d", 7, DatabaseUpdate{OwnerName: &name})
			return database, err
		}, `PATCH /api/v2/projects/p/branches/b/databases/d {"database":{"owner_name":"new"}}`, 200, branchDatabase, `"id":7`},
		{"delete a database", func(ctx context.Context, c *Client) (any, error) { return c.DeleteDatabase(ctx, "p", "b", "d") },
			"DELETE /api/v2/projects/p/branches/b/databases/d ", 200, branchDatabase, `"id":"o"`},
		{"delete a database that is gone", func(ctx context.Context, c *Client) (any, error) { return c.DeleteDatabase(ctx, "p", "b", "d") },
			"DELETE /api/v2/projects/p/branches/b/databases/d ", 204, "", `null`},
		{"start an endpoint", func(ctx context.Context, c *Client) (any, error) {
			_, operations, err := c.StartEndpoint(ctx, "p", "e")
			return operations, err
		}, "POST /api/v2/projects/p/endpoints/e/start ", 200, endpoint, `"id":"o"`},
		{"suspend an endpoint", func(ctx context.Context, c *Client) (any, error) {
			_, operations, err := c.SuspendEndpoint(ctx, "p", "e")
			return operations, err
		}, "POST /api/v2/projects/p/endpoints/e/suspend ", 200, endpoint, `"id":"o"`},
		{"restart an endpoint", func(ctx context.Context, c *Client) (any, error) {
			_, operations, err := c.RestartEndpoint(ctx, "p", "e")
			return operations, err
		}, "POST /api/v2/projects/p/endpoints/e/restart ", 200, endpoint, `"id":"o"`},
		{"restore a branch", func(ctx context.Context, c *Client) (any, error) {
			branch, _, err := c.RestoreBranch(ctx, "p", "b", BranchRestore{SourceID: "s", Timestamp: &at, PreserveUnderName: "old"})
			return branch, err
		}, `POST /api/v2/projects/p/branches/b/restore {"preserve_under_name":"old","source_branch_id":"s","source_timestamp":"2026-12-01T02:03:04Z"}`,
			200, `{"branch":{"id":"b","last_reset_at":"2026-12-01T02:03:04Z"},"operations":[` + operation + `]}`, `"last_reset_at":"2026-12-01T02:03:04Z"`},
		{"reset a branch", func(ctx context.Context, c *Client) (any, error) {
			_, operations, err := c.RestoreBranch(ctx, "p", "b", BranchRestore{SourceID: "s", LSN: "0/1"})
			return operations, err
		}, `POST /api/v2/projects/p/branches/b/restore {"source_branch_id":"s","source_lsn":"0/1"}`,
			200, `{"branch":{"id":"b"},"operations":[` + operation + `]}`, `"id":"o"`},
		{"set the default branch", func(ctx context.Context, c *Client) (any, error) {
			branch, _, err := c.SetDefaultBranch(ctx, "p", "b")
			return branch, err
		}, "POST /api/v2/projects/p/branches/b/set_as_default ", 200, `{"branch":{"id":"b","default":true},"operations":[]}`, `"default":true`},
		{"recover a project", func(ctx context.Context, c *Client) (any, error) { return c.RecoverProject(ctx, "p") },
			"POST /api/v2/projects/p/recover ", 200, `{"project":{"id":"p"},"branches":[]}`, `"id":"p"`},
		{"share a project", func(ctx context.Context, c *Client) (any, error) { return c.GrantProjectPermission(ctx, "p", "a@b") },
			`POST /api/v2/projects/p/permissions {"email":"a@b"}`, 200, `{"project_permissions":[],` + permission[1:], `"granted_to_email":"a@b"`},
		{"a project's permissions", func(ctx context.Context, c *Client) (any, error) { return c.ProjectPermissions(ctx, "p") },
			"GET /api/v2/projects/p/permissions ", 200, `{"project_permissions":[{"id":"r","revoked_at":"2026-12-01T02:03:04Z"},` + permission + `]}`, `[{"id":"s"`},
		{"end a permission", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RevokeProjectPermission(ctx, "p", "s")
		},
			"DELETE /api/v2/projects/p/permissions/s ", 200, permission, `null`},
		{"JWKS URLs of a project", func(ctx context.Context, c *Client) (any, error) { return c.AllJWKS(ctx, "p") },
			"GET /api/v2/projects/p/jwks ", 200, `{"jwks":[` + jwks + `]}`, `"role_names":["r"]`},
		{"remove a JWKS URL", func(ctx context.Context, c *Client) (any, error) { return nil, c.DeleteJWKS(ctx, "p", "k/1") },
			"DELETE /api/v2/projects/p/jwks/k%2F1 ", 200, jwks, `null`},
		{"take a snapshot", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateSnapshot(ctx, "p", "b", SnapshotCreate{Name: "a&b", LSN: "0/1", ExpiresAt: &at})
		}, "POST /api/v2/projects/p/branches/b/snapshot?expires_at=2026-12-01T02%3A03%3A04Z&lsn=0%2F1&name=a%26b ", 200,
			`{"snapshots":[],"snapshot":` + snapshot + `,"operations":[` + operation + `]}`, `"full_size":null`},
		{"a project's snapshots", func(ctx context.Context, c *Client) (any, error) { return c.Snapshots(ctx, "p") },
			"GET /api/v2/projects/p/snapshots ", 200, `{"snapshots":[` + snapshot + `]}`, `"source_branch_id":"b","lsn":"0/1","timestamp":null`},
		{"change a snapshot", func(ctx context.Context, c *Client) (any, error) {
			return c.UpdateSnapshot(ctx, "p", "s", SnapshotUpdate{Name: &name, RemoveExpiry: true})
		}, `PATCH /api/v2/projects/p/snapshots/s {"snapshot":{"expires_at":null,"name":"new"}}`, 200, `{"snapshot":` + snapshot + `}`, `"manual":true`},
		{"delete a snapshot", func(ctx context.Context, c *Client) (any, error) { return c.DeleteSnapshot(ctx, "p", "s") },
			"DELETE /api/v2/projects/p/snapshots/s ", 202, `{"operations":[` + operation + `]}`, `"id":"o"`},
		{"a backup schedule", func(ctx context.Context, c *Client) (any, error) { return c.BackupSchedule(ctx, "p", "b") },
			"GET /api/v2/projects/p/branches/b/backup_schedule ", 200, `{"schedule":[{"frequency":"daily","hour":0}]}`, `[{"frequency":"daily","hour":0}]`},
		{"set a backup schedule", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.SetBackupSchedule(ctx, "p", "b", []BackupEntry{{Frequency: "monthly", RetentionSeconds: &seconds}})
		}, `PUT /api/v2/projects/p/branches/b/backup_schedule {"schedule":[{"frequency":"monthly","retention_seconds":300}]}`, 200, `{}`, `null`},
		{"remove a backup schedule", func(ctx context.Context, c *Client) (any, error) { return nil, c.RemoveBackupSchedule(ctx, "p", "b") },
			`PUT /api/v2/projects/p/branches/b/backup_schedule {"schedule":[]}`, 200, `{}`, `null`},
		{"a schema as SQL", func(ctx context.Context, c *Client) (any, error) {
			return c.BranchSchemaSQL(ctx, "p", "b", "d&e", SchemaMoment{LSN: "0/1"})
		}, "GET /api/v2/projects/p/branches/b/schema?db_name=d%26e&lsn=0%2F1 ", 200, `{"sql":"CREATE"}`, `"CREATE"`},
		{"a schema as JSON", func(ctx context.Context, c *Client) (any, error) {
			return c.BranchSchemaJSON(ctx, "p", "b", "d", SchemaMoment{Timestamp: &at})
		}, "GET /api/v2/projects/p/branches/b/schema?db_name=d&format=json&timestamp=2026-12-01T02%3A03%3A04Z ", 200, `{"json":{"tables":[]}}`, `{"tables":[]}`},
		{"compare schemas", func(ctx context.Context, c *Client) (any, error) {
			return c.SchemaDiff(ctx, "p", "b", "d", SchemaMoment{}, "c", SchemaMoment{LSN: "0/1", Timestamp: &at})
		}, "GET /api/v2/projects/p/branches/b/compare_schema?base_branch_id=c&base_lsn=0%2F1&base_timestamp=2026-12-01T02%3A03%3A04Z&db_name=d ", 200,
			`{"diff":"+x"}`, `"+x"`},
		{"restore a snapshot", func(ctx context.Context, c *Client) (any, error) {
			branch, _, err := c.RestoreSnapshot(ctx, "p", "s", SnapshotRestore{TargetBranchID: "b", Finalize: true})
			return branch, err
		}, `POST /api/v2/projects/p/snapshots/s/restore {"finalize_restore":true,"target_branch_id":"b"}`, 200,
			`{"branches":[],"branch":{"id":"c","restored_as":"b"},"operations":[` + operation + `]}`, `"restored_as":"b"`},
		{"finalize a restore", func(ctx context.Context, c *Client) (any, error) { return c.FinalizeRestore(ctx, "p", "b", "old") },
			`POST /api/v2/projects/p/branches/b/finalize_restore {"name":"old"}`, 200, `{"operations":[` + operation + `]}`, `"id":"o"`},
		{"assign a VPC endpoint", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.AssignVPCEndpoint(ctx, "o/1", "aws-us-east-2", "vpce-1", "")
		}, `POST /api/v2/organizations/o%2F1/vpc/region/aws-us-east-2/vpc_endpoints/vpce-1 {"label":""}`, 200, "", `null`},
		{"list VPC endpoints", func(ctx context.Context, c *Client) (any, error) { return c.VPCEndpoints(ctx, "o") },
			"GET /api/v2/organizations/o/vpc/vpc_endpoints ", 200, `{"endpoints":[{"vpc_endpoint_id":"vpce-1","label":"l","region_id":"r"}]}`, `"region_id":"r"`},
		{"read a VPC endpoint", func(ctx context.Context, c *Client) (any, error) {
			return c.VPCEndpointDetails(ctx, "o", "r", "vpce-1")
		}, "GET /api/v2/organizations/o/vpc/region/r/vpc_endpoints/vpce-1 ", 200,
			`{"vpc_endpoint_id":"vpce-1","label":"","state":"new","num_restricted_projects":4,"example_restricted_projects":["p"]}`, `"num_restricted_projects":4`},
		{"remove a VPC endpoint", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RemoveVPCEndpoint(ctx, "o", "r", "vpce-1")
		}, "DELETE /api/v2/organizations/o/vpc/region/r/vpc_endpoints/vpce-1 ", 200, "", `null`},
		{"restrict a project to a VPC endpoint", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RestrictToVPCEndpoint(ctx, "p", "vpce-1", "l")
		}, `POST /api/v2/projects/p/vpc_endpoints/vpce-1 {"label":"l"}`, 200, "", `null`},
		{"list a project's restrictions", func(ctx context.Context, c *Client) (any, error) { return c.VPCEndpointRestrictions(ctx, "p") },
			"GET /api/v2/projects/p/vpc_endpoints ", 200, `{"endpoints":[{"vpc_endpoint_id":"vpce-1","label":"l"}]}`, `"vpc_endpoint_id":"vpce-1"`},
		{"lift a restriction", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.LiftVPCEndpointRestriction(ctx, "p", "vpce-1")
		}, "DELETE /api/v2/projects/p/vpc_endpoints/vpce-1 ", 200, "", `null`},
		{"set a spending limit", func(ctx context.Context, c *Client) (any, error) { return nil, c.SetSpendingLimit(ctx, "o", 10000) },
			`PUT /api/v2/organizations/o/billing/spending_limit {"spending_limit_cents":10000}`, 200, `{"spending_limit_cents":10000}`, `null`},
		{"read a spending limit", func(ctx context.Context, c *Client) (any, error) { return c.SpendingLimit(ctx, "o") },
			"GET /api/v2/organizations/o/billing/spending_limit ", 200, `{"spending_limit_cents":10000}`, `10000`},
		{"remove a spending limit", func(ctx context.Context, c *Client) (any, error) { return nil, c.RemoveSpendingLimit(ctx, "o") },
			"DELETE /api/v2/organizations/o/billing/spending_limit ", 200, `{}`, `null`},
		{"list available libraries", func(ctx context.Context, c *Client) (any, error) { return c.AvailableLibraries(ctx, "p") },
			"GET /api/v2/projects/p/available_preload_libraries ", 200,
			`{"libraries":[{"library_name":"pg_cron","description":"d","is_default":true,"is_experimental":false,"version":"1.6"}]}`, `"library_name":"pg_cron"`},
		{"consumption of projects", func(ctx context.Context, c *Client) (any, error) {
			return first(c.ProjectConsumption(ctx, ConsumptionQuery{OrgID: "o", From: at, To: at, Granularity: "daily", Metrics: []string{"a", "b"}}))
		}, "GET /api/v2/consumption_history/v2/projects?from=2026-12-01T02%3A03%3A04Z&granularity=daily&limit=100&metrics=a&metrics=b&org_id=o&to=2026-12-01T02%3A03%3A04Z ", 200,
			`{"projects":[{"project_id":"p","periods":[{"consumption":[{"metrics":[{"metric_name":"a","value":7}]}]}]}]}`, `"value":7`},
		{"consumption of branches", func(ctx context.Context, c *Client) (any, error) {
			return first(c.BranchConsumption(ctx, ConsumptionQuery{
				OrgID: "o", From: at, To: at, Granularity: "hourly", Metrics: []string{"a"}, ProjectIDs: []string{"p", "q"}, BranchIDs: []string{"b"},
			}))
		}, "GET /api/v2/consumption_history/v2/branches?branch_ids=b&from=2026-12-01T02%3A03%3A04Z&granularity=hourly&limit=1000&metrics=a&org_id=o" +
			"&project_ids=p&project_ids=q&to=2026-12-01T02%3A03%3A04Z ", 200, `{"branches":[{"project_id":"p","branch_id":"b","periods":[]}]}`, `"branch_id":"b"`},
		{"create a claimable database", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateClaimableDatabase(ctx, ClaimableDatabaseCreate{Ref: "r", EnableLogicalReplication: true})
		}, `POST /api/v1/database {"enable_logical_replication":true,"ref":"r"}`, 200, database, `"neon_project_id":"p"`},
		{"read a claimed database", func(ctx context.Context, c *Client) (any, error) { return c.ClaimableDatabase(ctx, "d") },
			"GET /api/v1/database/d ", 200, `{"id":"d","status":"CLAIMED","connection_string":null,"neon_project_id":"q"}`,
			`"connection_string":null`},
		{"a connection URI", func(ctx context.Context, c *Client) (any, error) {
			return c.ConnectionURI(ctx, "p/1", ConnectionURIQuery{DatabaseName: "d&b", RoleName: "r"})
		}, "GET /api/v2/projects/p%2F1/connection_uri?database_name=d%26b&pooled=false&role_name=r ", 200,
			`{"uri":"postgresql://r:s@h/d"}`, `postgresql://r:s@h/d`},
		{"a pooled connection URI", func(ctx context.Context, c *Client) (any, error) {
			return c.ConnectionURI(ctx, "p", ConnectionURIQuery{BranchID: "b", EndpointID: "e", DatabaseName: "d", RoleName: "r", Pooled: true})
		}, "GET /api/v2/projects/p/connection_uri?branch_id=b&database_name=d&endpoint_id=e&pooled=true&role_name=r ", 200,
			`{"uri":"postgresql://r:s@h/d"}`, `postgresql://r:s@h/d`},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := always(test.status, test.answer)
				result, err := test.send(t.Context(), newClient(t, platform))
				if err != nil {
					t.Fatal(err)
				}
				requests := platform.all()
				last := requests[len(requests)-1]
				equal(t, "request", last.method+" "+last.uri+" "+unmarked(t, last.body), test.wants)
				text, err := json.Marshal(result)
				if err != nil {
					t.Fatal(err)
				}
				contains(t, string(text), test.result)
			})
		})
	}
}

func first[T any](items func(func(T, error) bool)) (first T, err error) {
	for item, err := range items {
		return item, err
	}
	return first, nil
}

func TestAnnotations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listed := always(200, `{"branches":[{"id":"b"},{"id":"c"}],"annotations":{"b":{"value":{"a":"1"}}}}`)
		for branch, err := range newClient(t, listed).Branches(t.Context(), "p", BranchQuery{}) {
			if err != nil || branch.ID == "b" && branch.Annotations["a"] != "1" || branch.ID == "c" && branch.Annotations != nil {
				t.Errorf("got %v, %v", branch, err)
			}
		}
		given := map[string]string{"mine": "1"}
		made, err := newClient(t, always(201, `{"branch":{"id":"b"}}`)).
			CreateBranch(t.Context(), "p", BranchCreate{Annotations: given})
		if err != nil || made.Branch.Annotations["mine"] != "1" {
			t.Errorf("got %v, %v", made, err)
		}
		equal(t, "the caller's own map", len(given), 1)
	})
}

func TestCreator(t *testing.T) {
	for text, want := range map[string]string{
		`"user-1"`: "user-1", `{"id":"user-1","name":"A","image":"i"}`: "user-1", `null`: "", `{}`: "", `7`: "error", `{"id":7}`: "error",
	} {
		var creator Creator
		if err := json.Unmarshal([]byte(text), &creator); (err != nil) != (want == "error") {
			t.Errorf("%s: %v", text, err)
		} else if err == nil {
			equal(t, text, string(creator), want)
		}
	}
}

// Ids come from people and from state: what can't be one is not sent, and
// nothing leads out of its place in the path.
func TestIDsInPaths(t *testing.T) {
	platform := always(200, `{"id":"d"}`)
	api := newClient(t, platform)
	for _, id := range []string{"", ".", ".."} {
		if _, err := api.ClaimableDatabase(t.Context(), id); err == nil || !strings.Contains(err.Error(), "an id in the path is empty") {
			t.Errorf("%q: %v", id, err)
		}
	}
	equal(t, "requests", platform.count(), 0)
	for id, want := range map[string]string{"a/b": "a%2Fb", "a?b": "a%3Fb", "a#b": "a%23b", "a%2Fb": "a%252Fb", "ü": "%C3%BC", "{id}": "%7Bid%7D"} {
		if _, err := api.ClaimableDatabase(t.Context(), id); err != nil {
			t.Error(err)
		}
		requests := platform.all()
		equal(t, id, requests[len(requests)-1].uri, "/api/v1/database/"+want)
	}
}

// A success without the fields that must be there is no success.
func TestIncompleteAnswers(t *testing.T) {
	for name, send := range map[string]func(context.Context, *Client) error{
		"organization": func(ctx context.Context, c *Client) error { _, err := c.Organization(ctx, "o"); return err },
		"operation":    func(ctx context.Context, c *Client) error { _, err := c.Operation(ctx, "p", "o"); return err },
		"endpoint":     func(ctx context.Context, c *Client) error { _, err := c.Endpoint(ctx, "p", "e"); return err },
		"branch":       func(ctx context.Context, c *Client) error { _, err := c.Branch(ctx, "p", "b"); return err },
		"database":     func(ctx context.Context, c *Client) error { _, err := c.ClaimableDatabase(ctx, "d"); return err },
		"change of a branch": func(ctx context.Context, c *Client) error {
			_, _, err := c.UpdateBranch(ctx, "p", "b", BranchUpdate{RemoveExpiry: true})
			return err
		},
		"connection URI": func(ctx context.Context, c *Client) error {
			_, err := c.ConnectionURI(ctx, "p", ConnectionURIQuery{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for body, reason := range map[string]string{`{}`: "it has no ", `[]`: "unexpected type", `{"id":{},"branch":7,"endpoint":7,"operation":7,"uri":7}`: "unexpected type"} {
				synctest.Test(t, func(t *testing.T) {
					if err := send(t.Context(), newClient(t, always(200, body))); !isBadAnswer(reason)(err) {
						t.Errorf("%s: got %v", body, err)
					}
				})
			}
		})
	}
	for _, body := range []string{`{}`, `{"id":7}`, `{"id":"7"}`, `{"key":"napi_x"}`} {
		synctest.Test(t, func(t *testing.T) {
			platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) { return respond(r, 200, body), nil }}
			_, err := newClient(t, platform).createAPIKey(t.Context(), APIKeyScope{}, "ci", nil)
			equal(t, body, reflect.TypeOf(err), reflect.TypeFor[*AmbiguousError]())
		})
	}
}

// Nor is one without its list an empty list.
func TestAnAnswerWithoutItsListIsNoEmptyList(t *testing.T) {
	sendings := map[string]func(context.Context, *Client) error{
		"endpoints of a branch":  func(ctx context.Context, c *Client) error { _, err := c.BranchEndpoints(ctx, "p", "b"); return err },
		"endpoints of a project": func(ctx context.Context, c *Client) error { _, err := c.ProjectEndpoints(ctx, "p"); return err },
		"databases of a branch":  func(ctx context.Context, c *Client) error { _, err := c.Databases(ctx, "p", "b"); return err },
		"organizations":          func(ctx context.Context, c *Client) error { _, err := c.Organizations(ctx); return err },
		"keys":                   func(ctx context.Context, c *Client) error { _, err := c.APIKeys(ctx, APIKeyScope{}); return err },
		"newest operations": func(ctx context.Context, c *Client) error {
			return c.WaitForOperations(ctx, "p", []Operation{{ID: "o", Status: StatusRunning}})
		},
	}
	for _, list := range lists {
		sendings[list.kind] = func(ctx context.Context, c *Client) error {
			_, errs := collect(list.ids(ctx, c))
			return errors.Join(errs...)
		}
	}
	for name, send := range sendings {
		for _, answer := range []struct {
			status int
			body   string
		}{{200, `{"status":"ok"}`}, {200, `{"status":null}`}, {200, `"ok"`}, {200, ""}, {204, ""}} {
			t.Run(fmt.Sprintln(name, answer), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					if err := send(t.Context(), newClient(t, always(answer.status, answer.body))); !isBadAnswer("")(err) {
						t.Errorf("got %v", err)
					}
				})
			})
		}
	}
}
