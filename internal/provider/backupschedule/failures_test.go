package backupschedule_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// What went wrong in other providers for Neon, as far as it can with a schedule. It is
// neither created nor deleted on Neon, only set, so that it isn't in the table of nouns.

// A key of the one project is enough for all of it, and an import leaves no attribute empty
// .
func TestAccBackupSchedule_projectsKey(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	key, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(),
		client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "ci"))
	if err != nil {
		t.Fatal(err)
	}
	config := func(entry string) string { return w.ProviderConfigWith(key.Key) + block(w.Ref(branchID), entry) }
	w.ForgetRequests(t)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(daily)},
		resource.TestStep{Config: config(weekly)},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true,
			ImportStateId: w.ProjectID + "/" + branchID},
	)
	w.SentNothingWide(t)
}

// What Neon refuses to remove stays in the state, and a refusal of a read proves nothing.
func TestAccBackupSchedule_refusals(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID), daily)
	refuse := func(method string, status int) func() {
		return func() { w.AddFault(t, acctest.Fault{Route: method + route, Kind: "status", Status: status, Count: 1}) }
	}
	steps := []resource.TestStep{{Config: config}}
	for _, status := range []int{http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity,
		http.StatusNotFound} {
		steps = append(steps,
			resource.TestStep{
				PreConfig: refuse("PUT ", status), Config: config, Destroy: true,
				ExpectError: acctest.InOrder("Unable to delete", fmt.Sprint(status)),
			},
			resource.TestStep{
				PreConfig: refuse("GET ", status), Config: config, ExpectError: acctest.InOrder("Unable to read",
					fmt.Sprint(status)),
			},
			resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)})
	}
	acctest.RunSteps(t, w.World, steps...)
}

// What somebody else has changed is taken back and what was removed is planned anew, and
// nothing else.
func TestAccBackupSchedule_changedOutside(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := w.ProviderConfig() + block(w.Ref(branchID), daily)
	acctest.RunSteps(t, w.World, append([]resource.TestStep{{Config: config}},
		changedOutside(t, w, branchID, config)...)...)
}

// An error after the schedule was set isn't answered by setting it again.
func TestAccBackupSchedule_setsOnce(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.AddFault(t, acctest.Fault{Route: "PUT " + route, Kind: "status_after", Status: http.StatusInternalServerError,
		Count: 1})
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + block(w.Ref(w.MainBranch(t).ID), daily),
		ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
			if sent := w.Requests(t).ByRoute["PUT "+route]; sent != 1 || w.FaultsLeft(t) != 0 {
				return fmt.Errorf("it was set %d times", sent)
			}
			return nil
		})},
	})
}
