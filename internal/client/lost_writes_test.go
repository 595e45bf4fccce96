package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Where the answer to a creation is lost and the platform cancels what was to
// follow, the object isn't whole, and the wait for it must say so.
func TestALostCreationThatWasCancelled(t *testing.T) {
	const operations = `{"operations":[
		{"id":"o-3","branch_id":"b","endpoint_id":"e","action":"start_compute","status":"cancelled"},
		{"id":"o-2","branch_id":"b","action":"create_branch","status":"finished"},
		{"id":"o-1","branch_id":"other","action":"create_branch","status":"cancelled"}]}`
	synctest.Test(t, func(t *testing.T) {
		mark := ""
		platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			switch {
			case request.Method == http.MethodPost:
				return respond(request, http.StatusBadGateway, `{}`), nil
			case strings.HasSuffix(request.URL.Path, "/operations"):
				return respond(request, http.StatusOK, operations), nil
			case strings.HasSuffix(request.URL.Path, "/endpoints"):
				return respond(request, http.StatusOK, `{"endpoints":[{"id":"e"}]}`), nil
			}
			return respond(request, http.StatusOK,
				`{"branches":[{"id":"b"}],"annotations":{"b":{"value":{"`+creationAnnotation+`":"`+mark+`"}}}}`), nil
		}}
		api := newClient(t, remembering(platform, &mark))
		created, err := api.CreateBranch(t.Context(), "p", BranchCreate{Name: "n",
			Endpoints: []EndpointCreate{{Type: EndpointReadWrite}}})
		if err != nil {
			t.Fatal(err)
		}
		var cancelled *OperationError
		if err := api.WaitForOperations(t.Context(), "p", created.Operations); !errors.As(err, &cancelled) ||
			cancelled.Operation.ID != "o-3" {
			t.Errorf("got %v for %v", err, created.Operations)
		}
	})
}

// What kept an endpoint from starting is found behind any number of newer operations.
func TestAnEndpointThatNeverStarted(t *testing.T) {
	created := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	platform := inTurn(
		`{"operations":[{"id":"o-3","created_at":"2026-01-01T02:00:00Z"}],"pagination":{"cursor":"2"}}`,
		`{"operations":[{"id":"o-2","endpoint_id":"e","status":"cancelled","created_at":"2026-01-01T00:00:00Z"},
			{"id":"o-1","endpoint_id":"e","status":"failed","created_at":"2025-12-31T23:59:30Z"},
			{"id":"o-0","created_at":"2025-01-01T00:00:00Z"}],"pagination":{"cursor":"3"}}`)
	operations, err := newClient(t, platform).ListEndpointOperations(
		t.Context(), Endpoint{ID: "e", ProjectID: "p", CurrentState: "init", CreatedAt: created})
	if err != nil || len(operations) != 2 || operations[0].ID != "o-2" || operations[1].ID != "o-1" {
		t.Errorf("got %v, %v, want o-2 and o-1, by whose time the endpoint was made a little later", operations, err)
	}
	equal(t, "requests", platform.count(), 2)
}

// A deletion whose answer is lost is over when the object is gone, also where the
// object's creation had failed for good.
func TestALostDeletionOfWhatNeverBecameWhole(t *testing.T) {
	const operations = `{"operations":[
		{"id":"o-2","branch_id":"b","action":"delete_timeline","status":"running"},
		{"id":"o-1","branch_id":"b","action":"create_branch","status":"failed"}]}`
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			switch {
			case request.Method == http.MethodDelete:
				return respond(request, http.StatusBadGateway, `{}`), nil
			case strings.HasSuffix(request.URL.Path, "/operations"):
				return respond(request, http.StatusOK, operations), nil
			}
			return respond(request, http.StatusNotFound, `{"message":"branch not found"}`), nil
		}})
		left, err := api.DeleteBranch(t.Context(), aBranch)
		if err != nil || len(left) != 1 || left[0].ID != "o-2" {
			t.Errorf("got %v, %v", left, err)
		}
	})
}

