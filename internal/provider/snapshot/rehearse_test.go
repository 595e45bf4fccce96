package snapshot_test

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

const (
	restoresSnapshot = "POST /api/v2/projects/{project_id}/snapshots/{snapshot_id}/restore"
	createsBranch    = "POST /api/v2/projects/{project_id}/branches"
	deletesBranch    = "DELETE /api/v2/projects/{project_id}/branches/{branch_id}"
	prefix           = "restore-rehearsal-"
)

// rehearsalOf is neon_rehearse_restore of a branch with other texts.
func rehearsalOf(w *acctest.BranchWorld, branchID, check string, others ...string) acctest.Action {
	return acctest.ActionOf("rehearse_restore", append([]string{
		"project_id", w.ProjectID, "branch_id", branchID, "database_name", "neondb", "role_name", "neondb_owner",
		"check", check,
	}, others...)...)
}

// databases is a world with a database that has a table of three orders.
func databases(t *testing.T) *acctest.BranchWorld {
	t.Helper()
	w := &acctest.BranchWorld{World: acctest.StartDatabases(t)}
	w.API = w.Client(t)
	query(t, w, w.MainBranch(t).ID, "CREATE TABLE orders AS SELECT generate_series(1, 3) AS id")
	return w
}

func query(t *testing.T, w *acctest.BranchWorld, branchID, statement string) {
	t.Helper()
	uri, err := w.API.GetConnectionURI(t.Context(), w.ProjectID,
		client.ConnectionURIQuery{BranchID: branchID, DatabaseName: "neondb", RoleName: "neondb_owner"})
	if err == nil {
		err = (&sqlscript.Script{Path: "test", Statements: []sqlscript.Statement{{Text: statement}}}).Run(t.Context(), uri)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// wantRehearsed wants words of what was said, no problem, no secret, and nothing that is left.
func wantRehearsed(t *testing.T, w *acctest.BranchWorld, invoked acctest.Invoked, words ...string) {
	t.Helper()
	for _, text := range words {
		if !invoked.Says(text) {
			t.Errorf("%q isn't in %s", text, strings.Join(invoked.Progress, "\n"))
		}
	}
	if invoked.Problem != "" {
		t.Error(invoked.Problem)
	}
	wantNothingLeft(t, w, invoked)
}

// wantFailed wants words of the error, no secret, and nothing that is left.
func wantFailed(t *testing.T, w *acctest.BranchWorld, invoked acctest.Invoked, words ...string) {
	t.Helper()
	for _, text := range words {
		if !strings.Contains(invoked.Problem, text) {
			t.Errorf("%q isn't in %s", text, invoked.Problem)
		}
	}
	if unended := regexp.MustCompile(`[^.:\n]\n\n`); unended.MatchString(invoked.Problem) {
		t.Errorf("a paragraph has no end in %q", invoked.Problem)
	}
	wantNothingLeft(t, w, invoked)
}

func wantNothingLeft(t *testing.T, w *acctest.BranchWorld, invoked acctest.Invoked) {
	t.Helper()
	for _, branch := range w.Branches(t) {
		if strings.HasPrefix(branch.Name, prefix) {
			t.Errorf("branch %s is left", branch.Name)
		}
	}
	for _, secret := range w.Emulator.Secrets() {
		if strings.Contains(strings.Join(append(invoked.Progress, invoked.Problem), "\n"), secret) {
			t.Errorf("a secret is in what is said: %s", secret)
		}
	}
}

// The newest snapshot has the data of its moment, however the branch changes later, and so has one that is named. What
// was restored is gone afterwards, and would expire if it weren't.
func TestRehearse_snapshot(t *testing.T) {
	t.Parallel()
	w := databases(t)
	main := w.MainBranch(t).ID
	first := take(t, w, main, client.SnapshotCreate{Name: "first"})
	w.Advance(t, time.Hour)
	query(t, w, main, "INSERT INTO orders VALUES (4)")
	take(t, w, main, client.SnapshotCreate{Name: "second"})
	w.Advance(t, 3*time.Hour)
	query(t, w, main, "DELETE FROM orders")
	// It lives as long as the invocation may take, and an hour.
	expires := func(text string) {
		if !strings.HasPrefix(text, "RTO: ") {
			return
		}
		for _, branch := range w.Branches(t) {
			if strings.HasPrefix(branch.Name, prefix) && (branch.ExpiresAt == nil ||
				branch.ExpiresAt.Sub(branch.CreatedAt).Round(time.Minute) != 70*time.Minute) {
				t.Errorf("it was created at %s and expires at %v", branch.CreatedAt, branch.ExpiresAt)
			}
		}
	}
	const four = "SELECT count(*) = 4 AS ok, count(*) AS orders, current_user, NULL AS nothing FROM orders"
	invoked := acctest.NewProtocol(t, w.World).Invoke(t, rehearsalOf(w, main, four), expires)
	wantRehearsed(t, w, invoked, `, named "second", as the branch "`+prefix,
		"RTO: the restored data answered its first query after ", "RPO: the data is of 20", " and was 3h0m",
		"The check returned ok = true, orders = 4, current_user = neondb_owner, nothing = null.",
		`Deleted the branch "`+prefix, "Done after ", "RTO ", "RPO 3h0m",
		"nothing of this shows up in the next plan")
	invoked = acctest.NewProtocol(t, w.World).Invoke(t, rehearsalOf(w, main, "SELECT count(*) = 3 FROM orders",
		"snapshot_id", first.ID), nil)
	wantRehearsed(t, w, invoked, `named "first"`, "RPO 4h0m", "?column? = true")
	w.CheckOnly(t, "main")
}

// Neon may restore without a compute, which the rehearsal then creates.
func TestRehearse_withoutCompute(t *testing.T) {
	t.Parallel()
	for _, reading := range []string{"compute", "no-compute"} {
		w := databases(t)
		w.Play(t, "unfinished-restore", reading)
		take(t, w, w.MainBranch(t).ID, client.SnapshotCreate{})
		wantRehearsed(t, w, acctest.NewProtocol(t, w.World).Invoke(t,
			rehearsalOf(w, w.MainBranch(t).ID, "SELECT count(*) = 3 FROM orders"), nil), "RTO")
	}
}

// now is a moment that has the data as it is. The emulator keeps no past: when data has changed it notes once it is
// asked for a moment of any branch, and it has nothing of before.
func now(t *testing.T, w *acctest.BranchWorld) string {
	t.Helper()
	asked := time.Now()
	_, _ = w.API.CreateSnapshot(t.Context(), w.Ref(w.MainBranch(t).ID), client.SnapshotCreate{Timestamp: &asked})
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second)))
	return time.Now().UTC().Format(time.RFC3339)
}

