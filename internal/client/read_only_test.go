package client

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// effects are all calls of the client, and whether each reads or writes: whether Neon, or somebody who relies on it, can tell
// afterwards that it was sent. That a read wakes a suspended compute doesn't count. Of those by POST,
//   - a reveal shows what a credential has, and changes nothing of it;
//   - a token of Claimable Neon is what each read there needs, and ends by itself;
//   - what presigns an upload is the first half of that. Downloads aren't presigned;
//   - a claim link ends the one before it, and a test mail arrives.
const effects = `
writes POST /api/v1/database
reads  GET /api/v1/database/{id}
reads  GET /api_keys
writes POST /api_keys
writes DELETE /api_keys/{key_id}
reads  GET /consumption_history/v2/branches
reads  GET /consumption_history/v2/projects
reads  GET /organizations/{org_id}
reads  GET /organizations/{org_id}/api_keys
writes POST /organizations/{org_id}/api_keys
writes DELETE /organizations/{org_id}/api_keys/{key_id}
writes DELETE /organizations/{org_id}/billing/spending_limit
reads  GET /organizations/{org_id}/billing/spending_limit
writes PUT /organizations/{org_id}/billing/spending_limit
reads  GET /organizations/{org_id}/invitations
writes POST /organizations/{org_id}/invitations
reads  GET /organizations/{org_id}/members
writes PATCH /organizations/{org_id}/members/{member_id}
writes POST /organizations/{org_id}/projects/transfer
writes DELETE /organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}
reads  GET /organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}
writes POST /organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}
reads  GET /organizations/{org_id}/vpc/vpc_endpoints
reads  GET /projects
writes POST /projects
writes DELETE /projects/{project_id}
reads  GET /projects/{project_id}
writes PATCH /projects/{project_id}
reads  GET /projects/{project_id}/advisors
reads  GET /projects/{project_id}/available_preload_libraries
writes POST /projects/{project_id}/branch_anonymized
reads  GET /projects/{project_id}/branches
writes POST /projects/{project_id}/branches
writes DELETE /projects/{project_id}/branches/{branch_id}
reads  GET /projects/{project_id}/branches/{branch_id}
writes PATCH /projects/{project_id}/branches/{branch_id}
reads  GET /projects/{project_id}/branches/{branch_id}/ai_gateway
writes POST /projects/{project_id}/branches/{branch_id}/anonymize
reads  GET /projects/{project_id}/branches/{branch_id}/anonymized_status
writes DELETE /projects/{project_id}/branches/{branch_id}/auth
reads  GET /projects/{project_id}/branches/{branch_id}/auth
writes POST /projects/{project_id}/branches/{branch_id}/auth
writes PATCH /projects/{project_id}/branches/{branch_id}/auth/allow_localhost
writes DELETE /projects/{project_id}/branches/{branch_id}/auth/domains
reads  GET /projects/{project_id}/branches/{branch_id}/auth/domains
writes POST /projects/{project_id}/branches/{branch_id}/auth/domains
writes PATCH /projects/{project_id}/branches/{branch_id}/auth/email_and_password
writes PATCH /projects/{project_id}/branches/{branch_id}/auth/email_provider
writes POST /projects/{project_id}/branches/{branch_id}/auth/email_provider/test
reads  GET /projects/{project_id}/branches/{branch_id}/auth/oauth_providers
writes POST /projects/{project_id}/branches/{branch_id}/auth/oauth_providers
writes DELETE /projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id}
writes PATCH /projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id}
reads  GET /projects/{project_id}/branches/{branch_id}/auth/plugins
writes PATCH /projects/{project_id}/branches/{branch_id}/auth/plugins/magic-link
writes PATCH /projects/{project_id}/branches/{branch_id}/auth/plugins/organization
writes PATCH /projects/{project_id}/branches/{branch_id}/auth/plugins/phone-number
reads  GET /projects/{project_id}/branches/{branch_id}/auth/webhooks
writes PUT /projects/{project_id}/branches/{branch_id}/auth/webhooks
reads  GET /projects/{project_id}/branches/{branch_id}/backup_schedule
writes PUT /projects/{project_id}/branches/{branch_id}/backup_schedule
reads  GET /projects/{project_id}/branches/{branch_id}/buckets
writes POST /projects/{project_id}/branches/{branch_id}/buckets
writes DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}
reads  GET /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects
writes DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects-by-prefix
writes DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}
writes POST /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}/presign
reads  GET /projects/{project_id}/branches/{branch_id}/compare_schema
reads  GET /projects/{project_id}/branches/{branch_id}/credentials
writes POST /projects/{project_id}/branches/{branch_id}/credentials
writes DELETE /projects/{project_id}/branches/{branch_id}/credentials/{token_id}
reads  POST /projects/{project_id}/branches/{branch_id}/credentials/{token_id}/reveal
writes POST /projects/{project_id}/branches/{branch_id}/credentials/{token_id}/rotate
reads  GET /projects/{project_id}/branches/{branch_id}/custom-domains
writes POST /projects/{project_id}/branches/{branch_id}/custom-domains
writes DELETE /projects/{project_id}/branches/{branch_id}/custom-domains/{domain}
writes DELETE /projects/{project_id}/branches/{branch_id}/data-api/{database_name}
reads  GET /projects/{project_id}/branches/{branch_id}/data-api/{database_name}
writes PATCH /projects/{project_id}/branches/{branch_id}/data-api/{database_name}
writes POST /projects/{project_id}/branches/{branch_id}/data-api/{database_name}
reads  GET /projects/{project_id}/branches/{branch_id}/databases
writes POST /projects/{project_id}/branches/{branch_id}/databases
writes DELETE /projects/{project_id}/branches/{branch_id}/databases/{database_name}
reads  GET /projects/{project_id}/branches/{branch_id}/databases/{database_name}
writes PATCH /projects/{project_id}/branches/{branch_id}/databases/{database_name}
reads  GET /projects/{project_id}/branches/{branch_id}/endpoints
writes POST /projects/{project_id}/branches/{branch_id}/finalize_restore
reads  GET /projects/{project_id}/branches/{branch_id}/functions
writes DELETE /projects/{project_id}/branches/{branch_id}/functions/{slug}
reads  GET /projects/{project_id}/branches/{branch_id}/functions/{slug}
writes PATCH /projects/{project_id}/branches/{branch_id}/functions/{slug}
writes POST /projects/{project_id}/branches/{branch_id}/functions/{slug}/deployments
reads  GET /projects/{project_id}/branches/{branch_id}/masking_rules
writes PATCH /projects/{project_id}/branches/{branch_id}/masking_rules
writes POST /projects/{project_id}/branches/{branch_id}/restore
reads  GET /projects/{project_id}/branches/{branch_id}/roles
writes POST /projects/{project_id}/branches/{branch_id}/roles
writes DELETE /projects/{project_id}/branches/{branch_id}/roles/{role_name}
reads  GET /projects/{project_id}/branches/{branch_id}/roles/{role_name}
writes POST /projects/{project_id}/branches/{branch_id}/roles/{role_name}/reset_password
reads  GET /projects/{project_id}/branches/{branch_id}/roles/{role_name}/reveal_password
reads  GET /projects/{project_id}/branches/{branch_id}/schema
writes POST /projects/{project_id}/branches/{branch_id}/set_as_default
writes POST /projects/{project_id}/branches/{branch_id}/snapshot
reads  GET /projects/{project_id}/branches/{branch_id}/storage
reads  GET /projects/{project_id}/branches/{branch_id}/triggers
writes POST /projects/{project_id}/branches/{branch_id}/triggers
writes DELETE /projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}
reads  GET /projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}
writes PATCH /projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}
reads  GET /projects/{project_id}/connection_uri
reads  GET /projects/{project_id}/endpoints
writes POST /projects/{project_id}/endpoints
writes DELETE /projects/{project_id}/endpoints/{endpoint_id}
reads  GET /projects/{project_id}/endpoints/{endpoint_id}
writes PATCH /projects/{project_id}/endpoints/{endpoint_id}
writes POST /projects/{project_id}/endpoints/{endpoint_id}/restart
writes POST /projects/{project_id}/endpoints/{endpoint_id}/start
writes POST /projects/{project_id}/endpoints/{endpoint_id}/suspend
reads  GET /projects/{project_id}/jwks
writes POST /projects/{project_id}/jwks
writes DELETE /projects/{project_id}/jwks/{jwks_id}
reads  GET /projects/{project_id}/members
writes DELETE /projects/{project_id}/members/{member_id}/role
writes PUT /projects/{project_id}/members/{member_id}/role
reads  GET /projects/{project_id}/operations
reads  GET /projects/{project_id}/operations/{operation_id}
reads  GET /projects/{project_id}/permissions
writes POST /projects/{project_id}/permissions
writes DELETE /projects/{project_id}/permissions/{permission_id}
writes POST /projects/{project_id}/recover
reads  GET /projects/{project_id}/snapshots
writes DELETE /projects/{project_id}/snapshots/{snapshot_id}
writes PATCH /projects/{project_id}/snapshots/{snapshot_id}
writes POST /projects/{project_id}/snapshots/{snapshot_id}/restore
writes POST /projects/{project_id}/transfer_requests
writes PUT /projects/{project_id}/transfer_requests/{request_id}
reads  GET /projects/{project_id}/vpc_endpoints
writes DELETE /projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}
writes POST /projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}
reads  GET /regions
reads  GET /users/me
reads  GET /users/me/organizations
writes POST /v1/agent/identity
reads  POST /v1/oauth2/token
writes DELETE /v1/projects/{id}
reads  GET /v1/projects/{id}/claim
writes POST /v1/projects/{id}/claim
reads  GET /v1/projects/{id}/credentials
`

