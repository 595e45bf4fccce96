package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// refusals are answers with 404 that prove nothing of a branch, an endpoint, an
// operation, a key or a database.
var refusals = map[string]string{
	"a proxy's page":     "<html>Not Found</html>",
	"an empty answer":    "",
	"another server":     `{"detail":"Not Found"}`,
	"another kind":       `{"message":"role not found"}`,
	"a wrong base URL":   `{"message":"this route does not exist"}`,
	"a key not allowed":  `{"message":"not allowed for organization API keys"}`,
	"the project hidden": `{"message":"project not found"}`,
	"the org hidden":     `{"message":"organization not found"}`,
}

// kinds are the kinds of objects, each with Neon's own words for one that doesn't
// exist, the paths of the object and of its parent's list, that list with the object
// and without it, and what asks for the object.
var kinds = []struct {
	name, own, path, list, has, lacks string
	read, remove                      func(context.Context, *Client) error
}{
	{
		name: "branch", own: "branch not found", path: "/projects/p/branches/b", list: "/projects/p/branches",
		has: `{"branches":[{"id":"a"},{"id":"b"}]}`, lacks: `{"branches":[{"id":"a"}]}`,
		read:   func(ctx context.Context, c *Client) error { _, err := c.GetSharedBranch(ctx, aBranch); return err },
		remove: func(ctx context.Context, c *Client) error { _, err := c.DeleteBranch(ctx, aBranch); return err },
	},
	{
		name: "endpoint", own: "endpoint not found", path: "/projects/p/endpoints/e", list: "/projects/p/endpoints",
		has: `{"endpoints":[{"id":"e"}]}`, lacks: `{"endpoints":[]}`,
		read: func(ctx context.Context, c *Client) error {
			_, err := c.GetSharedEndpoint(ctx, EndpointRef{"p", "e"})
			return err
		},
		remove: func(ctx context.Context, c *Client) error {
			_, err := c.DeleteEndpoint(ctx, EndpointRef{"p", "e"})
			return err
		},
	},
	{
		name: "key", path: "/api_keys/7", list: "/api_keys",
		has: `[{"id":7,"created_by":{"id":"u"}}]`, lacks: `[{"id":8,"created_by":{"id":"u"}}]`,
		read: func(ctx context.Context, c *Client) error {
			_, err := c.GetSharedAPIKey(ctx, APIKeyScope{UserID: "u"}, 7)
			return err
		},
		remove: func(ctx context.Context, c *Client) error { return c.RevokeAPIKey(ctx, APIKeyScope{UserID: "u"}, 7) },
	},
	{
		name: "organization's key", path: "/organizations/o/api_keys/7", list: "/organizations/o/api_keys",
		has: `[{"id":7}]`, lacks: `[]`,
		read: func(ctx context.Context, c *Client) error {
			_, err := c.GetSharedAPIKey(ctx, APIKeyScope{OrgID: "o"}, 7)
			return err
		},
		remove: func(ctx context.Context, c *Client) error { return c.RevokeAPIKey(ctx, APIKeyScope{OrgID: "o"}, 7) },
	},
	{
		name: "operation", own: "operation not found", path: "/projects/p/operations/o",
		read: func(ctx context.Context, c *Client) error {
			_, err := c.GetOperation(ctx, Ref[Operation]{"p", "o"})
			return err
		},
	},
	{
		name: "claimable database", own: "Database not found", path: "/database/d",
		read: func(ctx context.Context, c *Client) error { _, err := c.GetClaimableDatabase(ctx, "d"); return err },
	},
}

// withoutObject answers with a 404 for the object, and with another answer for the
// list of its parent; where that is empty, with the same 404 for all.
func withoutObject(path, refusal, list, listed string) *fakePlatform {
	return &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
		asked := request.URL.Path[len("/api/v2"):]
		switch {
		case listed != "" && asked == list:
			return respond(request, http.StatusOK, listed), nil
		case strings.HasSuffix(asked, "/operations") && asked != path:
			return respond(request, http.StatusOK, `{"operations":[]}`), nil
		}
		return respond(request, http.StatusNotFound, refusal), nil
	}}
}

