package provider

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// startBranch begins to make a branch, and gives the operation that does.
func (w *branchWorld) startBranch(t *testing.T, name string) client.Operation {
	t.Helper()
	made, err := w.api.CreateBranch(t.Context(), w.projectID, client.BranchCreate{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return made.Operations[0]
}

func (w *branchWorld) operationConfig(id, lines string) string {
	return w.providerConfig() + dataBlock("operation", fmt.Sprintf("project_id = %q\nid = %q\n%s", w.projectID, id, lines))
}

func TestAccOperationData(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{OperationDuration: 2 * time.Second})
	operation := w.startBranch(t, "b")
	is := func(check knownvalue.Check, attribute string) statecheck.StateCheck {
		return dataIs("operation", check, attribute)
	}
	exactly := knownvalue.StringExact
	runSteps(t, w.world, resource.TestStep{
		Config: w.operationConfig(operation.ID, "wait = true"),
		ConfigStateChecks: []statecheck.StateCheck{
			is(exactly(operation.ID), "id"), is(exactly(w.projectID), "project_id"), is(exactly(operation.BranchID), "branch_id"),
			is(knownvalue.Null(), "endpoint_id"), is(exactly("create_branch"), "action"), is(exactly("finished"), "status"),
			is(knownvalue.Int64Exact(0), "failures_count"), is(knownvalue.Null(), "error"), is(matches(`Z$`), "created_at"),
			is(matches(`Z$`), "updated_at"), is(knownvalue.NotNull(), "total_duration_ms"),
		},
	})
}

func TestAccOperationData_notWaitedFor(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{OperationDuration: time.Minute})
	operation := w.startBranch(t, "b")
	runSteps(t, w.world, resource.TestStep{
		Config:            w.operationConfig(operation.ID, ""),
		ConfigStateChecks: []statecheck.StateCheck{dataIs("operation", matches("^(running|scheduling)$"), "status")},
	}, resource.TestStep{
		Config:      w.operationConfig(operation.ID, "wait = true\ntimeouts = { read = \"1s\" }"),
		ExpectError: inOrder("Unable to read operation", operation.ID, "raise the timeouts", "changed nothing, and can be done again"),
	})
}

// One that failed long ago isn't waited for again at each plan.
func TestAccOperationData_failedLongAgo(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{})
	w.endOperations(t, "create_branch", "failed", "no room")
	operation := w.startBranch(t, "b")
	for status := ""; status != client.StatusFailed; time.Sleep(50 * time.Millisecond) {
		now, err := w.client(t).Operation(t.Context(), w.projectID, operation.ID)
		if err != nil {
			t.Fatal(err)
		}
		status = now.Status
	}
	w.advance(t, time.Hour)
	began := time.Now()
	runSteps(t, w.world, resource.TestStep{
		Config: w.operationConfig(operation.ID, "wait = true"),
		ConfigStateChecks: []statecheck.StateCheck{
			dataIs("operation", knownvalue.StringExact("failed"), "status"), dataIs("operation", knownvalue.StringExact("no room"), "error"),
		},
	})
	if took := time.Since(began); took >= client.DefaultOperationGrace {
		t.Errorf("it was waited for, for %s", took)
	}
}

func TestAccOperationData_cancelled(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	w.endOperations(t, "create_branch", "cancelled", "no room")
	operation := w.startBranch(t, "b")
	runSteps(t, w.world, resource.TestStep{
		Config: w.operationConfig(operation.ID, "wait = true"),
		ConfigStateChecks: []statecheck.StateCheck{
			dataIs("operation", knownvalue.StringExact("cancelled"), "status"), dataIs("operation", knownvalue.StringExact("no room"), "error"),
		},
	})
}

func TestAccOperationData_errors(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	runErrors(t, w.world, map[string]failingConfig{
		"no such operation": {
			dataBlock("operation", fmt.Sprintf("project_id = %q\nid = \"00000000-0000-4000-8000-000000000000\"", w.projectID)),
			inOrder("No such operation", "404"),
		},
		"id that isn't": {dataBlock("operation", fmt.Sprintf("project_id = %q\nid = \"x\"", w.projectID)), inWords("must be a UUID")},
		"timeout that isn't": {
			dataBlock("operation", fmt.Sprintf(
				"project_id = %q\nid = \"00000000-0000-4000-8000-000000000000\"\ntimeouts = { read = \"soon\" }", w.projectID)),
			inWords("timeouts.read must be a duration above zero"),
		},
	})
}
