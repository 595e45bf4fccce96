package stories_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// death is how a Neon ends: at the first request of a method to a path that ends so, and
// before it answers or in the middle of the answer.
type death struct {
	method, at string
	halfway    bool
}

// dies returns a world in front of the same Neon that dies so. Nothing listens there then.
func (w mistakeWorld) dies(t *testing.T, of death) mistakeWorld {
	t.Helper()
	address, err := url.Parse(w.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	neon := httputil.NewSingleHostReverseProxy(address)
	var isDead atomic.Bool
	var front *httptest.Server
	front = httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		if !isDead.Load() && (request.Method != of.method || !strings.HasSuffix(request.URL.Path, of.at)) {
			neon.ServeHTTP(answer, request)
			return
		}
		if !isDead.Swap(true) && of.halfway {
			recorded := httptest.NewRecorder()
			neon.ServeHTTP(recorded, request)
			answer.Header().Set("Content-Length", fmt.Sprint(recorded.Body.Len()))
			answer.WriteHeader(recorded.Code)
			_, _ = answer.Write(recorded.Body.Bytes()[:recorded.Body.Len()/2])
			_ = http.NewResponseController(answer).Flush()
		}
		_ = front.Listener.Close()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(front.Close)
	behind := *w.World
	behind.BaseURL, behind.ClaimBaseURL, behind.MaxRetries = front.URL, front.URL, 0
	return mistakeWorld{&acctest.BranchWorld{World: &behind, API: w.API}, w.main, w.child, w.endpoint}
}

// Where Neon dies during a creation, the message says what was created, what isn't known, and
// what the next apply does.
func TestAccMistakes_death(t *testing.T) {
	t.Parallel()
	const refuses, unknown = "Apply again: if it exists, it isn't created a second time", "may have taken effect"
	for name, test := range map[string]struct {
		at     string
		config func(mistakeWorld) string
		says   []string
	}{
		"branch": {"/branches", func(w mistakeWorld) string { return w.branch("") }, []string{`A branch named "b"`, unknown, refuses}},
		"role":   {"/roles", func(w mistakeWorld) string { return w.inBranch("neon_role", w.main, `name = "r"`) }, []string{`Role "r"`, unknown, refuses}},
		"database": {"/databases", func(w mistakeWorld) string {
			return w.inBranch("neon_database", w.main, "name = \"d\"\nowner_name = \"neondb_owner\"")
		}, []string{`Database "d"`, unknown, refuses}},
		"project": {
			"/projects", func(w mistakeWorld) string { return w.inOrg("neon_project", `name = "p"`) },
			[]string{`A project named "p"`, unknown, "the next apply would create another one", "the data source neon_projects",
				"to = neon_project.NAME"},
		},
		"snapshot": {
			"/snapshot", func(w mistakeWorld) string { return w.inBranch("neon_snapshot", w.main, `name = "s"`) },
			[]string{`A snapshot named "s"`, unknown, "the next apply would create another one",
				"the data source neon_snapshots", "to = neon_snapshot.NAME"},
		},
		"key": {
			"/api_keys", func(mistakeWorld) string { return resourceBlock("neon_api_key", `name = "k"`) },
			[]string{`An API key named "k"`, unknown, "its token is lost with the answer", "apply again, which creates another"},
		},
		"claimable database": {
			"/database", func(mistakeWorld) string { return resourceBlock("neon_claimable_database", `ref = "r"`) },
			[]string{"A claimable database", unknown, "can't be imported; it expires by itself",
				"Apply again, which creates another"},
		},
	} {
		for _, halfway := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, halfway %t", name, halfway), func(t *testing.T) {
				t.Parallel()
				w := newMistakeWorld(t, emulator.Config{}).dies(t, death{http.MethodPost, test.at, halfway})
				w.refusesAtOnce(t, test.config(w), test.says...)
			})
		}
	}
	for _, noun := range []string{"branch", "project"} {
		t.Run(noun+", while it is waited for", func(t *testing.T) {
			t.Parallel()
			w := newMistakeWorld(t, emulator.Config{}).dies(t, death{http.MethodGet, "/operations", false})
			// A wait goes on for as long as it may: Neon may come back.
			soon := `timeouts = { create = "3s" }`
			config := map[string]string{"branch": w.branch(soon),
				"project": w.inOrg("neon_project", `name = "p"`+"\n"+soon)}[noun]
			// What can't be looked at isn't failed: it is kept with a warning, and not tainted.
			if _, err := inprocess.RunCommand(t.Context(), w.Factories()["neon"], w.ProviderConfig()+config,
				[]string{"apply", "-auto-approve"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// refusesAtOnce is Refuses where nothing can be destroyed any more.
func (w mistakeWorld) refusesAtOnce(t *testing.T, config string, says ...string) {
	t.Helper()
	_, said := inprocess.RunCommand(t.Context(), w.Factories()["neon"], w.ProviderConfig()+config,
		[]string{"apply", "-auto-approve"})
	for _, words := range says {
		if !acctest.InWords(words).MatchString(fmt.Sprint(said)) {
			t.Errorf("%q isn't in %v", words, said)
		}
	}
}

// A deletion that Neon refuses names the branch, and says why before it repeats Neon.
func TestAccMistakes_deletion(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*testing.T, *acctest.BranchWorld, client.Branch)
		says   []string
	}{
		"children": {
			func(t *testing.T, w *acctest.BranchWorld, b client.Branch) { w.MakeChild(t, "grandchild", b.ID) },
			[]string{"Unable to delete branch br-", "(b)", "have to be deleted first: grandchild (br-", "422"},
		},
		"the default branch": {
			func(t *testing.T, w *acctest.BranchWorld, b client.Branch) {
				makeDefault(t, w, b)
			},
			[]string{"The default branch can't be deleted (br-", "is the default branch of project",
				"make another one the default first"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: w.BranchConfig(`name = "b"`)},
				resource.TestStep{
					PreConfig: func() { test.change(t, w, w.BranchNamed(t, "b")) },
					Config:    w.ProviderConfig(), ExpectError: acctest.InOrder(test.says...),
				},
				resource.TestStep{PreConfig: func() { undo(t, w) }, Config: w.ProviderConfig()})
		})
	}
}

func makeDefault(t *testing.T, w *acctest.BranchWorld, branch client.Branch) {
	t.Helper()
	operations, err := client.OperationsOf(w.API.SetDefaultBranch(t.Context(), w.Ref(branch.ID)))
	w.Settle(t, operations, err)
}

// undo makes main the default branch again, and deletes what hangs on others.
func undo(t *testing.T, w *acctest.BranchWorld) {
	t.Helper()
	makeDefault(t, w, w.MainBranch(t))
	for _, branch := range w.Branches(t) {
		if branch.Name == "grandchild" {
			w.DeleteBranch(t, branch.ID)
		}
	}
}

// A renaming onto a branch that is there names it.
func TestAccMistakes_rename(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	taken := w.MakeBranch(t, "taken")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.BranchConfig(`name = "b"`)},
		resource.TestStep{
			Config: w.BranchConfig(`name = "taken"`),
			ExpectError: acctest.InOrder("Unable to update branch", "name", `already has a branch named "taken": `+taken.ID,
				"choose another name"),
		})
}

