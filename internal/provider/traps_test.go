package provider_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Other providers for Neon have fallen into traps, which are numbered. These tests hold
// every noun of the table clear of those that don't depend on the noun; its own are in its
// folder.

type trapped struct {
	address, block string
	// list and single are Neon's routes.
	list, single string
	// readAlone is true where one of them is read by the single route, and looked for in the
	// list where that says that it isn't there.
	readAlone bool
	importID  func(attributes map[string]string) string
	// work is what Neon has to do for a new one, if anything: one of these operations.
	work string
}

// creation is the call that creates one, where that isn't a call to the list.
func (n trapped) creation() string {
	switch n.address {
	case "neon_snapshot.test": // It is created below its branch, and listed below the project.
		return "POST /api/v2/projects/{project_id}/branches/{branch_id}/snapshot"
	case "neon_vpc_endpoint_restriction.test": // It has its id from elsewhere.
		return "POST " + n.single
	default:
		return "POST " + n.list
	}
}

func trappedNouns(w *acctest.BranchWorld, branchID string) map[string]trapped {
	ids := fmt.Sprintf(" project_id = %q\n branch_id = %q\n", w.ProjectID, branchID)
	const project = "/api/v2/projects/{project_id}"
	return map[string]trapped{
		"role": {
			"neon_role.test", "resource \"neon_role\" \"test\" {\n" + ids + " name = \"app\"\n}\n",
			project + "/branches/{branch_id}/roles", project + "/branches/{branch_id}/roles/{role_name}", false, importIDs["neon_role"], "apply_config",
		},
		"database": {
			"neon_database.test", "resource \"neon_database\" \"test\" {\n" + ids + " name = \"shop\"\n owner_name = \"neondb_owner\"\n}\n",
			project + "/branches/{branch_id}/databases", project + "/branches/{branch_id}/databases/{database_name}", false, importIDs["neon_database"], "apply_config",
		},
		"permission": {
			"neon_project_permission.test",
			fmt.Sprintf("resource \"neon_project_permission\" \"test\" {\n project_id = %q\n email = \"anna@example.com\"\n}\n", w.ProjectID),
			project + "/permissions", project + "/permissions/{permission_id}", false, importIDs["neon_project_permission"], "",
		},
		"JWKS URL": {
			"neon_jwks_url.test", "resource \"neon_jwks_url\" \"test\" {\n" + ids + " jwks_url = \"https://example.com/jwks.json\"\n provider_name = \"n\"\n}\n",
			project + "/jwks", project + "/jwks/{jwks_id}", false, importIDs["neon_jwks_url"], "apply_config",
		},
		"snapshot": {
			"neon_snapshot.test", "resource \"neon_snapshot\" \"test\" {\n" + ids + " name = \"app\"\n}\n",
			project + "/snapshots", project + "/snapshots/{snapshot_id}", false, importIDs["neon_snapshot"], "create_branch create_timeline",
		},
		"restriction": {
			"neon_vpc_endpoint_restriction.test",
			fmt.Sprintf("resource \"neon_vpc_endpoint_restriction\" \"test\" {\n project_id = %q\n vpc_endpoint_id = \"vpce-0a0\"\n}\n", w.ProjectID),
			project + "/vpc_endpoints", project + "/vpc_endpoints/{vpc_endpoint_id}", false, importIDs["neon_vpc_endpoint_restriction"], "",
		},
		"endpoint": {
			"neon_endpoint.test", "resource \"neon_endpoint\" \"test\" {\n" + ids + " type = \"read_only\"\n}\n",
			project + "/endpoints", project + "/endpoints/{endpoint_id}", true, importIDs["neon_endpoint"], "start_compute",
		},
	}
}

// eachTrapped runs a test for each noun, in a Neon of its own.
func eachTrapped(t *testing.T, test func(t *testing.T, w *acctest.BranchWorld, noun trapped)) {
	t.Helper()
	t.Parallel()
	for _, name := range []string{"role", "database", "permission", "endpoint", "JWKS URL", "snapshot", "restriction"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			w.AssignVPCEndpoints(t, "vpce-0a0", "vpce-0a1", "vpce-0a2", "vpce-0a3")
			test(t, w, trappedNouns(w, w.MainBranch(t).ID)[name])
		})
	}
}

func refuse(t *testing.T, w *acctest.BranchWorld, route string, status int) func() {
	t.Helper()
	return func() {
		w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: status, Count: 1})
	}
}

