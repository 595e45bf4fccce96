package snapshot_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	address = "neon_snapshot.test"
	route   = "/api/v2/projects/{project_id}/branches/{branch_id}/snapshot"
)

func block(branch client.BranchRef, lines ...string) string {
	return fmt.Sprintf("resource \"neon_snapshot\" \"test\" {\n project_id = %q\n branch_id = %q\n %s\n}\n",
		branch.ProjectID, branch.ID, strings.Join(lines, "\n "))
}

func is(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

func in(hours int) time.Time {
	return time.Now().UTC().Add(time.Duration(hours) * time.Hour).Truncate(time.Second)
}

// snapshots are those of the world's project.
func snapshots(t *testing.T, w *acctest.BranchWorld) []client.Snapshot {
	t.Helper()
	all, err := client.All(w.API.ListSnapshots(context.WithoutCancel(t.Context()), w.ProjectID))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// take takes a snapshot past Terraform.
func take(t *testing.T, w *acctest.BranchWorld, branchID string, create client.SnapshotCreate) client.Snapshot {
	t.Helper()
	created, err := w.API.CreateSnapshot(t.Context(), w.Ref(branchID), create)
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, created.Operations, nil)
	return created.Object
}

func life(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	branchID, soon, later := w.MainBranch(t).ID, in(48), in(72)
	config := func(lines ...string) string { return w.ProviderConfig() + block(w.Ref(branchID), lines...) }
	importID := func(s *terraform.State) (string, error) {
		return w.ProjectID + "/" + s.RootModule().Resources[address].Primary.ID, nil
	}
	return []resource.TestStep{
		{
			Config:           config(),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{
				is("name", knownvalue.NotNull()), is("lsn", knownvalue.NotNull()), is("timestamp", knownvalue.Null()),
				is("expires_at", knownvalue.Null()), is("manual", knownvalue.Bool(true)), is("created_at", knownvalue.NotNull()),
			},
		},
		{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: importID},
		{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateIdFunc: importID},
		{
			Config:           config(`name = "before"`, fmt.Sprintf("expires_at = %q", soon.Format(time.RFC3339))),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
		},
		// The same instant, written differently.
		{
			Config: config(`name = "before"`, fmt.Sprintf("expires_at = %q",
				soon.In(time.FixedZone("", 7200)).Format(time.RFC3339))),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop),
		},
		{
			Config:           config(`name = "before"`, fmt.Sprintf("expires_at = %q", later.Format(time.RFC3339))),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
		},
		// Without an expiry Neon removes it; without a name it keeps the one that there is.
		{
			Config:           config(),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				is("name", knownvalue.StringExact("before")), is("expires_at", knownvalue.Null()),
			},
		},
		// Deleted outside: taken again.
		{
			PreConfig: func() {
				operations, err := w.API.DeleteSnapshot(t.Context(), client.SnapshotRef{ProjectID: w.ProjectID,
					ID: snapshots(t, w)[0].ID})
				w.Settle(t, operations, err)
			},
			Config:           config(),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
	}
}

func TestAccSnapshot_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World, life(t, w)...)
	if left := snapshots(t, w); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

func TestAccTerraform_snapshotLife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: life(t, w)})
}

// A slug is configured for good: a lost answer is found by it, and one that is taken is refused with
// the way out.
func TestAccSnapshot_slug(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := func(line string) string { return w.ProviderConfig() + block(w.Ref(branchID), line) }
	other := take(t, w, branchID, client.SnapshotCreate{Slug: "taken"})
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(`slug = "-a"`), ExpectError: regexp.MustCompile("must be lower-case letters")},
		resource.TestStep{
			Config:      config(`slug = "taken"`),
			ExpectError: acctest.InOrder(`has slug "taken"`, "choose another", w.ProjectID+"/"+other.ID),
		},
		resource.TestStep{
			PreConfig:         func() { w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: "lost_after", Count: 1}) },
			Config:            config(`slug = "release-1"`),
			ConfigStateChecks: []statecheck.StateCheck{is("slug", knownvalue.StringExact("release-1"))},
		},
		resource.TestStep{
			Config:            config(""),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{is("slug", knownvalue.StringExact("release-1"))},
		},
		resource.TestStep{
			Config: config(`slug = "taken"`), ExpectError: acctest.InOrder("Unable to replace snapshot", `has slug "taken"`),
		},
		resource.TestStep{Config: config(""), PlanOnly: true},
		resource.TestStep{
			Config:           config(`slug = "release-2"`),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
		},
	)
}

