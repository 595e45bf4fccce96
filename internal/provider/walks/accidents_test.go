package walks_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// What went wrong in other providers for Neon and doesn't depend on the noun: every noun that names its calls is tried.
// Accidents of one noun are tested in its folder.

type called struct {
	nouns.Resource
	nouns.Calls

	address, block string
}

// creation is the call that creates one.
func (n called) creation() string { return "POST " + cmp.Or(n.Creation, n.List) }

// path is where one is, from the attributes of its state: a part such as {role_name} is its name where it has
// no attribute of that name.
func (n called) path(attributes map[string]string) string {
	return inBraces.ReplaceAllStringFunc(n.Single, func(part string) string {
		name := strings.Trim(part, "{}")
		return cmp.Or(attributes[name], attributes[name[strings.LastIndex(name, "_")+1:]])
	})
}

// eachCalled runs a test for each noun, in a Neon of its own.
func eachCalled(t *testing.T, test func(t *testing.T, w changeWorld, noun called)) {
	t.Helper()
	t.Parallel()
	for name, resource := range acctest.NounResources(t) {
		if resource.Calls == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCalledWorld(t)
			test(t, w, w.called(resource))
		})
	}
}

func newCalledWorld(t *testing.T) changeWorld {
	t.Helper()
	w := newChangeWorld(t, startQuick)
	w.AssignVPCEndpoints(t, "vpce-0a0", "vpce-0a2", "vpce-0a3")
	return w
}

// calledTogether is one of each noun beside each other, in a Neon of their own: terraform then runs once for all.
type calledTogether struct {
	changeWorld

	nouns          []called
	blocks, config string
}

func startCalled(t *testing.T) calledTogether {
	t.Helper()
	t.Parallel()
	w := calledTogether{changeWorld: newCalledWorld(t)}
	for _, resource := range acctest.NounResources(t) {
		if resource.Calls != nil {
			noun := w.called(resource)
			w.nouns, w.blocks = append(w.nouns, noun), w.blocks+noun.block
		}
	}
	w.config = w.ProviderConfig() + w.blocks
	return w
}

// refuse has one call of each noun refused.
func (w calledTogether) refuse(t *testing.T, status int, routes func(called) []string) func() {
	t.Helper()
	return func() {
		for _, noun := range w.nouns {
			for _, route := range routes(noun) {
				w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: status, Count: 1})
			}
		}
	}
}

// problems matches an error of each noun.
func (w calledTogether) problems(parts ...string) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf("(?s)(?:%s.*){%d}", acctest.InOrder(parts...), len(w.nouns)))
}

// plans checks what is planned for each noun.
func (w calledTogether) plans(action plancheck.ResourceActionType) (checks resource.ConfigPlanChecks) {
	for _, noun := range w.nouns {
		checks.PreApply = append(checks.PreApply, plancheck.ExpectResourceAction(noun.address, action))
	}
	return checks
}

func (w changeWorld) called(resource nouns.Resource) called {
	return called{resource, *resource.Calls, resource.Name + ".test", w.nth(resource, "test", "0")}
}

// nth is the block of one of several objects.
func (w changeWorld) nth(resource nouns.Resource, label, n string) string {
	return fmt.Sprintf("resource %q %q {\n%s}\n", resource.Name, label,
		w.texts.Replace(strings.NewReplacer("$n", n, "$vpce", "vpce-0a"+n).Replace(resource.Several.String())))
}

// Nothing is left running, and many at once wait for each other.
func TestAccNouns_waitsForOperations(t *testing.T) {
	w := startCalled(t)
	w.StaysAwake()
	config := w.ProviderConfig()
	for _, noun := range w.nouns {
		for i := range 4 {
			config += w.nth(noun.Resource, fmt.Sprintf("t%d", i), strconv.Itoa(i))
		}
	}
	acctest.RunSteps(t, w.World, resource.TestStep{Config: config,
		ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
			for operation, err := range w.API.ListOperations(t.Context(), w.ProjectID) {
				if err != nil || !operation.Terminal() {
					return fmt.Errorf("operation %s (%s) is %s (%w)", operation.ID, operation.Action, operation.Status, err)
				}
			}
			return nil
		})}})
}