// Any branch has a past, a child too. What is restored of it expires from the beginning.
func TestRehearse_moment(t *testing.T) {
	t.Parallel()
	w := databases(t)
	child := w.ActionBranch(t, "child").ID
	query(t, w, child, "INSERT INTO orders VALUES (4)")
	moment := now(t, w)
	w.Advance(t, 10*time.Minute)
	check := "SELECT count(*) = 4 AS ok FROM orders"
	future := rehearsalOf(w, child, check, "timestamp", time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	if problem := acctest.NewProtocol(t, w.World).PlanAction(t, future); !strings.Contains(problem,
		"A moment in the future") {
		t.Errorf("of a future moment it says %q", problem)
	}
	action := rehearsalOf(w, child, check, "timestamp", moment)
	invoked := acctest.NewProtocol(t, w.World).Invoke(t, action, func(text string) {
		if strings.HasPrefix(text, "create_branch of branch ") && !strings.Contains(text, "finished") {
			for _, branch := range w.Branches(t) {
				if strings.HasPrefix(branch.Name, prefix) && branch.ExpiresAt == nil {
					t.Error("it doesn't expire")
				}
			}
		}
	})
	wantRehearsed(t, w, invoked, "Restores branch "+child+" as of "+moment, "RPO: the data is of "+moment, "RPO 10m",
		"ok = true")
}

// Whatever the check does, the branch is gone. Neither a value that isn't a boolean nor a row too many passes.
func TestRehearse_checks(t *testing.T) {
	t.Parallel()
	w := databases(t)
	main := w.MainBranch(t).ID
	take(t, w, main, client.SnapshotCreate{})
	const restored = "The restore itself worked"
	for check, words := range map[string][]string{
		"SELECT count(*) > 3 AS ok, count(*) AS orders FROM orders": {"The check returned ok = false, orders = 3: its first column isn't true", restored},
		"SELECT 'true' AS ok":                  {"ok = true: its first column isn't true"},
		"SELECT NULL::boolean AS ok":           {"ok = null"},
		"SELECT id = 1 FROM orders":            {"it returned 3 rows", "one statement that returns one row"},
		"SELECT true FROM orders WHERE id < 0": {"it returned 0 rows"},
		"DELETE FROM orders":                   {"it returned 0 rows"},
		"SELECT":                               {"its row has no columns"},
		"SELECT true FROM customers":           {`PostgreSQL refused it: relation "customers" does not exist (SQLSTATE 42P01)`, restored},
		"SELECT 1 / (id - 2) > 0 FROM orders":  {"division by zero"},
		"COPY orders TO STDOUT":                {"it returned 0 rows"},
	} {
		t.Run(check, func(t *testing.T) {
			invoked := acctest.NewProtocol(t, w.World).Invoke(t, rehearsalOf(w, main, check), nil)
			wantFailed(t, w, invoked, append(words, "Unable to rehearse restore", `The branch of the rehearsal, "`+prefix,
				"was deleted")...)
		})
	}
}

// After Ctrl-C and at its timeout, a check ends and the branch is deleted all the same.
func TestRehearse_ends(t *testing.T) {
	t.Parallel()
	w := databases(t)
	main := w.MainBranch(t).ID
	take(t, w, main, client.SnapshotCreate{})
	slow := rehearsalOf(w, main, "SELECT pg_sleep(600) IS NOT NULL")
	protocol := acctest.NewProtocol(t, w.World)
	invoked := protocol.Invoke(t, slow, func(text string) {
		if strings.HasPrefix(text, "RPO: ") {
			go func() {
				_, _ = protocol.StopProvider(context.WithoutCancel(t.Context()), &tfprotov6.StopProviderRequest{})
			}()
		}
	})
	wantFailed(t, w, invoked, "The rehearsal was interrupted", "was deleted",
		"Invoke the action again, which does no harm")
	kind := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"invoke": tftypes.String}}
	invoked = acctest.Invoked{}
	// A slow machine may need longer until the check begins.
	for timeout := 20 * time.Second; timeout < 10*time.Minute && !invoked.Says("RPO: "); timeout *= 2 {
		slow.Given["timeouts"] = tftypes.NewValue(kind, map[string]tftypes.Value{"invoke": acctest.Text(timeout.String())})
		invoked = acctest.NewProtocol(t, w.World).Invoke(t, slow, nil)
		wantFailed(t, w, invoked, "was deleted")
	}
	wantFailed(t, w, invoked, "The time for the rehearsal was up", "Raise timeouts.invoke")
}

