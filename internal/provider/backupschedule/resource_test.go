package backupschedule_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	address = "neon_branch_backup_schedule.test"
	route   = "/api/v2/projects/{project_id}/branches/{branch_id}/backup_schedule"
)

func block(branch client.BranchRef, entries ...string) string {
	return fmt.Sprintf("resource \"neon_branch_backup_schedule\" \"test\" {\n project_id = %q\n branch_id = %q\n schedule = [%s]\n}\n",
		branch.ProjectID, branch.ID, strings.Join(entries, ", "))
}

func schedule(t *testing.T, w *acctest.BranchWorld, branchID string) []client.BackupEntry {
	t.Helper()
	entries, err := w.API.GetBackupSchedule(context.WithoutCancel(t.Context()), w.Ref(branchID))
	if err != nil && !client.IsAbsent(err) {
		t.Fatal(err)
	}
	return entries
}

// set changes the schedule past Terraform.
func set(t *testing.T, w *acctest.BranchWorld, branchID string, entries ...client.BackupEntry) {
	t.Helper()
	if err := w.API.SetBackupSchedule(t.Context(), w.Ref(branchID),
		append([]client.BackupEntry{}, entries...)); err != nil {
		t.Fatal(err)
	}
}

const (
	daily   = `{ frequency = "daily", hour = 0 }`
	weekly  = `{ frequency = "weekly", day = 1, hour = 3, retention_seconds = 7200 }`
	monthly = `{ frequency = "monthly" }`
)

// A restore in one step may give the schedule to the branch in the place of its own, or leave it: either way it
// moves along in place, and nobody has to take it in. That is so where the restore was sent twice, as after a lost
// answer, so that two branches were put in the place of its own.
func TestAccBackupSchedule_branchIsReplacedByARestore(t *testing.T) {
	t.Parallel()
	for name, restores := range map[string]int{"once": 1, "twice": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.EachReading(t, "replaced-branch", func(t *testing.T, played emulator.Config) {
				t.Helper()
				t.Parallel()
				w := acctest.BranchWorldOf(t, played)
				config := onMain(w)
				acctest.RunSteps(t, w.World,
					resource.TestStep{Config: config},
					resource.TestStep{
						PreConfig: func() { restore(t, w, restores) }, Config: config,
						ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
					},
					resource.TestStep{Config: config, PlanOnly: true},
				)
			})
		})
	}
}

// While the branch of a schedule that went along can't be read, nobody knows that it did: the schedule stays in the
// state, to move along afterwards.
func TestAccBackupSchedule_replacedBranchCantBeRead(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"replaced-branch": "gives-schedule"}})
	config := onMain(w)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				restore(t, w, 1)
				w.AddFault(t, acctest.Fault{Route: "GET /api/v2/projects/{project_id}/branches/{branch_id}",
					Kind: "status", Status: http.StatusForbidden, Count: 1})
			},
			Config: config, ExpectError: acctest.InOrder("Unable to read", fmt.Sprint(http.StatusForbidden)),
		},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate)},
	)
}

// onMain is a schedule of whichever branch is called main.
func onMain(w *acctest.BranchWorld) string {
	return w.ProviderConfig() +
		fmt.Sprintf("data \"neon_branch\" \"main\" {\n project_id = %q\n name = \"main\"\n}\n", w.ProjectID) +
		strings.Replace(block(w.Ref("ID"), daily), `"ID"`, "data.neon_branch.main.id", 1)
}

// restore has a restore of a snapshot, sent so often, put another branch in the place of the main one.
func restore(t *testing.T, w *acctest.BranchWorld, times int) {
	t.Helper()
	first := w.MainBranch(t).ID
	taken, err := w.API.CreateSnapshot(t.Context(), w.Ref(first), client.SnapshotCreate{})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, taken.Operations, nil)
	for range times {
		operations, err := client.OperationsOf(w.API.RestoreSnapshot(t.Context(),
			client.SnapshotRef{ProjectID: w.ProjectID, ID: taken.Object.ID},
			client.SnapshotRestore{TargetBranchID: first, Finalize: true}))
		w.Settle(t, operations, err)
	}
}

func life(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	branchID := w.MainBranch(t).ID
	config := func(entries ...string) string { return w.ProviderConfig() + block(w.Ref(branchID), entries...) }
	is := func(entries int) statecheck.StateCheck {
		return statecheck.ExpectKnownValue(address, tfjsonpath.New("schedule"), knownvalue.SetSizeExact(entries))
	}
	id := w.ProjectID + "/" + branchID
	return append([]resource.TestStep{
		// Neon fills in how long the snapshots are kept, which is no change.
		{
			Config:            config(daily, weekly, monthly),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{is(3)},
		},
		{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: id},
		{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateId: id},
		// The order means nothing.
		{Config: config(monthly, daily, weekly), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		{
			Config:            config(`{ frequency = "daily", hour = 1, retention_seconds = 3600 }`),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{is(1)},
		},
		{Config: config(`{ frequency = "daily", hour = 1 }`), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate)},
	}, changedOutside(t, w, branchID, config(`{ frequency = "daily", hour = 1 }`))...)
}