// A change whose answer is lost is not to blame for what failed for good before it,
// unless that was the making of the branch.
func TestALostChangeAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		operation := func(id, action string, failed time.Duration) Operation {
			return Operation{ID: id, BranchID: "b", Action: action, Status: StatusFailed, UpdatedAt: now.Add(-failed)}
		}
		operations, err := json.Marshal(map[string]any{"operations": []Operation{
			operation("o-3", "apply_config", time.Second),
			operation("o-2", "suspend_compute", DefaultOperationGrace),
			operation("o-1", "create_branch", time.Hour),
		}})
		if err != nil {
			t.Fatal(err)
		}
		api := newClient(t, &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			switch {
			case request.Method == http.MethodPatch:
				return respond(request, http.StatusBadGateway, `{}`), nil
			case strings.HasSuffix(request.URL.Path, "/operations"):
				return respond(request, http.StatusOK, string(operations)), nil
			}
			return respond(request, http.StatusOK, `{"branch":{"id":"b","name":"new"}}`), nil
		}})
		name := "new"
		left, err := OperationsOf(api.UpdateBranch(t.Context(), aBranch, BranchUpdate{Name: &name}))
		if err != nil || len(left) != 2 || left[0].ID != "o-3" || left[1].ID != "o-1" {
			t.Errorf("got %v, %v", left, err)
		}
	})
}

// remembering keeps the mark that a creation carries.
func remembering(next http.RoundTripper, mark *string) http.RoundTripper {
	return roundTrip(func(request *http.Request) (*http.Response, error) {
		if request.Method == http.MethodPost {
			body, err := io.ReadAll(request.Body)
			if err != nil {
				return nil, err
			}
			var creation struct {
				Annotations map[string]string `json:"annotation_value"`
			}
			if err := json.Unmarshal(body, &creation); err != nil {
				return nil, err
			}
			*mark = creation.Annotations[creationAnnotation]
			request.Body = io.NopCloser(strings.NewReader(string(body)))
		}
		return next.RoundTrip(request)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// A renaming whose answer is lost, and which takes effect only after nothing was seen of
// it, is no database that is gone. One that has the new name by chance isn't ours.
func TestALateRenaming(t *testing.T) {
	for id, done := range map[string]bool{"7": true, "8": false} {
		synctest.Test(t, func(t *testing.T) {
			sent := 0
			platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
				switch {
				case request.Method == http.MethodPatch:
					if sent++; sent == 1 {
						return respond(request, http.StatusGatewayTimeout, `{}`), nil
					}
				case strings.HasSuffix(request.URL.Path, "/operations"):
					return respond(request, http.StatusOK, `{"operations":[{"id":"o","branch_id":"b","status":"running"}]}`), nil
				case sent > 1:
					return respond(request, http.StatusOK, `{"database":{"id":`+id+`,"name":"new"}}`), nil
				}
				return respond(request, http.StatusNotFound, `{"message":"database not found"}`), nil
			}}
			name := "new"
			renamed, err := newClient(t, platform).UpdateDatabase(t.Context(), aBranch, "old", 7, DatabaseUpdate{Name: &name})
			if done && (err != nil || renamed.Object.Name != "new" || len(renamed.Operations) != 1) || !done && !IsAbsent(err) {
				t.Errorf("id %s: got %v, %v", id, renamed, err)
			}
			equal(t, "renamings", sent, 2)
		})
	}
}

// A database is found by its id, whatever its name; else by its name, and never one more
// request than the list while it is there.
func TestADatabaseIsReadByItsID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := always(http.StatusOK,
			`{"databases":[{"id":7,"name":"new"},{"id":8,"name":"old"},{"id":9,"name":"ü","owner_name":{}}]}`)
		api := newClient(t, platform)
		for id, want := range map[int64]int64{7: 7, 0: 8, 6: 8} {
			if database, err := api.GetSharedDatabase(t.Context(), aBranch, "old", id); err != nil || database.ID != want {
				t.Errorf("%d: got %v, %v, want %d", id, database, err, want)
			}
		}
		equal(t, "requests", platform.count(), 1)
	})
}

