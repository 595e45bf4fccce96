package walks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// The guide's restore point has the data of the moment before the change, the undo brings them
// back, and neither shows up in a plan.
func TestAccTerraform_restorePoint(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.ActionsSince)
	w := acctest.StartDatabases(t)
	main := w.Emulator.FirstWorld().BranchID
	r := acctest.NewExampleRun(t, w, "restore-point").With("TF_VAR_project_id=" + w.ProjectID)
	rows := func(statement string, want int) {
		t.Helper()
		if got := orders(t, w, main, statement); got != want {
			t.Errorf("after %q there are %d rows, want %d", statement, got, want)
		}
	}
	rows("CREATE TABLE orders AS SELECT generate_series(1, 3) AS id", 3)
	r.Terraform(t, "apply", "-auto-approve")
	rows("INSERT INTO orders VALUES (4)", 4)
	remembered := r.Terraform(t, "apply", "-auto-approve", "-var=schema_version=2")
	for _, words := range []string{"action.neon_restore_branch.remember", "create_branch of branch ", "finished after ",
		"Done after "} {
		if !strings.Contains(remembered, words) {
			t.Errorf("%q isn't in %s", words, remembered)
		}
	}
	rows("DELETE FROM orders", 0)
	undo := r.Terraform(t, "apply", "-auto-approve", "-var=schema_version=2", "-invoke=action.neon_restore_branch.undo")
	if !strings.Contains(undo, `named "after-bad-change"`) {
		t.Errorf("it doesn't say what became of the data before:\n%s", undo)
	}
	rows("", 4)
	r.Terraform(t, "plan", "-detailed-exitcode", "-var=schema_version=2")
	rows("DELETE FROM orders WHERE id > 1", 1)
	r.Terraform(t, "apply", "-auto-approve", "-var=schema_version=3")
	rows("DELETE FROM orders", 0)
	r.Terraform(t, "apply", "-auto-approve", "-var=schema_version=3", "-var=keep_as=again",
		"-invoke=action.neon_restore_branch.undo")
	rows("", 1)
}

// A change doesn't happen where the action before it fails.
func TestAccTerraform_actionFails(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.ActionsSince)
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewExampleRun(t, w, "restore-point").With("TF_VAR_project_id=" + w.ProjectID)
	r.Terraform(t, "apply", "-auto-approve")
	w.EndOperations(t, "create_branch", "cancelled", "no room left")
	failed := r.Fails(t, "apply", "-auto-approve", "-var=schema_version=2")
	for _, words := range []string{"Unable to restore branch", "(create_branch)", "was cancelled: no room left",
		"Invoke the action again"} {
		if !strings.Contains(failed, words) {
			t.Errorf("%q isn't in %s", words, failed)
		}
	}
	if shown := r.Terraform(t, "state", "show", "terraform_data.migration"); !strings.Contains(shown, `"1"`) {
		t.Errorf("the change happened nevertheless:\n%s", shown)
	}
}

// Every example of an action is applied and invoked, and the plan after it is empty.
func TestAccTerraform_actionExamples(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.ActionsSince)
	for _, name := range acctest.ExampleEntries(t, "actions") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := actionWorld(t, name, emulator.Config{})
			if fill := exampleWorlds[name]; fill != nil {
				fill(t, w)
			}
			r := newActionRun(t, w, name)
			if restored, needed := actionTests[name](t, w).Given["branch_id"]; needed && name == "neon_finalize_branch_restore" {
				var id string
				if err := restored.As(&id); err != nil {
					t.Fatal(err)
				}
				r = r.With("TF_VAR_restored_branch_id=" + id)
			}
			r.Terraform(t, "apply", "-auto-approve")
			if name == "neon_start_endpoint" { // One that runs already is another sample.
				w.Emulator.SuspendComputes()
			}
			said := r.Terraform(t, "apply", "-auto-approve", "-invoke="+actionAddress(t, name))
			if !strings.Contains(said, "Done after") {
				t.Errorf("it says %s", said)
			}
			compareSample(t, "actions/"+name, "$ terraform apply -invoke="+actionAddress(t, name)+"\n...\n"+fromAction(said))
			if name != "neon_redeploy_function" { // What it says of the next apply.
				r.Terraform(t, "plan", "-detailed-exitcode")
			}
		})
	}
}

// newActionRun is a run of an action's example, with a value for each of its variables.
func newActionRun(t *testing.T, w *acctest.World, name string) acctest.Run {
	t.Helper()
	deleted := w.MakeProject(t)
	if err := w.Client(t).DeleteProject(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}
	offered, err := w.Client(t).CreateTransferRequest(t.Context(), w.ProjectID, 0)
	if err != nil {
		t.Fatal(err)
	}
	return acctest.NewRun(t, w, acctest.ReadExample(t, "actions/"+name+"/action.tf"), "TF_VAR_request_id="+offered.ID,
		"TF_VAR_project_id="+w.ProjectID, "TF_VAR_org_id="+w.OrgID, "TF_VAR_deleted_project_id="+deleted,
		"TF_VAR_other_org_id="+w.MakeOrganization(t, "scale"))
}

