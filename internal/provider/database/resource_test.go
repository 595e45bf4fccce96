package database_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/compare"
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
	address = "neon_database.test"
	route   = "/api/v2/projects/{project_id}/branches/{branch_id}/databases"
)

func block(branch client.BranchRef, name string, lines ...string) string {
	if len(lines) == 0 {
		lines = []string{`owner_name = "neondb_owner"`}
	}
	return fmt.Sprintf("resource \"neon_database\" \"test\" {\n project_id = %q\n branch_id = %q\n name = %q\n %s\n}\n",
		branch.ProjectID, branch.ID, name, strings.Join(lines, "\n "))
}

func is(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

// makeRole creates a role past Terraform.
func makeRole(t *testing.T, w *acctest.BranchWorld, branchID, name string) {
	t.Helper()
	operations, err := client.OperationsOf(w.API.CreateRole(t.Context(), w.Ref(branchID), client.RoleCreate{Name: name}))
	w.Settle(t, operations, err)
}

func TestAccDatabase_life(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, other := w.MainBranch(t).ID, w.MakeBranch(t, "b").ID
	makeRole(t, w, branchID, "app")
	idOf := func(name string) string { return w.ProjectID + "/" + branchID + "/" + name }
	config := func(name string, lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(branchID), name, lines...)
	}
	const name = `shop/db "ü"`
	numbers := statecheck.CompareValue(compare.ValuesSame())
	sameNumber := func() statecheck.StateCheck { return numbers.AddStateValue(address, tfjsonpath.New("database_id")) }
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config: config(name),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("id")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				sameNumber(), is("id", knownvalue.StringExact(idOf(name))),
				is("owner_name", knownvalue.StringExact("neondb_owner")),
				is("deletion_protection", knownvalue.Bool(false)), is("created_at", knownvalue.NotNull()),
			},
		},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: idOf(name)},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID,
			ImportStateId: idOf(name)},
		resource.TestStep{
			Config: config("store"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("id")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{sameNumber(), is("id", knownvalue.StringExact(idOf("store")))},
		},
		// Renamed outside: the same database, which gets its name back, and a new owner with it.
		resource.TestStep{
			PreConfig:         func() { rename(t, w, branchID, "store", "elsewhere") },
			Config:            config("store", `owner_name = "app"`, "deletion_protection = true"),
			ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{sameNumber(), is("owner_name", knownvalue.StringExact("app"))},
		},
		// Protected: neither replaced nor destroyed.
		resource.TestStep{
			Config: w.ProviderConfig() + block(w.Ref(other), "store", `owner_name = "neondb_owner"`,
				"deletion_protection = true"),
			ExpectError: acctest.InOrder("The database is protected", "deletion_protection = false"),
		},
		resource.TestStep{Config: w.ProviderConfig(), ExpectError: acctest.InOrder("The database is protected",
			"the database and all its data")},
		resource.TestStep{Config: config("store", `owner_name = "app"`),
			ConfigStateChecks: []statecheck.StateCheck{sameNumber()}},
		// Deleted outside: created again.
		resource.TestStep{
			PreConfig: func() {
				operations, err := w.API.DeleteDatabase(t.Context(), w.Ref(branchID), "store")
				w.Settle(t, operations, err)
			},
			Config:           config("store"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
		resource.TestStep{
			Config:           w.ProviderConfig() + block(w.Ref(other), "store"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace),
		},
	)
	for _, branch := range []string{branchID, other} {
		if _, err := w.API.GetSharedDatabase(t.Context(), w.Ref(branch), "store", 0); !client.IsAbsent(err) {
			t.Errorf("after the destruction: %v; want that it is gone", err)
		}
	}
}

// rename renames a database past Terraform.
func rename(t *testing.T, w *acctest.BranchWorld, branchID, name, to string) {
	t.Helper()
	database, err := w.API.GetSharedDatabase(t.Context(), w.Ref(branchID), name, 0)
	if err != nil {
		t.Fatal(err)
	}
	operations, err := client.OperationsOf(w.API.UpdateDatabase(t.Context(), w.Ref(branchID), name, database.ID,
		client.DatabaseUpdate{Name: &to}))
	w.Settle(t, operations, err)
}

func TestAccDatabase_errors(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "database-names", databaseErrors)
}