// An endpoint that may have been created is named, so that a person finds it.
func TestALostEndpointIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPost {
				return respond(request, http.StatusBadGateway, `{}`), nil
			}
			return respond(request, http.StatusOK, `{"endpoints":[]}`), nil
		}}
		_, err := newClient(t, platform).CreateEndpoint(t.Context(), aBranch,
			EndpointCreate{Type: EndpointReadOnly, Name: "n"})
		contains(t, err.Error(), `A read_only endpoint named "n" on branch b may have taken effect`)
	})
}

// A conflict on a branch may be with our own, whose answer was lost on its way to us: the mark
// tells. Another's branch stays another's.
func TestAConflictWithOurOwnBranch(t *testing.T) {
	for _, isOurs := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			mark := ""
			platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
				if request.Method == http.MethodPost {
					return respond(request, http.StatusConflict, `{"message":"branch already exists"}`), nil
				}
				if !isOurs {
					mark = "another's"
				}
				return respond(request, http.StatusOK,
					`{"operations":[],"endpoints":[],"branches":[{"id":"b","name":"n"}],"annotations":{"b":{"value":{"`+
						creationAnnotation+`":"`+mark+`"}}}}`), nil
			}}
			created, err := newClient(t, remembering(platform, &mark)).CreateBranch(t.Context(), "p", BranchCreate{Name: "n"})
			if isOurs && (err != nil || created.Object.ID != "b") || !isOurs && !HasStatus(err, http.StatusConflict) {
				t.Errorf("got %v, %v", created, err)
			}
		})
	}
}

// A conflict may be with what an attempt before has made: where that can't be looked up, the error says so.
func TestAConflictThatCannotBeLookedUp(t *testing.T) {
	for name, first := range map[string]func(*http.Request) (*http.Response, error){
		"after a lost answer": func(r *http.Request) (*http.Response,
			error) {
			return respond(r, http.StatusBadGateway, `{}`), nil
		},
		"after an attempt without effect": func(*http.Request) (*http.Response, error) { return nil, io.EOF },
	} {
		synctest.Test(t, func(t *testing.T) {
			posts := 0
			platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
				switch {
				case request.Method == http.MethodGet && posts < 2:
					return respond(request, http.StatusOK, `{"operations":[],"endpoints":[],"branches":[]}`), nil
				case request.Method == http.MethodGet:
					return respond(request, http.StatusForbidden, `{"message":"not now"}`), nil
				}
				if posts++; posts == 1 {
					return first(request)
				}
				return respond(request, http.StatusConflict, `{"message":"branch already exists"}`), nil
			}}
			_, err := newClient(t, platform).CreateBranch(t.Context(), "p", BranchCreate{Name: "n"})
			if !HasStatus(err, http.StatusConflict) || !strings.Contains(strings.ToLower(err.Error()),
				`a branch named "n" in project p may have taken effect`) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// The mark is ours, whatever annotations the caller wants.
func TestTheMarkOfABranchIsOurs(t *testing.T) {
	mark := ""
	platform := always(http.StatusCreated, `{"branch":{"id":"b"}}`)
	theirs := map[string]string{creationAnnotation: "theirs", "other": "kept"}
	created, err := newClient(t, remembering(platform, &mark)).CreateBranch(t.Context(), "p",
		BranchCreate{Name: "n", Annotations: theirs})
	if err != nil || mark == "theirs" || created.Object.Annotations["other"] != "kept" ||
		theirs[creationAnnotation] != "theirs" {
		t.Errorf("got %q, %v, %v", mark, created, err)
	}
}

// An endpoint that is assigned under another label isn't the effect of a lost assignment.
func TestALostLabelIsSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		posts := 0
		platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet {
				return respond(r, 200, `{"endpoints":[{"vpc_endpoint_id":"vpce","region_id":"aws","label":"old"}]}`), nil
			}
			if posts++; posts == 1 {
				return respond(r, 502, `{}`), nil
			}
			return respond(r, 200, ``), nil
		}}
		if err := newClient(t, platform).AssignVPCEndpoint(t.Context(), VPCEndpointRef{"o", "aws", "vpce"},
			"new"); err != nil {
			t.Fatal(err)
		}
		equal(t, "assignments", posts, 2)
	})
}

