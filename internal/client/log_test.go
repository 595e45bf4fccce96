package client

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// recorder keeps the records of a log as text.
type recorder struct {
	level slog.Level
	mu    sync.Mutex
	lines []string
}

func (r *recorder) Enabled(_ context.Context, level slog.Level) bool { return level >= r.level }
func (r *recorder) WithAttrs([]slog.Attr) slog.Handler               { return r }
func (r *recorder) WithGroup(string) slog.Handler                    { return r }
func (r *recorder) Handle(_ context.Context, record slog.Record) error {
	line := record.Message
	record.Attrs(func(a slog.Attr) bool { line += " " + a.String(); return true })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
	return nil
}

func (r *recorder) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.lines, "\n")
}

// The words that may not stand in any record or error; each is part of a secret.
const (
	secretToken    = "napi_madeforthistest"
	secretPassword = "npg_Pa55w0rd"
	secretURL      = "postgresql://owner:" + secretPassword + "@ep-x-pooler.neon.tech/db"
	secretClaim    = "https://neon.new/claim/0193"
	// secretID is a claimable database's or a transfer request's, which opens it.
	secretID = "01939d2a-8c1f-7b7a-9f00-1c5a3e6b7d42"
)

func TestNoSecretIsLogged(t *testing.T) {
	for _, test := range []struct {
		name   string
		status int
		body   string
		send   func(context.Context, *Client) error
		fails  bool
	}{
		{"presigned upload", 200, `{"url":"` + secretClaim + `","method":"","headers":{"X-Amz-Security-Token":"` +
			secretClaim + `"}}`, func(ctx context.Context, c *Client) error {
			_, err := c.UploadBucketObject(ctx, BucketPlace{aBranch, "k", "o"}, "", 0, nil)
			return err
		}, true},
		{"webhook", 200, `{"enabled":true,"webhook_url":"` + secretClaim + `"}`, func(ctx context.Context, c *Client) error {
			return c.SetAuthGroup(ctx, aBranch, AuthWebhook, map[string]any{"enabled": true, "webhook_url": secretClaim})
		}, false},
		{"created key", 200, `{"id":1,"name":"ci","key":"` + secretToken + `"}`, func(ctx context.Context, c *Client) error {
			_, err := c.createAPIKey(ctx, APIKeyScope{}, "ci", nil)
			return err
		}, false},
		{"claimable database", 200, fmt.Sprintf(`{"id":%q,"connection_string":%q,"claim_url":%q}`, secretID, secretURL,
			secretClaim),
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateClaimableDatabase(ctx, ClaimableDatabaseCreate{Ref: "r"})
				return err
			}, false},
		{"connection strings of a branch", 200,
			fmt.Sprintf(`{"branch":{"id":"b"},"roles":[{"password":%q}],"connection_uris":`+
				`[{"connection_uri":%q,"connection_parameters":{"password":%q}}]}`, secretPassword, secretURL, secretPassword),
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateBranch(ctx, "p", BranchCreate{Name: "b"})
				return err
			}, false},
		{"connection URI", 200, fmt.Sprintf(`{"uri":%q}`, secretURL), func(ctx context.Context, c *Client) error {
			_, err := c.GetConnectionURI(ctx, "p", ConnectionURIQuery{DatabaseName: "db", RoleName: "owner"})
			return err
		}, false},
		{"an error that echoes the key", 401, fmt.Sprintf(`{"message":"the key %s is unknown, as is %s"}`, testKey,
			secretToken),
			func(ctx context.Context, c *Client) error {
				_, err := All(c.ListAPIKeys(ctx, APIKeyScope{}))
				return err
			}, true},
		{"an error of a write that echoes secrets", 500, fmt.Sprintf(`{"code":%q,"message":%q}`, testKey,
			"can't connect to "+secretURL),
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateClaimableDatabase(ctx, ClaimableDatabaseCreate{Ref: "r"})
				return err
			}, true},
		{"an error that ends retries", 503, fmt.Sprintf(`{"message":%q}`, secretURL+" "+testKey),
			func(ctx context.Context, c *Client) error { _, err := c.GetClaimableDatabase(ctx, "d"); return err }, true},
		{"a claimable database that is read", 200, fmt.Sprintf(`{"id":%q,"claim_url":%q}`, secretID, secretClaim),
			func(ctx context.Context, c *Client) error {
				_, err := c.GetClaimableDatabase(ctx, secretID)
				return err
			}, false},
		{"an error that echoes the id", 400, fmt.Sprintf(`{"error":"Database %s not found"}`, secretID),
			func(ctx context.Context, c *Client) error {
				_, err := c.GetClaimableDatabase(ctx, secretID)
				return err
			}, true},
		{"an answer that can't be used", 200, `{}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.GetClaimableDatabase(ctx, secretID)
				return err
			}, true},
		{"transfer request", 201, fmt.Sprintf(`{"id":%q,"project_id":"p"}`, secretID),
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateTransferRequest(ctx, "p", 0)
				return err
			}, false},
		{"a transfer request that isn't there", 404, fmt.Sprintf(`{"message":"transfer request %s not found"}`, secretID),
			func(ctx context.Context, c *Client) error {
				return c.AcceptTransferRequest(ctx, Ref[TransferRequest]{"p", secretID}, "o")
			}, true},
		{"a transfer request that fails", 503, `{}`, func(ctx context.Context, c *Client) error {
			return c.AcceptTransferRequest(ctx, Ref[TransferRequest]{"p", secretID}, "o")
		}, true},
		{"not JSON", 200, "<p>" + testKey + secretURL + "</p>",
			func(ctx context.Context, c *Client) error {
				_, err := All(c.ListAPIKeys(ctx, APIKeyScope{}))
				return err
			}, true},
		{"a page of a proxy", 502, "<p>" + testKey + secretURL + "</p>",
			func(ctx context.Context, c *Client) error {
				_, err := All(c.ListAPIKeys(ctx, APIKeyScope{}))
				return err
			}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				records := &recorder{level: LevelTrace}
				api := newClient(t, always(test.status, test.body), func(c *Config) { c.Logger = slog.New(records) })
				text := ""
				if err := test.send(t.Context(), api); (err != nil) != test.fails {
					t.Errorf("got %v", err)
				} else if err != nil {
					text = err.Error()
				}
				contains(t, records.text(), "method=", "path=/api/v", "request_id=", "duration_ms=", "response_body=")
				for _, secret := range []string{testKey, secretToken, secretPassword, secretURL, secretClaim, secretID, "Bearer"} {
					if strings.Contains(records.text(), secret) {
						t.Errorf("%s is in the log:\n%s", secret, records.text())
					}
					if strings.Contains(text, secret) {
						t.Errorf("%s is in the error: %s", secret, text)
					}
				}
			})
		})
	}
}

// Each attempt is logged, and nothing below the wanted level.
func TestLevelsOfTheLog(t *testing.T) {
	for _, test := range []struct {
		level slog.Level
		want  int
	}{{LevelTrace, 8}, {slog.LevelDebug, 4}, {slog.LevelInfo, 0}} {
		synctest.Test(t, func(t *testing.T) {
			records := &recorder{level: test.level}
			api := newClient(t, always(503, `{"message":"later"}`), func(c *Config) { c.Logger = slog.New(records) })
			_, _ = api.GetClaimableDatabase(t.Context(), "d")
			equal(t, "records", len(records.lines), test.want)
		})
	}
}

func TestTheKeyMayHoldAnything(t *testing.T) {
	for _, key := range []string{`a&b<c>"d"\e`, "napi_x/y+z=", "schlüssel€"} {
		echo, err := json.Marshal(map[string]any{"message": "unknown key " + key, "list": []string{key}})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			records := &recorder{level: LevelTrace}
			platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
				return respond(r, 403, string(echo)), nil
			}}
			api := newClient(t, platform, func(c *Config) { c.Logger, c.APIKey = slog.New(records), key })
			_, err := All(api.ListAPIKeys(t.Context(), APIKeyScope{}))
			encoded, _ := json.Marshal(key)
			for _, form := range []string{key, strings.Trim(string(encoded), `"`)} {
				if strings.Contains(records.text()+err.Error(), form) {
					t.Errorf("%s: %v\n%s", form, err, records.text())
				}
			}
		})
	}
}

