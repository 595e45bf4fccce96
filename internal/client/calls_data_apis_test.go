package client

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
)

func TestCalls_dataAPIs(t *testing.T) {
	const read = `{"url":"https://u","status":"active","settings":{"db_max_rows":5,"db_anon_role":"a","newer":[1],"openapi_mode":null},"available_schemas":["public"]}`
	holdCalls(t, []exchange{
		{"a Data API", func(ctx context.Context, c *Client) (any, error) { return c.GetDataAPI(ctx, aBranch, "d/1") },
			"GET /api/v2/projects/p/branches/b/data-api/d%2F1 ", 200, read,
			`"status":"active","settings":{"db_anon_role":"a","db_max_rows":5},"available_schemas":["public"]`},
		{"its schema read anew", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RefreshDataAPISchema(ctx, aBranch, "d")
		},
			"PATCH /api/v2/projects/p/branches/b/data-api/d ", 201, `{}`, `null`},
		{"end a Data API", func(ctx context.Context, c *Client) (any, error) { return nil, c.DeleteDataAPI(ctx, aBranch, "d") },
			"DELETE /api/v2/projects/p/branches/b/data-api/d ", 200, `{}`, `null`},
	})
}

// A change sends the settings that are there along, since Neon's own call sets those back that it isn't sent.
func TestUpdateDataAPI_merges(t *testing.T) {
	settings := DataAPISettings{MaxRows: new(int64(7))}
	for name, test := range map[string]struct {
		actual, sent   string
		changed, known DataAPISettings
	}{
		"those that are there": {`{"db_max_rows":5,"db_anon_role":"a","newer":[1],"openapi_mode":null}`, `{"settings":{"db_anon_role":"a","db_max_rows":7,"newer":[1]}}`, settings, DataAPISettings{}},
		"those that are known": {`null`, `{"settings":{"db_max_rows":7}}`, DataAPISettings{}, settings},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := inTurn(`{"url":"u","settings":`+test.actual+`}`, `{}`)
				if err := newClient(t, platform).UpdateDataAPI(t.Context(), aBranch, "d", test.changed, test.known); err != nil {
					t.Fatal(err)
				}
				equal(t, "sent", platform.all()[1].body, test.sent)
			})
		})
	}
}

// A change that is answered with more than Neon's empty object is done once the settings show it.
func TestUpdateDataAPI_answeredWithMore(t *testing.T) {
	for name, test := range map[string]struct {
		settings string
		isDone   bool
	}{
		"the settings show it": {`{"db_max_rows":7,"db_anon_role":"a"}`, true},
		"they don't":           {`{"db_max_rows":5}`, false},
		"they aren't said":     {`null`, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				changed := 0
				platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
					settings := `{"db_max_rows":5}`
					if request.Method == http.MethodPatch {
						changed++
					}
					if changed > 0 {
						settings = test.settings
					}
					return respond(request, http.StatusOK, `{"url":"u","settings":`+settings+`}`), nil
				}}
				err := newClient(t, platform).UpdateDataAPI(t.Context(), aBranch, "d",
					DataAPISettings{MaxRows: new(int64(7))}, DataAPISettings{})
				if IsLost(err) == test.isDone {
					t.Errorf("got %v", err)
				}
				if equal(t, "done", err == nil, test.isDone); test.isDone {
					equal(t, "changes", changed, 1)
				}
			})
		})
	}
}
