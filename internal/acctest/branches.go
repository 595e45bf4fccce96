package acctest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// FaultsLeft counts those that have not been met.
func (w *BranchWorld) FaultsLeft(t *testing.T) int {
	t.Helper()
	var all struct {
		Faults []struct {
			Count int `json:"count"`
			Hits  int `json:"hits"`
		} `json:"faults"`
	}
	w.Control(t, http.MethodGet, "/_emulator/faults", nil, &all)
	left := 0
	for _, fault := range all.Faults {
		left += max(fault.Count-fault.Hits, 0)
	}
	return left
}

// Replicas are the read_only endpoints of the branch b.
func (w *BranchWorld) Replicas(t *testing.T) []client.Endpoint {
	t.Helper()
	var replicas []client.Endpoint
	for _, endpoint := range w.Endpoints(t, w.BranchNamed(t, "b").ID) {
		if endpoint.Type == client.EndpointReadOnly {
			replicas = append(replicas, endpoint)
		}
	}
	return replicas
}

// KeepAdvancing lets the world's time run fast until it is stopped.
func (w *BranchWorld) KeepAdvancing(t *testing.T) (stop func()) {
	t.Helper()
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ended:
				return
			case <-time.After(50 * time.Millisecond):
				w.Advance(t, 10*time.Minute)
			}
		}
	}()
	stop = sync.OnceFunc(func() {
		close(ended)
		<-stopped
	})
	t.Cleanup(stop) // A test that is skipped meanwhile doesn't stop it.
	return stop
}

// CheckProtected fails the test unless the branch is protected, or not, as wanted.
func (w *BranchWorld) CheckProtected(t *testing.T, name string, want bool) {
	t.Helper()
	if branch := w.BranchNamed(t, name); branch.Protected != want {
		t.Errorf("branch %s is protected: %t", name, branch.Protected)
	}
}

// BranchWorld is an emulated platform with a project, and a way to change it
// behind Terraform's back.
type BranchWorld struct {
	*World
	API *client.Client
}

// NewBranchWorld starts an emulator with a project.
func NewBranchWorld(t *testing.T) *BranchWorld {
	t.Helper()
	return BranchWorldOf(t, emulator.Config{})
}

// BranchWorldOf starts one that is configured.
func BranchWorldOf(t *testing.T, config emulator.Config) *BranchWorld {
	t.Helper()
	w := StartEmulator(t, config)
	return &BranchWorld{w, w.Client(t)}
}

// BranchConfig is a configuration with a branch in the world's project.
func (w *BranchWorld) BranchConfig(body string) string {
	return w.ConfigIn(w.ProjectID, body)
}

// ConfigIn is a configuration with a branch in another project.
func (w *BranchWorld) ConfigIn(projectID, body string) string {
	return w.ProviderConfig() + BranchBlock(projectID, body)
}

// BranchBlock is a branch of a project, with what is in its body.
func BranchBlock(projectID, body string) string {
	return fmt.Sprintf("\nresource \"neon_branch\" \"test\" {\n project_id = %q\n%s\n}\n", projectID, body)
}