func databaseErrors(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	branchID := w.MainBranch(t).ID
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"taken": {
			Config: block(w.Ref(branchID), "neondb"),
			Want: acctest.InOrder("Unable to create database", "409", "database already exists",
				"another resource of this configuration",
				"to = neon_database.NAME", w.ProjectID+"/"+branchID+"/neondb"),
		},
		"no such owner": {
			Config: block(w.Ref(branchID), "shop", `owner_name = "none"`),
			Want:   acctest.InOrder("Unable to create database", "404", "role not found", `"none"`, "neon_role.NAME.name"),
		},
		"no such branch": {
			Config: block(w.Ref("br-none-such-12345678"), "shop"),
			Want:   acctest.InOrder("No such branch", "branch_id", "branch not found"),
		},
		"reserved":     {Config: block(w.Ref(branchID), "postgres"), Want: acctest.InOrder("Unable to create database", "reserved")},
		"empty name":   {Config: block(w.Ref(branchID), ""), Command: acctest.Plan, Want: acctest.InWords("must be between 1 and 63, got: 0")},
		"long name":    {Config: block(w.Ref(branchID), strings.Repeat("ü", 32)), Command: acctest.Plan, Want: acctest.InWords("must be between 1 and 63, got: 64")},
		"long owner":   {Config: block(w.Ref(branchID), "shop", `owner_name = "`+strings.Repeat("r", 64)+`"`), Command: acctest.Plan, Want: acctest.InWords("owner_name string length must be between 1 and 63, got: 64")},
		"dots":         {Config: block(w.Ref(branchID), "."), Command: acctest.Plan, Want: acctest.InWords("name value must be none of")},
		"import id":    {Config: block(w.Ref(branchID), "shop"), Command: []string{"import", address, "shop"}, Want: acctest.InWords("project_id/branch_id/name, such as")},
		"import: gone": {Config: block(w.Ref(branchID), "shop"), Command: []string{"import", address, w.ProjectID + "/" + branchID + "/none"}, Want: acctest.InWords("No such")},
		"no such database": {
			Config: acctest.DataBlock("database", fmt.Sprintf("project_id = %q\nbranch_id = %q\nname = \"none\"", w.ProjectID,
				branchID)),
			Want: acctest.InOrder("No such database", "name", "404", "database not found"),
		},
	})
}

// A change that Neon refuses leaves the state as it was.
func TestAccDatabase_refusedChanges(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(name string, lines ...string) string {
		return w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID), name, lines...)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("shop")},
		resource.TestStep{Config: config("neondb"), ExpectError: acctest.InOrder("Unable to update database", "409",
			"database already exists", "choose another name", "apply that first")},
		resource.TestStep{
			Config:      config("shop", `owner_name = "none"`),
			ExpectError: acctest.InOrder("Unable to update database", "404", "role not found", "neon_role.NAME.name"),
		},
		resource.TestStep{Config: config("shop"), ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionNoop)},
	)
}

// Whatever becomes of the answers, there is one database, and it is in the state.
func TestAccDatabase_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	for _, kind := range []string{"lost_before", "lost_after"} {
		for _, call := range []string{"POST " + route, "PATCH " + route + "/{database_name}",
			"DELETE " + route + "/{database_name}"} {
			w.AddFault(t, acctest.Fault{Route: call, Kind: kind, Count: 1})
		}
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(branchID), "shop")},
		resource.TestStep{
			Config:           w.ProviderConfig() + block(w.Ref(branchID), "store"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
		},
		resource.TestStep{Config: w.ProviderConfig()},
	)
	databases, err := client.All(w.API.ListDatabases(t.Context(), w.Ref(branchID)))
	if err != nil || len(databases) != 1 || w.FaultsLeft(t) != 0 {
		t.Errorf("left are %v (%v), and %d faults", databases, err, w.FaultsLeft(t))
	}
}

// A database that another run has just created isn't taken over when our answer is lost.
func TestAccDatabase_lostAnswerAboutAnothers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	operations, err := client.OperationsOf(w.API.CreateDatabase(t.Context(), w.Ref(branchID),
		client.DatabaseCreate{Name: "shop", OwnerName: "neondb_owner"}))
	if err == nil {
		err = w.API.WaitForOperations(t.Context(), w.ProjectID, operations)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: "lost_before", Count: 1})
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{"another's": {
		Config: block(w.Ref(branchID), "shop"),
		Want:   acctest.InOrder("Unable to create database", "409", "to = neon_database.NAME"),
	}})
}

// An answer that isn't Neon's says nothing about the owner.
func TestAccDatabase_foreignAnswer(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: "status", Status: http.StatusNotFound, Body: "<html>",
		Count: 1})
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{"a proxy's answer": {
		Config: block(w.Ref(w.MainBranch(t).ID), "shop"),
		Want:   acctest.InOrder("Unable to create database", "404", "isn't Neon's", "any proxy on the way"),
	}})
}

