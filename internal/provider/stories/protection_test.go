package stories_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What only Terraform knows of, that an object is to be replaced, is refused in the plan where it
// is protected, before what belongs to it is deleted; what even a plan can't see is refused when it
// is applied, which says what was done.
func TestAccTerraform_protectionOfWhatIsReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := func(trigger, lifecycle string) string {
		return `
resource "terraform_data" "t" { input = "` + trigger + `" }
resource "neon_project" "p" {
  name                = "shop"
  deletion_protection = true
  lifecycle { ` + lifecycle + ` }
}
resource "neon_branch" "b" {
  project_id = neon_project.p.id
  name       = "b"
}
`
	}
	branches := func() int { return len(w.Objects(t).Branches) }
	const triggered = "replace_triggered_by = [terraform_data.t]"
	r := acctest.NewRun(t, w, config("1", triggered))
	r.Terraform(t, "apply", "-auto-approve")
	before := branches()
	refused := func(said string, words ...string) {
		t.Helper()
		for _, want := range append(words, "The project is protected", `("shop")`, "create_before_destroy") {
			if !strings.Contains(said, want) {
				t.Errorf("it doesn't say %q:\n%s", want, said)
			}
		}
		if strings.Contains(said, "Nothing was changed") {
			t.Errorf("it can't know that nothing was changed:\n%s", said)
		}
	}
	r.Configure(t, config("2", triggered))
	refused(r.Fails(t, "apply", "-auto-approve"), "replace_triggered_by")
	r.Configure(t, config("1", "create_before_destroy = true"))
	refused(r.Fails(t, "apply", "-auto-approve", "-replace=neon_project.p"), "would be replaced, by -replace")
	if got := branches(); got != before {
		t.Errorf("there are %d branches, want %d", got, before)
	}
	r.Terraform(t, "taint", "neon_project.p")
	r.Configure(t, config("1", ""))
	refused(r.Fails(t, "apply", "-auto-approve"), "wasn't destroyed", "stays created or destroyed", "terraform untaint")
	r.Terraform(t, "untaint", "neon_project.p")
	r.Configure(t, `provider "neon" {}`)
	refused(r.Fails(t, "apply", "-auto-approve"), "would be destroyed", "put it back", "removed {")
}

// The same as above, over the provider's protocol: the private state is all that tells the plan for
// -replace what is protected, and an apply that refuses doesn't claim that nothing was changed.
func TestProtection_ofWhatIsReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	p := acctest.NewProtocol(t, w)
	given := map[string]tftypes.Value{"name": acctest.Text("shop"),
		"deletion_protection": tftypes.NewValue(tftypes.Bool, true)}
	created := p.Created(t, "neon_project", given)
	for what, said := range map[string]string{
		"would be replaced, by -replace or replace_triggered_by": p.PlanReplacement(t, "neon_project", created, given),
		"has created or destroyed before":                        p.Destroy(t, "neon_project", created),
	} {
		if !strings.Contains(said, "The project is protected") || !strings.Contains(said, what) ||
			strings.Contains(said, "Nothing was changed") {
			t.Errorf("want %q, got %q", what, said)
		}
	}
	if left := len(w.Objects(t).Projects); left != 2 {
		t.Errorf("there are %d projects, want the first and this one", left)
	}
}

// Projects of one name that one run creates say nothing of each other, and what was there before
// is named with care: it may be somebody's production.
func TestAccTerraform_projectsOfOneName(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, "resource \"neon_project\" \"p\" {\n  count = 2\n  name = \"shop\"\n}\n")
	if said := r.Terraform(t, "apply", "-auto-approve", "-parallelism=1"); strings.Contains(said,
		"Another project of the same name") {
		t.Errorf("it warns of what it has created itself:\n%s", said)
	}
	r.Configure(t, "resource \"neon_project\" \"p\" {\n  count = 2\n  name = \"shop\"\n  lifecycle { create_before_destroy = true }\n}\n")
	said := acctest.InOneLine(r.Terraform(t, "apply", "-auto-approve", "-replace=neon_project.p[0]"))
	_, warning, found := strings.Cut(said, "Another project of the same name")
	if !found || !strings.Contains(warning, "this run replaces it") || strings.Contains(warning, "and destroy that") {
		t.Errorf("it says %s", said)
	}
}

