package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
)

// list is one of the lists, with what its pages look like.
type list struct {
	kind   string // the field that holds the items
	cursor string // the name that the answer gives to the cursor
	ids    func(context.Context, *Client) iter.Seq2[string, error]
}

func idsOf[T any](items iter.Seq2[T, error], id func(T) string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for item, err := range items {
			if !yield(id(item), err) {
				return
			}
		}
	}
}

var lists = []list{
	{"projects", "cursor", func(ctx context.Context, c *Client) iter.Seq2[string, error] {
		return idsOf(c.ListProjects(ctx, ProjectQuery{}), func(p Project) string { return p.ID })
	}},
	{"operations", "cursor", func(ctx context.Context, c *Client) iter.Seq2[string, error] {
		return idsOf(c.ListOperations(ctx, "p"), func(o Operation) string { return o.ID })
	}},
	{"branches", "next", func(ctx context.Context, c *Client) iter.Seq2[string, error] {
		return idsOf(c.ListBranches(ctx, "p", BranchQuery{}), func(b Branch) string { return b.ID })
	}},
}

// page writes a page; each letter is an item. A cursor of "-" is left out.
func (l list) page(letters, cursor string) string {
	items := make([]string, len(letters))
	for i, letter := range letters {
		items[i] = fmt.Sprintf(`{"id":"%c"}`, letter)
	}
	pagination := fmt.Sprintf(`,"pagination":{%q:%q}`, l.cursor, cursor)
	if cursor == "-" {
		pagination = ""
	}
	return fmt.Sprintf(`{%q:[%s]%s}`, l.kind, strings.Join(items, ","), pagination)
}

func collect(items iter.Seq2[string, error]) (ids []string, errs []error) {
	for id, err := range items {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ids = append(ids, id)
	}
	return ids, errs
}

func TestPagesEnd(t *testing.T) {
	for _, test := range []struct {
		name     string
		pages    [][2]string // letters and cursor
		want     string
		requests int
	}{
		{"no cursor", [][2]string{{"ab", "-"}}, "ab", 1},
		{"an empty cursor", [][2]string{{"ab", ""}}, "ab", 1},
		{"an empty list", [][2]string{{"", "-"}}, "", 1},
		{"an empty list with a cursor", [][2]string{{"", "1"}}, "", 1},
		{"a cursor on the last page, then an empty page", [][2]string{{"ab", "1"}, {"c", "2"}, {"", "3"}}, "abc", 3},
		{"a repeated cursor", [][2]string{{"ab", "1"}, {"cd", "1"}}, "abcd", 2},
		{"a last item that is repeated", [][2]string{{"ab", "1"}, {"b", "1"}}, "ab", 2},
		{"pages that overlap", [][2]string{{"ab", "1"}, {"bc", "2"}, {"cd", ""}}, "abcd", 3},
		{"an item twice on a page", [][2]string{{"aab", ""}}, "ab", 1},
	} {
		for _, list := range lists {
			t.Run(test.name+"/"+list.kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					bodies := make([]string, len(test.pages))
					for i, page := range test.pages {
						bodies[i] = list.page(page[0], page[1])
					}
					platform := inTurn(bodies...)
					ids, errs := collect(list.ids(t.Context(), newClient(t, platform)))
					equal(t, "items", strings.Join(ids, ""), test.want)
					equal(t, "errors", len(errs), 0)
					equal(t, "requests", platform.count(), test.requests)
					for i, request := range platform.all() {
						if i > 0 {
							contains(t, request.uri+"&", "cursor="+test.pages[i-1][1]+"&", "limit=")
						}
					}
				})
			})
		}
	}
}

func TestLeavingAListStopsItsRequests(t *testing.T) {
	for _, list := range lists {
		synctest.Test(t, func(t *testing.T) {
			platform := inTurn(list.page("ab", "1"), list.page("cd", "2"), list.page("ef", ""))
			for id, err := range list.ids(t.Context(), newClient(t, platform)) {
				if err != nil {
					t.Fatal(err)
				}
				if id == "c" {
					break
				}
			}
			equal(t, "requests", platform.count(), 2)
		})
	}
}

func TestAListEndsWithItsFirstError(t *testing.T) {
	for _, list := range lists {
		for name, bad := range map[string]struct {
			status int
			body   string
		}{
			"refused":    {404, `{"message":"no such project"}`},
			"wrong type": {200, fmt.Sprintf(`{%q:"none"}`, list.kind)},
			"no list":    {200, `{"status":"ok"}`},
		} {
			t.Run(list.kind+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					platform := &fakePlatform{answer: func(nth int, r *http.Request) (*http.Response, error) {
						if nth == 1 {
							return respond(r, bad.status, bad.body), nil
						}
						return respond(r, 200, list.page(string(rune('a'+nth)), strconv.Itoa(nth+1))), nil
					}}
					ids, errs := collect(list.ids(t.Context(), newClient(t, platform)))
					equal(t, "items", strings.Join(ids, ""), "a")
					equal(t, "errors", len(errs), 1)
					equal(t, "requests", platform.count(), 2)
				})
			})
		}
	}
}

func TestAListCanBeWalkedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, list := range lists {
			platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
				if r.URL.Query().Get("cursor") == "" {
					return respond(r, 200, list.page("ab", "1")), nil
				}
				return respond(r, 200, list.page("c", "")), nil
			}}
			walk := list.ids(t.Context(), newClient(t, platform))
			for range 2 {
				ids, _ := collect(walk)
				equal(t, "items", strings.Join(ids, ""), "abc")
			}
		}
	})
}

func TestAPartialListOfProjectsIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := inTurn(lists[0].page("ab", "1"),
			`{"projects":[{"id":"c"}],"unavailable_project_ids":["lost-one","lost-two"],"pagination":{"cursor":"2"}}`)
		_, errs := collect(lists[0].ids(t.Context(), newClient(t, platform)))
		var partial *PartialListError
		if len(errs) != 1 || !errors.As(errs[0], &partial) {
			t.Fatalf("got %v", errs)
		}
		if !slices.Equal(partial.UnavailableProjectIDs, []string{"lost-one", "lost-two"}) {
			t.Errorf("unavailable: %v", partial.UnavailableProjectIDs)
		}
		contains(t, errs[0].Error(), "lost-one", "lost-two")
	})
}

// Long lists, with a cursor on the last page too.
func TestLongLists(t *testing.T) {
	for _, test := range []struct {
		list            list
		count, pageSize int
		requests        int
	}{
		{lists[0], 1001, 400, 4},
		{lists[1], 2500, 1000, 4},
		{lists[2], 1001, 100, 12},
	} {
		t.Run(test.list.kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
					from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
					limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
					to := min(from+min(limit, test.pageSize), test.count)
					return respond(r, 200, fmt.Sprintf(`{%q:%s,"pagination":{%q:"%d"}}`,
						test.list.kind, numbered("id", from, to, ""), test.list.cursor, to)), nil
				}}
				ids, errs := collect(test.list.ids(t.Context(), newClient(t, platform)))
				equal(t, "items", len(ids), test.count)
				equal(t, "errors", len(errs), 0)
				for i, id := range ids {
					if want := fmt.Sprintf("id-%05d", i); id != want {
						t.Fatalf("item %d: got %s, want %s", i, id, want)
					}
				}
				// The page after the last may be the last one again, or empty.
				if requests := platform.count(); requests > test.requests {
					t.Errorf("%d requests, want at most %d", requests, test.requests)
				}
			})
		})
	}
}

// An object that can't be decoded fails alone, and what was revoked isn't listed.
func TestAListGoesOnAfterAnObjectThatCannotBeDecoded(t *testing.T) {
	number := func(key APIKey) string { return strconv.FormatInt(key.ID, 10) }
	for kind, list := range map[string]func(context.Context, *Client) iter.Seq2[string, error]{
		"projects": func(ctx context.Context, c *Client) iter.Seq2[string, error] {
			return idsOf(c.ListProjects(ctx, ProjectQuery{}), func(p Project) string { return p.ID })
		},
		"branches": func(ctx context.Context, c *Client) iter.Seq2[string, error] {
			return idsOf(c.ListBranches(ctx, "p", BranchQuery{}), func(b Branch) string { return b.ID })
		},
		"endpoints": func(ctx context.Context, c *Client) iter.Seq2[string, error] {
			return idsOf(c.ListEndpoints(ctx, BranchRef{ProjectID: "p", ID: ""}), func(e Endpoint) string { return e.ID })
		},
		"roles": func(ctx context.Context, c *Client) iter.Seq2[string, error] {
			return idsOf(c.ListRoles(ctx, aBranch), func(r Role) string { return r.Name })
		},
		"databases": func(ctx context.Context, c *Client) iter.Seq2[string, error] {
			return idsOf(c.ListDatabases(ctx, aBranch), func(d Database) string { return d.Name })
		},
		"project_permissions": func(ctx context.Context, c *Client) iter.Seq2[string, error] {
			return idsOf(c.ListProjectPermissions(ctx, "p"), func(p ProjectPermission) string { return p.ID })
		},
		"jwks": func(ctx context.Context, c *Client) iter.Seq2[string, error] {
			return idsOf(c.ListJWKS(ctx, "p"), func(jwks JWKS) string { return jwks.ID })
		},
		"snapshots": func(ctx context.Context, c *Client) iter.Seq2[string, error] {
			return idsOf(c.ListSnapshots(ctx, "p"), func(s Snapshot) string { return s.ID })
		},
		"": func(ctx context.Context, c *Client) iter.Seq2[string, error] {
			return idsOf(c.ListAPIKeys(ctx, APIKeyScope{}), number)
		},
	} {
		body := fmt.Sprintf(`{%q: [{"id": "1", "name": "1", "created_at": 7, "granted_at": 7}, {"id": "2", "name": "2"}]}`, kind)
		if kind == "" {
			body = `[{"id": 1, "name": 7}, {"id": 3, "revoked": true}, {"id": 2}]`
		}
		if kind == "databases" {
			body = strings.ReplaceAll(body, `"id": "2", `, "")
		}
		synctest.Test(t, func(t *testing.T) {
			ids, errs := collect(list(t.Context(), newClient(t, always(200, body))))
			if len(errs) != 1 || !strings.Contains(errs[0].Error(), `"1" has an unexpected type`) ||
				!slices.Equal(ids, []string{"2"}) {
				t.Errorf("%s: listed are %q, errors %v", kind, ids, errs)
			}
		})
	}
}
