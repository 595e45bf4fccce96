package operation_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestAccOperationData(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 2 * time.Second})
	operation := w.StartBranch(t, "b")
	is := func(check knownvalue.Check, attribute string) statecheck.StateCheck {
		return acctest.DataIs("operation", check, attribute)
	}
	exactly := knownvalue.StringExact
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: operationConfig(w, operation.ID, "wait = true"),
		ConfigStateChecks: []statecheck.StateCheck{
			is(exactly(operation.ID), "id"), is(exactly(w.ProjectID), "project_id"),
			is(exactly(operation.BranchID), "branch_id"),
			is(knownvalue.Null(), "endpoint_id"), is(exactly("create_branch"), "action"), is(exactly("finished"), "status"),
			is(knownvalue.Int64Exact(0), "failures_count"), is(knownvalue.Null(), "error"),
			is(acctest.Matches(`Z$`), "created_at"),
			is(acctest.Matches(`Z$`), "updated_at"), is(knownvalue.NotNull(), "total_duration_ms"),
		},
	})
}

func TestAccOperationData_notWaitedFor(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: time.Minute})
	operation := w.StartBranch(t, "b")
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: operationConfig(w, operation.ID, ""),
		ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("operation", acctest.Matches("^(running|scheduling)$"),
			"status")},
	}, resource.TestStep{
		Config: operationConfig(w, operation.ID, "wait = true\ntimeouts = { read = \"1s\" }"),
		ExpectError: acctest.InOrder("Unable to read operation", operation.ID, "raise the timeouts",
			"changed nothing, and can be done again"),
	})
}

// One that failed long ago isn't waited for again at each plan.
func TestAccOperationData_failedLongAgo(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	w.EndOperations(t, "create_branch", "failed", "no room")
	operation := w.StartBranch(t, "b")
	for status := ""; status != client.StatusFailed; time.Sleep(50 * time.Millisecond) {
		now, err := w.Client(t).GetOperation(t.Context(), client.Ref[client.Operation]{ProjectID: w.ProjectID,
			ID: operation.ID})
		if err != nil {
			t.Fatal(err)
		}
		status = now.Status
	}
	w.Advance(t, time.Hour)
	began := time.Now()
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: operationConfig(w, operation.ID, "wait = true"),
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("operation", knownvalue.StringExact("failed"), "status"),
			acctest.DataIs("operation", knownvalue.StringExact("no room"), "error"),
		},
	})
	if took := time.Since(began); took >= client.DefaultOperationGrace {
		t.Errorf("it was waited for, for %s", took)
	}
}

func TestAccOperationData_cancelled(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.EndOperations(t, "create_branch", "cancelled", "no room")
	operation := w.StartBranch(t, "b")
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: operationConfig(w, operation.ID, "wait = true"),
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("operation", knownvalue.StringExact("cancelled"), "status"),
			acctest.DataIs("operation", knownvalue.StringExact("no room"), "error"),
		},
	})
}

func TestAccOperationData_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"no such operation": {
			Config: acctest.DataBlock("operation", fmt.Sprintf("project_id = %q\nid = \"00000000-0000-4000-8000-000000000000\"",
				w.ProjectID)),
			Want: acctest.InOrder("No such operation", "404"),
		},
		"id that isn't": {Config: acctest.DataBlock("operation", fmt.Sprintf("project_id = %q\nid = \"x\"", w.ProjectID)), Want: acctest.InWords("must be a UUID")},
		"timeout that isn't": {
			Config: acctest.DataBlock("operation", fmt.Sprintf(
				"project_id = %q\nid = \"00000000-0000-4000-8000-000000000000\"\ntimeouts = { read = \"soon\" }", w.ProjectID)),
			Want: acctest.InWords("timeouts.read must be a duration above zero"),
		},
	})
}

// operationConfig is a configuration that reads an operation.
func operationConfig(w *acctest.BranchWorld, id, lines string) string {
	return w.ProviderConfig() + acctest.DataBlock("operation",
		fmt.Sprintf("project_id = %q\nid = %q\n%s", w.ProjectID, id, lines))
}