// actionAddress is the address of the action in its example.
func actionAddress(t *testing.T, name string) string {
	t.Helper()
	_, block, _ := strings.Cut(acctest.ReadExample(t, "actions/"+name+"/action.tf"), fmt.Sprintf("action %q ", name))
	label, _, _ := strings.Cut(strings.TrimPrefix(block, `"`), `"`)
	return "action." + name + "." + label
}

// trouble is what an action meets in terraform, and what is said of it.
type trouble struct {
	prepare     func(t *testing.T, w *acctest.World, a actionTest)
	interrupted bool
	fails       bool
	says        []string
}

// provedEffect is said of a lost answer where the effect is seen.
const provedEffect = "It took effect, and isn't sent again"

var troubles = map[string]trouble{
	"lost answer": {
		prepare: func(t *testing.T, w *acctest.World, a actionTest) {
			t.Helper()
			w.AddFault(t, acctest.Fault{Route: a.route, Kind: "lost_after", Count: 1})
		},
		says: []string{provedEffect, "Done after"},
	},
	"423": {
		prepare: func(t *testing.T, w *acctest.World, a actionTest) {
			t.Helper()
			w.AddFault(t, acctest.Fault{Route: a.route, Kind: "status", Status: 423, Count: 1})
		},
		says: []string{"Done after"},
	},
	"failed operation": {
		prepare: func(t *testing.T, w *acctest.World, a actionTest) {
			t.Helper()
			if a.operation == "" {
				t.Skip("it starts no operations")
			}
			w.EndOperations(t, a.operation, "cancelled", "no room left")
		},
		fails: true, says: []string{"was cancelled", "Invoke the action again; if it fails again"},
	},
	"Ctrl-C": {
		prepare: func(t *testing.T, w *acctest.World, a actionTest) { t.Helper(); a.hold(t, w) }, interrupted: true,
		says: []string{"Invoke the action again only if it did not"},
	},
}

// Every action from the command line and from a trigger, in every trouble: nothing is done
// twice, and nothing unsaid.
func TestAccTerraform_actionsInTrouble(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.ActionsSince)
	for name, prepare := range actionTests {
		for trouble, meets := range troubles {
			for by, arguments := range map[string][]string{"command": {"-invoke=action." + name + ".a"}, "trigger": nil} {
				t.Run(name+"/"+trouble+"/"+by, func(t *testing.T) {
					t.Parallel()
					w := actionWorld(t, name, emulator.Config{})
					a := prepare(t, w)
					r := acctest.NewRun(t, w, a.configuration(by == "trigger"))
					meets.prepare(t, w, a)
					w.ForgetRequests(t)
					meets = meets.of(a)
					said := meets.run(t, w, r, a, append([]string{"apply", "-auto-approve"}, arguments...))
					for _, words := range meets.says {
						if !strings.Contains(said, words) {
							t.Errorf("%q isn't in %s", words, said)
						}
					}
					if count := a.effects(t); count > 1 || count == 0 && !meets.interrupted {
						t.Errorf("it took effect %d times", count)
					}
				})
			}
		}
	}
}

// of is what that action meets: without an answer, and where its effect can't be seen, only what does no harm is sent
// again.
func (m trouble) of(a actionTest) trouble {
	switch {
	case m.interrupted:
		m.says = []string{a.inDoubt()}
	case !a.unseen:
	case slices.Contains(m.says, provedEffect) && a.neverAgain:
		m.fails, m.says = true, []string{a.inDoubt()}
	case slices.Contains(m.says, provedEffect):
		m.says = []string{"It does no harm twice, so it is sent again", "Done after"}
	}
	return m
}

func (m trouble) run(t *testing.T, w *acctest.World, r acctest.Run, a actionTest, arguments []string) string {
	t.Helper()
	switch {
	case m.interrupted && runtime.GOOS == "windows":
		t.Skip("programs can't be interrupted there")
	case m.interrupted:
		said, err := r.SignaledWhen(t, os.Interrupt, func() bool { return a.isHeld(w.Requests(t).ByRoute) }, arguments...)
		if err == nil {
			t.Error("it succeeded")
		}
		return acctest.InOneLine(said)
	case m.fails:
		return r.Fails(t, arguments...)
	}
	return acctest.InOneLine(r.Terraform(t, arguments...))
}

// isHeld reports whether the requests are those of an action that is held, after it has said
// so: Terraform 1.15 crashes where it hears of progress in the moment of the interruption.
func (a actionTest) isHeld(byRoute map[string]int) bool {
	return byRoute[a.route] > 0 && (a.operation == "" || byRoute["GET /api/v2/projects/{project_id}/operations"] > 1)
}

