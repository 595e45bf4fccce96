package stories_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

// shop has everything that refers to a project's default branch.
const shop = `
resource "neon_project" "shop" {
  name           = "shop"
  default_branch = { name = "production", protected = true, endpoint = { autoscaling_limit_max_cu = 2 } }
}
resource "neon_role" "app" {
  project_id = neon_project.shop.id
  branch_id  = neon_project.shop.default_branch.id
  name       = "app"
}
resource "neon_database" "app" {
  project_id          = neon_project.shop.id
  branch_id           = neon_project.shop.default_branch.id
  name                = "app"
  owner_name          = neon_role.app.name
  deletion_protection = true
}
resource "neon_endpoint" "reader" {
  project_id = neon_project.shop.id
  branch_id  = neon_project.shop.default_branch.id
  type       = "read_only"
}
resource "neon_jwks_url" "auth" {
  project_id    = neon_project.shop.id
  branch_id     = neon_project.shop.default_branch.id
  jwks_url      = "https://auth.example.com/.well-known/jwks.json"
  provider_name = "Example"
}
resource "neon_snapshot" "good" {
  project_id = neon_project.shop.id
  branch_id  = neon_project.shop.default_branch.id
  depends_on = [neon_database.app]
}
resource "neon_branch_backup_schedule" "nightly" {
  project_id = neon_project.shop.id
  branch_id  = neon_project.shop.default_branch.id
  schedule   = [{ frequency = "daily", hour = 3 }]
}
resource "neon_branch" "staging" {
  project_id = neon_project.shop.id
  name       = "staging"
  parent_id  = neon_project.shop.default_branch.id
  endpoints  = { primary = { type = "read_write" } }
  depends_on = [neon_database.app]
}
resource "neon_branch" "next" {
  project_id = neon_project.shop.id
  name       = "next"
}
`

// late is what the snapshot doesn't have.
const late = `
resource "neon_role" "late" {
  project_id = neon_project.shop.id
  branch_id  = neon_project.shop.default_branch.id
  name       = "late"
}
`

// shopRun is a run of the shop's configuration against real databases.
type shopRun struct {
	acctest.Run
	*acctest.World
	api       *client.Client
	projectID string
}

func newShopRun(t *testing.T, config string) shopRun {
	t.Helper()
	w := acctest.StartDatabases(t)
	r := shopRun{acctest.NewRun(t, w, config), w, w.Client(t), ""}
	r.Terraform(t, "apply", "-auto-approve")
	for project, err := range r.api.ListProjects(t.Context(), client.ProjectQuery{OrgID: w.OrgID, Search: "shop"}) {
		if err != nil {
			t.Fatal(err)
		}
		r.projectID = project.ID
	}
	return r
}

func (r shopRun) branch(t *testing.T, name string) client.Branch {
	t.Helper()
	branch, err := r.api.GetBranchByName(t.Context(), r.projectID, name)
	if err != nil || branch == nil {
		t.Fatalf("there is no branch %s: %v", name, err)
	}
	return *branch
}