// An object is gone where Neon says so of its kind, or the list of its parent lacks
// it, and never otherwise.
func TestAbsence(t *testing.T) {
	check := func(t *testing.T, platform *fakePlatform, ask func(context.Context, *Client) error, gone func(error) bool) {
		t.Helper()
		if ask == nil {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			if err := ask(t.Context(), newClient(t, platform)); !gone(err) {
				t.Errorf("got %v", err)
			}
		})
	}
	isKept := func(err error) bool { return err != nil && !IsAbsent(err) }
	isDone := func(err error) bool { return err == nil }
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			for name, refusal := range refusals {
				t.Run(name, func(t *testing.T) {
					check(t, withoutObject(kind.path, refusal, "", ""), kind.read, isKept)
					check(t, withoutObject(kind.path, refusal, "", ""), kind.remove, isKept)
					if kind.list == "" || name == "the project hidden" {
						return
					}
					for _, noList := range []string{`{"status":"ok"}`, `null`} {
						check(t, withoutObject(kind.path, refusal, kind.list, noList), kind.read, isKept)
						check(t, withoutObject(kind.path, refusal, kind.list, noList), kind.remove, isKept)
					}
					check(t, withoutObject(kind.path, refusal, kind.list, kind.has), kind.read, isDone)
					check(t, withoutObject(kind.path, refusal, kind.list, kind.has), kind.remove, isKept)
					check(t, withoutObject(kind.path, refusal, kind.list, kind.lacks), kind.read, IsAbsent)
					check(t, withoutObject(kind.path, refusal, kind.list, kind.lacks), kind.remove, isDone)
				})
			}
			if kind.own != "" {
				own := fmt.Sprintf(`{"message":%q}`, kind.own)
				check(t, withoutObject(kind.path, own, "", ""), kind.read, IsAbsent)
				check(t, withoutObject(kind.path, own, "", ""), kind.remove, isDone)
			}
		})
	}
}

// A success that doesn't name what it deleted is another server's.
func TestADeletionThatSomethingElseAnswers(t *testing.T) {
	for _, kind := range kinds {
		if kind.remove == nil {
			continue
		}
		t.Run(kind.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
					if request.Method == http.MethodDelete {
						return respond(request, http.StatusOK, `{"status":"ok"}`), nil
					}
					return withoutObject(kind.path, "", kind.list, kind.has).answer(0, request)
				}}
				if err := kind.remove(t.Context(), newClient(t, platform)); err == nil {
					t.Error("it counts as done")
				}
			})
		})
	}
}

// The list of another user's keys lacks the key, as it would if it lived.
func TestAbsenceFromAnotherUsersKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := withoutObject("/api_keys/7", `{"message":"api key not found"}`, "/api_keys",
			`[{"id":8,"created_by":{"id":"other"}}]`)
		scope := APIKeyScope{UserID: "u"}
		if _, err := newClient(t, platform).GetSharedAPIKey(t.Context(), scope, 7); err == nil || IsAbsent(err) {
			t.Errorf("reading: got %v", err)
		}
		if err := newClient(t, platform).RevokeAPIKey(t.Context(), scope, 7); err == nil {
			t.Error("it counts as revoked")
		}
	})
}

// deletedProject is a platform whose projects can't be found, of which the lists of
// deleted projects have some.
func deletedProject(organizations, deleted string) *fakePlatform {
	return &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
		switch path := request.URL.Path; {
		case strings.HasPrefix(path, "/api/v2/projects/"):
			return respond(request, http.StatusNotFound, `{"message":"project not found","request_id":"req-1"}`), nil
		case path == "/api/v2/users/me/organizations" && organizations != "":
			return respond(request, http.StatusOK, organizations), nil
		case path == "/api/v2/projects" && deleted != "" && request.URL.Query().Get("recoverable") == "true" &&
			(organizations == "") == (request.URL.Query().Get("org_id") == ""):
			return respond(request, http.StatusOK, deleted), nil
		}
		return respond(request, http.StatusNotFound, `{"message":"not allowed for organization API keys"}`), nil
	}}
}

