package branch_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// interruptedApply applies a configuration with a branch b, and presses Ctrl-C
// once Neon has accepted it. Neon would take minutes.
func interruptedApply(t *testing.T, w *acctest.BranchWorld, body string) acctest.Run {
	t.Helper()
	r := acctest.NewRun(t, w.World, w.BranchConfig(body))
	command := r.StartingProvider().Command(t, "apply", "-auto-approve")
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(3 * time.Minute); !w.HasBranch("b"); { // A busy machine starts terraform late.
		if time.Now().After(deadline) {
			t.Fatalf("no branch was made:\n%s", &output)
		}
		time.Sleep(50 * time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond)
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	pressed := time.Now()
	_ = command.Wait() // Its outcome is what the output says.
	// Much less than the operations take, and enough for a machine that is busy.
	if took := time.Since(pressed); took > 5*time.Minute {
		t.Errorf("it took %s to end:\n%s", took, &output)
	}
	if said := output.String(); !strings.Contains(said, "Creation interrupted") ||
		!strings.Contains(said, w.BranchNamed(t, "b").ID) {
		t.Errorf("the interruption isn't explained:\n%s", said)
	}
	return r
}

// A branch whose creation was interrupted is completed by the next run, and
// replaced only where Neon could not make it.
func TestAccTerraform_interrupted(t *testing.T) {
	t.Parallel()
	simple := `name = "b"
		endpoints = { app = { type = "read_write" } }`
	for name, test := range map[string]struct {
		body    string
		prepare func(t *testing.T, w *acctest.BranchWorld)
		// plan is what the next plan says; done is what the apply after it says.
		plan, done string
		kept       bool
	}{
		"Neon finished it": {
			body: simple, prepare: func(t *testing.T, w *acctest.BranchWorld) { w.Advance(t, time.Hour) },
			plan: "No changes.", done: "0 added, 0 changed, 0 destroyed", kept: true,
		},
		"Neon is still at it": {
			body: simple, prepare: func(*testing.T, *acctest.BranchWorld) {},
			plan: "0 to add, 1 to change, 0 to destroy", done: "0 added, 1 changed, 0 destroyed", kept: true,
		},
		"it isn't protected yet": {
			body: "protected = true\n" + simple, prepare: func(t *testing.T, w *acctest.BranchWorld) { w.Advance(t, time.Hour) },
			plan: "0 to add, 1 to change, 0 to destroy", done: "0 added, 1 changed, 0 destroyed", kept: true,
		},
		"an endpoint is missing": {
			body: `name = "b"
				endpoints = {
					app    = { type = "read_write" }
					spare  = { type = "read_only", name = "spare", disabled = true }
				}`,
			prepare: func(t *testing.T, w *acctest.BranchWorld) { w.Advance(t, time.Hour) },
			plan:    "0 to add, 1 to change, 0 to destroy", done: "0 added, 1 changed, 0 destroyed", kept: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 10 * time.Minute})
			r := interruptedApply(t, w, test.body)
			id := w.BranchNamed(t, "b").ID
			test.prepare(t, w)
			if said := r.Terraform(t, "plan", "-out=next.plan"); !strings.Contains(said, test.plan) {
				t.Errorf("the plan doesn't say %q:\n%s", test.plan, said)
			}
			stop := w.KeepAdvancing(t)
			defer stop()
			// A plan made anew would find Neon further than this one did.
			if said := r.Terraform(t, "apply", "next.plan"); !strings.Contains(said, test.done) {
				t.Errorf("the apply doesn't say %q:\n%s", test.done, said)
			}
			if kept := w.BranchNamed(t, "b").ID == id; kept != test.kept {
				t.Errorf("the branch was kept: %t", kept)
			}
			if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
				t.Errorf("the last plan isn't empty:\n%s", said)
			}
			r.Terraform(t, "destroy", "-auto-approve")
			w.CheckOnly(t, "main")
		})
	}
}

func TestAccTerraform_interruptedAndFailed(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 10 * time.Minute})
	w.EndOperations(t, "create_branch", "cancelled", "no room")
	r := interruptedApply(t, w, `name = "b"`)
	id := w.BranchNamed(t, "b").ID
	w.Advance(t, time.Hour)
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "1 to add, 0 to change, 1 to destroy") {
		t.Errorf("the plan doesn't replace the branch:\n%s", said)
	}
	stop := w.KeepAdvancing(t)
	defer stop()
	r.Terraform(t, "apply", "-auto-approve")
	if w.BranchNamed(t, "b").ID == id {
		t.Error("the branch was not replaced")
	}
	r.Terraform(t, "destroy", "-auto-approve")
}