// A snapshot of the past keeps where it was taken; another moment is another snapshot.
func TestAccSnapshot_ofThePast(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := func(line string) string { return w.ProviderConfig() + block(w.Ref(branchID), line) }
	moment := in(0).Add(-10 * time.Minute)
	importID := func(s *terraform.State) (string, error) {
		return w.ProjectID + "/" + s.RootModule().Resources[address].Primary.ID, nil
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config:            config(fmt.Sprintf("timestamp = %q", moment.Add(300*time.Millisecond).Format(time.RFC3339Nano))),
			ConfigStateChecks: []statecheck.StateCheck{is("lsn", knownvalue.Null())},
		},
		resource.TestStep{
			Config:           config(fmt.Sprintf("timestamp = %q", moment.In(time.FixedZone("", 7200)).Format(time.RFC3339))),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop),
		},
		resource.TestStep{
			Config:           config(fmt.Sprintf("timestamp = %q", moment.Add(time.Minute).Format(time.RFC3339))),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
		},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: importID},
		resource.TestStep{
			Config: config(`lsn = "0/ABC"`), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{is("lsn", knownvalue.StringExact("0/ABC")),
				is("timestamp", knownvalue.Null())},
		},
		resource.TestStep{
			Config: config(`lsn = "0/00abc"`), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{is("lsn", knownvalue.StringExact("0/ABC"))},
		},
		resource.TestStep{Config: config(""), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		resource.TestStep{Config: config(`lsn = "0/ABD"`), ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionReplace)},
	)
}

// Neon takes no snapshot of a branch with a parent: a plan says so of a new one, and replaces none by one.
func TestAccSnapshot_notOfAChild(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	child := w.MakeBranch(t, "child").ID
	said := acctest.NewProtocol(t, w.World).PlanCreation(t, "neon_snapshot",
		acctest.Texts(map[string]string{"project_id": w.ProjectID, "branch_id": child}))
	if !acctest.InOrder("No snapshot of a branch with a parent", child, "the creation fails").MatchString(said) {
		t.Errorf("the plan of a new one says %q", said)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID))},
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(child)), PlanOnly: true,
			ExpectError: acctest.InOrder("No snapshot of a branch with a parent", child, "root branches alone")},
	)
}

// What an import doesn't know, the configuration says first.
func TestAccSnapshot_importedOfThePast(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, moment := w.MainBranch(t).ID, in(0).Add(-10*time.Minute)
	taken := take(t, w, branchID, client.SnapshotCreate{Timestamp: &moment})
	respelt := "0" + strings.ToLower(taken.LSN)
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + block(w.Ref(branchID), fmt.Sprintf("lsn = %q", respelt)) +
			fmt.Sprintf("import {\n to = %s\n id = \"%s/%s\"\n}\n", address, w.ProjectID, taken.ID),
		ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
	})
}

func TestAccSnapshot_errors(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "snapshot-of-child", snapshotErrors)
	acctest.EachReading(t, "snapshot-range", snapshotErrors)
}