// Nothing is left running, and many at once wait for each other.
func TestAccNouns_trap13_waitsForOperations(t *testing.T) {
	eachTrapped(t, func(t *testing.T, w *acctest.BranchWorld, noun trapped) {
		config := w.ProviderConfig()
		for i := range 4 {
			config += strings.NewReplacer(`" "test"`, fmt.Sprintf(`" "t%d"`, i), `"app"`, fmt.Sprintf(`"app%d"`, i), `"shop"`, fmt.Sprintf(`"shop%d"`, i),
				"anna@", fmt.Sprintf("anna%d@", i), "vpce-0a0", fmt.Sprintf("vpce-0a%d", i),
				"jwks.json", fmt.Sprintf("jwks%d.json", i)).Replace(noun.block)
		}
		acctest.RunSteps(t, w.World, resource.TestStep{Config: config, Check: func(*terraform.State) error {
			for operation, err := range w.API.Operations(t.Context(), w.ProjectID) {
				if err != nil || !operation.Terminal() {
					return fmt.Errorf("operation %s (%s) is %s (%w)", operation.ID, operation.Action, operation.Status, err)
				}
			}
			return nil
		}})
	})
}

// An import needs no list of projects, so that a key of one project is enough, and leaves
// no attribute empty (traps 15 and 27 too).
func TestAccNouns_trap14_importsWithAProjectsKey(t *testing.T) {
	eachTrapped(t, func(t *testing.T, w *acctest.BranchWorld, noun trapped) {
		key, err := w.API.CreateAPIKey(t.Context(), client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "ci")
		if err != nil {
			t.Fatal(err)
		}
		config := w.ProviderConfigWith(key.Key) + noun.block
		if noun.address == "neon_vpc_endpoint_restriction.test" {
			for _, refusal := range []string{"403", "404", "taken"} {
				w.Play(t, "vpc-project-keys", refusal)
				if refusal != "taken" {
					acctest.RunSteps(t, w.World, resource.TestStep{Config: config, ExpectError: acctest.InOrder("Unable to create", "project-scoped API keys", "API key")})
				}
			}
		}
		w.ForgetRequests(t)
		acctest.RunSteps(t, w.World,
			resource.TestStep{Config: config},
			resource.TestStep{
				ResourceName: noun.address, ImportState: true, ImportStateVerify: true,
				ImportStateIdFunc: func(s *terraform.State) (string, error) {
					return noun.importID(s.RootModule().Resources[noun.address].Primary.Attributes), nil
				},
			},
		)
		w.SentNothingWide(t)
	})
}

// What Neon refuses to delete stays in the state.
func TestAccNouns_trap21_refusedDeletionIsNone(t *testing.T) {
	eachTrapped(t, func(t *testing.T, w *acctest.BranchWorld, noun trapped) {
		config := w.ProviderConfig() + noun.block
		steps := []resource.TestStep{{Config: config}}
		for _, status := range []int{http.StatusUnprocessableEntity, http.StatusConflict, http.StatusForbidden} {
			steps = append(steps,
				resource.TestStep{
					PreConfig: refuse(t, w, "DELETE "+noun.single, status), Config: config, Destroy: true,
					ExpectError: acctest.InOrder("Unable to delete", fmt.Sprint(status)),
				},
				resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(noun.address, plancheck.ResourceActionNoop)})
		}
		acctest.RunSteps(t, w.World, steps...)
	})
}

// An error after the creation has had its effect isn't answered with a second creation.
func TestAccNouns_trap22_createsOnce(t *testing.T) {
	eachTrapped(t, func(t *testing.T, w *acctest.BranchWorld, noun trapped) {
		w.AddFault(t, acctest.Fault{Route: noun.creation(), Kind: "status_after", Status: http.StatusInternalServerError, Count: 1})
		acctest.RunSteps(t, w.World, resource.TestStep{Config: w.ProviderConfig() + noun.block})
		if sent := w.Requests(t).ByRoute[noun.creation()]; sent != 1 || w.FaultsLeft(t) != 0 {
			t.Errorf("sent %d creations", sent)
		}
	})
}

// What exists is in the state before its operations end, however they end.
func TestAccNouns_trap23_savesBeforeWaiting(t *testing.T) {
	eachTrapped(t, func(t *testing.T, w *acctest.BranchWorld, noun trapped) {
		if noun.work == "" {
			t.Skip("there is nothing to wait for")
		}
		// Each creation has an operation, so that it can be cancelled.
		w.Play(t, "new-replica", "started")
		config := w.ProviderConfig() + noun.block
		acctest.RunSteps(t, w.World,
			resource.TestStep{
				PreConfig: func() {
					for _, action := range strings.Fields(noun.work) {
						w.EndOperations(t, action, client.StatusCancelled, "")
					}
				},
				Config: config, ExpectError: acctest.InOrder("Unable to create", "cancelled"),
			},
			// Tainted, and so not lost.
			resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(noun.address, plancheck.ResourceActionReplace)},
		)
	})
}