func FuzzMask(f *testing.F) {
	f.Add("s3cret-value", 0, 0)
	f.Add(`q"uo\te<&>`, 3, 5)
	f.Add("ünïcode…", 7, 31)
	names := make([]string, 0, len(SecretFields()))
	for _, name := range SecretFields() {
		names = append(names, name, strings.ToUpper(name))
	}
	f.Fuzz(func(t *testing.T, secret string, field, shape int) {
		const marker = "5ecre7-" // tells the value from what stands around it
		secret = marker + secret
		name := names[(field%len(names)+len(names))%len(names)]
		values := []any{secret, []any{secret}, map[string]any{"x": secret}}
		value := any(map[string]any{name: values[(shape%3+3)%3], "id": "harmless", "none": nil})
		for depth := shape; depth > 0 && depth < 1<<20; depth /= 2 {
			if depth%2 == 0 {
				value = []any{"harmless", value, 1.5, nil}
			} else {
				value = map[string]any{"branch": value, "ok": true}
			}
		}
		body, err := json.Marshal(value)
		if err != nil {
			t.Skip(err) // It isn't a value that the platform can send.
		}
		shown := ownKey(testKey).mask(body)
		if strings.Contains(shown, marker) {
			t.Errorf("the value of %s is in %s", name, shown)
		}
		if !json.Valid([]byte(shown)) {
			t.Errorf("not JSON any more: %s", shown)
		}
		contains(t, shown, "harmless")
	})
}