func snapshotErrors(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	branchID, child := w.MainBranch(t).ID, w.MakeBranch(t, "child").ID
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"of a child": {
			Config: block(w.Ref(child)), Want: acctest.InOrder("Unable to create snapshot", "has the parent", "root branches"),
		},
		"no such branch": {
			Config: block(w.Ref("br-none-such-12345678")), Want: acctest.InOrder("No such branch", "branch_id",
				"branch not found"),
		},
		"no such project": {
			Config: block(client.BranchRef{ProjectID: "none-such-12345678", ID: branchID}),
			Want:   acctest.InOrder("Unable to read project", "project_id", "404"),
		},
		"no position": {Config: block(w.Ref(branchID), `lsn = "x"`), Command: acctest.Plan, Want: acctest.InWords("must be a log position")},
		"two origins": {
			Config:  block(w.Ref(branchID), `lsn = "0/1"`, `timestamp = "2026-01-01T00:00:00Z"`),
			Command: acctest.Plan, Want: acctest.InWords("cannot be specified when"),
		},
		"past expiry": {
			Config: block(w.Ref(branchID), `expires_at = "2020-01-01T00:00:00Z"`),
			Want:   acctest.InOrder("Unable to create snapshot", "expires_at", "which is past"),
		},
		"the future": {
			Config: block(w.Ref(branchID), fmt.Sprintf("timestamp = %q", in(1).Format(time.RFC3339))),
			Want:   acctest.InOrder("A moment in the future", "timestamp", "must be in the past"),
		},
		"import id":    {Config: block(w.Ref(branchID)), Command: []string{"import", address, "snap-x"}, Want: acctest.InWords("project_id/snapshot_id, such as")},
		"import: gone": {Config: block(w.Ref(branchID)), Command: []string{"import", address, w.ProjectID + "/snap-none"}, Want: acctest.InWords("No such")},
	})
}

// At its time Neon deletes it: it leaves the state without an error.
func TestAccSnapshot_expires(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(branchID),
			fmt.Sprintf("expires_at = %q", in(1).Format(time.RFC3339)))},
		resource.TestStep{
			PreConfig:        func() { w.Advance(t, 2*time.Hour) },
			Config:           w.ProviderConfig() + block(w.Ref(branchID)),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
	)
}

// The branch is deleted outside, and the snapshot with it.
func TestAccSnapshot_branchIsGone(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	root := w.MakeRoot(t, "root").ID
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(root))},
		resource.TestStep{PreConfig: func() { w.DeleteBranch(t, root) }, Config: w.ProviderConfig()},
	)
}

// A restore in one step gives the branch another id. The snapshot stays what it is, for
// the branch of that id takes the place of the one that it was taken of; also where it is
// imported after that.
func TestAccSnapshot_branchIsReplacedByARestore(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "replaced-branch", replacedByARestore)
}

func replacedByARestore(t *testing.T, played emulator.Config) {
	t.Helper()
	t.Parallel()
	w := acctest.BranchWorldOf(t, played)
	first := w.MainBranch(t).ID
	config := func(branchID string) string { return w.ProviderConfig() + block(w.Ref(branchID)) }
	restore := func() {
		for range 2 {
			operations, err := client.OperationsOf(w.API.RestoreSnapshot(t.Context(),
				client.SnapshotRef{ProjectID: w.ProjectID, ID: snapshots(t, w)[0].ID},
				client.SnapshotRestore{TargetBranchID: w.MainBranch(t).ID, Finalize: true}))
			w.Settle(t, operations, err)
		}
	}
	taken := take(t, w, first, client.SnapshotCreate{})
	restore()
	second := w.MainBranch(t).ID
	imported := fmt.Sprintf("import {\n to = %s\n id = \"%s/%s\"\n}\n", address, w.ProjectID, taken.ID)
	if old, err := w.API.GetBranch(t.Context(), w.Ref(first)); err != nil || second == first || old.Name == "main" {
		t.Fatalf("%s was restored as %s, and is %+v: %v", first, second, old, err)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(second) + imported, ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: config(first), ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionReplace)},
		resource.TestStep{PreConfig: restore, Config: config(first), PlanOnly: true},
	)
}