// A second password within the second of the first couldn't be told from it by Neon's times.
func TestAPasswordIsResetInASecondOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changed := time.Now().UTC()
		platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
			return respond(r, 200, fmt.Sprintf(`{"role":{"name":"r","updated_at":%q},"operations":[]}`,
				changed.Format(time.RFC3339))), nil
		}}
		if _, err := newClient(t, platform).ResetRolePassword(t.Context(), aBranch, "r"); err != nil {
			t.Fatal(err)
		}
		equal(t, "waited", time.Since(changed), time.Second)
	})
}

// The error about a role of a member whose answers are lost names the role, not the member alone.
func TestALostRoleIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		write func(context.Context, *Client) (*ProjectRoleSet, error)
		want  string
	}{
		"set": {func(ctx context.Context, c *Client) (*ProjectRoleSet, error) {
			return c.SetProjectMemberRole(ctx, Ref[ProjectMember]{"p", "m"}, "editor", false)
		}, "The role editor of member m in project p may have taken effect"},
		"removed": {func(ctx context.Context, c *Client) (*ProjectRoleSet, error) {
			return c.DeleteProjectMemberRole(ctx, Ref[ProjectMember]{"p", "m"}, false)
		}, "The end of the role of member m in project p may have taken effect"},
	} {
		synctest.Test(t, func(t *testing.T) {
			_, err := test.write(t.Context(), newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
				if request.Method == http.MethodGet {
					return nil, io.EOF
				}
				connected(request)
				return nil, io.ErrUnexpectedEOF
			})))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want %q", name, err, test.want)
			}
		})
	}
}

// What is gone after a lost answer is gone: there is nothing left that may have changed.
func TestAChangeOfWhatIsGoneMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		writes, reads := 0, 0
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			connected(request)
			if request.Method != http.MethodGet {
				if writes++; writes == 1 {
					return respond(request, 504, `{}`), nil
				}
				return respond(request, 404, `{"message":"branch not found"}`), nil
			}
			reads++
			return respond(request, 200, `{"branch":{"id":"b","name":"old"}}`), nil
		}))
		name := "n"
		if _, err := api.UpdateBranch(t.Context(), aBranch, BranchUpdate{Name: &name}); !IsAbsent(err) || IsLost(err) ||
			writes != 2 || reads != 2 {
			t.Errorf("got %v after %d writes and %d reads", err, writes, reads)
		}
	})
}

// A password whose answer was lost is looked for until it must have come: a second one would end it.
func TestAPasswordThatComesLateIsResetOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		resets := 0
		var changed atomic.Pointer[time.Time]
		change := func(now time.Time) { changed.Store(&now) }
		change(time.Now().Add(-time.Minute))
		platform := roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPost {
				resets++
				time.AfterFunc(time.Second, func() { change(time.Now()) })
				return respond(request, 504, `{}`), nil
			}
			return respond(request, 200, fmt.Sprintf(`{"role":{"name":"r","updated_at":%q},"operations":[]}`,
				changed.Load().UTC().Format(time.RFC3339))), nil
		})
		if _, err := newClient(t, platform).ResetRolePassword(t.Context(), aBranch, "r"); err != nil || resets != 1 {
			t.Errorf("got %v after %d", err, resets)
		}
	})
}