// A project is gone where the list of deleted projects has it, and all that belonged
// to it with it. Otherwise it only can't be seen.
func TestAbsenceOfAProject(t *testing.T) {
	const organizations = `{"organizations":[{"id":"o-1"},{"id":"o-2"}]}`
	const deleted = `{"projects":[{"id":"p","deleted_at":"2026-12-01T02:03:04Z"}]}`
	for _, test := range []struct {
		name                   string
		organizations, deleted string
		gone                   bool
		says                   []string
	}{
		{"deleted, a personal key", organizations, deleted, true, []string{"project p was deleted"}},
		{"deleted, an organization's key", "", deleted, true, []string{"project p was deleted"}},
		{"not among the deleted", organizations, `{"projects":[{"id":"q"}]}`, false,
			[]string{"project p can't be seen with this API key", "req-1", "its id is wrong", "more than a week ago",
				"another organization"}},
		{"the list can't be read", "", "", false, []string{"can't be seen", "the list of deleted projects can't be read", "not allowed"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := newClient(t, deletedProject(test.organizations, test.deleted))
				_, project := api.GetProject(t.Context(), "p")
				_, branch := api.GetSharedBranch(t.Context(), aBranch)
				_, operation := api.GetOperation(t.Context(), Ref[Operation]{"p", "o"})
				_, endpoints := api.ListSharedEndpoints(t.Context(), aBranch)
				_, named := api.GetSharedBranchByName(t.Context(), "p", "main")
				_, hinted := api.GetSharedBranchByName(ForHint(t.Context()), "p", "main")
				for _, err := range []error{project, branch, operation, endpoints, named, hinted} {
					var unseen *UnseenProjectError
					if IsAbsent(err) != test.gone || errors.As(err, &unseen) == test.gone {
						t.Errorf("got %v", err)
						continue
					}
					contains(t, err.Error(), test.says...)
				}
				_, err := api.DeleteBranch(t.Context(), aBranch)
				equal(t, "deleted with its project", err == nil, test.gone)
			})
		})
	}
}

// An operation that a proxy doesn't find is still awaited for, or the wait fails: it
// hasn't been forgotten by Neon.
func TestAWaitThatAProxyAnswers(t *testing.T) {
	for refusal, says := range map[string]string{
		"<html></html>": "404 Not Found", `{"message":"operation not found"}`: "no longer known to Neon",
	} {
		synctest.Test(t, func(t *testing.T) {
			api := newClient(t, withoutObject("/projects/p/operations/o", refusal, "/projects/p/operations",
				`{"operations":[]}`))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			err := api.WaitForOperations(ctx, "p", []Operation{{ID: "o", ProjectID: "p", Status: StatusRunning,
				UpdatedAt: time.Now()}})
			if err == nil {
				t.Fatal("the wait is over")
			}
			contains(t, err.Error(), says)
			equal(t, "proof of absence", IsAbsent(err), false)
		})
	}
}

// A list of recoverable projects that has one which lives doesn't prove that it was deleted:
// what doesn't know the filter lists the others.
func TestAListThatIgnoresItsFilter(t *testing.T) {
	for body, deleted := range map[string]bool{
		`{"id":"p"}`: false,
		`{"id":"p","deleted_at":"2026-01-01T00:00:00Z"}`:        true,
		`{"id":"p","recoverable_until":"2026-01-08T00:00:00Z"}`: true,
	} {
		synctest.Test(t, func(t *testing.T) {
			platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
				if strings.HasSuffix(request.URL.Path, "/p") {
					return respond(request, http.StatusNotFound, `{"message":"project not found"}`), nil
				}
				return respond(request, http.StatusOK, `{"organizations":[{"id":"o"}],"projects":[`+body+`]}`), nil
			}}
			api := newClient(t, platform)
			_, err := api.GetProject(t.Context(), "p")
			equal(t, "absent by "+body, IsAbsent(err), deleted)
			equal(t, "deleted", api.DeleteProject(t.Context(), "p") == nil, deleted)
		})
	}
}