// A branch that is only to replace the other is another branch, and so is one that isn't
// known yet.
func TestAccSnapshot_otherBranches(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	first := w.MainBranch(t).ID
	var preview string
	restore := func() {
		restored, err := w.API.RestoreSnapshot(t.Context(), client.SnapshotRef{ProjectID: w.ProjectID,
			ID: snapshots(t, w)[0].ID}, client.SnapshotRestore{TargetBranchID: first})
		w.Settle(t, restored.Operations, err)
		preview = restored.Object.ID
	}
	taken := take(t, w, first, client.SnapshotCreate{Name: "n"})
	restore()
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(first), `name = "n"`) +
			fmt.Sprintf("import {\n to = %s\n id = \"%s/%s\"\n}\n", address, w.ProjectID, taken.ID)},
		resource.TestStep{
			Config:           w.ProviderConfig() + block(w.Ref(preview), `name = "n"`),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
		},
		resource.TestStep{
			Config:           w.ProviderConfig() + block(w.Ref(first), `name = "n"`),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
		},
	)
}

// Whatever becomes of the answers, there is one snapshot, and it is in the state.
func TestAccSnapshot_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	const single = "/api/v2/projects/{project_id}/snapshots/{snapshot_id}"
	for _, kind := range []string{"lost_before", "lost_after"} {
		w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: kind, Count: 1})
		w.AddFault(t, acctest.Fault{Route: "PATCH " + single, Kind: kind, Count: 1})
		w.AddFault(t, acctest.Fault{Route: "DELETE " + single, Kind: kind, Count: 1})
	}
	one := acctest.After(func(acctest.State) error {
		if all := snapshots(t, w); len(all) != 1 {
			return fmt.Errorf("there are %d snapshots", len(all))
		}
		return nil
	})
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(branchID)),
			ExpectError: acctest.InWords("may still have one")},
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(branchID)),
			ConfigStateChecks: []statecheck.StateCheck{one}},
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(branchID), `name = "a"`),
			ConfigStateChecks: []statecheck.StateCheck{one}},
		resource.TestStep{Config: w.ProviderConfig()},
	)
	if left := snapshots(t, w); len(left) != 0 || w.FaultsLeft(t) != 0 {
		t.Errorf("left are %v, and %d faults", left, w.FaultsLeft(t))
	}
}

// What a killed run may have left is named: it has the name, but is in no state.
func TestAccSnapshot_namesakes(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	take(t, w, branchID, client.SnapshotCreate{Name: "other"})
	config := block(w.Ref(branchID), `name = "before"`)
	first := ""
	for _, state := range []string{"first", "second"} {
		said := acctest.NewRun(t, w.World, w.ProviderConfig()+config).Terraform(t, "apply", "-auto-approve")
		if warned := strings.Contains(said, "Other snapshots of the same name"); warned != (state == "second") ||
			!strings.Contains(said, first) || strings.Contains(said, "DELETE") {
			t.Errorf("the %s run says %s", state, said)
		}
		first = snapshots(t, w)[0].ID
	}
}

func TestAccSnapshotsData(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "snapshot-size", snapshotsData)
}

