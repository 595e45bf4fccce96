package walks_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// unproved are answers with 404 that prove nothing, each with what the error says. In the shape of the older claimable
// API's, one says that this service has ended, which is a warning about its databases.
var unproved = map[string]struct {
	body, says string
	isForeign  bool
}{
	"a proxy's page":      {"<html>Not Found</html>", "check the provider's base_url", true},
	"another server":      {`{"detail":"Not Found"}`, "check the provider's base_url", true},
	"a wrong base_url":    {`{"message":"this route does not exist"}`, "check the provider's base_url", false},
	"a key not allowed":   {`{"message":"not allowed for organization API keys"}`, "not allowed for organization API keys", false},
	"a project not found": {`{"message":"project not found"}`, "project not found", false},
}

// everyKind has a resource of each kind.
func everyKind(w *acctest.World) string {
	return fmt.Sprintf(`
resource "neon_branch" "b" {
  project_id = %q
  name       = "b"
  endpoints  = { app = { type = "read_write" } }
}
resource "neon_api_key" "k" {
  name = "k"
}
resource "neon_org_api_key" "o" {
  name = "o"
}
resource "neon_claimable_database" "d" {
  ref = "test"
}
`, w.ProjectID)
}

var everyAddress = []string{"neon_branch.b", "neon_api_key.k", "neon_org_api_key.o", "neon_claimable_database.d"}

// What can't be found is neither forgotten nor destroyed, unless its absence is proved.
func TestAccTerraform_keepsWhatIsNotProvedToBeGone(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, everyKind(w))
	r.Terraform(t, "apply", "-auto-approve")
	before := r.Terraform(t, "state", "pull")
	exist := w.Objects(t)
	destroy := []string{"destroy", "-refresh=false", "-auto-approve"}
	deletable := everyAddress[:3] // The API can't delete a claimable database.
	for _, address := range deletable {
		destroy = append(destroy, "-target="+address)
	}
	for name, answer := range unproved {
		w.AddFault(t, acctest.Fault{Route: "*", Kind: "status", Status: http.StatusNotFound, Body: answer.body})
		refreshed := len(everyAddress)
		if !answer.isForeign {
			refreshed--
		}
		checkErrors(t, name+", refreshing", r.Fails(t, "apply", "-refresh-only", "-auto-approve"), answer.says, refreshed)
		said := r.Fails(t, destroy...)
		checkErrors(t, name+", destroying", said, answer.says, len(deletable))
		if strings.Contains(said, "Destruction complete") {
			t.Errorf("%s, destroying: %s", name, said)
		}
		w.Control(t, http.MethodDelete, "/_emulator/faults", nil, nil)
	}
	if after := r.Terraform(t, "state", "pull"); after != before {
		t.Errorf("the state was\n%s\nand is\n%s", before, after)
	}
	if now := w.Objects(t); len(now.Branches) != len(exist.Branches) || len(now.APIKeys) != len(exist.APIKeys) {
		t.Errorf("there are %v", now)
	}
	r.Terraform(t, "plan", "-detailed-exitcode")
}

// checkErrors checks that there are so many errors, and what each says.
func checkErrors(t *testing.T, doing, said, says string, want int) {
	t.Helper()
	problems := strings.Split(said, "Error: ")[1:]
	unlike := slices.ContainsFunc(problems, func(problem string) bool { return !strings.Contains(problem, says) })
	if len(problems) != want || unlike {
		t.Errorf("%s: there are %d errors, want %d, each of which says %q: %s", doing, len(problems), want, says, said)
	}
}

// A single page of a proxy's in place of a branch is settled by the list of branches.
func TestAccTerraform_readsTheListInDoubt(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, everyKind(w))
	r.Terraform(t, "apply", "-auto-approve")
	w.AddFault(t, acctest.Fault{
		Route: "GET /api/v2/projects/{project_id}/branches/{branch_id}", Kind: "status", Status: http.StatusNotFound,
		Body: "<html></html>",
	})
	r.Terraform(t, "plan", "-detailed-exitcode")
}

// An import of what a proxy doesn't find says so; one of what doesn't exist says that.
func TestAccTerraform_importsNothingUnproved(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, everyKind(w))
	ids := map[string]string{
		"neon_branch.b": w.ProjectID + "/br-none-none-a1b2c3d4", "neon_api_key.k": "4711",
		"neon_org_api_key.o": w.OrgID + "/4711",
	}
	for address, id := range ids {
		if said := r.Fails(t, "import", address, id); !strings.Contains(said, "No such") {
			t.Errorf("%s: %s", address, said)
		}
	}
	w.AddFault(t, acctest.Fault{Route: "*", Kind: "status", Status: http.StatusNotFound, Body: "<html></html>"})
	for address, id := range ids {
		if said := r.Fails(t, "import", address, id); !strings.Contains(said, "check the provider's base_url") {
			t.Errorf("%s: %s", address, said)
		}
	}
}

// The branches of a project that was deleted are gone while the list of deleted
// projects has it. After that nobody can tell, and the error says what to do.
func TestAccTerraform_deletedProject(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	project := w.MakeProject(t)
	r := acctest.NewRun(t, w, fmt.Sprintf("resource \"neon_branch\" \"b\" {\n  project_id = %q\n  name = \"b\"\n}\n",
		project))
	r.Terraform(t, "apply", "-auto-approve")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, w.BaseURL+"/api/v2/projects/"+project, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+w.APIKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(err, response)
	}
	_ = response.Body.Close()
	if said := r.Terraform(t, "plan", "-refresh-only"); !strings.Contains(said, "neon_branch.b has been deleted") {
		t.Errorf("within a week: %s", said)
	}
	w.Advance(t, 8*24*time.Hour)
	for _, command := range [][]string{{"apply", "-refresh-only", "-auto-approve"},
		{"destroy", "-refresh=false", "-auto-approve"}} {
		said := r.Fails(t, command...)
		for _, part := range []string{
			"project " + project + " can't be seen with this API key", "more than a week ago", "another organization",
			"removed { from = neon_branch.NAME lifecycle { destroy = false } }", "terraform state rm neon_branch.NAME",
		} {
			if !strings.Contains(strings.ToLower(said), strings.ToLower(part)) {
				t.Errorf("%v: %q isn't in %s", command, part, said)
			}
		}
	}
	if said := r.Terraform(t, "state", "list"); !strings.Contains(said, "neon_branch.b") {
		t.Errorf("the state has %q", said)
	}
	r.Terraform(t, "state", "rm", "neon_branch.b")
}

// A key that may still be valid when it is closed is named.
func TestAccTerraform_closesNothingUnproved(t *testing.T) {
	acctest.NeedsTerraform(t, "1.10.0")
	t.Parallel()
	for name, answer := range unproved {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, emulator.Config{})
			r := acctest.NewRun(t, w, "ephemeral \"neon_api_key\" \"k\" {\n  name = \"k\"\n}\n")
			w.AddFault(t, acctest.Fault{
				Route: "DELETE /api/v2/api_keys/{key_id}", Kind: "status", Status: http.StatusNotFound, Body: answer.body,
			})
			said := acctest.InOneLine(r.Terraform(t, "apply", "-auto-approve"))
			if !strings.Contains(said, "may still be valid") || w.KeysNamed(t, "k") == 0 {
				t.Errorf("%d keys, and %s", w.KeysNamed(t, "k"), said)
			}
		})
	}
}
