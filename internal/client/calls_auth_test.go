package client

import (
	"context"
	"testing"
)

func TestCalls_auth(t *testing.T) {
	const at = "/api/v2/projects/p/branches/b/auth"
	domain := AuthDomain{Domain: "https://a/b", Provider: "better_auth"}
	holdCalls(t, []exchange{
		{"Neon Auth", func(ctx context.Context, c *Client) (any, error) { return c.GetAuth(ctx, aBranch) },
			"GET " + at + " ", 200, `{"auth_provider":"better_auth","db_name":"d","base_url":"https://u"}`, `"db_name":"d"`},
		{"its settings", func(ctx context.Context, c *Client) (any, error) { return c.GetAuthSettings(ctx, aBranch) },
			"GET " + at + "/webhooks ", 200, `{"allow_localhost":true,"magic_link":{"expires_in":5},"enabled":false}`,
			`"AllowLocalhost":true`},
		{"a group of its settings", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.SetAuthGroup(ctx, aBranch, AuthMagicLink, map[string]any{"enabled": true})
		}, "PATCH " + at + `/plugins/magic-link {"enabled":true}`, 200, `{"enabled":true}`, `null`},
		{"its webhook", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.SetAuthGroup(ctx, aBranch, AuthWebhook, map[string]any{"enabled": false})
		}, "PUT " + at + `/webhooks {"enabled":false}`, 200, `{"enabled":false}`, `null`},
		{"pages of one's own machine", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.AllowAuthLocalhost(ctx, aBranch, false)
		},
			"PATCH " + at + `/allow_localhost {"allow_localhost":false}`, 200, `{"allow_localhost":false}`, `null`},
		{"the end of Neon Auth", func(ctx context.Context, c *Client) (any, error) { return nil, c.DisableAuth(ctx, aBranch, true) },
			"DELETE " + at + ` {"delete_data":true}`, 200, ``, `null`},
		{"a test mail", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.SendAuthTestMail(ctx, aBranch, "a@b")
		},
			"POST " + at + `/email_provider/test {"recipient_email":"a@b"}`, 200, `{"success":true}`, `null`},
		{"add an OAuth provider", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.CreateAuthOAuthProvider(ctx, aBranch, "github", AuthOAuthSettings{ClientID: "c", ClientSecret: "s"})
		}, "POST " + at + `/oauth_providers {"client_id":"c","client_secret":"s","id":"github"}`, 200,
			`{"id":"github","providers":[]}`, `null`},
		{"change an OAuth provider", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.UpdateAuthOAuthProvider(ctx, aBranch, "github", AuthOAuthSettings{TenantID: "t"})
		}, "PATCH " + at + `/oauth_providers/github {"microsoft_tenant_id":"t"}`, 200, `{"id":"github"}`, `null`},
		{"remove an OAuth provider", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.DeleteAuthOAuthProvider(ctx, aBranch, "github")
		}, "DELETE " + at + "/oauth_providers/github ", 200, ``, `null`},
		{"an OAuth provider", func(ctx context.Context, c *Client) (any, error) {
			return c.GetAuthOAuthProvider(ctx, aBranch, "github")
		},
			"GET " + at + "/oauth_providers ", 200,
			`{"providers":[{"id":"github","type":"standard","client_id":"c","client_secret":"s"}]}`, `"client_id":"c"}`},
		{"trust a domain", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.CreateAuthDomain(ctx, aBranch, domain)
		},
			"POST " + at + `/domains {"auth_provider":"better_auth","domain":"https://a/b"}`, 201, ``, `null`},
		{"a trusted domain", func(ctx context.Context, c *Client) (any, error) {
			return c.GetSharedAuthDomain(ctx, aBranch, "HTTPS://A/b/")
		},
			"GET " + at + "/domains ", 200, `{"domains":[{"domain":"https://a/b","auth_provider":"better_auth"}]}`,
			`"domain":"https://a/b"`},
		{"trust a domain no longer", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.DeleteAuthDomain(ctx, aBranch, domain)
		},
			"DELETE " + at + `/domains {"auth_provider":"better_auth","domains":[{"domain":"https://a/b"}]}`, 200, ``, `null`},
	})
}