// configuration declares the action, with a trigger where that is asked for.
func (a actionTest) configuration(triggered bool) string {
	text := fmt.Sprintf("action %q \"a\" {\n  config {\n", a.Type)
	for name, value := range a.Given {
		var one string
		var flag bool
		var several []tftypes.Value
		switch {
		case value.As(&one) == nil:
			text += fmt.Sprintf("    %s = %q\n", name, one)
		case value.As(&flag) == nil:
			text += fmt.Sprintf("    %s = %t\n", name, flag)
		case value.As(&several) == nil && several[0].As(&one) == nil:
			text += fmt.Sprintf("    %s = [%q]\n", name, one)
		}
	}
	text += "  }\n}\n"
	if triggered {
		text += fmt.Sprintf("resource \"terraform_data\" \"a\" {\n  lifecycle {\n    action_trigger {\n      events = [after_create]\n"+
			"      actions = [action.%s.a]\n    }\n  }\n}\n", a.Type)
	}
	return text
}

// A trigger knows the ids of what the same apply creates only when it is invoked.
func TestAccTerraform_actionAfterCreate(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.ActionsSince)
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, fmt.Sprintf(`
resource "neon_branch" "b" {
  project_id = %[1]q
  name       = "b"
}
resource "terraform_data" "b" {
  input = neon_branch.b.id
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.neon_set_default_branch.b]
    }
  }
}
action "neon_set_default_branch" "b" {
  config {
    project_id = %[1]q
    branch_id  = neon_branch.b.id
  }
}`, w.ProjectID))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
	var defaults []string
	for branch, err := range w.Client(t).ListBranches(t.Context(), w.ProjectID, client.BranchQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		if branch.Default {
			defaults = append(defaults, branch.Name)
		}
	}
	if !slices.Equal(defaults, []string{"b"}) {
		t.Errorf("the default branches are %q", defaults)
	}
}

// After a restore in one step, the configuration stays as it is: its branch stands for the restored
// one, which takes the snapshot along, and the replaced one is left alone.
func TestAccTerraform_snapshotRestoreGoesOn(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.ActionsSince)
	w := acctest.BranchWorldOf(t, emulator.Config{})
	const config = `
variable "project_id" { type = string }

resource "neon_branch" "production" {
  project_id  = var.project_id
  name        = "production"
  init_source = "schema-only"
  endpoints   = { primary = { type = "read_write" } }
}

resource "neon_snapshot" "good" {
  project_id = var.project_id
  branch_id  = neon_branch.production.id
}

action "neon_restore_snapshot" "good" {
  config {
    project_id       = var.project_id
    snapshot_id      = neon_snapshot.good.id
    target_branch_id = neon_branch.production.id
    finalize_restore = true
  }
}
`
	r := acctest.NewRun(t, w.World, config, "TF_VAR_project_id="+w.ProjectID)
	r.Terraform(t, "apply", "-auto-approve")
	for range 2 {
		before := w.BranchNamed(t, "production").ID
		said := r.Terraform(t, "apply", "-auto-approve", "-invoke=action.neon_restore_snapshot.good")
		if now := w.BranchNamed(t, "production").ID; now == before || !strings.Contains(said, now) ||
			!strings.Contains(said, "move along in place") {
			t.Errorf("%s is %s now, and it says %s", before, now, said)
		}
		plan := r.Terraform(t, "plan")
		if !strings.Contains(plan, "0 to add, 1 to change, 0 to destroy") ||
			!strings.Contains(acctest.InOneLine(plan), "has taken the place of "+before) {
			t.Errorf("the plan does more than move the snapshot along:\n%s", plan)
		}
		r.Terraform(t, "apply", "-auto-approve")
		r.Terraform(t, "plan", "-detailed-exitcode")
	}
	if got := w.BranchNamed(t, "production").RestoredFrom; got == "" {
		t.Error("the branch isn't the restored one")
	}
	w.BranchNamed(t, "production (old)")
}

// A Terraform without actions, and OpenTofu, see all that they know.
func TestAccTerraform_olderSeesAllElse(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, "terraform {\n  required_providers {\n    neon = { source = \"hashicorp/neon\" }\n  }\n}\n")
	var shown struct {
		Providers map[string]struct {
			Resources   map[string]any `json:"resource_schemas"`
			DataSources map[string]any `json:"data_source_schemas"`
		} `json:"provider_schemas"`
	}
	if err := json.Unmarshal([]byte(r.Terraform(t, "providers", "schema", "-json")), &shown); err != nil {
		t.Fatal(err)
	}
	served := acctest.NewProtocol(t, w).Schema
	for address, provider := range shown.Providers {
		if len(provider.Resources) != len(served.ResourceSchemas) ||
			len(provider.DataSources) != len(served.DataSourceSchemas) {
			t.Errorf("of %s it sees %d resources and %d data sources, want %d and %d", address,
				len(provider.Resources), len(provider.DataSources), len(served.ResourceSchemas), len(served.DataSourceSchemas))
		}
	}
	if len(shown.Providers) != 1 {
		t.Errorf("it sees %d providers", len(shown.Providers))
	}
}
