package invitation_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What went wrong in other providers for Neon, as far as it can with an invitation. Neon deletes
// none, so that it isn't in the table of nouns.

// A plan without org_id shows no drift, and an import leaves no attribute empty and needs
// neither a list of projects nor a route of users.
func TestAccOrgInvitation_import(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := inOrg(w, w.APIKey) + block("new@example.com", "viewer", "")
	w.ForgetRequests(t)
	acctest.RunSteps(t, w,
		resource.TestStep{Config: config},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateVerify: true,
			ImportStateIdFunc: func(s *terraform.State) (string, error) {
				return w.OrgID + "/" + s.RootModule().Resources[address].Primary.ID, nil
			},
		})
	w.SentNothingWide(t)
}

// An invitation that isn't listed any more, of nobody who is a member, is planned anew.
func TestAccOrgInvitation_gone(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := inOrg(w, w.APIKey) + block("new@example.com", "viewer", "")
	acctest.RunSteps(t, w,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() { forgetInvitations(t, w) },
			Config:    config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		})
}

// An error after the invitation was sent isn't answered with a second one.
func TestAccOrgInvitation_invitesOnce(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: "status_after", Status: http.StatusInternalServerError,
		Count: 1})
	acctest.RunSteps(t, w, resource.TestStep{Config: inOrg(w, w.APIKey) + block("new@example.com", "viewer", "")})
	if all := sent(t, w); len(all) != 1 || w.Requests(t).ByRoute["POST "+route] != 1 {
		t.Errorf("sent were %v", all)
	}
}

// No refusal of a read is proof that there is no invitation.
func TestAccOrgInvitation_refusedReads(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := inOrg(w, w.APIKey) + block("new@example.com", "viewer", "")
	steps := []resource.TestStep{{Config: config}}
	for _, status := range []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict} {
		steps = append(steps,
			resource.TestStep{
				PreConfig: func() { w.AddFault(t, acctest.Fault{Route: "GET " + route, Kind: "status", Status: status, Count: 1}) },
				Config:    config, ExpectError: acctest.InOrder("Unable to read", fmt.Sprint(status)),
			},
			resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)})
	}
	acctest.RunSteps(t, w, steps...)
}

// forgetInvitations has no organization list the invitations that were sent so far.
func forgetInvitations(t *testing.T, w *acctest.World) {
	t.Helper()
	w.Control(t, http.MethodDelete, "/_emulator/invitations", nil, nil)
}
