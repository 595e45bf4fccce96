package provider

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// branchWorld is an emulated platform with a project, and a way to change it
// behind Terraform's back.
type branchWorld struct {
	*world
	api *client.Client
}

func newBranchWorld(t *testing.T) *branchWorld {
	t.Helper()
	return branchWorldOf(t, emulator.Config{})
}

// newSlowBranchWorld is one whose operations take longer than some tests wait.
func newSlowBranchWorld(t *testing.T) *branchWorld {
	t.Helper()
	return branchWorldOf(t, emulator.Config{OperationDuration: 3 * time.Second})
}

func branchWorldOf(t *testing.T, config emulator.Config) *branchWorld {
	t.Helper()
	w := startEmulator(t, config)
	return &branchWorld{w, w.client(t)}
}

// branchConfig is a configuration with a branch in the world's project.
func (w *branchWorld) branchConfig(body string) string {
	return w.configIn(w.projectID, body)
}

func (w *branchWorld) configIn(projectID, body string) string {
	return w.providerConfig() + branchBlock(projectID, body)
}

// withKey is one whose provider has another API key.
func (w *branchWorld) withKey(apiKey, body string) string {
	return w.providerConfigWith(apiKey) + branchBlock(w.projectID, body)
}

func branchBlock(projectID, body string) string {
	return fmt.Sprintf("\nresource \"neon_branch\" \"test\" {\n project_id = %q\n%s\n}\n", projectID, body)
}

// settle waits for what a call of the test scheduled.
func (w *branchWorld) settle(t *testing.T, operations []client.Operation, err error) {
	t.Helper()
	if err == nil {
		err = w.api.WaitForOperations(context.Background(), w.projectID, operations)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (w *branchWorld) makeBranch(t *testing.T, name string) client.Branch {
	t.Helper()
	return w.makeChild(t, name, "")
}

func (w *branchWorld) makeChild(t *testing.T, name, parentID string) client.Branch {
	t.Helper()
	created, err := w.api.CreateBranch(context.Background(), w.projectID, client.BranchCreate{Name: name, ParentID: parentID})
	if err != nil {
		t.Fatal(err)
	}
	w.settle(t, created.Operations, nil)
	return w.branchNamed(t, name)
}

func (w *branchWorld) branches(t *testing.T) []client.Branch {
	t.Helper()
	var branches []client.Branch
	for branch, err := range w.api.Branches(context.Background(), w.projectID, client.BranchQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		branches = append(branches, branch)
	}
	return branches
}

// hasBranch tells whether the project has a branch of that name by now.
func (w *branchWorld) hasBranch(name string) bool {
	for branch, err := range w.api.Branches(context.Background(), w.projectID, client.BranchQuery{}) {
		if err == nil && branch.Name == name {
			return true
		}
	}
	return false
}

func (w *branchWorld) branchNamed(t *testing.T, name string) client.Branch {
	t.Helper()
	for _, branch := range w.branches(t) {
		if branch.Name == name {
			return branch
		}
	}
	t.Fatalf("the project has no branch %q", name)
	return client.Branch{}
}

func (w *branchWorld) mainBranch(t *testing.T) client.Branch {
	t.Helper()
	return w.branchNamed(t, "main")
}

// checkOnly checks that the project has these branches and no other.
func (w *branchWorld) checkOnly(t *testing.T, names ...string) {
	t.Helper()
	var got []string
	for _, branch := range w.branches(t) {
		got = append(got, branch.Name)
	}
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		t.Errorf("the project has the branches %q, want %q", got, names)
	}
}

// checkNoEndpointsBut checks that all endpoints are on one branch.
func (w *branchWorld) checkNoEndpointsBut(t *testing.T, branchID string) {
	t.Helper()
	endpoints, err := w.api.ProjectEndpoints(context.Background(), w.projectID)
	if err != nil {
		t.Fatal(err)
	}
	for _, endpoint := range endpoints {
		if endpoint.BranchID != branchID {
			t.Errorf("endpoint %s of branch %s was left behind", endpoint.ID, endpoint.BranchID)
		}
	}
}

func (w *branchWorld) deleteBranch(t *testing.T, id string) {
	t.Helper()
	operations, err := w.api.DeleteBranch(context.Background(), w.projectID, id)
	w.settle(t, operations, err)
}

func (w *branchWorld) renameBranch(t *testing.T, id, name string) {
	t.Helper()
	_, operations, err := w.api.UpdateBranch(context.Background(), w.projectID, id, client.BranchUpdate{Name: &name})
	w.settle(t, operations, err)
}

func (w *branchWorld) endpoints(t *testing.T, branchID string) []client.Endpoint {
	t.Helper()
	endpoints, err := w.api.BranchEndpoints(context.Background(), w.projectID, branchID)
	if err != nil {
		t.Fatal(err)
	}
	return endpoints
}

func (w *branchWorld) makeEndpoint(t *testing.T, branchID, kind string) client.Endpoint {
	t.Helper()
	created, err := w.api.CreateEndpoint(context.Background(), w.projectID, branchID, client.EndpointCreate{Type: kind}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.settle(t, created.Operations, nil)
	return created.Endpoint
}

func (w *branchWorld) deleteEndpoint(t *testing.T, id string) {
	t.Helper()
	operations, err := w.api.DeleteEndpoint(context.Background(), w.projectID, id)
	w.settle(t, operations, err)
}