// An import needs no list of projects, so that a key of one project is enough, and leaves
// no attribute empty.
func TestAccNouns_importsWithAProjectsKey(t *testing.T) {
	w := startCalled(t)
	key, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(),
		client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "ci"))
	if err != nil {
		t.Fatal(err)
	}
	provider := w.ProviderConfigWith(key.Key)
	restriction := w.called(acctest.NounResource(t, "neon_vpc_endpoint_restriction"))
	for _, refusal := range []string{"403", "404", "taken"} {
		w.Play(t, "vpc-project-keys", refusal)
		if refusal != "taken" {
			acctest.RunSteps(t, w.World, resource.TestStep{Config: provider + restriction.block,
				ExpectError: acctest.InOrder("Unable to create", "project-scoped API keys", "API key")})
		}
	}
	w.ForgetRequests(t)
	steps := []resource.TestStep{{Config: provider + w.blocks}}
	for _, noun := range w.nouns {
		steps = append(steps, resource.TestStep{
			ResourceName: noun.address, ImportState: true, ImportStateVerify: true,
			ImportStateIdFunc: func(s *terraform.State) (string, error) {
				return importID(t, noun.Name, s.RootModule().Resources[noun.address].Primary.Attributes), nil
			},
		})
	}
	acctest.RunSteps(t, w.World, steps...)
	w.SentNothingWide(t)
}

// What Neon refuses to delete stays in the state.
func TestAccNouns_refusedDeletionIsNone(t *testing.T) {
	w := startCalled(t)
	steps := []resource.TestStep{{Config: w.config}}
	for _, status := range []int{http.StatusUnprocessableEntity, http.StatusConflict, http.StatusForbidden} {
		steps = append(steps,
			resource.TestStep{
				PreConfig: w.refuse(t, status, func(noun called) []string { return []string{"DELETE " + noun.Single} }),
				Config:    w.config, Destroy: true, ExpectError: w.problems("Unable to delete", fmt.Sprint(status)),
			},
			resource.TestStep{Config: w.config, ConfigPlanChecks: w.plans(plancheck.ResourceActionNoop)})
	}
	acctest.RunSteps(t, w.World, steps...)
}

// An error after the creation has had its effect isn't answered with a second creation. Terraform creates each of them
// elsewhere.
func TestAccNouns_createsOnce(t *testing.T) {
	acctest.WithoutTerraform(t)
	eachCalled(t, func(t *testing.T, w changeWorld, noun called) {
		w.AddFault(t, acctest.Fault{Route: noun.creation(), Kind: "status_after", Status: http.StatusInternalServerError,
			Count: 1})
		w.ForgetRequests(t)
		acctest.RunSteps(t, w.World, resource.TestStep{Config: w.ProviderConfig() + noun.block})
		if sent := w.Requests(t).ByRoute[noun.creation()]; sent != 1 || w.FaultsLeft(t) != 0 {
			t.Errorf("sent %d creations", sent)
		}
	})
}

// What exists is in the state before its operations end, however they end.
func TestAccNouns_savesBeforeWaiting(t *testing.T) {
	eachCalled(t, func(t *testing.T, w changeWorld, noun called) {
		if len(noun.Work) == 0 {
			t.Skip("there is nothing to wait for")
		}
		// Each creation has an operation, so that it can be cancelled.
		w.Play(t, "new-replica", "started")
		config := w.ProviderConfig() + noun.block
		acctest.RunSteps(t, w.World,
			resource.TestStep{
				PreConfig: func() {
					for _, action := range noun.Work {
						w.EndOperations(t, action, client.StatusCancelled, "")
					}
				},
				Config: config, ExpectError: acctest.InOrder("Unable to create", "cancelled"),
			},
			// Tainted, and so not lost.
			resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(noun.address,
				plancheck.ResourceActionReplace)},
		)
	})
}

