package walks_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

// orders runs a statement on a branch, where there is one, and counts the rows of a table.
func orders(t *testing.T, w *acctest.World, branchID, statement string) int {
	t.Helper()
	uri, err := w.Client(t).GetConnectionURI(t.Context(), w.ProjectID, client.ConnectionURIQuery{
		BranchID: branchID, DatabaseName: "neondb", RoleName: "neondb_owner",
	})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := sqlscript.Connect(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
	var count int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM orders").Scan(&count); err != nil {
		t.Fatal(err)
	}
	return count
}

// A restore brings the rows of its source back, and keeps those that it replaces under
// another name; a reset brings those of the parent.
func TestAccActions_bringRowsBack(t *testing.T) {
	t.Parallel()
	w := &acctest.BranchWorld{World: acctest.StartDatabases(t)}
	w.API = w.Client(t)
	protocol := acctest.NewProtocol(t, w.World)
	invoke := func(action acctest.Action) string {
		t.Helper()
		invoked := protocol.Invoke(t, action, nil)
		if invoked.Problem != "" {
			t.Fatal(invoked.Problem)
		}
		return invoked.Progress[len(invoked.Progress)-1]
	}
	want := func(branchID, statement string, rows int) {
		t.Helper()
		if got := orders(t, w.World, branchID, statement); got != rows {
			t.Errorf("after %q branch %s has %d rows, want %d", statement, branchID, got, rows)
		}
	}
	main := w.Emulator.FirstWorld().BranchID
	want(main, "CREATE TABLE orders AS SELECT generate_series(1, 3) AS id", 3)
	before := w.ActionBranch(t, "before")
	want(main, "INSERT INTO orders VALUES (4)", 4)
	want(before.ID, "", 3)
	invoke(before.Action("reset_branch", "branch_id", before.ID))
	want(before.ID, "", 4)
	want(main, "DELETE FROM orders", 0)

	said := invoke(before.Action("restore_branch", "branch_id", main, "source_branch_id", before.ID, "preserve_under_name",
		"bad"))
	want(main, "", 4)
	bad, err := first(w.API.ListBranches(t.Context(), w.ProjectID, client.BranchQuery{Search: "bad"}))
	if err != nil || !strings.Contains(said, "branch "+bad.ID+", named \"bad\"") {
		t.Errorf("the last message doesn't name branch %s: %q; %v", bad.ID, said, err)
	}
	w.MakeEndpoint(t, bad.ID, client.EndpointReadWrite)
	want(bad.ID, "", 0)

	// It is a child of what the other was now, until it is restored from the other.
	invoke(before.Action("reset_branch", "branch_id", before.ID))
	want(before.ID, "", 0)
	invoke(before.Action("restore_branch", "branch_id", before.ID, "source_branch_id", main))
	want(before.ID, "", 4)
}

// A branch that is restored from its own past loses what it didn't have then, not what it doesn't have.
func TestAccActions_ownPast(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	branch := w.ActionBranch(t, "b")
	invoked := acctest.NewProtocol(t, w).Invoke(t, branch.Action("restore_branch", "branch_id", branch.ID, "source_lsn",
		"0/1E88838", "preserve_under_name", "before"), nil)
	if !invoked.Says("Roles and databases that "+branch.ID+" didn't have then no longer exist", "Neon Auth may be gone") {
		t.Errorf("it says %q, and the error %q", invoked.Progress, invoked.Problem)
	}
}

// A snapshot that is restored in one step brings the rows back to where clients connect. The
// replaced branch has what was written since.
func TestAccActions_snapshotBringsRowsBack(t *testing.T) {
	t.Parallel()
	w := &acctest.BranchWorld{World: acctest.StartDatabases(t)}
	w.API = w.Client(t)
	main := w.MainBranch(t).ID
	protocol := acctest.NewProtocol(t, w.World)
	if got := orders(t, w.World, main, "CREATE TABLE orders AS SELECT generate_series(1, 3) AS id"); got != 3 {
		t.Fatalf("there are %d rows", got)
	}
	inMain := acctest.ActionBranch{ProjectID: w.ProjectID, ID: main}
	taken := protocol.Invoke(t, inMain.Action("create_snapshot", "branch_id", main), nil)
	snapshots, err := client.All(w.API.ListSnapshots(t.Context(), w.ProjectID))
	if err != nil || len(snapshots) != 1 || !taken.Says(snapshots[0].ID) {
		t.Fatalf("there are the snapshots %v; %v; said is %v", snapshots, err, taken)
	}
	orders(t, w.World, main, "DELETE FROM orders WHERE id > 1")

	restored := protocol.Invoke(t, inMain.Action("restore_snapshot", "snapshot_id", snapshots[0].ID, "target_branch_id",
		main), nil)
	preview, err := first(w.API.ListBranches(t.Context(), w.ProjectID, client.BranchQuery{Search: snapshots[0].ID}))
	if err != nil || !restored.Says(preview.ID, "neon_finalize_branch_restore") {
		t.Fatalf("restored is %v; %v; said is %v", preview, err, restored)
	}
	finalized := protocol.Invoke(t, inMain.Action("finalize_branch_restore", "branch_id", preview.ID), nil)
	if finalized.Problem != "" {
		t.Fatal(finalized.Problem)
	}
	if got := orders(t, w.World, preview.ID, ""); got != 3 {
		t.Errorf("restored are %d rows, want 3", got)
	}
	w.MakeEndpoint(t, main, client.EndpointReadWrite)
	if got := orders(t, w.World, main, ""); got != 1 {
		t.Errorf("the replaced branch has %d rows, want 1", got)
	}
}