// What Neon would refuse to delete is replaced by -replace as little as by a change: what belongs to it would be gone.
func TestAccTerraform_forcedReplacementOfWhatStays(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, `
resource "neon_project" "p" { name = "shop" }
resource "neon_branch" "b" {
  project_id = neon_project.p.id
  name       = "staging"
}
resource "neon_role" "r" {
  project_id = neon_project.p.id
  branch_id  = neon_branch.b.id
  name       = "app"
}
resource "neon_anonymized_branch" "a" {
  project_id    = neon_project.p.id
  name          = "masked"
  masking_rules = [{
    database_name = "neondb", schema_name = "public", table_name = "people", column_name = "email"
    masking_value = "NULL"
  }]
}
output "project" { value = neon_project.p.id }
`)
	r.Terraform(t, "apply", "-auto-approve")
	api, projectID, on := w.Client(t), strings.TrimSpace(r.Terraform(t, "output", "-raw", "project")), true
	staging, err := api.GetBranchByName(t.Context(), projectID, "staging")
	main, mainErr := api.GetBranchByName(t.Context(), projectID, "main")
	child, childErr := api.CreateBranch(t.Context(), projectID, client.BranchCreate{Name: "child", ParentID: staging.ID})
	if err := errors.Join(err, mainErr, childErr); err != nil {
		t.Fatal(err)
	}
	chosen := func(id string) {
		if _, err := api.SetDefaultBranch(t.Context(), client.BranchRef{ProjectID: projectID, ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	chosen(child.Object.ID)
	said := acctest.InOneLine(r.Fails(t, "apply", "-auto-approve", "-replace=neon_branch.b"))
	if !strings.Contains(said, "The default branch was created from it ("+staging.ID+")") {
		t.Errorf("with a child that is the default branch it says %s", said)
	}
	chosen(main.ID)
	before := len(w.Objects(t).Roles)
	for _, resource := range []struct{ name, branch, said string }{
		{"neon_branch.b", "staging", "Somebody has protected the branch"},
		{"neon_anonymized_branch.a", "masked", "Somebody has protected the branch"},
		{"neon_project.p", "main", "Somebody has protected the default branch"},
	} {
		branch, err := api.GetBranchByName(t.Context(), projectID, resource.branch)
		if err == nil {
			_, err = api.UpdateBranch(t.Context(), client.BranchRef{ProjectID: projectID, ID: branch.ID},
				client.BranchUpdate{Protected: &on})
		}
		if err != nil {
			t.Fatal(err)
		}
		said := acctest.InOneLine(r.Fails(t, "apply", "-auto-approve", "-replace="+resource.name))
		if !strings.Contains(said, resource.said+" ("+branch.ID+")") {
			t.Errorf("%s: it says %s", resource.name, said)
		}
	}
	if after := len(w.Objects(t).Roles); after != before {
		t.Errorf("there are %d roles, want %d", after, before)
	}
}

// What Neon would refuse to delete is refused, or warned of, before anything else is deleted; and
// a protection that somebody else put on stays.
func TestAccTerraform_destroyOfWhatStays(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	main := w.MainBranch(t)
	project := `
resource "neon_branch" "b" {
  project_id = "` + w.ProjectID + `"
  name       = "b"
}
resource "neon_role" "b" {
  project_id = neon_branch.b.project_id
  branch_id  = neon_branch.b.id
  name       = "app"
}
`
	r := acctest.NewRun(t, w.World, project)
	r.Terraform(t, "apply", "-auto-approve")
	id := w.BranchNamed(t, "b").ID
	protect := func(branchID string) {
		yes := true
		operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(branchID),
			client.BranchUpdate{Protected: &yes}))
		w.Settle(t, operations, err)
	}
	keeps := func(summary string, arguments ...string) {
		t.Helper()
		if said := r.Fails(t, append(arguments, "-auto-approve")...); !strings.Contains(said, summary) {
			t.Errorf("it doesn't say %q:\n%s", summary, said)
		}
		if roles, err := client.All(w.API.ListRoles(t.Context(), w.Ref(id))); err != nil || len(roles) < 2 {
			t.Errorf("the roles are %v, %v", roles, err)
		}
	}
	protect(id)
	r.Terraform(t, "plan", "-detailed-exitcode")
	r.Terraform(t, "apply", "-auto-approve")
	w.CheckProtected(t, "b", true)
	keeps("Somebody has protected the branch ("+id+")", "destroy")
	w.CheckProtected(t, "b", true)
	operations, err := client.OperationsOf(w.API.SetDefaultBranch(t.Context(), w.Ref(id)))
	w.Settle(t, operations, err)
	keeps("The default branch can't be deleted ("+id+")", "destroy")
	operations, err = client.OperationsOf(w.API.SetDefaultBranch(t.Context(), w.Ref(main.ID)))
	w.Settle(t, operations, err)
	r.Configure(t, strings.Replace(project, `"b"`+"\n}\nresource", `"b"`+"\n  protected = false\n}\nresource", 1))
	r.Terraform(t, "apply", "-auto-approve")
	w.CheckProtected(t, "b", false)
	r.Configure(t, strings.Replace(project, `"b"`+"\n}\nresource", `"b"`+"\n  protected = true\n}\nresource", 1))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "destroy", "-auto-approve")
	w.CheckOnly(t, "main")

	protect(main.ID)
	r.Configure(t, "resource \"neon_project\" \"p\" {\n}\nimport {\n  to = neon_project.p\n  id = \""+w.ProjectID+
		"\"\n}\n")
	r.Terraform(t, "apply", "-auto-approve")
	plan := acctest.InOneLine(r.Fails(t, "destroy", "-auto-approve"))
	if !strings.Contains(plan, "Somebody has protected the default branch ("+main.ID+")") ||
		!strings.Contains(plan, "main ("+main.ID+")") {
		t.Errorf("the plan doesn't say what keeps the project:\n%s", plan)
	}
	w.CheckProtected(t, "main", true)
}