func snapshotsData(t *testing.T, played emulator.Config) {
	t.Helper()
	t.Parallel()
	w := acctest.BranchWorldOf(t, played)
	var size knownvalue.Check = knownvalue.Int64Exact(32 << 20)
	if w.Plays(t, "snapshot-size", "never") {
		size = knownvalue.Null()
	}
	branchID, child, expiry := w.MainBranch(t).ID, w.MakeBranch(t, "child").ID, in(48)
	taken := take(t, w, branchID, client.SnapshotCreate{Name: "twice", ExpiresAt: &expiry})
	take(t, w, branchID, client.SnapshotCreate{Name: "twice"})
	once := take(t, w, branchID, client.SnapshotCreate{Name: "once"})
	w.Advance(t, time.Hour)
	project := fmt.Sprintf("project_id = %q\n", w.ProjectID)
	config := func(lines string) string { return w.ProviderConfig() + acctest.DataBlock("snapshot", project+lines) }
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config: config(fmt.Sprintf("id = %q", taken.ID)) + acctest.DataBlock("snapshots", project),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.DataIs("snapshot", knownvalue.StringExact("twice"), "name"),
				acctest.DataIs("snapshot", knownvalue.StringExact(branchID), "branch_id"),
				acctest.DataIs("snapshot", knownvalue.StringExact(expiry.Format(time.RFC3339)), "expires_at"),
				acctest.DataIs("snapshot", size, "full_size"),
				acctest.DataIs("snapshots", knownvalue.ListSizeExact(3), "snapshots"),
			},
		},
		resource.TestStep{
			Config: config(`name = "once"`) + acctest.DataBlock("snapshots", project+fmt.Sprintf("branch_id = %q", child)),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.DataIs("snapshot", knownvalue.StringExact(once.ID), "id"),
				acctest.DataIs("snapshots", knownvalue.ListSizeExact(0), "snapshots"),
			},
		},
		resource.TestStep{
			Config:      w.ProviderConfig() + acctest.DataBlock("snapshots", project+`branch_id = "br-none-such-12345678"`),
			ExpectError: acctest.InOrder("No such branch", "branch_id", "branch not found"),
		},
		resource.TestStep{Config: config(`name = "twice"`), ExpectError: acctest.InOrder("Several snapshots of that name",
			taken.ID)},
		resource.TestStep{Config: config(`name = "none"`), ExpectError: acctest.InOrder("No such snapshot", `"none"`)},
	)
}

// The peers' states have the ids in their own form.
func TestSnapshot_moves(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	taken := take(t, w, w.MainBranch(t).ID, client.SnapshotCreate{Name: "n"})
	for provider, old := range map[string]map[string]any{
		"neondatabase/neon": {"id": w.ProjectID + "/" + taken.ID, "snapshot_id": taken.ID, "full_size": 7},
		"kenchan0130/neon":  {"id": taken.ID},
	} {
		old["project_id"] = w.ProjectID
		state, identity, problem := p.Move(t, "neon_snapshot",
			acctest.MovedSource{Provider: provider, TypeName: "neon_snapshot", Version: 3}, old)
		if problem != "" || state["id"] != taken.ID || state["branch_id"] != taken.SourceBranchID || state["name"] != "n" ||
			identity["id"] != taken.ID {
			t.Errorf("%s moved to %v, %v: %s", provider, state, identity, problem)
		}
	}
}

// A protected snapshot is neither destroyed nor replaced.
func TestAccSnapshot_deletionProtection(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, other := w.MainBranch(t).ID, w.MakeRoot(t, "root").ID
	config := func(branchID string, lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), append(lines, `name = "before"`)...)
	}
	protected := config(branchID, "deletion_protection = true")
	refused := acctest.InOrder("The snapshot is protected", "deletion_protection = false")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: protected},
		resource.TestStep{Config: protected, Destroy: true, ExpectError: refused},
		resource.TestStep{Config: config(other, "deletion_protection = true"), ExpectError: refused},
		resource.TestStep{Config: config(branchID, "deletion_protection = true", `lsn = "0/100"`), ExpectError: refused},
		resource.TestStep{Config: config(branchID), ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionUpdate)},
	)
}

// A plan that replaces a snapshot says that it goes, and why.
func TestAccTerraform_snapshotReplacementIsSaid(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+block(w.Ref(branchID)))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, w.ProviderConfig()+block(w.Ref(w.MakeRoot(t, "root").ID)))
	said := acctest.InOneLine(r.Terraform(t, "plan"))
	for _, part := range []string{"Data will be lost", snapshots(t, w)[0].ID, "replaces it",
		"another is taken of the data that there is then"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q isn't in %s", part, said)
		}
	}
}
