package member_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What went wrong in other providers for Neon, as far as it can with the role of a member. It
// is neither created nor deleted on Neon, only set, so that it isn't in the table of nouns.

// kept is a role, and the routes by which it is set, taken back and read. Roles in the
// organization aren't taken back.
type kept struct {
	address, config   string
	set, remove, read string
}

// keptRoles is a Neon with a member who has a role in the organization, and one in the project.
func keptRoles(t *testing.T) (w *acctest.World, memberID string, roles map[string]kept) {
	t.Helper()
	w = acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"member-role": "editor"}})
	memberID, _ = w.AddMember(t, "max@example.com", "viewer")
	one := membersRoute + "/{member_id}/role"
	return w, memberID, map[string]kept{
		"organization": {
			orgRole, inOrg(w, w.APIKey) + orgRoleBlock("email = \"max@example.com\"\n role = \"editor\""),
			"PATCH " + memberRoute, "", "GET /api/v2/organizations/{org_id}/members",
		},
		"project": {
			projectRole, w.ProviderConfig() + projectRoleBlock(w.ProjectID, memberID, "editor", ""), "PUT " + one,
			"DELETE " + one, "GET " + membersRoute,
		},
	}
}

// eachRole runs a test for both roles, each in a Neon of its own.
func eachRole(t *testing.T, test func(t *testing.T, w *acctest.World, memberID string, role kept)) {
	t.Helper()
	t.Parallel()
	for _, name := range []string{"organization", "project"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, memberID, roles := keptRoles(t)
			test(t, w, memberID, roles[name])
		})
	}
}

// A plan without org_id shows no drift, and an import leaves no attribute empty and needs
// neither a list of projects nor a route of users.
func TestAccOrgMemberRole_import(t *testing.T) {
	t.Parallel()
	w, memberID, roles := keptRoles(t)
	role := roles["organization"]
	w.ForgetRequests(t)
	acctest.RunSteps(t, w,
		resource.TestStep{Config: role.config},
		resource.TestStep{Config: role.config, ConfigPlanChecks: acctest.ExpectAction(role.address,
			plancheck.ResourceActionNoop)},
		resource.TestStep{
			ResourceName: role.address, ImportState: true, ImportStateVerify: true,
			ImportStateVerifyIdentifierAttribute: "member_id",
			ImportStateVerifyIgnore:              []string{"role"},
			// It is as Neon writes it, which is planned without a difference.
			ImportStateIdFunc: func(*terraform.State) (string, error) { return w.OrgID + "/" + memberID, nil },
		},
		resource.TestStep{Config: role.config, ConfigPlanChecks: acctest.ExpectAction(role.address,
			plancheck.ResourceActionNoop)})
	w.SentNothingWide(t)
}

// A role that somebody else has changed or taken back is planned, and nothing else.
func TestAccMemberRoles_changedOutside(t *testing.T) {
	eachRole(t, func(t *testing.T, w *acctest.World, memberID string, role kept) {
		action, change := plancheck.ResourceActionUpdate, func() error {
			return w.Client(t).UpdateMemberRole(t.Context(), client.OrgRef[client.Member]{OrgID: w.OrgID, ID: memberID},
				"collaborator")
		}
		if role.remove != "" {
			action, change = plancheck.ResourceActionCreate, func() error {
				_, err := w.Client(t).DeleteProjectMemberRole(t.Context(),
					client.Ref[client.ProjectMember]{ProjectID: w.ProjectID, ID: memberID}, false)
				return err
			}
		}
		acctest.RunSteps(t, w,
			resource.TestStep{Config: role.config},
			resource.TestStep{
				PreConfig: func() {
					if err := change(); err != nil {
						t.Error(err)
					}
				},
				Config: role.config, ConfigPlanChecks: acctest.ExpectAction(role.address, action),
			})
	})
}

// What Neon refuses to take back stays in the state, and no refusal of a read is proof that
// there is no role.
func TestAccMemberRoles_refusals(t *testing.T) {
	eachRole(t, func(t *testing.T, w *acctest.World, _ string, role kept) {
		steps := []resource.TestStep{{Config: role.config}}
		refuse := func(route string, status int, destroy bool, doing string) {
			steps = append(steps,
				resource.TestStep{
					PreConfig: func() { w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: status, Count: 1}) },
					Config:    role.config, Destroy: destroy, ExpectError: acctest.InOrder("Unable to "+doing, fmt.Sprint(status)),
				},
				resource.TestStep{Config: role.config, ConfigPlanChecks: acctest.ExpectAction(role.address,
					plancheck.ResourceActionNoop)})
		}
		for _, status := range []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
			http.StatusUnprocessableEntity} {
			refuse(role.read, status, false, "read")
			if role.remove != "" {
				refuse(role.remove, status, true, "delete")
			}
		}
		acctest.RunSteps(t, w, steps...)
	})
}

// An error after the role was set isn't answered by setting it again.
func TestAccMemberRoles_setsOnce(t *testing.T) {
	eachRole(t, func(t *testing.T, w *acctest.World, _ string, role kept) {
		w.AddFault(t, acctest.Fault{Route: role.set, Kind: "status_after", Status: http.StatusInternalServerError, Count: 1})
		acctest.RunSteps(t, w, resource.TestStep{Config: role.config})
		if sent := w.Requests(t).ByRoute[role.set]; sent != 1 {
			t.Errorf("it was set %d times", sent)
		}
	})
}