// A change whose answer is lost, as by Ctrl-C, is done by the next apply. Nobody is told to import or delete what they
// have.
func TestAccMistakes_lostChange(t *testing.T) {
	t.Parallel()
	const route = "PATCH /api/v2/projects/{project_id}"
	for name, test := range map[string]struct {
		route  string
		config func(w mistakeWorld, changed bool) string
	}{
		"project": {route, func(w mistakeWorld, changed bool) string {
			return w.inOrg("neon_project", fmt.Sprintf("name = \"p%t\"", changed))
		}},
		"branch": {route + "/branches/{branch_id}", func(w mistakeWorld, changed bool) string {
			return w.branch(fmt.Sprintf("protected = %t", changed))
		}},
		"Data API": {route + "/branches/{branch_id}/data-api/{database_name}", func(w mistakeWorld, changed bool) string {
			return w.inBranch("neon_data_api", w.main, "database_name = \"neondb\"\n"+
				fmt.Sprintf("settings = { db_aggregates_enabled = %t }", changed))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newMistakeWorld(t, emulator.Config{})
			lost := resource.TestStep{
				PreConfig: func() { w.AddFault(t, acctest.Fault{Route: test.route, Kind: "lost_before", Count: 1}) },
				Config:    w.ProviderConfig() + test.config(w, true),
				ExpectError: acctest.InOrder("may have taken effect; it was not sent again.",
					"Apply again: it reads what Neon has, and does what is left to do."),
			}
			acctest.RunSteps(t, w.World, resource.TestStep{Config: w.ProviderConfig() + test.config(w, false)},
				lost, resource.TestStep{Config: lost.Config})
		})
	}
}