// No refusal of a read is proof that the object is gone.
func TestAccNouns_refusedReadIsNoAbsence(t *testing.T) {
	w := startCalled(t)
	steps := []resource.TestStep{{Config: w.config}}
	for _, status := range []int{http.StatusConflict, http.StatusNotFound, http.StatusForbidden} {
		reads := func(noun called) []string {
			single, list := "GET "+noun.Single, "GET "+noun.List
			switch {
			case !noun.ReadsAlone:
				return []string{list}
			case status == http.StatusNotFound:
				return []string{single, list}
			}
			return []string{single}
		}
		steps = append(steps,
			resource.TestStep{PreConfig: w.refuse(t, status, reads), Config: w.config,
				ExpectError: w.problems("Unable to read", fmt.Sprint(status))},
			resource.TestStep{Config: w.config, ConfigPlanChecks: w.plans(plancheck.ResourceActionNoop)})
	}
	acctest.RunSteps(t, w.World, steps...)
}

// What was made outside of Terraform, as with a project, is refused with the block that
// takes it in, and that block is enough.
func TestAccNouns_takesInWhatIsThere(t *testing.T) {
	t.Parallel()
	w := newChangeWorld(t, startQuick)
	branchID := w.MainBranch(t).ID
	for name, at := range map[string]string{
		"neon_role": branchID + "/neondb_owner", "neon_database": branchID + "/neondb",
		"neon_endpoint": w.Endpoints(t, branchID)[0].ID,
	} {
		noun, id := w.called(acctest.NounResource(t, name)), w.ProjectID+"/"+at
		theirName := `"neondb_owner"`
		if name == "neon_endpoint" {
			theirName = "null"
		}
		theirs := strings.NewReplacer(`"app0"`, theirName, `"shop0"`, `"neondb"`, "read_only", client.EndpointReadWrite)
		config := w.ProviderConfig() + theirs.Replace(noun.block)
		taken := fmt.Sprintf("import {\n to = %s\n id = %q\n}\n", noun.address, id)
		acctest.RunSteps(t, w.World,
			resource.TestStep{Config: config, ExpectError: acctest.InOrder("409", "import {", id)},
			resource.TestStep{Config: config + taken, ConfigPlanChecks: acctest.ExpectAction(noun.address,
				plancheck.ResourceActionNoop)},
			resource.TestStep{Config: w.ProviderConfig() + "removed {\n from = " + noun.address +
				"\n lifecycle {\n destroy = false\n }\n}\n"},
		)
	}
}

// What was deleted outside is planned anew, and nothing else: no plan without it says that
// all is well.
func TestAccNouns_deletedOutside(t *testing.T) {
	w := startCalled(t)
	var paths []string
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.config, ConfigStateChecks: []statecheck.StateCheck{acctest.After(
			func(state acctest.State) error {
				paths = nil
				for _, noun := range w.nouns {
					paths = append(paths, noun.path(state.Texts(noun.address)))
				}
				return nil
			})}},
		resource.TestStep{
			PreConfig: func() {
				for _, path := range paths {
					var answer struct{ Operations []client.Operation }
					_ = json.Unmarshal(w.Request(t, http.MethodDelete, path, nil), &answer) // Some answer with nothing.
					w.Settle(t, answer.Operations, nil)
				}
			},
			Config: w.config, ConfigPlanChecks: w.plans(plancheck.ResourceActionCreate),
		})
}

// What is yes or no is a boolean, and what changes by itself isn't in the state.
func TestNouns_schema(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	bySelf := regexp.MustCompile(`updated_at|last_active|current_state|_size$|usage|consumption`)
	shown := []string{"neon_branch.current_state", "neon_claimable_database.updated_at"} // They are what these are about.
	for noun := range p.Schema.ResourceSchemas {
		for name, attribute := range attributesOf(p.Schema.ResourceSchemas[noun].Block.Attributes, "", nil) {
			if strings.HasPrefix(attribute.Description, "Whether") && !attribute.Type.Is(tftypes.Bool) {
				t.Errorf("%s of %s isn't a boolean, as a description that begins with \"Whether\" says", name, noun)
			}
			if bySelf.MatchString(name) && !slices.Contains(shown, noun+"."+name) {
				t.Errorf("%s of %s changes by itself", name, noun)
			}
		}
	}
}
