package client

import (
	"context"
	"strings"
	"testing"
)

// Calls about projects and claimable databases.
func TestCalls_projects(t *testing.T) {
	yes, seconds, name := true, int64(300), "new"
	const (
		permission = `{"id":"s","granted_to_email":"a@b","granted_at":"2026-12-01T02:03:04Z"}`
		jwks       = `{"id":"k","project_id":"p","jwks_url":"https://k","provider_name":"n","branch_id":"b","role_names":["r"]}`
		database   = `{"id":"d","status":"UNCLAIMED","connection_string":"postgresql://x","claim_url":"https://c","expires_at":"2026-12-01T02:03:04.580Z","service_project_id":"p"}`
	)
	holdCalls(t, []exchange{
		{"list a project's members", func(ctx context.Context, c *Client) (any, error) { return first(c.ListProjectMembers(ctx, "p")) },
			"GET /api/v2/projects/p/members ", 200,
			`{"project_members":[{"member_id":"m","org_role":"member","explicit_project_permission":"CAN_EDIT"}]}`,
			`"org_role":"member"`},
		{"give a member a role in a project", func(ctx context.Context, c *Client) (any, error) {
			return c.SetProjectMemberRole(ctx, Ref[ProjectMember]{"p", "m/1"}, "editor", true)
		}, `PUT /api/v2/projects/p/members/m%2F1/role?confirm_self_demotion=true {"role":"editor"}`, 200,
			`{"project_id":"p","member_id":"m","credential_rotation_recommended":true}`,
			`"credential_rotation_recommended":true`},
		{"take a member's role in a project back", func(ctx context.Context, c *Client) (any, error) {
			return c.DeleteProjectMemberRole(ctx, Ref[ProjectMember]{"p", "m"}, true)
		}, `DELETE /api/v2/projects/p/members/m/role?confirm_self_lockout=true `, 200, `{"project_id":"p","member_id":"m"}`,
			`"member_id":"m"`},
		{"list projects", func(ctx context.Context, c *Client) (any, error) {
			return first(c.ListProjects(ctx, ProjectQuery{OrgID: "o", Search: "a&b"}))
		}, "GET /api/v2/projects?limit=400&org_id=o&search=a%26b&timeout=30000 ", 200,
			`{"projects":[{"id":"p","name":"n","pg_version":17,"branch_logical_size_limit":512}]}`, `"pg_version":17`},
		{"list shared projects", func(ctx context.Context, c *Client) (any, error) {
			return first(c.ListProjects(ctx, ProjectQuery{Shared: true}))
		}, "GET /api/v2/projects/shared?limit=400&timeout=30000 ", 200, `{"projects":[{"id":"p"}]}`, `"id":"p"`},
		{"change a project", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.UpdateProject(ctx, "p", ProjectUpdate{
				Name: &name, HistoryRetentionSeconds: &seconds,
				DefaultEndpointSettings: &EndpointDefaults{PgSettings: &map[string]string{}},
				Settings: &ProjectSettings{Quota: &ProjectQuota{}, AllowedIPs: &AllowedIPs{IPs: []string{}},
					HIPAA: &yes},
			}))
		}, `PATCH /api/v2/projects/p {"project":{"default_endpoint_settings":{"pg_settings":{}},"history_retention_seconds":300,"name":"new","settings":{` +
			`"allowed_ips":{"ips":[],"protected_branches_only":false},"hipaa":true,"quota":{"active_time_seconds":0,"compute_time_seconds":0,` +
			`"data_transfer_bytes":0,"logical_size_bytes":0,"written_data_bytes":0}}}}`, 200,
			`{"project":{"id":"p","settings":{"audit_log_level":"full"}}}`, `"audit_log_level":"full"`},
		{"transfer a project", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.TransferProjects(ctx, []string{"p"}, "o/1", "o2")
		}, `POST /api/v2/organizations/o%2F1/projects/transfer {"destination_org_id":"o2","project_ids":["p"]}`, 200, `{}`,
			`null`},
		{"offer a project", func(ctx context.Context, c *Client) (any, error) { return c.CreateTransferRequest(ctx, "p", 60) },
			`POST /api/v2/projects/p/transfer_requests {"ttl_seconds":60}`, 201,
			`{"id":"r","project_id":"p","expires_at":"2026-12-01T02:03:04Z"}`, `"expires_at":"2026-12-01T02:03:04Z"`},
		{"offer a project for a day", func(ctx context.Context, c *Client) (any, error) { return c.CreateTransferRequest(ctx, "p", 0) },
			`POST /api/v2/projects/p/transfer_requests {}`, 201, `{"id":"r","project_id":"p"}`, `"id":"r"`},
		{"take a project", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.AcceptTransferRequest(ctx, Ref[TransferRequest]{"p", "r/1"}, "o")
		}, `PUT /api/v2/projects/p/transfer_requests/r%2F1 {"org_id":"o"}`, 204, "", `null`},
		{"delete a project", func(ctx context.Context, c *Client) (any, error) { return nil, c.DeleteProject(ctx, "p") },
			"DELETE /api/v2/projects/p ", 200, `{"project":{"id":"p"}}`, `null`},
		{"list operations", func(ctx context.Context, c *Client) (any, error) { return first(c.ListOperations(ctx, "p q")) },
			"GET /api/v2/projects/p%20q/operations?limit=1000 ", 200, `{"operations":[` + anOperation + `]}`,
			`"total_duration_ms":7`},
		{"read an operation", func(ctx context.Context, c *Client) (any, error) {
			return c.GetOperation(ctx, Ref[Operation]{"p", "o?x#y"})
		},
			"GET /api/v2/projects/p/operations/o%3Fx%23y ", 200,
			strings.Replace(`{"operation":`+anOperation+`}`, `"id":"o"`, `"id":"o?x#y"`, 1),
			`"action":"create_branch","status":"running"`},
		{"recover a project", func(ctx context.Context, c *Client) (any, error) { return c.RecoverProject(ctx, "p") },
			"POST /api/v2/projects/p/recover ", 200, `{"project":{"id":"p"},"branches":[]}`, `"id":"p"`},
		{"share a project", func(ctx context.Context, c *Client) (any, error) { return c.GrantProjectPermission(ctx, "p", "a@b") },
			`POST /api/v2/projects/p/permissions {"email":"a@b"}`, 200, `{"project_permissions":[],` + permission[1:],
			`"granted_to_email":"a@b"`},
		{"a project's permissions", func(ctx context.Context, c *Client) (any, error) { return All(c.ListProjectPermissions(ctx, "p")) },
			"GET /api/v2/projects/p/permissions ", 200,
			`{"project_permissions":[{"id":"r","revoked_at":"2026-12-01T02:03:04Z"},` + permission + `]}`, `[{"id":"s"`},
		{"end a permission", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RevokeProjectPermission(ctx, Ref[ProjectPermission]{"p", "s"})
		},
			"DELETE /api/v2/projects/p/permissions/s ", 200, permission, `null`},
		{"JWKS URLs of a project", func(ctx context.Context, c *Client) (any, error) { return All(c.ListJWKS(ctx, "p")) },
			"GET /api/v2/projects/p/jwks ", 200, `{"jwks":[` + jwks + `]}`, `"role_names":["r"]`},
		{"remove a JWKS URL", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.DeleteJWKS(ctx, Ref[JWKS]{"p", "k/1"})
		},
			"DELETE /api/v2/projects/p/jwks/k%2F1 ", 200, jwks, `null`},
		{"restrict a project to a VPC endpoint", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.CreateVPCEndpointRestriction(ctx, Ref[VPCEndpoint]{"p", "vpce-1"}, "l")
		}, `POST /api/v2/projects/p/vpc_endpoints/vpce-1 {"label":"l"}`, 200, "", `null`},
		{"list a project's restrictions", func(ctx context.Context, c *Client) (any, error) { return All(c.ListVPCEndpointRestrictions(ctx, "p")) },
			"GET /api/v2/projects/p/vpc_endpoints ", 200, `{"endpoints":[{"vpc_endpoint_id":"vpce-1","label":"l"}]}`,
			`"vpc_endpoint_id":"vpce-1"`},
		{"lift a restriction", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.DeleteVPCEndpointRestriction(ctx, Ref[VPCEndpoint]{"p", "vpce-1"})
		}, "DELETE /api/v2/projects/p/vpc_endpoints/vpce-1 ", 200, "", `null`},
		{"what the advisors find", func(ctx context.Context, c *Client) (any, error) {
			return All(c.ListAdvisorIssues(ctx, "p", AdvisorQuery{BranchID: "b", DatabaseName: "d e", Category: "SECURITY",
				MinSeverity: "WARN"}))
		},
			"GET /api/v2/projects/p/advisors?branch_id=b&category=SECURITY&database_name=d+e&min_severity=WARN ", 200,
			`{"issues":[{"name":"n","level":"WARN","categories":["SECURITY"],"metadata":{"schema":"public"},"cache_key":"k"}]}`,
			`"cache_key":"k"`},
		{"list available libraries", func(ctx context.Context, c *Client) (any, error) { return All(c.ListAvailableLibraries(ctx, "p")) },
			"GET /api/v2/projects/p/available_preload_libraries ", 200,
			`{"libraries":[{"library_name":"pg_cron","description":"d","is_default":true,"is_experimental":false,"version":"1.6"}]}`, `"library_name":"pg_cron"`},
		{"create a claimable database", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateClaimableDatabase(ctx, ClaimableDatabaseCreate{Ref: "r", EnableLogicalReplication: true})
		}, `POST /api/v1/database {"enable_logical_replication":true,"ref":"r"}`, 200, database, `"neon_project_id":"p"`},
		{"read a claimed database", func(ctx context.Context, c *Client) (any, error) { return c.GetClaimableDatabase(ctx, "d") },
			"GET /api/v1/database/d ", 200, `{"id":"d","status":"CLAIMED","connection_string":null,"neon_project_id":"q"}`,
			`"connection_string":null`},
		{"a connection URI", func(ctx context.Context, c *Client) (any, error) {
			return c.GetConnectionURI(ctx, "p/1", ConnectionURIQuery{DatabaseName: "d&b", RoleName: "r"})
		}, "GET /api/v2/projects/p%2F1/connection_uri?database_name=d%26b&pooled=false&role_name=r ", 200,
			`{"uri":"postgresql://r:s@h/d"}`, `postgresql://r:s@h/d`},
		{"a pooled connection URI", func(ctx context.Context, c *Client) (any, error) {
			return c.GetConnectionURI(ctx, "p", ConnectionURIQuery{BranchID: "b", EndpointID: "e", DatabaseName: "d",
				RoleName: "r", Pooled: true})
		}, "GET /api/v2/projects/p/connection_uri?branch_id=b&database_name=d&endpoint_id=e&pooled=true&role_name=r ", 200,
			`{"uri":"postgresql://r:s@h/d"}`, `postgresql://r:s@h/d`},
	})
}
