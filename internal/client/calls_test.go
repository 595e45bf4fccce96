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
	if marks, ok := value["annotation_value"].(map[string]any); ok && marks[creationAnnotation] != "" {
		marks[creationAnnotation] = creationMark
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// anOperation is one that is under way.
const anOperation = `{"id":"o","project_id":"p","branch_id":"b","endpoint_id":"e","action":"create_branch","status":"running",` +
	`"failures_count":0,"created_at":"2026-12-01T02:03:04Z","updated_at":"2026-12-01T02:03:04Z","total_duration_ms":7,"unknown":{}}`

// exchange is a call, what it sends, and what it makes of a documented answer.
type exchange struct {
	name   string
	send   func(context.Context, *Client) (any, error)
	wants  string // the last request's method, URI and body
	status int
	answer string
	result string // a part of what the call gave, as JSON
}

// holdCalls sends each, and holds it against what it wants.
func holdCalls(t *testing.T, exchanges []exchange) {
	t.Helper()
	for _, test := range exchanges {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
					if test.answer == "" && request.Method == http.MethodGet { // What is there before a write that is answered by nothing.
						return respond(request, http.StatusOK, `{"domains":[],"endpoints":[]}`), nil
					}
					return respond(request, test.status, test.answer), nil
				}}
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
		for branch, err := range newClient(t, listed).ListBranches(t.Context(), "p", BranchQuery{}) {
			if err != nil || branch.ID == "b" && branch.Annotations["a"] != "1" ||
				branch.ID == "c" && branch.Annotations != nil {
				t.Errorf("got %v, %v", branch, err)
			}
		}
		given := map[string]string{"mine": "1"}
		made, err := newClient(t, always(201, `{"branch":{"id":"b"}}`)).
			CreateBranch(t.Context(), "p", BranchCreate{Annotations: given})
		if err != nil || made.Object.Annotations["mine"] != "1" {
			t.Errorf("got %v, %v", made, err)
		}
		equal(t, "the caller's own map", len(given), 1)
	})
}

func TestCreator(t *testing.T) {
	for text, want := range map[string]string{
		`"user-1"`: "user-1", `{"id":"user-1","name":"A","image":"i"}`: "user-1", `null`: "", `{}`: "", `7`: "error",
		`{"id":7}`: "error",
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
	platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
		return respond(request, 200, fmt.Sprintf(`{"id":%q}`, strings.TrimPrefix(request.URL.Path, "/api/v1/database/"))), nil
	}}
	api := newClient(t, platform)
	for _, id := range []string{"", ".", ".."} {
		if _, err := api.GetClaimableDatabase(t.Context(), id); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf("no path leads to %q", id)) {
			t.Errorf("%q: %v", id, err)
		}
	}
	equal(t, "requests", platform.count(), 0)
	for id, want := range map[string]string{"a/b": "a%2Fb", "a?b": "a%3Fb", "a#b": "a%23b", "a%2Fb": "a%252Fb",
		"ü": "%C3%BC", "{id}": "%7Bid%7D"} {
		if _, err := api.GetClaimableDatabase(t.Context(), id); err != nil {
			t.Error(err)
		}
		requests := platform.all()
		equal(t, id, requests[len(requests)-1].uri, "/api/v1/database/"+want)
	}
}