func (r shopRun) settle(t *testing.T, operations []client.Operation, err error) {
	t.Helper()
	if err == nil {
		err = r.api.WaitForOperations(t.Context(), r.projectID, operations)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// rows counts the rows of the branch's table after a statement.
func (r shopRun) rows(t *testing.T, branch, statement string) int {
	t.Helper()
	id := r.branch(t, branch).ID
	if endpoints, err := client.All(r.api.ListEndpoints(t.Context(),
		client.BranchRef{ProjectID: r.projectID, ID: id})); err != nil || len(endpoints) == 0 {
		created, err := r.api.CreateEndpoint(t.Context(), client.BranchRef{ProjectID: r.projectID, ID: id},
			client.EndpointCreate{Type: client.EndpointReadWrite})
		r.settle(t, created.Operations, err)
	}
	uri, err := r.api.GetConnectionURI(t.Context(), r.projectID,
		client.ConnectionURIQuery{BranchID: id, DatabaseName: "app", RoleName: "app"})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := sqlscript.Connect(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var count int
	if _, err = conn.Exec(t.Context(), statement); err == nil {
		err = conn.QueryRow(t.Context(), "SELECT count(*) FROM orders").Scan(&count)
	}
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// restore restores a snapshot in place of a branch.
func (r shopRun) restore(t *testing.T, target string) {
	t.Helper()
	snapshots, err := client.All(r.api.ListSnapshots(t.Context(), r.projectID))
	if err != nil || len(snapshots) != 1 {
		t.Fatalf("the snapshots are %v, %v", snapshots, err)
	}
	operations, err := client.OperationsOf(r.api.RestoreSnapshot(t.Context(),
		client.SnapshotRef{ProjectID: r.projectID, ID: snapshots[0].ID},
		client.SnapshotRestore{TargetBranchID: target, Finalize: true}))
	r.settle(t, operations, err)
}

func (r shopRun) deleteBranch(t *testing.T, id string) {
	t.Helper()
	operations, err := r.api.DeleteBranch(t.Context(), client.BranchRef{ProjectID: r.projectID, ID: id})
	r.settle(t, operations, err)
}

// goesOn plans and applies, which deletes nothing, says all the words, and leaves an empty plan.
func (r shopRun) goesOn(t *testing.T, words ...string) {
	t.Helper()
	plan := acctest.InOneLine(r.Terraform(t, "plan"))
	for _, want := range words {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan doesn't say %q:\n%s", want, plan)
		}
	}
	if !strings.Contains(plan, "0 to destroy") && !strings.Contains(plan, "No changes.") {
		t.Errorf("the plan destroys:\n%s", plan)
	}
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
}

// Another default branch, which is set outside, plans nothing. A branch that a restore puts in the
// place of the first takes along all that refers to that one: nothing is deleted or created
// twice, and each row of data is where it was.
func TestAccTerraform_defaultBranchIsReplaced(t *testing.T) {
	t.Parallel()
	r := newShopRun(t, shop)
	if got := r.rows(t, "production", "CREATE TABLE orders AS SELECT generate_series(1, 3) AS id"); got != 3 {
		t.Fatalf("production has %d rows", got)
	}
	r.Terraform(t, "apply", "-auto-approve", "-replace=neon_snapshot.good", "-replace=neon_branch.staging")
	r.rows(t, "production", "INSERT INTO orders VALUES (4)")
	r.Configure(t, shop+late)
	r.Terraform(t, "apply", "-auto-approve")
	first, staging, next := r.branch(t, "production"), r.branch(t, "staging"), r.branch(t, "next")

	operations, err := client.OperationsOf(r.api.SetDefaultBranch(t.Context(),
		client.BranchRef{ProjectID: r.projectID, ID: next.ID}))
	r.settle(t, operations, err)
	r.goesOn(t, "No changes.", "Another branch is the default one", fmt.Sprintf("%s (%q)", next.ID, "next"),
		fmt.Sprintf("%s (%q)", first.ID, "production"))
	if r.branch(t, "production").ID != first.ID {
		t.Error("another branch is named production")
	}

	r.restore(t, first.ID)
	restored := r.branch(t, "production")
	r.goesOn(t, "A restored branch has taken the place of "+first.ID, restored.ID, `("production (old)")`, "0 to destroy",
		"branch "+restored.ID+" has this role too", "branch "+restored.ID+" has no such role yet")
	for branch, want := range map[string]int{"production": 3, "production (old)": 4, "staging": 3} {
		if got := r.rows(t, branch, ""); got != want {
			t.Errorf("%s has %d rows, want %d", branch, got, want)
		}
	}
	if now := r.branch(t, "staging"); now.ID != staging.ID {
		t.Error("staging is another branch")
	}
	for _, branchID := range []string{first.ID, restored.ID} {
		roles, err := client.All(r.api.ListRoles(t.Context(), client.BranchRef{ProjectID: r.projectID, ID: branchID}))
		// The first, app and late, and those three that keys of JWKS are for.
		if err != nil || len(roles) != 6 {
			t.Errorf("branch %s has the roles %v, %v", branchID, roles, err)
		}
	}

	r.restore(t, restored.ID) // Once more: it follows from branch to branch, also where the replaced one is gone by then.
	r.deleteBranch(t, restored.ID)
	r.goesOn(t, "A restored branch has taken the place of "+restored.ID, restored.ID+", which is gone", "0 to destroy")
	if got := r.rows(t, "production", ""); got != 3 {
		t.Errorf("production has %d rows", got)
	}
	operations, err = client.OperationsOf(r.api.SetDefaultBranch(t.Context(),
		client.BranchRef{ProjectID: r.projectID, ID: r.branch(t, "production").ID}))
	r.settle(t, operations, err)
	r.Configure(t, strings.NewReplacer("protected = true", "protected = false", "deletion_protection = true",
		"deletion_protection = false").Replace(shop+late))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "destroy", "-auto-approve")
}

// shopActions do by Terraform what else the console does.
const shopActions = `
action "neon_set_default_branch" "next" {
  config {
    project_id = neon_project.shop.id
    branch_id  = neon_branch.next.id
  }
}
action "neon_restore_snapshot" "good" {
  config {
    project_id       = neon_project.shop.id
    snapshot_id      = neon_snapshot.good.id
    target_branch_id = neon_project.shop.default_branch.id
    finalize_restore = true
  }
}
`

// Our own actions that set another default branch, or put a restored one in its place, leave plans that
// destroy nothing, also where the replaced branch is deleted before the next plan.
func TestAccTerraform_actionsReplaceTheDefaultBranch(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.ActionsSince)
	r := newShopRun(t, shop+shopActions)
	r.rows(t, "production", "CREATE TABLE orders AS SELECT generate_series(1, 3) AS id")
	r.Terraform(t, "apply", "-auto-approve", "-replace=neon_snapshot.good")
	r.rows(t, "production", "INSERT INTO orders VALUES (4)")
	first, next := r.branch(t, "production"), r.branch(t, "next")

	r.Terraform(t, "apply", "-auto-approve", "-invoke=action.neon_set_default_branch.next")
	if !r.branch(t, "next").Default {
		t.Fatal("next isn't the default branch")
	}
	r.goesOn(t, "No changes.", "Another branch is the default one", next.ID, first.ID)
	if got := r.rows(t, "production", ""); got != 4 {
		t.Errorf("production has %d rows", got)
	}

	said := acctest.InOneLine(r.Terraform(t, "apply", "-auto-approve", "-invoke=action.neon_restore_snapshot.good"))
	restored := r.branch(t, "production")
	if want := "The branch has another id now: " + restored.ID; restored.ID == first.ID || !strings.Contains(said, want) ||
		!strings.Contains(said, "nothing is destroyed") {
		t.Errorf("it doesn't say %q: %s", want, said)
	}
	r.goesOn(t, "A restored branch has taken the place of "+first.ID, "0 to destroy")
	for branch, want := range map[string]int{"production": 3, "production (old)": 4} {
		if got := r.rows(t, branch, ""); got != want {
			t.Errorf("%s has %d rows, want %d", branch, got, want)
		}
	}

	r.Terraform(t, "apply", "-auto-approve", "-invoke=action.neon_restore_snapshot.good")
	r.deleteBranch(t, restored.ID)
	r.goesOn(t, "A restored branch has taken the place of "+restored.ID, restored.ID+", which is gone", "0 to destroy")
	if got := r.rows(t, "production", ""); got != 3 {
		t.Errorf("production has %d rows", got)
	}
}

// What refers to the default branch moves along with it in place: what the restored branch has is taken
// over, and what it lacks is created there; also where the replaced branch is gone by then.
func TestAccSuccession_movesInPlace(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	inMain := func(kind, name, lines string) string {
		return fmt.Sprintf("resource %q %q {\n project_id = neon_project.p.id\n branch_id = neon_project.p.default_branch.id\n name = %[2]q\n%[3]s\n}\n", kind, name, lines)
	}
	early := w.ProviderConfig() + "resource \"neon_project\" \"p\" {\n}\nimport {\n to = neon_project.p\n id = \"" +
		w.ProjectID + "\"\n}\n" +
		inMain("neon_role", "early", "") + inMain("neon_database", "shop", "owner_name = neon_role.early.name")
	all := early + inMain("neon_role", "late", "") + `resource "neon_data_api" "late" {
 project_id = neon_project.p.id
 branch_id = neon_project.p.default_branch.id
 database_name = neon_database.shop.name
}
`
	follows := func(prepare func(), late plancheck.ResourceActionType) resource.TestStep {
		step := resource.TestStep{PreConfig: prepare, Config: all}
		step.ConfigPlanChecks.PreApply = []plancheck.PlanCheck{
			plancheck.ExpectResourceAction("neon_role.early", plancheck.ResourceActionUpdate),
			plancheck.ExpectResourceAction("neon_database.shop", plancheck.ResourceActionUpdate),
			plancheck.ExpectResourceAction("neon_role.late", late),
			plancheck.ExpectResourceAction("neon_data_api.late", late),
		}
		step.ConfigStateChecks = append(step.ConfigStateChecks, acctest.After(func(acctest.State) error {
			roles, err := client.All(w.API.ListRoles(t.Context(), w.Ref(w.MainBranch(t).ID)))
			managed := 0
			for _, role := range roles {
				if role.Name == "early" || role.Name == "late" {
					managed++
				}
			}
			if err != nil || managed != 2 {
				return fmt.Errorf("main has the roles %v (%w)", roles, err)
			}
			return nil
		}))
		return step
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: early},
		resource.TestStep{PreConfig: func() {
			taken, err := w.API.CreateSnapshot(t.Context(), w.Ref(w.MainBranch(t).ID), client.SnapshotCreate{})
			w.Settle(t, taken.Operations, err)
		}, Config: all},
		follows(func() { restoreMain(t, w) }, plancheck.ResourceActionUpdate),
		follows(func() {
			operations, err := w.API.DeleteBranch(t.Context(), w.Ref(restoreMain(t, w)))
			w.Settle(t, operations, err)
		}, plancheck.ResourceActionCreate), // It went with its branch.
	)
}