func TestAccDatabasesData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := fmt.Sprintf("project_id = %q\nbranch_id = %q\n", w.ProjectID, w.MainBranch(t).ID)
	first := knownvalue.ObjectExact(map[string]knownvalue.Check{
		"name": knownvalue.StringExact("neondb"), "owner_name": knownvalue.StringExact("neondb_owner"),
		"database_id": knownvalue.NotNull(),
		"created_at":  knownvalue.NotNull(), "updated_at": knownvalue.NotNull(),
	})
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("databases", branch) +
			acctest.DataBlock("database", branch+`name = "neondb"`),
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("databases", knownvalue.ListSizeExact(1), "databases"),
			acctest.DataIs("databases", first, "databases", 0),
			acctest.DataIs("database", knownvalue.StringExact("neondb_owner"), "owner_name"),
		},
	})
}

// Each provider's state has the ids in its own form.
func TestDatabase_moves(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	p, branchID := acctest.NewProtocol(t, w.World), w.MainBranch(t).ID
	whole := w.ProjectID + "/" + branchID + "/neondb"
	for provider, id := range map[string]any{
		"kislerdm/neon": whole, "neondatabase/neon": whole, "kenchan0130/neon": 2400004,
		"terraform-community-providers/neon": 2400003,
	} {
		t.Run(provider, func(t *testing.T) {
			old := map[string]any{
				"id": id, "project_id": w.ProjectID, "branch_id": branchID, "name": "neondb", "owner_name": "neondb_owner",
				"updated_at": "2026-11-21T12:46:37Z",
			}
			state, identity, problem := p.Move(t, "neon_database",
				acctest.MovedSource{Provider: provider, TypeName: "neon_database", Version: 7}, old)
			if problem != "" || state["id"] != whole || identity["name"] != "neondb" || state["owner_name"] != "neondb_owner" {
				t.Errorf("moved to %v, %v: %s", state, identity, problem)
			}
		})
	}
}

// Another owner is no other database, even where it isn't known to the plan.
func TestAccDatabase_ownerInPlace(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	makeRole(t, w, branchID, "app")
	config := func(owner string) string {
		return w.ProviderConfig() + fmt.Sprintf("resource \"terraform_data\" \"owner\" {\n input = %q\n}\n", owner) +
			block(w.Ref(branchID), "shop", "owner_name = terraform_data.owner.output")
	}
	known := func(attribute string) plancheck.PlanCheck {
		return plancheck.ExpectKnownValue(address, tfjsonpath.New(attribute), knownvalue.NotNull())
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("neondb_owner")},
		resource.TestStep{
			Config: config("app"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("owner_name")),
				known("id"), known("database_id"), known("created_at"),
			}},
			ConfigStateChecks: []statecheck.StateCheck{is("owner_name", knownvalue.StringExact("app"))},
		},
	)
}

// The database that came with the project may go; nothing needs it.
func TestAccDatabase_withoutTheDefaultDatabase(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	imported := fmt.Sprintf("import {\n to = %s\n id = \"%s/%s/neondb\"\n}\n", address, w.ProjectID, branchID)
	listed := acctest.DataBlock("databases", fmt.Sprintf("project_id = %q\nbranch_id = %q\n", w.ProjectID, branchID))
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(branchID), "neondb") + imported},
		resource.TestStep{Config: w.ProviderConfig()},
		resource.TestStep{
			Config:            w.ProviderConfig() + listed,
			ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("databases", knownvalue.ListSizeExact(0), "databases")},
		},
		resource.TestStep{
			Config:           w.ProviderConfig() + block(w.Ref(branchID), "neondb"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
	)
}

// What was deleted outside is planned as a creation that everybody sees, and what is
// protected isn't planned away.
func TestAccDatabase_nothingSilent(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	protected := w.ProviderConfig() + block(w.Ref(branchID), "shop", `owner_name = "neondb_owner"`,
		"deletion_protection = true")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: protected},
		resource.TestStep{Config: w.ProviderConfig(), ExpectError: acctest.InOrder("The database is protected",
			"Neon would delete the database and all its data", "deletion_protection = false")},
		resource.TestStep{
			PreConfig: func() {
				operations, err := w.API.DeleteDatabase(t.Context(), w.Ref(branchID), "shop")
				w.Settle(t, operations, err)
			},
			Config: protected, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
		resource.TestStep{Config: w.ProviderConfig() + block(w.Ref(branchID), "shop")},
	)
}

// A plan reads the databases of a branch together.
func TestAccDatabase_many(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone})
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+fmt.Sprintf(
		"resource \"neon_database\" \"test\" {\n count = 200\n project_id = %q\n "+
			"branch_id = %q\n name = \"d${count.index}\"\n owner_name = \"neondb_owner\"\n}\n", w.ProjectID, w.MainBranch(t).ID))
	r.Terraform(t, "apply", "-auto-approve", "-parallelism=50")
	w.ForgetRequests(t)
	r.Terraform(t, "plan", "-detailed-exitcode")
	if sent := w.Requests(t); sent.Total > 6 {
		t.Errorf("a plan over 200 databases took %d requests, want at most 6: %v", sent.Total, sent.ByRoute)
	}
}