// No refusal of a read is proof that the object is gone (trap 29 too).
func TestAccNouns_trap28_refusedReadIsNoAbsence(t *testing.T) {
	eachTrapped(t, func(t *testing.T, w *acctest.BranchWorld, noun trapped) {
		config := w.ProviderConfig() + noun.block
		steps := []resource.TestStep{{Config: config}}
		for _, status := range []int{http.StatusConflict, http.StatusNotFound, http.StatusForbidden} {
			steps = append(steps,
				resource.TestStep{
					PreConfig: func() {
						if noun.readAlone {
							refuse(t, w, "GET "+noun.single, status)()
						}
						if !noun.readAlone || status == http.StatusNotFound {
							refuse(t, w, "GET "+noun.list, status)()
						}
					},
					Config:      config,
					ExpectError: acctest.InOrder("Unable to read", fmt.Sprint(status)),
				},
				resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(noun.address, plancheck.ResourceActionNoop)})
		}
		acctest.RunSteps(t, w.World, steps...)
	})
}

// What was made outside of Terraform, as with a project, is refused with the block that
// takes it in, and that block is enough.
func TestAccNouns_trap10_takesInWhatIsThere(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	branchID := w.MainBranch(t).ID
	nouns := trappedNouns(w, branchID)
	theirs := strings.NewReplacer(`"app"`, `"neondb_owner"`, `"shop"`, `"neondb"`, "read_only", client.EndpointReadWrite)
	for name, at := range map[string]string{
		"role": branchID + "/neondb_owner", "database": branchID + "/neondb", "endpoint": w.Endpoints(t, branchID)[0].ID,
	} {
		noun, id := nouns[name], w.ProjectID+"/"+at
		config := w.ProviderConfig() + theirs.Replace(noun.block)
		taken := fmt.Sprintf("import {\n to = %s\n id = %q\n}\n", noun.address, id)
		acctest.RunSteps(t, w.World,
			resource.TestStep{Config: config, ExpectError: acctest.InOrder("409", "import {", id)},
			resource.TestStep{Config: config + taken, ConfigPlanChecks: acctest.ExpectAction(noun.address, plancheck.ResourceActionNoop)},
			resource.TestStep{Config: w.ProviderConfig() + "removed {\n from = " + noun.address + "\n lifecycle {\n destroy = false\n }\n}\n"},
		)
	}
}

// What was deleted outside is planned anew, and nothing else: no plan without it says that
// all is well.
func TestAccNouns_trap18_deletedOutside(t *testing.T) {
	eachTrapped(t, func(t *testing.T, w *acctest.BranchWorld, noun trapped) {
		config, path := w.ProviderConfig()+noun.block, ""
		acctest.RunSteps(t, w.World,
			resource.TestStep{Config: config, Check: func(state *terraform.State) error {
				has := state.RootModule().Resources[noun.address].Primary.Attributes
				path = strings.NewReplacer("{project_id}", has["project_id"], "{branch_id}", has["branch_id"], "{role_name}", has["name"],
					"{database_name}", has["name"], "{endpoint_id}", has["id"], "{permission_id}", has["id"], "{jwks_id}", has["id"],
					"{snapshot_id}", has["id"], "{vpc_endpoint_id}", has["vpc_endpoint_id"]).Replace(noun.single)
				return nil
			}},
			resource.TestStep{
				PreConfig: func() { w.Request(t, http.MethodDelete, path) },
				Config:    config, ConfigPlanChecks: acctest.ExpectAction(noun.address, plancheck.ResourceActionCreate),
			})
	})
}

// What is yes or no is a boolean, and what changes by itself isn't in the state.
func TestNouns_trap19_trap26_schema(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	bySelf := regexp.MustCompile(`updated_at|last_active|current_state|_size$|usage|consumption`)
	for _, noun := range []string{
		"neon_project", "neon_role", "neon_database", "neon_endpoint", "neon_project_permission", "neon_jwks_url", "neon_snapshot",
		"neon_branch_backup_schedule", "neon_vpc_endpoint_assignment", "neon_vpc_endpoint_restriction", "neon_org_spending_limit",
		"neon_project_member_role", "neon_org_member_role", "neon_org_invitation", "neon_data_api",
	} {
		for name, attribute := range attributesOf(p.Schema.ResourceSchemas[noun].Block.Attributes, "", nil) {
			if strings.HasPrefix(attribute.Description, "Whether") && !attribute.Type.Is(tftypes.Bool) {
				t.Errorf("%s of %s isn't a boolean", name, noun)
			}
			if bySelf.MatchString(name) {
				t.Errorf("%s of %s changes by itself", name, noun)
			}
		}
	}
}