// changedOutside are steps before which somebody else adds to the schedule and changes it, and
// removes it.
func changedOutside(t *testing.T, w *acctest.BranchWorld, branchID, config string) []resource.TestStep {
	t.Helper()
	return []resource.TestStep{
		{
			PreConfig: func() {
				hour := int64(7)
				set(t, w, branchID, client.BackupEntry{Frequency: "daily", Hour: &hour}, client.BackupEntry{Frequency: "weekly"})
			},
			Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
		},
		{
			PreConfig: func() { set(t, w, branchID) },
			Config:    config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
	}
}

func TestAccBackupSchedule_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World, life(t, w)...)
	if left := schedule(t, w, w.MainBranch(t).ID); len(left) != 0 {
		t.Errorf("left is %v", left)
	}
}

func TestAccTerraform_backupScheduleLife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: life(t, w)})
}

// Of entries that differ in what they say alone, each finds its own.
func TestAccBackupSchedule_alike(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID),
		`{ frequency = "monthly", day = 1 }`, `{ frequency = "monthly" }`,
		`{ frequency = "monthly", day = 1, retention_seconds = 7200 }`)
	acctest.RunSteps(t, w.World, resource.TestStep{Config: config}, resource.TestStep{Config: config, PlanOnly: true})
}

// Entries that leave different numbers to Neon find theirs, whatever Neon chooses; one that somebody adds is seen, and
// the same one twice is no difference.
func TestAccBackupSchedule_leftToNeon(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := w.ProviderConfig() + block(w.Ref(branchID), `{ frequency = "daily", hour = 1 }`,
		`{ frequency = "daily", retention_seconds = 7200 }`)
	steps := []resource.TestStep{{Config: config}}
	hour, short, long := int64(1), int64(7200), int64(client.DefaultRetentionSeconds)
	changed := func(action plancheck.ResourceActionType, retentions ...*int64) {
		var entries []client.BackupEntry
		for _, retention := range retentions {
			entries = append(entries, client.BackupEntry{Frequency: "daily", Hour: &hour, RetentionSeconds: retention})
		}
		steps = append(steps, resource.TestStep{PreConfig: func() { set(t, w, branchID, entries...) },
			Config: config, ConfigPlanChecks: acctest.ExpectAction(address, action)})
	}
	changed(plancheck.ResourceActionNoop, &short, &long)
	changed(plancheck.ResourceActionNoop, &long, &short)
	changed(plancheck.ResourceActionNoop, &long, &short, &long)
	config = w.ProviderConfig() + block(w.Ref(branchID), `{ frequency = "daily", hour = 1 }`)
	changed(plancheck.ResourceActionUpdate, &short, &long)
	acctest.RunSteps(t, w.World, steps...)
}

func TestAccBackupSchedule_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, child := w.MainBranch(t).ID, w.MakeBranch(t, "child").ID
	root := w.MakeRoot(t, "root").ID
	set(t, w, root, client.BackupEntry{Frequency: "daily"})
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"of a child": {
			Config: block(w.Ref(child), daily), Want: acctest.InOrder("Unable to create branch backup schedule", "422",
				"root branches"),
		},
		"taken": {
			Config: block(w.Ref(root), daily),
			Want: acctest.InOrder("Unable to create branch backup schedule", "is there already",
				"to = neon_branch_backup_schedule.NAME", w.ProjectID+"/"+root),
		},
		"no such branch": {
			Config: block(w.Ref("br-none-such-12345678"), daily),
			Want:   acctest.InOrder("No such branch", "branch_id", "branch not found"),
		},
		"no such project": {
			Config: block(client.BranchRef{ProjectID: "none-such-12345678", ID: branchID}, daily),
			Want:   acctest.InOrder("Unable to read project", "project_id", "404"),
		},
		"nothing":       {Config: block(w.Ref(branchID)), Command: acctest.Plan, Want: acctest.InWords("at least 1 elements")},
		"hour":          {Config: block(w.Ref(branchID), `{ frequency = "daily", hour = 24 }`), Command: acctest.Plan, Want: acctest.InWords("between 0 and 23")},
		"day":           {Config: block(w.Ref(branchID), `{ frequency = "daily", day = 0 }`), Command: acctest.Plan, Want: acctest.InWords("between 1 and 31")},
		"month":         {Config: block(w.Ref(branchID), `{ frequency = "daily", month = 13 }`), Command: acctest.Plan, Want: acctest.InWords("between 1 and 12")},
		"too short":     {Config: block(w.Ref(branchID), `{ frequency = "daily", retention_seconds = 60 }`), Command: acctest.Plan, Want: acctest.InWords("between 3600 and 3024000")},
		"too long":      {Config: block(w.Ref(branchID), `{ frequency = "daily", retention_seconds = 3024001 }`), Command: acctest.Plan, Want: acctest.InWords("between 3600 and 3024000")},
		"frequency":     {Config: block(w.Ref(branchID), `{ frequency = "hourly" }`), Want: acctest.InOrder("Unable to create", "400", "frequency")},
		"import id":     {Config: block(w.Ref(branchID), daily), Command: []string{"import", address, "x"}, Want: acctest.InWords("project_id/branch_id, such as")},
		"import: none":  {Config: block(w.Ref(branchID), daily), Command: []string{"import", address, w.ProjectID + "/" + branchID}, Want: acctest.InWords("No such")},
		"import: where": {Config: block(w.Ref(branchID), daily), Command: []string{"import", address, w.ProjectID + "/br-none-such-12345678"}, Want: acctest.InWords("No such")},
	})
}

