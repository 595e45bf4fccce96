package client

import (
	"context"
	"testing"
)

func TestCalls_credentials(t *testing.T) {
	const at = "/api/v2/projects/p/branches/b/credentials"
	const credential = `{"token_id":"nak_live_1","token_id_short":"1","name":"n","scopes":["storage:read"],"branch_id":"b","principal_type":"user","created_at":"2026-12-01T02:03:04Z"`
	holdCalls(t, []exchange{
		{"make a service credential", func(ctx context.Context, c *Client) (any, error) {
			return ObjectOf(c.CreateCredential(ctx, aBranch, CredentialCreate{Name: "n", Scopes: []string{"storage:read"}}))
		}, "POST " + at + ` {"name":"n","principal_type":"user","scopes":["storage:read"]}`, 201,
			`{"credentials":[],"token_id":"nak_live_1","token_id_short":"1","scopes":["storage:read"],"branch_id":"b","created_at":"2026-12-01T02:03:04Z","api_token":"nt_live_1","s3_secret_access_key":"nsk_live_1"}`,
			`"api_token":"nt_live_1","s3_secret_access_key":"nsk_live_1"`},
		{"service credentials", func(ctx context.Context, c *Client) (any, error) { return All(c.ListCredentials(ctx, aBranch)) },
			"GET " + at + " ", 200, `{"credentials":[` + credential + `},{"token_id":"nak_live_2","revoked_at":"2026-12-01T02:03:04Z"}]}`, `"token_id":"nak_live_1"`},
		{"reveal a service credential", func(ctx context.Context, c *Client) (any, error) {
			return c.RevealCredential(ctx, aBranch, "nak_live_1")
		},
			"POST " + at + "/nak_live_1/reveal ", 200, `{"token_id":"nak_live_1","api_token":"nt_live_1","s3_secret_access_key":"nsk_live_1"}`, `"api_token":"nt_live_1"`},
		{"rotate a service credential", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RotateCredential(ctx, aBranch, "nak_live_1")
		},
			"POST " + at + "/nak_live_1/rotate ", 200, `{"api_token":"nt_live_1"}`, `null`},
		{"revoke a service credential", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RevokeCredential(ctx, aBranch, "nak_live_1")
		},
			"DELETE " + at + "/nak_live_1 ", 204, ``, `null`},
	})
}
