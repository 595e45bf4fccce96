package client

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// family is a platform with branch b of branch a, each with what it has.
type family struct {
	// own and parents are the fields of what can be read of b and of a. After is own once something was written.
	own, parents, after string
	// status is the answer to writes, one after the other; 0 for a success.
	status []int
	answer string
	wrote  []string
}

func (f *family) RoundTrip(request *http.Request) (*http.Response, error) {
	connected(request)
	if request.Method != http.MethodGet {
		body, err := io.ReadAll(readerOf(request.Body))
		if err != nil {
			return nil, err
		}
		f.wrote = append(f.wrote, string(body))
		f.own = f.after
		if status := append(slices.Clone(f.status), 0)[min(len(f.wrote), len(f.status)+1)-1]; status != 0 {
			return respond(request, status, `{"message":"it is so already"}`), nil
		}
		return respond(request, http.StatusCreated, f.answer), nil
	}
	const branch, parent = `{"id":"b","parent_id":"a","created_at":"2026-01-02T00:00:00Z"}`,
		`{"id":"a","created_at":"2026-01-01T00:00:00Z"}`
	has, is := f.own, branch
	if strings.Contains(request.URL.Path, "/branches/a") {
		has, is = f.parents, parent
	}
	if strings.HasSuffix(request.URL.Path, "/api") && !strings.Contains(has, `"function":`) {
		return respond(request, http.StatusNotFound, `{"message":"no such function"}`), nil
	}
	_, function, _ := strings.Cut(has, `"function":`)
	return respond(request, http.StatusOK, `{"branch":`+is+`,"branches":[`+branch+`,`+parent+`],"functions":[`+function+
		`],"buckets":[]`+strings.TrimSuffix(","+has, ",")+`}`), nil
}

// What a branch has from its parent alone becomes its own; what it has of its own is somebody's already.
func TestWhatIsInheritedIsTakenOver(t *testing.T) {
	function := func(id, deployment string) string {
		return `"function":{"id":"` + id + `","slug":"api","current_deployment":{` + deployment +
			`,"environment":["KEY","OLD"]}}`
	}
	bucket := func(access, at string) string {
		return `"buckets":[{"name":"x","access_level":"` + access + `","created_at":"` + at + `"}]`
	}
	const before, since, later = "2026-01-01T12:00:00Z", "2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z"
	const five = `"id":5,"created_at":"` + since + `"`
	own := function("fn", five)
	for name, test := range map[string]struct {
		family

		isTaken bool
		writes  int
	}{
		"a function older than the branch":    {family{own: function("fn", `"id":5,"created_at":"`+before+`"`)}, false, 1},
		"the parent's very function":          {family{own: own, parents: own}, false, 1},
		"another deployment":                  {family{own: own, parents: function("fn", `"id":4,"created_at":"`+since+`"`)}, true, 0},
		"another deployment of that number":   {family{own: own, parents: function("fn", `"id":5,"created_at":"`+later+`"`)}, true, 0},
		"another function":                    {family{own: own, parents: function("other", five)}, true, 0},
		"a function that the parent lacks":    {family{own: own}, true, 0},
		"a bucket older than the branch":      {family{own: bucket("private", before)}, false, 1},
		"the parent's very bucket":            {family{own: bucket("private", since), parents: bucket("private", since)}, false, 1},
		"another bucket":                      {family{own: bucket("private", since), parents: bucket("private", later)}, true, 0},
		"a bucket that the parent lacks":      {family{own: bucket("private", since)}, true, 0},
		"a bucket that became the branch's":   {family{own: bucket("private", before), status: []int{409}}, true, 1},
		"a bucket taken over by a lost write": {family{own: bucket("private", before), status: []int{504, 409}}, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test.after, test.answer = test.own, `{"deployment":{"id":6},"bucket":{"name":"x","access_level":"private"}}`
				var err error
				if variables := map[string]string{"KEY": "1"}; strings.Contains(test.own, "function") {
					_, err = newClient(t, &test).CreateFunction(t.Context(), aBranch, "api", FunctionDeploy{Environment: variables})
					equal(t, "the caller's variables", len(variables), 1)
					if !test.isTaken && !strings.Contains(strings.Join(test.wrote, ""), `{"KEY":"1","OLD":""}`) {
						t.Errorf("sent %q", test.wrote)
					}
				} else {
					_, err = newClient(t, &test).CreateBucket(t.Context(), aBranch, "x", "private")
				}
				if errors.Is(err, ErrTaken) != test.isTaken || !test.isTaken && err != nil {
					t.Errorf("got %v", err)
				}
				equal(t, "writes", len(test.wrote), test.writes)
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		public := family{own: bucket("public_read", before)}
		_, err := newClient(t, &public).CreateBucket(t.Context(), aBranch, "x", "private")
		if access := new(AccessError); !errors.As(err, &access) || access.Access != "public_read" || len(public.wrote) > 0 {
			t.Errorf("with another access: got %v after %d", err, len(public.wrote))
		}
	})
}