// deletion_protection counts as soon as it is written, whatever the same change would replace, and a
// branch has it like all else that holds data.
func TestAccTerraform_protectionCountsWhenWritten(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	w.MakeBranch(t, "other")
	main, other := w.MainBranch(t).ID, w.BranchNamed(t, "other").ID
	config := func(version, branchID, protection string) string {
		return `
resource "neon_project" "p" {
  name       = "shop"
  pg_version = ` + version + protection + `
}
resource "neon_branch" "b" {
  project_id = "` + w.ProjectID + `"
  name       = "b"
  parent_id  = "` + branchID + `"` + protection + `
}
resource "neon_database" "d" {
  project_id = "` + w.ProjectID + `"
  branch_id  = "` + branchID + `"
  name       = "d"
  owner_name = "neondb_owner"` + protection + `
}
`
	}
	const on = "\n  deletion_protection = true"
	const addresses, off = "neon_project.p neon_branch.b neon_database.d", "\n  deletion_protection = false"
	r := acctest.NewRun(t, w.World, config("16", main, ""))
	r.Terraform(t, "apply", "-auto-approve")
	made := len(w.Objects(t).Branches)
	refused := func(arguments ...string) {
		t.Helper()
		said := r.Fails(t, append(arguments, "-auto-approve")...)
		for _, want := range []string{"The project is protected", "The branch is protected", "The database is protected"} {
			if !strings.Contains(said, want) {
				t.Errorf("%v doesn't say %q:\n%s", arguments, want, said)
			}
		}
		if strings.Contains(said, "Terraform refuses such plans") {
			t.Errorf("it promises what is configured already:\n%s", said)
		}
		if got := len(w.Objects(t).Branches); got != made {
			t.Errorf("there are %d branches, want %d", got, made)
		}
	}
	replaced := []string{"apply"}
	for address := range strings.FieldsSeq(addresses) {
		replaced = append(replaced, "-replace="+address)
	}
	r.Configure(t, config("17", other, on))
	refused("apply")
	r.Configure(t, config("16", main, on))
	refused(replaced...)
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
	refused(replaced...)
	r.Configure(t, config("17", other, on))
	refused("apply")
	r.Configure(t, config("17", other, off)) // It must be off in the state.
	refused("apply")
	r.Configure(t, `provider "neon" {}`)
	refused("apply")
	r.Configure(t, config("16", main, off))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "destroy", "-auto-approve")
}

