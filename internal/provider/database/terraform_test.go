package database_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A database's life in terraform itself: created, planned again, imported both ways,
// renamed, and created again when it has gone.
func TestAccTerraform_databaseLife(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	id := w.ProjectID + "/" + branchID + "/shop"
	renamed := knownvalue.StringExact(w.ProjectID + "/" + branchID + "/store")
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			{Config: w.ProviderConfig() + block(w.Ref(branchID), "shop")},
			{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: id},
			{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateId: id},
			{
				Config:            w.ProviderConfig() + block(w.Ref(branchID), "store"),
				ConfigPlanChecks:  acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{is("id", renamed)},
			},
			{
				PreConfig: func() {
					operations, err := w.API.DeleteDatabase(t.Context(), w.Ref(branchID), "store")
					w.Settle(t, operations, err)
				},
				Config:           w.ProviderConfig() + block(w.Ref(branchID), "store"),
				ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			},
		},
	})
}

// However many databases a branch has, a plan takes the same few requests. One that
// replaces says what it deletes, and because of which attribute; a destruction doesn't.
func TestAccTerraform_databasePlans(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: time.Millisecond})
	branchID, other := w.MainBranch(t).ID, w.MakeBranch(t, "b").ID
	config := func(branchID string) string {
		return w.ProviderConfig() + strings.Replace(block(w.Ref(branchID), "d${count.index}"), "{\n", "{\n count = 60\n", 1)
	}
	r := acctest.NewRun(t, w.World, config(branchID))
	r.Terraform(t, "apply", "-auto-approve", "-parallelism=50")
	w.ForgetRequests(t)
	r.Terraform(t, "plan", "-detailed-exitcode")
	if sent := w.Requests(t); sent.Total > 6 {
		t.Errorf("a plan over 60 databases took %d requests, want at most 6: %v", sent.Total, sent.ByRoute)
	}
	r.Configure(t, config(other))
	lost := fmt.Sprintf("Data will be lost (%s/%s/d", w.ProjectID, branchID)
	if said := r.Terraform(t, "plan"); !acctest.InOrder(lost, "branch_id",
		"the database and all its data").MatchString(said) {
		t.Errorf("the plan doesn't warn:\n%s", said)
	}
	if said := r.Terraform(t, "plan", "-destroy"); strings.Contains(said, "Data will be lost") {
		t.Errorf("a destruction warns:\n%s", said)
	}
	r.Configure(t, strings.Replace(config(other), "neondb_owner", "nobody", 1))
	if said := r.Fails(t, "plan"); !acctest.InOrder("No such role", other,
		"owner_name = neon_role.NAME.name", "terraform destroy -refresh=false").MatchString(said) {
		t.Errorf("the plan doesn't refuse an owner that the branch lacks:\n%s", said)
	}
}

// A database that was renamed outside is deleted by its new name, and not the one that has the
// old name since, also where nothing is refreshed.
func TestAccTerraform_renamedDatabaseIsDeleted(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, newName := w.MainBranch(t).ID, "renamed"
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+block(w.Ref(branchID), "orders"))
	r.Terraform(t, "apply", "-auto-approve")
	orders, err := w.API.GetSharedDatabase(t.Context(), w.Ref(branchID), "orders", 0)
	if err != nil {
		t.Fatal(err)
	}
	operations, err := client.OperationsOf(w.API.UpdateDatabase(t.Context(), w.Ref(branchID), "orders", orders.ID,
		client.DatabaseUpdate{Name: &newName}))
	w.Settle(t, operations, err)
	other, err := w.API.CreateDatabase(t.Context(), w.Ref(branchID),
		client.DatabaseCreate{Name: "orders", OwnerName: orders.OwnerName})
	w.Settle(t, other.Operations, err)
	r.Terraform(t, "destroy", "-auto-approve", "-refresh=false")
	left, err := client.All(w.API.ListDatabases(t.Context(), w.Ref(branchID)))
	if err != nil || slices.ContainsFunc(left, func(d client.Database) bool { return d.ID == orders.ID }) ||
		!slices.ContainsFunc(left, func(d client.Database) bool { return d.ID == other.Object.ID }) {
		t.Errorf("after the destruction there are %v (%v); want %d without %d", left, err, other.Object.ID, orders.ID)
	}
}

// Nor is the one changed that has the old name since; and what has the planned name already is as it should be.
func TestAccTerraform_renamedDatabaseIsChanged(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	ref := w.Ref(w.MainBranch(t).ID)
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+block(ref, "orders"))
	r.Terraform(t, "apply", "-auto-approve")
	orders, err := w.API.GetSharedDatabase(t.Context(), ref, "orders", 0)
	if err != nil {
		t.Fatal(err)
	}
	present := "orders"
	rename := func(name string) {
		operations, err := client.OperationsOf(w.API.UpdateDatabase(t.Context(), ref, present, orders.ID,
			client.DatabaseUpdate{Name: &name}))
		w.Settle(t, operations, err)
		present = name
	}
	rename("elsewhere")
	other, err := w.API.CreateDatabase(t.Context(), ref,
		client.DatabaseCreate{Name: "orders", OwnerName: orders.OwnerName})
	w.Settle(t, other.Operations, err)
	for _, name := range []string{"second", "third"} {
		if name == "third" { // as by an earlier run of the same plan
			rename(name)
		}
		r.Configure(t, w.ProviderConfig()+block(ref, name))
		r.Terraform(t, "apply", "-auto-approve", "-refresh=false")
		left, err := client.All(w.API.ListDatabases(t.Context(), ref))
		for _, d := range left {
			if want := map[int64]string{orders.ID: name, other.Object.ID: "orders"}[d.ID]; want != "" && d.Name != want {
				t.Errorf("database %d is called %q, want %q", d.ID, d.Name, want)
			}
		}
		if err != nil || len(left) != 3 {
			t.Errorf("there are %v, %v", left, err)
		}
		present = name
	}
	r.Terraform(t, "plan", "-detailed-exitcode")
}
