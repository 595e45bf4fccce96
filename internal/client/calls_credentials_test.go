package client

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
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
			"GET " + at + " ", 200, `{"credentials":[` + credential +
				`},{"token_id":"nak_live_2","revoked_at":"2026-12-01T02:03:04Z"}]}`, `"token_id":"nak_live_1"`},
		{"reveal a service credential", func(ctx context.Context, c *Client) (any, error) {
			return c.RevealCredential(ctx, aBranch, "nak_live_1")
		},
			"POST " + at + "/nak_live_1/reveal ", 200,
			`{"token_id":"nak_live_1","api_token":"nt_live_1","s3_secret_access_key":"nsk_live_1"}`, `"api_token":"nt_live_1"`},
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

// A credential without secrets has some once it is rotated; until then Neon refuses to reveal them.
func TestARotationOfWhatCannotBeRevealed(t *testing.T) {
	for hasSecrets, isLost := range map[bool]bool{true: false, false: true} {
		synctest.Test(t, func(t *testing.T) {
			rotations := 0
			var rotated time.Time
			api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
				connected(request)
				switch {
				case strings.HasSuffix(request.URL.Path, "/rotate"):
					rotations, rotated = rotations+1, time.Now()
					return respond(request, http.StatusGatewayTimeout, `{}`), nil
				case hasSecrets && rotations > 0 && time.Since(rotated) > time.Second:
					return respond(request, http.StatusOK, `{"api_token":"t"}`), nil
				}
				return respond(request, http.StatusConflict, `{"message":"nothing to reveal"}`), nil
			}))
			if err := api.RotateCredential(t.Context(), aBranch, "x"); IsLost(err) != isLost || (err != nil) != isLost ||
				rotations != 1 {
				t.Errorf("with secrets: %t, got %v after %d", hasSecrets, err, rotations)
			}
		})
	}
}

// Scopes are the same in any order, and said twice.
func TestCredentialCreate_matches(t *testing.T) {
	t.Parallel()
	create := CredentialCreate{Name: "n", Scopes: []string{"b", "a", "b"}}
	for scopes, want := range map[string]bool{"a b": true, "b a": true, "a": false, "a b c": false} {
		equal(t, scopes, create.matches(Credential{Name: "n", Principal: "user", Scopes: strings.Fields(scopes)}), want)
	}
}