// A deletion that fails is an error that says what is left, and what to do about it.
func TestRehearse_notDeleted(t *testing.T) {
	t.Parallel()
	w := databases(t)
	main := w.MainBranch(t).ID
	take(t, w, main, client.SnapshotCreate{})
	for check, words := range map[string][]string{
		"SELECT true":  {"The restore works, and the check is true, but"},
		"SELECT false": {"its first column isn't true", "The branch of the rehearsal"},
	} {
		w.AddFault(t, acctest.Fault{Route: deletesBranch, Kind: "status", Status: http.StatusForbidden,
			Body: `{"code":"","message":"not today"}`, Count: 1})
		invoked := acctest.NewProtocol(t, w.World).Invoke(t, rehearsalOf(w, main, check), nil)
		for _, branch := range w.Branches(t) {
			if strings.HasPrefix(branch.Name, prefix) {
				words = append(words, branch.Name, "neonctl branches delete "+branch.ID+" --project-id "+w.ProjectID,
					"Neon deletes it at "+branch.ExpiresAt.UTC().Format(time.RFC3339))
				w.DeleteBranch(t, branch.ID)
			}
		}
		wantFailed(t, w, invoked, append(words, "could not be deleted", "not today", "If nobody does")...)
	}
}

// An answer that was lost makes no second branch, and a branch that couldn't be looked for at once is found in the end.
func TestRehearse_lostAnswers(t *testing.T) {
	t.Parallel()
	w := databases(t)
	main := w.MainBranch(t).ID
	take(t, w, main, client.SnapshotCreate{})
	ofMoment := rehearsalOf(w, main, "SELECT true", "timestamp", now(t, w))
	for route, action := range map[string]acctest.Action{restoresSnapshot: rehearsalOf(w, main, "SELECT true"),
		createsBranch: ofMoment} {
		for _, test := range []struct {
			faults []acctest.Fault
			fails  string
		}{
			{faults: []acctest.Fault{{Route: route, Kind: "lost_after", Count: 1}}},
			{faults: []acctest.Fault{{Route: deletesBranch, Kind: "lost_after", Count: 1}}},
			{fails: "its answer was lost", faults: []acctest.Fault{
				{Route: route, Kind: "lost_after", Count: 1}, {Route: "GET /api/v2/projects/{project_id}/operations", Kind: "status", Status: http.StatusBadRequest, Count: 1},
			}},
		} {
			before, err := client.All(w.API.ListOperations(t.Context(), w.ProjectID))
			w.Settle(t, before, err) // The deletion after the case before refuses nothing then.
			for _, fault := range test.faults {
				w.AddFault(t, fault)
			}
			w.ForgetRequests(t)
			invoked := acctest.NewProtocol(t, w.World).Invoke(t, action, nil)
			if sent := w.Requests(t).ByRoute[route]; sent != 1 {
				t.Errorf("%s was sent %d times", route, sent)
			}
			if test.fails != "" {
				wantFailed(t, w, invoked, test.fails, "was deleted")
				continue
			}
			wantRehearsed(t, w, invoked, "It took effect, and isn't sent again", "RTO ")
		}
	}
}

