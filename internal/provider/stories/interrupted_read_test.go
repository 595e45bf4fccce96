package stories_test

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// Ctrl-C ends a read that waits for Neon.
func TestRead_isInterrupted(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	const route = "GET /api/v2/projects/{project_id}/branches/{branch_id}/backup_schedule"
	w.AddFault(t, acctest.Fault{Route: route, Kind: "hang", Count: 1})
	protocol := acctest.NewProtocol(t, w.World)
	kind := protocol.Schema.ResourceSchemas["neon_branch_backup_schedule"].ValueType()
	state := acctest.Dynamic(t, kind, acctest.Object(kind, acctest.Texts(map[string]string{
		"id": w.MainBranch(t).ID, "project_id": w.ProjectID, "branch_id": w.MainBranch(t).ID,
	})))
	ended := make(chan []*tfprotov6.Diagnostic, 1)
	go func() {
		read, err := protocol.ReadResource(t.Context(),
			&tfprotov6.ReadResourceRequest{TypeName: "neon_branch_backup_schedule", CurrentState: state})
		if err != nil {
			t.Error(err)
		}
		ended <- read.Diagnostics
	}()
	for w.Requests(t).ByRoute[route] == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := protocol.StopProvider(t.Context(), &tfprotov6.StopProviderRequest{}); err != nil {
		t.Fatal(err)
	}
	select {
	case diags := <-ended:
		if len(diags) == 0 {
			t.Error("it says nothing")
		}
	case <-time.After(20 * time.Second):
		t.Error("it goes on")
	}
}