// Whether a project was deleted is asked once for all that was in it.
func TestWhatWasInADeletedProject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lists := 0
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if strings.HasPrefix(request.URL.Path, "/api/v2/projects/p") {
				return respond(request, http.StatusNotFound, `{"message":"project not found"}`), nil
			}
			lists++
			return respond(request, http.StatusOK,
				`{"organizations":[{"id":"o"}],"projects":[{"id":"p","deleted_at":"2026-01-01T00:00:00Z"}]}`), nil
		}))
		for i := range 20 {
			branch := BranchRef{ProjectID: "p", ID: fmt.Sprint(i)}
			if _, err := api.GetSharedRole(t.Context(), branch, "r"); !IsAbsent(err) {
				t.Errorf("got %v", err)
			}
		}
		equal(t, "lists", lists, 2)
		time.Sleep(time.Minute)
		if _, err := api.GetProject(t.Context(), "p"); !IsAbsent(err) || lists != 4 {
			t.Errorf("a minute later: got %v after %d lists", err, lists)
		}
	})
}

// A list that goes on elsewhere proves nothing of what it lacks.
func TestAListThatEndsEarlyProvesNothing(t *testing.T) {
	for name, list := range map[string]string{
		"a repeated page, and more to come": `{"branches":[{"id":"a"}],"pagination":{"next":"%d"}}`,
		"one page where the whole is due":   `{"snapshots":[{"id":"a"}],"jwks":[{"id":"a"}],"pagination":{"cursor":"%d"}}`,
		"and its other name":                `{"snapshots":[{"id":"a"}],"jwks":[{"id":"a"}],"pagination":{"next":"%d"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &fakePlatform{answer: func(nth int, request *http.Request) (*http.Response, error) {
					if nth > 100 || strings.HasSuffix(request.URL.Path, "/branches/b") { // A client that reads on has an end.
						return respond(request, http.StatusNotFound, ""), nil
					}
					return respond(request, http.StatusOK, fmt.Sprintf(list, nth)), nil
				}}
				api := newClient(t, platform)
				reads := []func() error{func() error { _, err := api.GetSharedBranch(t.Context(), aBranch); return err }}
				if !strings.Contains(list, "branches") {
					reads = []func() error{
						func() error {
							_, err := api.GetSharedSnapshot(t.Context(), SnapshotRef{"p", "s"})
							return err
						},
						func() error {
							_, err := api.GetSharedJWKS(t.Context(), Ref[JWKS]{"p", "j"})
							return err
						},
					}
				}
				for _, read := range reads {
					var bad *BadAnswerError
					if err := read(); IsAbsent(err) || !errors.As(err, &bad) {
						t.Errorf("got %v", err)
					}
				}
			})
		})
	}
}

// Whether a branch has Neon Auth isn't known where the branch can't be read, nor from a proxy.
func TestAnOwnerThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		auth   string
		branch int
		want   int
	}{
		"the branch can't be read": {`{"message":"not found"}`, http.StatusForbidden, http.StatusForbidden},
		"a proxy answers":          {`<html>`, http.StatusOK, http.StatusNotFound},
	} {
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if strings.HasSuffix(request.URL.Path, "/auth") {
				return respond(request, http.StatusNotFound, test.auth), nil
			}
			return respond(request, test.branch, `{"message":"no","branch":{"id":"b"}}`), nil
		}))
		if _, err := api.GetAuth(t.Context(), aBranch); statusOf(err) != test.want || IsAbsent(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