// A success without the fields that must be there is no success.
func TestIncompleteAnswers(t *testing.T) {
	for name, send := range map[string]func(context.Context, *Client) error{
		"organization": func(ctx context.Context, c *Client) error { _, err := c.GetOrganization(ctx, "o"); return err },
		"operation": func(ctx context.Context, c *Client) error {
			_, err := c.GetOperation(ctx, Ref[Operation]{"p", "o"})
			return err
		},
		"endpoint": func(ctx context.Context, c *Client) error {
			_, err := c.GetSharedEndpoint(ctx, EndpointRef{"p", "e"})
			return err
		},
		"branch":   func(ctx context.Context, c *Client) error { _, err := c.GetSharedBranch(ctx, aBranch); return err },
		"database": func(ctx context.Context, c *Client) error { _, err := c.GetClaimableDatabase(ctx, "d"); return err },
		"change of a branch": func(ctx context.Context, c *Client) error {
			_, err := c.UpdateBranch(ctx, aBranch, BranchUpdate{RemoveExpiry: true})
			return err
		},
		"connection URI": func(ctx context.Context, c *Client) error {
			_, err := c.GetConnectionURI(ctx, "p", ConnectionURIQuery{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for body, reason := range map[string]string{`{}`: "it has no ", `[]`: "unexpected type",
				`{"id":{},"branch":7,"endpoint":7,"operation":7,"uri":7}`: "unexpected type"} {
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
			platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
				return respond(r, 200, body), nil
			}}
			_, err := newClient(t, platform).createAPIKey(t.Context(), APIKeyScope{}, "ci", nil)
			equal(t, body, reflect.TypeOf(err), reflect.TypeFor[*AmbiguousError]())
		})
	}
}

// Nor is one without its list an empty list.
func TestAnAnswerWithoutItsListIsNoEmptyList(t *testing.T) {
	sendings := map[string]func(context.Context, *Client) error{
		"endpoints of a branch": func(ctx context.Context, c *Client) error {
			_, err := c.ListSharedEndpoints(ctx, aBranch)
			return err
		},
		"endpoints of a project": func(ctx context.Context, c *Client) error {
			_, err := All(c.ListEndpoints(ctx, BranchRef{ProjectID: "p", ID: ""}))
			return err
		},
		"databases of a branch": func(ctx context.Context, c *Client) error {
			_, err := All(c.ListDatabases(ctx, aBranch))
			return err
		},
		"organizations": func(ctx context.Context, c *Client) error { _, err := All(c.ListOrganizations(ctx)); return err },
		"keys": func(ctx context.Context, c *Client) error {
			_, err := All(c.ListAPIKeys(ctx, APIKeyScope{}))
			return err
		},
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
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // Waits go on until then.
					defer cancel()
					err := send(ctx, newClient(t, always(answer.status, answer.body)))
					if wait := new(WaitError); errors.As(err, &wait) {
						err = wait.Outage
					}
					if !isBadAnswer("")(err) {
						t.Errorf("got %v", err)
					}
				})
			})
		}
	}
}

// What Neon may leave out may all be missing. An answer with nothing but other fields is another's, such as a proxy's.
func TestAnAnswerWithNothingKnownIsNotNeons(t *testing.T) {
	for name, one := range map[string]struct {
		read   func(context.Context, *Client) error
		bodies map[string]bool // whether Neon may send that
	}{
		"schema diff": {func(ctx context.Context, c *Client) error {
			_, err := c.GetSchemaDiff(ctx, "p", SchemaComparison{BranchID: "b", Database: "d"})
			return err
		}, map[string]bool{`{"ok":true}`: false, `{"diff":7}`: false, `{}`: true, `{"diff":""}`: true}},
		"schema": {func(ctx context.Context, c *Client) error {
			_, err := c.GetBranchSchemaSQL(ctx, aBranch, "d", SchemaMoment{})
			return err
		}, map[string]bool{`{"ok":true}`: false, `{"sql":7}`: false, `{"sql":""}`: true}},
		"settings of Neon Auth": {func(ctx context.Context, c *Client) error {
			_, err := c.GetAuthSettings(ctx, aBranch)
			return err
		}, map[string]bool{
			`{"ok":true}`: false, `{"ok":true,"enabled":true}`: false, `{"oauth_providers":[],"enabled":true}`: true,
			`{"magic_link":{}}`: false, `{"magic_link":[],"enabled":true}`: false, `{}`: false, // Neon says that of a webhook.
		}},
	} {
		for body, isNeons := range one.bodies {
			synctest.Test(t, func(t *testing.T) {
				err := one.read(t.Context(), newClient(t, always(200, body)))
				if isNeons && err != nil || !isNeons && !isBadAnswer("")(err) {
					t.Errorf("%s answered by %s: got %v", name, body, err)
				}
			})
		}
	}
}
