package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// listedProject is one that the list has after a lost answer.
type listedProject struct {
	id, name string
	age      time.Duration
	mark     string // of its default branch; "ours" is that of the creation, and "unread" what can't be read
}

// losing loses the answer to a creation of a project, and counts the creations.
func losing(t *testing.T, listed []listedProject, creations *int) *fakePlatform {
	marks, platform := []string{}, &fakePlatform{}
	platform.answer = func(nth int, request *http.Request) (*http.Response, error) {
		parts := strings.Split(request.URL.Path, "/")
		switch {
		case request.Method == http.MethodPost:
			var sent struct {
				Project struct{ Branch ProjectBranch }
			}
			if err := json.Unmarshal([]byte(platform.all()[nth].body), &sent); err != nil {
				t.Error(err)
			}
			*creations++
			marks = append(marks, sent.Project.Branch.Annotations[creationAnnotation])
			return respond(request, http.StatusGatewayTimeout, `{}`), nil
		case request.URL.Path == "/api/v2/projects":
			elements := []string{}
			for _, project := range listed {
				elements = append(elements, fmt.Sprintf(`{"id":%q,"name":%q,"created_at":%q}`, project.id, project.name,
					time.Now().UTC().Add(-project.age).Format(time.RFC3339)))
			}
			return respond(request, http.StatusOK, `{"projects":[`+strings.Join(elements, ",")+`]}`), nil
		case strings.HasSuffix(request.URL.Path, "/branches"):
			i := slices.IndexFunc(listed, func(project listedProject) bool { return project.id == parts[4] })
			if listed[i].mark == "unread" {
				return respond(request, http.StatusForbidden, `{"message":"not now"}`), nil
			}
			mark := strings.Replace(listed[i].mark, "ours", marks[0], 1)
			return respond(request, http.StatusOK,
				`{"branches":[{"id":"br","default":true}],"annotations":{"br":{"value":{"`+creationAnnotation+`":"`+mark+
					`"}}}}`), nil
		}
		field := parts[len(parts)-1]
		id := map[bool]string{true: `7`, false: `"i"`}[field == "databases"]
		return respond(request, http.StatusOK, `{"`+field+`":[{"id":`+id+`,"name":"n","status":"running"}]}`), nil
	}
	return platform
}

// After a lost answer a project is ours if its default branch has our mark. None is created
// twice, and none of somebody else's is taken.
func TestALostCreationOfAProject(t *testing.T) {
	for name, test := range map[string]struct {
		listed []listedProject
		want   string // empty for a creation of which nothing is known
		doubts []string
	}{
		"created":              {listed: []listedProject{{id: "p", name: "shop", mark: "ours"}}, want: "p"},
		"among strangers":      {listed: []listedProject{{id: "q", name: "shop", mark: "theirs"}, {id: "p", name: "shop", mark: "ours"}}, want: "p"},
		"beside an unread one": {listed: []listedProject{{id: "q", name: "shop", mark: "unread"}, {id: "p", name: "shop", mark: "ours"}}, want: "p"},
		"an unread one alone":  {listed: []listedProject{{id: "q", name: "shop", mark: "unread"}}},
		"a stranger's alone":   {listed: []listedProject{{id: "q", name: "shop", mark: "theirs"}}},
		"an older one":         {listed: []listedProject{{id: "q", name: "shop", age: time.Hour}}},
		"one of a longer name": {listed: []listedProject{{id: "q", name: "shop-2"}}},
		"one without a mark":   {listed: []listedProject{{id: "q", name: "shop"}}, doubts: []string{"q"}},
		"no effect so far":     {},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				creations, shop := 0, "shop"
				created, err := newClient(t, losing(t, test.listed, &creations)).CreateProject(t.Context(),
					ProjectCreate{ProjectUpdate: ProjectUpdate{Name: &shop}, OrgID: "o"})
				equal(t, "creations", creations, 1)
				if test.want == "" {
					var lost *AmbiguousError
					doubtful := &DoubtfulError{}
					if !errors.As(err, &lost) || lost.LookupErr == nil ||
						errors.As(lost.LookupErr, &doubtful) != (test.doubts != nil) ||
						!slices.Equal(doubtful.IDs, test.doubts) {
						t.Errorf("got %v", err)
					}
					return
				}
				if err != nil || created.Object.ID != test.want {
					t.Fatalf("got %+v, %v", created, err)
				}
				if len(created.Object.Endpoints) != 1 || len(created.Object.Roles) != 1 || len(created.Object.Databases) != 1 ||
					len(created.Operations) != 1 {
					t.Errorf("what was created with it is %+v", created)
				}
			})
		})
	}
}

// A change whose answer is lost is sent again only where the project isn't as it wants.
func TestALostChangeOfAProject(t *testing.T) {
	for present, want := range map[string]int{
		`{"id":"p","settings":{"allowed_ips":{"ips":["10.0.0.1"],"protected_branches_only":false},"hipaa":true}}`: 1,
		`{"id":"p","settings":{"allowed_ips":{"ips":["10.0.0.1"],"protected_branches_only":true}}}`:               2,
		`{"id":"p"}`: 2,
	} {
		synctest.Test(t, func(t *testing.T) {
			sent := 0
			platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
				if strings.HasSuffix(request.URL.Path, "/operations") {
					return respond(request, http.StatusOK, `{"operations":[]}`), nil
				}
				if request.Method == http.MethodPatch {
					if sent++; sent == 1 {
						return respond(request, http.StatusGatewayTimeout, `{}`), nil
					}
				}
				return respond(request, http.StatusOK, `{"project":`+present+`}`), nil
			}}
			update := ProjectUpdate{Settings: &ProjectSettings{AllowedIPs: &AllowedIPs{IPs: []string{"10.0.0.1"}}}}
			if _, err := newClient(t, platform).UpdateProject(t.Context(), "p", update); err != nil {
				t.Error(err)
			}
			equal(t, "changes of "+present, sent, want)
		})
	}
}

// The default branch is read by its id while it is the default one, and looked for else.
func TestTheDefaultBranchIsFound(t *testing.T) {
	for name, test := range map[string]struct {
		bodies   []string
		requests int
		isFound  bool
	}{
		"one":  {[]string{`{"branches":[{"id":"a"},{"id":"b","default":true}]}`}, 1, true},
		"none": {[]string{`{"branches":[{"id":"a"}]}`}, 1, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			platform := inTurn(test.bodies...)
			branch, err := newClient(t, platform).GetDefaultBranch(t.Context(), "p")
			if (err == nil) != test.isFound || test.isFound && branch.ID != "b" {
				t.Errorf("%s: got %v, %v", name, branch, err)
			}
			equal(t, name, platform.count(), test.requests)
		})
	}
}
