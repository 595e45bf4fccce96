package spendinglimit_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What went wrong in other providers for Neon, as far as it can with a spending limit. It is
// neither created nor deleted on Neon, only set, so that it isn't in the table of nouns.

// A plan without org_id shows no drift, also where the provider's organization is another one by
// then, and an import needs neither a list of projects nor a route of users.
func TestAccOrgSpendingLimit_organization(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := func(orgID string) string {
		return w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", orgID)) +
			strings.Replace(block(w.OrgID, 100), "org_id", "# org_id", 1)
	}
	w.ForgetRequests(t)
	acctest.RunSteps(t, w,
		resource.TestStep{Config: config(w.OrgID)},
		resource.TestStep{Config: config("org-other-12345678"),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true})
	w.SentNothingWide(t)
}

// A limit that somebody else has changed is taken back and one that was removed is planned anew,
// and nothing else.
func TestAccOrgSpendingLimit_changedOutside(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := w.ProviderConfig() + block(w.OrgID, 100)
	acctest.RunSteps(t, w, append([]resource.TestStep{{Config: config}}, changedOutside(t, w, config)...)...)
}

// Whatever becomes of the answers, the limit is set, changed and removed. No refusal is proof
// that there is none, nor is an answer without it.
func TestAccOrgSpendingLimit_refusalsAndLostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	lose := func(method string) func() {
		return func() {
			for _, kind := range []string{"lost_before", "lost_after"} {
				w.AddFault(t, acctest.Fault{Route: method + " " + route, Kind: kind, Count: 1})
			}
		}
	}
	config := w.ProviderConfig() + block(w.OrgID, 100)
	steps := []resource.TestStep{
		{PreConfig: lose(http.MethodPut), Config: config},
		{PreConfig: lose(http.MethodPut), Config: w.ProviderConfig() + block(w.OrgID, 200)},
		{Config: config},
		{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "GET " + route, Kind: "status", Status: http.StatusOK, Body: "{}", Count: 1})
			},
			Config: config, ExpectError: acctest.InOrder("Unable to read org spending limit", "it has no spending_limit_cents"),
		},
	}
	for _, status := range []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict} {
		steps = append(steps, resource.TestStep{
			PreConfig: func() { w.AddFault(t, acctest.Fault{Route: "GET " + route, Kind: "status", Status: status, Count: 1}) },
			Config:    config, ExpectError: acctest.InOrder("Unable to read org spending limit", fmt.Sprint(status)),
		}, resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "DELETE " + route, Kind: "status", Status: status, Count: 1})
			},
			Config: config, Destroy: true, ExpectError: acctest.InOrder("Unable to delete org spending limit",
				fmt.Sprint(status)),
		})
	}
	steps = append(steps,
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		resource.TestStep{PreConfig: lose(http.MethodDelete), Config: w.ProviderConfig()})
	acctest.RunSteps(t, w.World, steps...)
	if isLeft(t, w.World) || w.FaultsLeft(t) != 0 {
		t.Errorf("the limit is left, or %d faults", w.FaultsLeft(t))
	}
}

// Two resources for the limit of one organization are refused, also where both find that there is none.
func TestAccTerraform_orgSpendingLimitTwice(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{Route: "GET " + route, Kind: "slow", Delay: "500ms", Count: 2})
	r := acctest.NewRun(t, w, w.ProviderConfig()+block(w.OrgID, 100)+
		strings.Replace(block(w.OrgID, 200), `"test"`, `"other"`, 1))
	said := r.Fails(t, "apply", "-auto-approve")
	if !acctest.InOrder("Two resources for one org spending limit", w.OrgID, "Remove one of them").MatchString(said) {
		t.Error(said)
	}
}
