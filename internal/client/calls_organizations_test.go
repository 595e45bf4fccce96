package client

import (
	"context"
	"testing"
	"time"
)

// Calls about organizations, their people, keys, networks and spending.
func TestCalls_organizations(t *testing.T) {
	at := time.Date(2026, 12, 1, 2, 3, 4, 0, time.UTC)
	const invitation = `{"id":"i","email":"a@b","role":"viewer","invited_by":"u","invited_at":"2026-12-01T02:03:04Z"}`
	scope := APIKeyScope{OrgID: "org/1", ProjectID: "p"}
	holdCalls(t, []exchange{
		{"list regions", func(ctx context.Context, c *Client) (any, error) { return All(c.ListRegions(ctx, "org-1")) },
			"GET /api/v2/regions?org_id=org-1 ", 200,
			`{"regions":[{"region_id":"aws-us-east-2","name":"Ohio","default":true,"geo_lat":"39.96","geo_long":""}]}`,
			`"region_id":"aws-us-east-2","name":"Ohio","default":true,"geo_lat":"39.96","geo_long":""`},
		{"list organizations", func(ctx context.Context, c *Client) (any, error) { return All(c.ListOrganizations(ctx)) },
			"GET /api/v2/users/me/organizations ", 200, `{"organizations":[{"id":"org-1","require_mfa":true}]}`,
			`"require_mfa":true`},
		{"read an organization", func(ctx context.Context, c *Client) (any, error) { return c.GetOrganization(ctx, "org/1") },
			"GET /api/v2/organizations/org%2F1 ", 200, `{"id":"org-1","handle":"h","managed_by":"console"}`,
			`"managed_by":"console"`},
		{"list members", func(ctx context.Context, c *Client) (any, error) { return first(c.ListMembers(ctx, "org-1")) },
			"GET /api/v2/organizations/org-1/members?limit=500&sort_by=joined_at&sort_order=asc ", 200,
			`{"members":[{"member":{"id":"m","role":"admin"},"user":{"email":"ada@example.com","has_mfa":true}}]}`,
			`"email":"ada@example.com","has_mfa":true`},
		{"find a member in the shared list", func(ctx context.Context, c *Client) (any, error) {
			return c.GetSharedMemberByEmail(ctx, "org-1", "ADA@example.com")
		}, "GET /api/v2/organizations/org-1/members?limit=500&sort_by=joined_at&sort_order=asc ", 200,
			`{"members":[{"member":{"id":"m"},"user":{"email":"ada@example.com"}}]}`, `"email":"ada@example.com"`},
		{"change a member", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.UpdateMemberRole(ctx, OrgRef[Member]{"org/1", "m"}, "viewer")
		}, `PATCH /api/v2/organizations/org%2F1/members/m {"role":"viewer"}`, 200, `{"id":"m","role":"viewer"}`, `null`},
		{"list invitations", func(ctx context.Context, c *Client) (any, error) { return All(c.ListInvitations(ctx, "org-1")) },
			"GET /api/v2/organizations/org-1/invitations ", 200, `{"invitations":[` + invitation + `]}`, `"invited_by":"u"`},
		{"read the user", func(ctx context.Context, c *Client) (any, error) { return c.GetCurrentUser(ctx) },
			"GET /api/v2/users/me ", 200,
			`{"id":"u","email":"ada@example.com","billing_account":{"address_line1":"x"},"projects_limit":10}`,
			`"projects_limit":10`},
		{"list keys", func(ctx context.Context, c *Client) (any, error) { return All(c.ListAPIKeys(ctx, APIKeyScope{})) },
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
		{"assign a VPC endpoint", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.AssignVPCEndpoint(ctx, VPCEndpointRef{"o/1", "aws-us-east-2", "vpce-1"}, "")
		}, `POST /api/v2/organizations/o%2F1/vpc/region/aws-us-east-2/vpc_endpoints/vpce-1 {"label":""}`, 200, "", `null`},
		{"list VPC endpoints", func(ctx context.Context, c *Client) (any, error) { return All(c.ListVPCEndpoints(ctx, "o")) },
			"GET /api/v2/organizations/o/vpc/vpc_endpoints ", 200,
			`{"endpoints":[{"vpc_endpoint_id":"vpce-1","label":"l","region_id":"r"}]}`, `"region_id":"r"`},
		{"read a VPC endpoint", func(ctx context.Context, c *Client) (any, error) {
			return c.GetVPCEndpointDetails(ctx, VPCEndpointRef{"o", "r", "vpce-1"})
		}, "GET /api/v2/organizations/o/vpc/region/r/vpc_endpoints/vpce-1 ", 200,
			`{"vpc_endpoint_id":"vpce-1","label":"","state":"new","num_restricted_projects":4,"example_restricted_projects":["p"]}`, `"num_restricted_projects":4`},
		{"remove a VPC endpoint", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.DeleteVPCEndpoint(ctx, VPCEndpointRef{"o", "r", "vpce-1"})
		}, "DELETE /api/v2/organizations/o/vpc/region/r/vpc_endpoints/vpce-1 ", 200, "", `null`},
		{"set a spending limit", func(ctx context.Context, c *Client) (any, error) { return nil, c.SetSpendingLimit(ctx, "o", 10000) },
			`PUT /api/v2/organizations/o/billing/spending_limit {"spending_limit_cents":10000}`, 200,
			`{"spending_limit_cents":10000}`, `null`},
		{"read a spending limit", func(ctx context.Context, c *Client) (any, error) { return c.GetSpendingLimit(ctx, "o") },
			"GET /api/v2/organizations/o/billing/spending_limit ", 200, `{"spending_limit_cents":10000}`, `10000`},
		{"remove a spending limit", func(ctx context.Context, c *Client) (any, error) { return nil, c.DeleteSpendingLimit(ctx, "o") },
			"DELETE /api/v2/organizations/o/billing/spending_limit ", 200, `{}`, `null`},
		{"consumption of projects", func(ctx context.Context, c *Client) (any, error) {
			return first(c.ListProjectConsumption(ctx, ConsumptionQuery{OrgID: "o", From: at, To: at, Granularity: "daily",
				Metrics: []string{"a", "b"}}))
		}, "GET /api/v2/consumption_history/v2/projects?from=2026-12-01T02%3A03%3A04Z&granularity=daily&limit=100&metrics=a&metrics=b&org_id=o&to=2026-12-01T02%3A03%3A04Z ", 200,
			`{"projects":[{"project_id":"p","periods":[{"consumption":[{"metrics":[{"metric_name":"a","value":7}]}]}]}]}`,
			`"value":7`},
		{"consumption of branches", func(ctx context.Context, c *Client) (any, error) {
			return first(c.ListBranchConsumption(ctx, ConsumptionQuery{
				OrgID: "o", From: at, To: at, Granularity: "hourly", Metrics: []string{"a"}, ProjectIDs: []string{"p", "q"},
				BranchIDs: []string{"b"},
			}))
		}, "GET /api/v2/consumption_history/v2/branches?branch_ids=b&from=2026-12-01T02%3A03%3A04Z&granularity=hourly&limit=1000&metrics=a&org_id=o" +
			"&project_ids=p&project_ids=q&to=2026-12-01T02%3A03%3A04Z ", 200,
			`{"branches":[{"project_id":"p","branch_id":"b","periods":[]}]}`, `"branch_id":"b"`},
	})
}