// The deployment that makes a function the branch's own may count anew: after a lost answer, it is told by the
// function's id.
func TestALostTakeoverOfAFunction(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		after   string
		isFound bool
	}{
		"it took effect": {`"function":{"id":"own","slug":"api","current_deployment":{"id":1}}`, true},
		"it didn't":      {`"function":{"id":"fn","slug":"api","current_deployment":{"id":5,"created_at":"2026-01-01T12:00:00Z"}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := family{own: `"function":{"id":"fn","slug":"api","current_deployment":{"id":5,"created_at":"2026-01-01T12:00:00Z"}}`, after: test.after, status: []int{504}}
				made, err := newClient(t, &platform).CreateFunction(t.Context(), aBranch, "api", FunctionDeploy{})
				if (err == nil) != test.isFound || test.isFound && made.Current.ID != 1 || !test.isFound && !IsLost(err) ||
					len(platform.wrote) != 1 {
					t.Errorf("got %v, %v after %d", made, err, len(platform.wrote))
				}
			})
		})
	}
}

// A bucket is emptied folder by folder for as long as there are new ones. What a branch has from its parent stays in
// them, and is deleted one by one.
func TestEmptyBucket_inherited(t *testing.T) {
	t.Parallel()
	folders, wrote := []string{"a/", "b/", "c/", "d/", "e/", "f/", "g/"}, []string{}
	objects := `{"key":"a/from-parent"}`
	api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
		switch query := request.URL.Query(); {
		case request.Method == http.MethodDelete && query.Has("prefix"):
			wrote = append(wrote, query.Get("prefix"))
			folders = slices.DeleteFunc(folders, func(folder string) bool {
				return folder == query.Get("prefix") && (folder != "a/" || objects == "")
			})
			return respond(request, 200, `{"deleted":1}`), nil
		case request.Method == http.MethodDelete:
			wrote, objects = append(wrote, request.URL.Path[strings.LastIndex(request.URL.Path, "objects/"):]), ""
			return respond(request, 204, ``), nil
		case query.Has("delimiter"):
			shown := slices.Clone(folders)
			slices.Reverse(shown)
			return respond(request, 200, `{"objects":[],"folders":["`+strings.Join(shown[:1], "")+`"]}`), nil
		}
		return respond(request, 200, `{"objects":[`+objects+`]}`), nil
	}))
	if err := api.EmptyBucket(t.Context(), aBranch, "k"); err != nil {
		t.Error(err)
	}
	equal(t, "deleted", strings.Join(wrote, " "), "g/ f/ e/ d/ c/ b/ a/ a/ objects/a/from-parent")
}

// A list that still has what was deleted is looked at again, until it must have noticed.
func TestEmptyBucket_behind(t *testing.T) {
	t.Parallel()
	for behind, isEmptied := range map[time.Duration]bool{1500 * time.Millisecond: true, time.Hour: false} {
		synctest.Test(t, func(t *testing.T) {
			var deleted time.Time
			api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
				switch {
				case request.Method == http.MethodDelete:
					deleted = cmp.Or(deleted, time.Now())
					return respond(request, 204, ``), nil
				case deleted.IsZero() || time.Since(deleted) < behind:
					return respond(request, 200, `{"objects":[{"key":"a"}]}`), nil
				}
				return respond(request, 200, `{"objects":[]}`), nil
			}))
			if err := api.EmptyBucket(t.Context(), aBranch, "k"); (err == nil) != isEmptied {
				t.Errorf("a list that is behind by %s: got %v", behind, err)
			}
		})
	}
}