// What can't be rehearsed is said before anything is restored.
func TestRehearse_refused(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	main, child := w.MainBranch(t).ID, w.MakeBranch(t, "child").ID
	for _, test := range []struct {
		action acctest.Action
		words  string
	}{
		{rehearsalOf(w, child, "SELECT true"), "Set timestamp to rehearse the restore of a moment of its past"},
		{rehearsalOf(w, main, "SELECT true; SELECT true"), "check must be one SQL statement, and has 2"},
		{rehearsalOf(w, main, "-- nothing"), "check must be one SQL statement, and has 0"},
		{rehearsalOf(w, main, "SELECT 'true"), "In check, line 1: a quote (') begins here and doesn't end."},
		{rehearsalOf(w, main, "SELECT true", "snapshot_id", "snap-none"), "No such snapshot"},
		{rehearsalOf(w, main, "SELECT true", "snapshot_id", "snap-none", "timestamp", "2020-01-01T00:00:00Z"), "timestamp"},
		{rehearsalOf(w, "br-none", "SELECT true"), "No such branch"},
	} {
		if problem := acctest.NewProtocol(t, w.World).PlanAction(t, test.action); !strings.Contains(problem, test.words) {
			t.Errorf("%q isn't in %q", test.words, problem)
		}
	}
	w.ForgetRequests(t)
	wantFailed(t, w, acctest.NewProtocol(t, w.World).Invoke(t, rehearsalOf(w, main, "SELECT true"), nil),
		"Branch "+main+" has no snapshot", "neon_create_snapshot")
	for route := range w.Requests(t).ByRoute {
		if !strings.HasPrefix(route, "GET ") {
			t.Errorf("it sent %s", route)
		}
	}
}

// Neon has no such database, an emulator without PostgreSQL has none at all, and no root slot may be left: each is
// said, and nothing is left.
func TestRehearse_noDatabase(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Plan: emulator.PlanFree})
	main := w.MainBranch(t).ID
	take(t, w, main, client.SnapshotCreate{})
	invoke := func(others map[string]string) acctest.Invoked {
		action := rehearsalOf(w, main, "SELECT true")
		maps.Copy(action.Given, acctest.Texts(others))
		return acctest.NewProtocol(t, w.World).Invoke(t, action, nil)
	}
	wantFailed(t, w, invoke(map[string]string{"database_name": "shop"}), "database not found",
		"Check database_name and role_name", "was deleted")
	wantFailed(t, w, invoke(map[string]string{"role_name": "nobody"}), "role not found",
		"Check database_name and role_name", "was deleted")
	wantFailed(t, w, invoke(nil), `its database "neondb" isn't served`, "has databases only where PostgreSQL is installed",
		"was deleted")
	w.MakeRoot(t, "second")
	w.MakeRoot(t, "third")
	refused := invoke(nil)
	wantFailed(t, w, refused, "root branches limit exceeded")
	if strings.Contains(refused.Problem, "was deleted") {
		t.Errorf("it says that what never was is deleted: %s", refused.Problem)
	}
}
