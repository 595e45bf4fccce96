package branch_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// lockNowAndThen has another client work on the project half of the time.
func lockNowAndThen(t *testing.T, w *acctest.BranchWorld) (stop func()) {
	t.Helper()
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			w.Control(t, http.MethodPost, "/_emulator/locks",
				map[string]any{"project_id": w.ProjectID, "duration": "300ms"}, nil)
			select {
			case <-ended:
				return
			case <-time.After(600 * time.Millisecond):
			}
		}
	}()
	return func() {
		close(ended)
		<-stopped
	}
}

// loseReplica has Neon make the next endpoint, lose the answer, and fail
// when it is asked what became of it.
func loseReplica(t *testing.T, w *acctest.BranchWorld) {
	t.Helper()
	const project = "/api/v2/projects/{project_id}"
	w.AddFault(t, acctest.Fault{Route: "POST " + project + "/endpoints", Kind: "lost_after", Count: 1})
	w.AddFault(t, acctest.Fault{
		Route: "GET " + project + "/operations", Kind: "status", Status: http.StatusBadRequest, Count: 1,
	})
}

// reparent moves a branch to another parent, as Neon does with the children of a
// branch that is restored.
func reparent(t *testing.T, w *acctest.BranchWorld, branchID, parentID string) {
	t.Helper()
	w.Control(t, http.MethodPost, "/_emulator/parents",
		map[string]string{"branch_id": branchID, "parent_id": parentID}, nil)
}

// renameBranch renames a branch past Terraform.
func renameBranch(t *testing.T, w *acctest.BranchWorld, id, name string) {
	t.Helper()
	operations, err := client.OperationsOf(w.API.UpdateBranch(context.Background(), w.Ref(id),
		client.BranchUpdate{Name: &name}))
	w.Settle(t, operations, err)
}

// checkNoEndpointsBut checks that all endpoints are on one branch.
func checkNoEndpointsBut(t *testing.T, w *acctest.BranchWorld, branchID string) {
	t.Helper()
	endpoints, err := client.All(w.API.ListEndpoints(context.Background(), w.Ref("")))
	if err != nil {
		t.Fatal(err)
	}
	for _, endpoint := range endpoints {
		if endpoint.BranchID != branchID {
			t.Errorf("endpoint %s of branch %s was left behind", endpoint.ID, endpoint.BranchID)
		}
	}
}

// parallelTest runs a test beside other tests.
func parallelTest(t *testing.T, test resource.TestCase) {
	t.Helper()
	t.Parallel()
	acctest.Test(t, test)
}
