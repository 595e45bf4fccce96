package stories_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What Terraform 1.16 adds, as the guide shows it: an action before a deletion, which stops a replacement but no
// destroy, objects that are forgotten instead of deleted, and imports in a module.
func TestAccExamples_terraform116(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.16.0")
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := withMirror(t, acctest.NewExampleRun(t, w.World, "terraform-1.16")).With("TF_VAR_project_id=" + w.ProjectID)
	r.Terraform(t, "init")
	check := func(snapshots int, databases ...string) {
		t.Helper()
		ctx := context.WithoutCancel(t.Context())
		taken, err := client.All(w.API.ListSnapshots(ctx, w.ProjectID))
		present, listErr := client.All(w.API.ListDatabases(ctx, w.Ref(w.MainBranch(t).ID)))
		var names []string
		for _, database := range present {
			names = append(names, database.Name)
		}
		slices.Sort(names)
		if err != nil || listErr != nil || len(taken) != snapshots || !slices.Equal(names, databases) {
			t.Fatalf("there are the snapshots %v and the databases %q, want %d and %q: %v, %v", taken, names, snapshots,
				databases, err, listErr)
		}
	}
	refuse := func() {
		w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects/{project_id}/branches/{branch_id}/snapshot", Kind: "status",
			Status: http.StatusForbidden, Count: 1})
	}
	says := func(said string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(acctest.InOneLine(said), part) {
				t.Errorf("%q isn't in %s", part, said)
			}
		}
	}

	says(r.Terraform(t, "apply", "-auto-approve"), "Resources: 1 imported, 2 added, 0 changed, 0 destroyed")
	r.Terraform(t, "plan", "-detailed-exitcode")
	const replace = "-replace=neon_database.orders"
	refuse()
	says(r.Fails(t, "apply", "-auto-approve", replace), "403")
	check(0, "archive", "neondb", "orders")
	says(r.Terraform(t, "apply", "-auto-approve", replace), "Snapshot snap-", "1 added, 0 changed, 1 destroyed")
	check(1, "archive", "neondb", "orders")

	refuse()
	says(r.Terraform(t, "destroy", "-auto-approve"), "Warning", "403")
	check(1, "archive", "neondb")
}

// The trigger goes with the block: where that is taken out of the configuration, no action is invoked.
func TestAccTerraform_actionGoesWithItsBlock(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.16.0")
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := withMirror(t, acctest.NewExampleRun(t, w.World, "terraform-1.16")).With("TF_VAR_project_id=" + w.ProjectID)
	r.Terraform(t, "init")
	r.Terraform(t, "apply", "-auto-approve")
	text := acctest.ReadExample(t, "terraform-1.16/main.tf")
	begin := strings.Index(text, `resource "neon_database" "orders"`)
	end := begin + strings.Index(text[begin:], "\n}\n") + 3
	r.Write(t, "main.tf", text[:begin]+text[end:])
	if said := r.Terraform(t, "apply", "-auto-approve"); !strings.Contains(said, "1 destroyed") ||
		strings.Contains(said, "Snapshot snap-") {
		t.Errorf("it says %s", said)
	}
	if taken, err := client.All(w.API.ListSnapshots(t.Context(), w.ProjectID)); err != nil || len(taken) != 0 {
		t.Errorf("the snapshots are %v: %v", taken, err)
	}
}