// On a plan without schedules the error says so.
func TestAccBackupSchedule_onFree(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Plan: emulator.PlanFree})
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{"free": {
		Config: block(w.Ref(w.MainBranch(t).ID), daily), Want: acctest.InOrder("422", "is not enabled for this project",
			"paid plan"),
	}})
}

// The branch is deleted outside, and the schedule with it.
func TestAccBackupSchedule_branchIsGone(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	root := w.MakeRoot(t, "root").ID
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(root), daily)},
		resource.TestStep{PreConfig: func() { w.DeleteBranch(t, root) }, Config: w.ProviderConfig()},
	)
}

// A branch with a parent has no schedule: a plan says so of a new one, and replaces none by one.
func TestAccBackupSchedule_notOfAChild(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	child := w.MakeBranch(t, "child").ID
	said := acctest.NewProtocol(t, w.World).PlanCreation(t, "neon_branch_backup_schedule",
		acctest.Texts(map[string]string{"project_id": w.ProjectID, "branch_id": child}))
	if !acctest.InOrder("No branch backup schedule of a branch with a parent", child, "creation fails").MatchString(said) {
		t.Errorf("the plan of a new one says %q", said)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID), daily)},
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(child), daily), PlanOnly: true,
			ExpectError: acctest.InOrder("No branch backup schedule of a branch with a parent", child)},
	)
}

// Whatever becomes of the answers, the branch has the schedule, and in the end none.
func TestAccBackupSchedule_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := w.ProviderConfig() + block(w.Ref(branchID), daily)
	lose := func() {
		for _, kind := range []string{"lost_before", "lost_after"} {
			w.AddFault(t, acctest.Fault{Route: "PUT " + route, Kind: kind, Count: 1})
		}
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{PreConfig: lose, Config: config},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "GET " + route, Kind: "status", Status: http.StatusNotFound, Count: 1})
			},
			Config: config, ExpectError: acctest.InOrder("Unable to read branch backup schedule", "404"),
		},
		resource.TestStep{PreConfig: lose, Config: w.ProviderConfig()},
	)
	if left := schedule(t, w, branchID); len(left) != 0 || w.FaultsLeft(t) != 0 {
		t.Errorf("left are %v, and %d faults", left, w.FaultsLeft(t))
	}
}

func TestBackupSchedule_moves(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	branchID := w.MainBranch(t).ID
	set(t, w, branchID, client.BackupEntry{Frequency: "daily"})
	for provider, kind := range map[string]string{
		"kislerdm/neon": "neon_branch_backup_schedule", "neondatabase/neon": "neon_branch_backup_schedule",
		"kenchan0130/neon": "neon_snapshot_schedule",
	} {
		old := map[string]any{"project_id": w.ProjectID, "branch_id": branchID,
			"schedule": []any{map[string]any{"frequency": "monthly"}}}
		state, identity, problem := p.Move(t, "neon_branch_backup_schedule",
			acctest.MovedSource{Provider: provider, TypeName: kind, Version: 2}, old)
		if problem != "" || state["id"] != w.ProjectID+"/"+branchID || identity["branch_id"] != branchID {
			t.Errorf("%s moved to %v, %v: %s", provider, state, identity, problem)
		}
	}
}

// Neon's own retention is imported without a change, whether it is configured or not; and another
// one that is removed is Neon's own again.
func TestAccBackupSchedule_importsAsConfigured(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	for _, retention := range []string{"", ", retention_seconds = 3024000"} {
		config := w.ProviderConfig() + block(w.Ref(branchID), `{ frequency = "daily", hour = 5`+retention+` }`,
			`{ frequency = "weekly", day = 2 }`)
		acctest.RunSteps(t, w.World,
			resource.TestStep{Config: config},
			resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
		)
	}
	config := func(retention string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), `{ frequency = "daily"`+retention+` }`)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(", retention_seconds = 7200")},
		resource.TestStep{Config: config(""), ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: config(", retention_seconds = 3024000"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
	)
}