// Settle waits for what a call of the test scheduled.
func (w *BranchWorld) Settle(t *testing.T, operations []client.Operation, err error) {
	t.Helper()
	if err == nil {
		err = w.API.WaitForOperations(context.Background(), w.ProjectID, operations)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Upload puts the content that open returns into an object past Terraform.
func (w *BranchWorld) Upload(
	t *testing.T, at client.BucketPlace, contentType string, size int64, open func() (io.ReadCloser, error),
) {
	t.Helper()
	_, err := w.API.UploadBucketObject(t.Context(), at, contentType, size, open)
	w.Settle(t, nil, err)
}

// MakeBranch creates a branch of the default branch past Terraform.
func (w *BranchWorld) MakeBranch(t *testing.T, name string) client.Branch {
	t.Helper()
	return w.MakeChild(t, name, "")
}

// MakeChild does so with another parent.
func (w *BranchWorld) MakeChild(t *testing.T, name, parentID string) client.Branch {
	t.Helper()
	return w.createBranch(t, client.BranchCreate{Name: name, ParentID: parentID})
}

// MakeRoot creates a branch without a parent past Terraform.
func (w *BranchWorld) MakeRoot(t *testing.T, name string) client.Branch {
	t.Helper()
	return w.createBranch(t, client.BranchCreate{Name: name, InitSource: "schema-only"})
}

func (w *BranchWorld) createBranch(t *testing.T, wanted client.BranchCreate) client.Branch {
	t.Helper()
	operations, err := client.OperationsOf(w.API.CreateBranch(context.Background(), w.ProjectID, wanted))
	w.Settle(t, operations, err)
	return w.BranchNamed(t, wanted.Name)
}

// Branches lists those of the project.
func (w *BranchWorld) Branches(t *testing.T) []client.Branch {
	t.Helper()
	branches, err := client.All(w.API.ListBranches(context.Background(), w.ProjectID, client.BranchQuery{}))
	if err != nil {
		t.Fatal(err)
	}
	return branches
}

// HasBranch tells whether the project has a branch of that name by now.
func (w *BranchWorld) HasBranch(name string) bool {
	for branch, err := range w.API.ListBranches(context.Background(), w.ProjectID, client.BranchQuery{}) {
		if err == nil && branch.Name == name {
			return true
		}
	}
	return false
}

// BranchNamed returns the branch of the name, which must exist.
func (w *BranchWorld) BranchNamed(t *testing.T, name string) client.Branch {
	t.Helper()
	for _, branch := range w.Branches(t) {
		if branch.Name == name {
			return branch
		}
	}
	t.Fatalf("the project has no branch %q", name)
	return client.Branch{}
}

// Ref is a branch of the project.
func (w *World) Ref(branchID string) client.BranchRef {
	return client.BranchRef{ProjectID: w.ProjectID, ID: branchID}
}

// MainBranch returns the default branch.
func (w *BranchWorld) MainBranch(t *testing.T) client.Branch {
	t.Helper()
	return w.BranchNamed(t, "main")
}

// CheckOnly checks that the project has these branches and no other.
func (w *BranchWorld) CheckOnly(t *testing.T, names ...string) {
	t.Helper()
	var got []string
	for _, branch := range w.Branches(t) {
		got = append(got, branch.Name)
	}
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		t.Errorf("the project has the branches %q, want %q", got, names)
	}
}

// DeleteBranch deletes a branch past Terraform.
func (w *BranchWorld) DeleteBranch(t *testing.T, id string) {
	t.Helper()
	operations, err := w.API.DeleteBranch(context.Background(), w.Ref(id))
	w.Settle(t, operations, err)
}

// ResetBranch gives a branch the data that the default branch has now, past Terraform.
func (w *BranchWorld) ResetBranch(t *testing.T, id string) {
	t.Helper()
	operations, err := client.OperationsOf(w.API.RestoreBranch(context.Background(), w.Ref(id),
		client.BranchRestore{SourceID: w.MainBranch(t).ID}))
	w.Settle(t, operations, err)
}

// Endpoints lists the branch's endpoints.
func (w *BranchWorld) Endpoints(t *testing.T, branchID string) []client.Endpoint {
	t.Helper()
	endpoints, err := client.All(w.API.ListEndpoints(context.Background(), w.Ref(branchID)))
	if err != nil {
		t.Fatal(err)
	}
	return endpoints
}

// MakeEndpoint creates an endpoint past Terraform.
func (w *BranchWorld) MakeEndpoint(t *testing.T, branchID, kind string) client.Endpoint {
	t.Helper()
	return w.createEndpoint(t, branchID, client.EndpointCreate{Type: kind})
}

func (w *BranchWorld) createEndpoint(t *testing.T, branchID string, wanted client.EndpointCreate) client.Endpoint {
	t.Helper()
	created, err := w.API.CreateEndpoint(context.Background(), w.Ref(branchID), wanted)
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, created.Operations, nil)
	return created.Object
}

// DeleteEndpoint deletes an endpoint past Terraform.
func (w *BranchWorld) DeleteEndpoint(t *testing.T, id string) {
	t.Helper()
	operations, err := w.API.DeleteEndpoint(context.Background(), client.EndpointRef{ProjectID: w.ProjectID, ID: id})
	w.Settle(t, operations, err)
}

// BranchesOfEveryKind creates branches with all that a branch can be created with, and
// returns their ids by name.
func (w *BranchWorld) BranchesOfEveryKind(t *testing.T) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for name, create := range map[string]client.BranchCreate{
		"plain":       {},
		"position":    {ParentLSN: "0/1E88480"},
		"moment":      {ParentTimestamp: new(w.MainBranch(t).CreatedAt)},
		"schema_only": {InitSource: "schema-only"},
		"protected":   {Protected: new(true)},
		"expiring":    {ExpiresAt: new(time.Now().Add(48 * time.Hour))},
		"endpoints": {Endpoints: []client.EndpointCreate{
			{Type: client.EndpointReadWrite, EndpointSettings: client.EndpointSettings{
				AutoscalingLimitMinCU: new(0.5), AutoscalingLimitMaxCU: new(2.0), SuspendTimeoutSeconds: new(int64(-1)),
			}},
			{Type: client.EndpointReadOnly}, {Type: client.EndpointReadOnly},
		}},
	} {
		create.Name = name
		ids[name] = w.createBranch(t, create).ID
	}
	w.createEndpoint(t, ids["plain"],
		client.EndpointCreate{Type: client.EndpointReadOnly, Name: "a name", Disabled: new(true)})
	return ids
}

// StartBranch begins to make a branch, and returns the operation that does.
func (w *BranchWorld) StartBranch(t *testing.T, name string) client.Operation {
	t.Helper()
	made, err := w.API.CreateBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return made.Operations[0]
}

// AssignVPCEndpoints assigns endpoints to the organization, in the region of its first project.
func (w *BranchWorld) AssignVPCEndpoints(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if err := w.API.AssignVPCEndpoint(t.Context(), client.VPCEndpointRef{OrgID: w.OrgID, RegionID: "aws-us-east-2",
			ID: id}, ""); err != nil {
			t.Fatal(err)
		}
	}
}
