package walks_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// backend is the group of what a branch may have many more of than of others, and backendRoutes what reads it: Neon
// lists it all.
const backend = "Storage and Functions"

var backendRoutes = regexp.MustCompile(`/(credentials|buckets|functions|triggers|custom-domains)\b`)

// manyWorld starts a Neon in which there can be many objects of each noun. It returns the configuration that they have
// in common, and what their lines stand for.
func manyWorld(t *testing.T, many int) (w *acctest.BranchWorld, common string, texts *strings.Replacer) {
	t.Helper()
	w = acctest.BranchWorldOf(t, emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone})
	var members, branches []string
	for i := range many {
		branches = append(branches, w.MakeBranch(t, fmt.Sprintf("applications-%d", i)).ID)
		id, _ := w.AddMember(t, fmt.Sprintf("max%d@example.com", i), "viewer")
		members = append(members, id)
		w.AssignVPCEndpoints(t, fmt.Sprintf("vpce-0a%d", i))
	}
	_, err := w.API.CreateBucket(t.Context(), w.Ref(w.MainBranch(t).ID), "media", "")
	w.Settle(t, nil, err)
	_, err = w.API.EnableAuth(t.Context(), w.Ref(w.MainBranch(t).ID), client.AuthEnable{Provider: "better_auth"})
	w.Settle(t, nil, err)
	w.MakeFunction(t, w.Ref(w.MainBranch(t).ID), "api")
	ids, err := json.Marshal(map[string][]string{"members": members, "branches": branches})
	if err != nil {
		t.Fatal(err)
	}
	common = w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID), "requests_per_minute = 60000") +
		fmt.Sprintf("locals {\n of = %s\n}\n", ids)
	return w, common, strings.NewReplacer("$project", w.ProjectID, "$other_project", w.MakeProject(t), "$main",
		w.MainBranch(t).ID, "$root", w.MainBranch(t).ID, "$authed", w.MainBranch(t).ID,
		"$n", "${count.index}", "$vpce", "vpce-0a${count.index}", "$code", acctest.CodeFolder(t, "1"), "$file",
		"${path.module}/main.tf", `"$member"`, "local.of.members[count.index]", `"$branch"`, "local.of.branches[count.index]")
}

// However many objects Neon lists in one answer, a plan over them takes the same few requests; what it doesn't list
// takes those that it can't do without.
func TestAccTerraform_many(t *testing.T) {
	t.Parallel()
	const many, most, requests = 12, 50, 20
	w, config, texts := manyWorld(t, many)
	kinds, each := 0, []string{}
	for _, noun := range acctest.Nouns(t) {
		for _, resource := range noun.Resources {
			if len(resource.Several) == 0 || resource.Few != "" {
				continue
			}
			count := many
			if noun.Group == backend {
				count = most
			}
			kinds++
			each = append(each, resource.Each...)
			config += fmt.Sprintf("resource %q \"test\" {\n count = %d\n %s}\n", resource.Name, count,
				texts.Replace(resource.Several.String()))
		}
	}
	r := acctest.NewRun(t, w.World, config)
	r.Terraform(t, "apply", "-auto-approve", "-parallelism=50")
	w.ForgetRequests(t)
	r.Terraform(t, "plan", "-detailed-exitcode", "-parallelism=50")
	sent := w.Requests(t)
	if len(sent.ByRoute) < kinds {
		t.Errorf("not all nouns were read: %v", sent.ByRoute)
	}
	ofBackend := 0
	for route, times := range sent.ByRoute {
		most := many / 2 // A slow machine reads some a second time.
		if slices.Contains(each, route) {
			most = many
		}
		if backendRoutes.MatchString(route) {
			ofBackend += times
		}
		if times > most {
			t.Errorf("a plan over many of each noun sent %s %d times, want at most %d", route, times, most)
		}
	}
	if ofBackend == 0 || ofBackend > requests {
		t.Errorf("a plan over %d each of what runs and stores on a branch sent %d requests for them, want 1 to %d: %v", most,
			ofBackend, requests, sent.ByRoute)
	}
}

// A plan over many projects sends, for each of them, one request for the project, its branches, endpoints, roles and
// databases. What isn't asked for within five seconds may be read again, so a slow machine sends more.
func TestAccTerraform_projects(t *testing.T) {
	t.Parallel()
	const projects = 6
	w := acctest.StartEmulator(t, emulator.Config{OperationDuration: time.Millisecond})
	r := acctest.NewRun(t, w, w.ProviderConfig()+fmt.Sprintf(`
		resource "neon_project" "test" {
			count  = %[1]d
			name   = "p${count.index}"
			org_id = %[2]q
		}
		resource "neon_branch" "test" {
			count      = %[1]d
			project_id = neon_project.test[count.index].id
			name       = "b"
			endpoints  = { app = { type = "read_write" } }
		}
		resource "neon_role" "test" {
			count      = %[1]d * 2
			project_id = neon_project.test[floor(count.index / 2)].id
			branch_id  = neon_branch.test[floor(count.index / 2)].id
			name       = "r${count.index}"
		}
		resource "neon_database" "test" {
			count      = %[1]d * 2
			project_id = neon_role.test[count.index].project_id
			branch_id  = neon_role.test[count.index].branch_id
			name       = "d${count.index}"
			owner_name = neon_role.test[count.index].name
		}
	`, projects, w.OrgID))
	r.Terraform(t, "apply", "-auto-approve")
	w.ForgetRequests(t)
	began := time.Now()
	r.Terraform(t, "plan", "-detailed-exitcode", "-parallelism=50")
	most := 5 * projects * (1 + int(time.Since(began)/(5*time.Second)))
	if sent := w.Requests(t); sent.Total > most {
		t.Errorf("a plan over %d projects sent %d requests, want at most %d: %v", projects, sent.Total, most, sent.ByRoute)
	}
}

// However often data sources ask the same, it is asked once.
func TestAccTerraform_sameQuestions(t *testing.T) {
	t.Parallel()
	const asked = 20
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: time.Millisecond})
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+fmt.Sprintf(`
		data "neon_project" "test" {
			count = %[1]d
			id    = %[2]q
		}
		data "neon_connection_uri" "test" {
			count         = %[1]d
			project_id    = %[2]q
			branch_id     = %[3]q
			role_name     = "neondb_owner"
			database_name = "neondb"
		}
	`, asked, w.ProjectID, w.MainBranch(t).ID))
	w.ForgetRequests(t)
	r.Terraform(t, "plan", "-parallelism=50")
	for route, times := range w.Requests(t).ByRoute {
		if times != 1 {
			t.Errorf("a plan with %d of each data source sent %s %d times", asked, route, times)
		}
	}
}