// effectOf has "reads" or "writes" by the call, such as "POST /projects".
func effectOf(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(effects)) {
		effect, call, _ := strings.Cut(strings.TrimSpace(line), " ")
		if effect != "reads" && effect != "writes" {
			t.Errorf("%q says neither reads nor writes", line)
		}
		found[strings.TrimSpace(call)] = effect
	}
	return found
}

// Each call of the client is in the table, and the table has no other.
func TestEveryCallReadsOrWrites(t *testing.T) {
	t.Parallel()
	table, said := effectOf(t), map[string]bool{}
	for method, calls := range saidCalls(t) {
		for _, call := range calls {
			said[call.said] = true
			if table[call.said] == "" {
				t.Errorf("%s sends %s, of which the table doesn't say whether it writes", method, call.said)
			}
		}
	}
	for call := range table {
		if !said[call] {
			t.Errorf("the table has %s, which no method sends", call)
		}
	}
}

// A client that only reads sends nothing that writes, whatever is called: each method that writes says so, with who asked for
// it, and every other works.
func TestAReadOnlyClientWritesNothing(t *testing.T) {
	const by = "the environment variable NEON_READ_ONLY"
	table, said, arguments := effectOf(t), saidCalls(t), map[string]writing{}
	for _, writing := range writings {
		arguments[writing.method] = writing
	}
	writes := func(call sayable) bool { return table[call.said] == "writes" }
	for method := range reflect.TypeFor[*Client]().Methods() {
		if method.Type.NumIn() < 2 || method.Type.In(1) != reflect.TypeFor[context.Context]() {
			continue
		}
		t.Run(method.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				platform, args := &sentCalls{world: &world{state: fullWorld}}, plainArguments(ctx, method.Type)
				if writing, is := arguments[method.Name]; is {
					platform.world = &world{writing: writing, state: writing.before}
					args = append([]any{ctx}, writing.args...)
				}
				err := errorOf(callMethod(newClient(t, platform, func(c *Config) { c.ReadOnly = by }), method.Name, args...))
				var refused *ReadOnlyError
				wantsRefusal := slices.ContainsFunc(said[method.Name], writes)
				if errors.As(err, &refused) != wantsRefusal {
					t.Errorf("it says %v, and ends with %v", said[method.Name], err)
				} else if wantsRefusal {
					contains(t, err.Error(), by, "was not sent", refused.Method)
				}
				for _, sent := range platform.all {
					isRead := func(call sayable) bool { return !writes(call) && call.isSentAs(sent) }
					if !slices.ContainsFunc(said[method.Name], isRead) && !strings.HasPrefix(sent, http.MethodGet+" /api/v2/") {
						t.Errorf("it sends %s", sent)
					}
				}
			})
		})
	}
}