// projectOf is a world's project in a configuration, and what is in its default branch.
func projectOf(w *acctest.BranchWorld, resources ...string) string {
	config := w.ProviderConfig() + "resource \"neon_project\" \"p\" {\n}\nimport {\n to = neon_project.p\n id = \"" +
		w.ProjectID + "\"\n}\n"
	for _, body := range resources {
		kind, lines, _ := strings.Cut(body, " ")
		config += fmt.Sprintf("resource %q \"x\" {\n project_id = neon_project.p.id\n "+
			"branch_id = neon_project.p.default_branch.id\n %s\n}\n", kind, lines)
	}
	return config
}

// takeSnapshot takes the snapshot of the default branch that restoreMain restores.
func takeSnapshot(t *testing.T, w *acctest.BranchWorld) {
	t.Helper()
	taken, err := w.API.CreateSnapshot(t.Context(), w.Ref(w.MainBranch(t).ID), client.SnapshotCreate{})
	w.Settle(t, taken.Operations, err)
}

// A Data API that has moved along with its branch follows a rename of its database on the console, whether the branch
// had one or was given one.
func TestAccSuccession_dataAPIOfRenamedDatabase(t *testing.T) {
	t.Parallel()
	for name, isThere := range map[string]bool{"found": true, "created": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			database := `neon_database name = "shop"` + "\n owner_name = \"neondb_owner\""
			all := projectOf(w, database, "neon_data_api database_name = neon_database.x.name")
			first := projectOf(w, database)
			if isThere {
				first = all
			}
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: first},
				resource.TestStep{PreConfig: func() { takeSnapshot(t, w) }, Config: all},
				resource.TestStep{PreConfig: func() { restoreMain(t, w) }, Config: all,
					ConfigPlanChecks: acctest.ExpectAction("neon_data_api.x", plancheck.ResourceActionUpdate)},
				resource.TestStep{
					PreConfig: func() {
						branch, orders := w.Ref(w.MainBranch(t).ID), "orders"
						renamed, err := w.API.UpdateDatabase(t.Context(), branch, "shop", 0, client.DatabaseUpdate{Name: &orders})
						if err != nil {
							t.Fatal(err)
						}
						w.Settle(t, renamed.Operations, nil)
					},
					Config:           all, // It is still known, so that it doesn't get in the way of a new one.
					ConfigPlanChecks: acctest.ExpectAction("neon_data_api.x", plancheck.ResourceActionReplace),
				},
			)
		})
	}
}

// A setting that Neon refuses where Neon Auth moves along with its branch is an error, since no update taints anything.
// That of a new one is a warning.
func TestAccSuccession_authSettingRefused(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := projectOf(w, "neon_auth magic_link = { enabled = true }")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: projectOf(w)},
		resource.TestStep{PreConfig: func() { takeSnapshot(t, w) }, Config: config},
		resource.TestStep{
			PreConfig: func() {
				restoreMain(t, w)
				w.AddFault(t, acctest.Fault{
					Route: "PATCH /api/v2/projects/{project_id}/branches/{branch_id}/auth/plugins/magic-link", Kind: "status",
					Status: http.StatusBadRequest, Body: `{"code":"","message":"no links today"}`, Count: 1,
				})
			},
			Config: config, ExpectError: acctest.InOrder("Unable to update Neon Auth", "no links today"),
		},
		resource.TestStep{Config: config,
			ConfigPlanChecks: acctest.ExpectAction("neon_auth.x", plancheck.ResourceActionUpdate)},
	)
}