// A branch with children is kept by Neon, which its plan says before its databases are deleted: as an error where the
// default branch is one of them, and without those that the same run destroys.
func TestAccTerraform_destroyOfParents(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	config := func(line string) string {
		return `
resource "neon_branch" "b" {
  project_id = "` + w.ProjectID + `"
  name       = "b"
  ` + line + `
}
resource "neon_branch" "child" {
  project_id = "` + w.ProjectID + `"
  name       = "child"
  parent_id  = neon_branch.b.id
}
`
	}
	r := acctest.NewRun(t, w.World, config(""))
	r.Terraform(t, "apply", "-auto-approve")
	parent := w.BranchNamed(t, "b")
	summary := "Other branches were created from it (" + parent.ID + ")"
	if said := r.Terraform(t, "plan", "-destroy"); strings.Contains(said, summary) {
		t.Errorf("it warns of a child that goes too:\n%s", said)
	}
	foreign := w.MakeChild(t, "foreign", parent.ID)
	if said := acctest.InOneLine(r.Terraform(t, "plan", "-destroy")); !strings.Contains(said, summary) ||
		!strings.Contains(said, "such branch: foreign ("+foreign.ID+").") {
		t.Errorf("it doesn't name the child:\n%s", said)
	}
	database := `
resource "neon_database" "d" {
  project_id = "` + w.ProjectID + `"
  branch_id  = neon_branch.b.id
  name       = "d"
  owner_name = "neondb_owner"
}
`
	r.Configure(t, config("")+database)
	r.Terraform(t, "apply", "-auto-approve", "-target=neon_database.d")
	forced := acctest.InOneLine(r.Terraform(t, "plan", "-replace=neon_branch.b"))
	if !acctest.InOrder("Data will be lost (", "/d)", "such branch: ", "foreign ("+foreign.ID+")",
		"when the databases").MatchString(forced) {
		t.Errorf("the loss of the database doesn't say that the branch stays:\n%s", forced)
	}
	r.Configure(t, config(`init_source = "schema-only"`)+database) // Which replaces the branch.
	if said := acctest.InOneLine(r.Terraform(t, "plan")); !strings.Contains(said, summary) ||
		!strings.Contains(said, "foreign ("+foreign.ID+")") {
		t.Errorf("it doesn't name the child of a branch that is replaced:\n%s", said)
	}
	r.Configure(t, config(""))
	r.Terraform(t, "apply", "-auto-approve")
	operations, err := client.OperationsOf(w.API.SetDefaultBranch(t.Context(), w.Ref(foreign.ID)))
	w.Settle(t, operations, err)
	refused := func() {
		t.Helper()
		if said := r.Fails(t, "destroy", "-auto-approve"); !strings.Contains(said,
			"The default branch was created from it ("+parent.ID+")") {
			t.Errorf("it doesn't refuse:\n%s", said)
		}
	}
	if refused(); !w.HasBranch("child") {
		t.Error("the child is deleted already")
	}
	r.Terraform(t, "state", "rm", "neon_branch.child") // Of one branch, no list is shared.
	refused()
}
