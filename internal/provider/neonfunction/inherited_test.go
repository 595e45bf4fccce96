package neonfunction_test

import (
	"fmt"
	"net/http"
	"slices"
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

// withBackend makes a parent with a function, its variables and a trigger of it, and a child.
func withBackend(t *testing.T, w *acctest.BranchWorld) (parentID, childID string) {
	t.Helper()
	parentID = w.MainBranch(t).ID
	w.MakeFunction(t, w.Ref(parentID), "api")
	before, err := w.API.GetFunction(t.Context(), w.Ref(parentID), "api")
	w.Settle(t, nil, err)
	_, err = w.API.DeployFunction(t.Context(), w.Ref(parentID), before,
		client.FunctionDeploy{Environment: map[string]string{"STRIPE_KEY": "live", "LEVEL": "error"}})
	w.Settle(t, nil, err)
	_, err = w.API.CreateTrigger(t.Context(), w.Ref(parentID), client.TriggerSpec{
		Type: "schedule", FunctionSlug: "api", Name: "nightly", Path: "/", Enabled: true,
		Schedule: &client.TriggerSchedule{Cron: "0 3 * * *"},
	})
	w.Settle(t, nil, err)
	return parentID, w.MakeBranch(t, "child").ID
}

// ofBranch are the objects of a list that belong to a branch.
func ofBranch(all []map[string]any, branchID string) []map[string]any {
	return slices.DeleteFunc(slices.Clone(all),
		func(object map[string]any) bool { return object["branch_id"] != branchID })
}

// What a branch has from its parent becomes its own, and the parent's stays as it is, whatever Neon does where that
// isn't known.
func TestAccFunction_ofParent(t *testing.T) {
	t.Parallel()
	for _, reading := range []string{"function-of-child", "deleted-on-child"} {
		acctest.EachReading(t, reading, func(t *testing.T, config emulator.Config) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, config)
			parentID, childID := withBackend(t, w)
			folder := acctest.CodeFolder(t, "1")
			configured := w.ProviderConfig() + block("function", w.Ref(childID), code(folder),
				`environment = { LEVEL = "info" }`) + inFunction("trigger", `name = "nightly"`, schedule, "enabled = false")
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: configured},
				resource.TestStep{Config: configured, ConfigPlanChecks: acctest.ExpectAction(functionAddress,
					plancheck.ResourceActionNoop)},
				resource.TestStep{
					PreConfig: func() {
						all := w.Objects(t)
						functions, triggers := ofBranch(all.Functions, childID), ofBranch(all.Triggers, childID)
						if len(functions) != 1 || fmt.Sprint(functions[0]["environment"]) != "map[LEVEL:info]" || len(triggers) != 1 ||
							triggers[0]["enabled"] != false {
							t.Errorf("the child has %v and %v", functions, triggers)
						}
						w.Settle(t, nil, w.API.DeleteFunction(t.Context(), w.Ref(childID), "api"))
					},
					Config: configured,
				},
				resource.TestStep{Config: w.ProviderConfig()},
			)
			all := w.Objects(t)
			functions, triggers := ofBranch(all.Functions, parentID), ofBranch(all.Triggers, parentID)
			if len(functions) != 1 || functions[0]["deployments"] != 2.0 || fmt.Sprint(
				functions[0]["environment"]) != "map[LEVEL:error STRIPE_KEY:live]" || len(triggers) != 1 ||
				triggers[0]["enabled"] != true {
				t.Errorf("the parent has %v and %v", functions, triggers)
			}
			if left := ofBranch(all.Functions, childID); len(left) > 0 {
				t.Errorf("left on the child: %v", left)
			}
		})
	}
}

// What the child has of its own by now is refused, also where the parent had it first.
func TestAccFunction_ofChildRefused(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "function-of-child", func(t *testing.T, config emulator.Config) {
		t.Parallel()
		w := acctest.BranchWorldOf(t, config)
		_, childID := withBackend(t, w)
		deployElsewhere(t, w, w.Ref(childID), nil)
		spec := client.TriggerSpec{Type: "schedule", FunctionSlug: "api", Name: "nightly", Path: "/",
			Schedule: &client.TriggerSchedule{Cron: "0 3 * * *"}}
		_, err := w.API.CreateTrigger(t.Context(), w.Ref(childID), spec)
		w.Settle(t, nil, err)
		w.Refuses(t, acctest.Refusal{
			Config: w.ProviderConfig() + block("function", w.Ref(childID), code(acctest.CodeFolder(t, "1"))),
			Want:   acctest.InOrder("api is there already", "import {"),
		})
		w.Refuses(t, acctest.Refusal{
			Config: w.ProviderConfig() + block("trigger", w.Ref(childID), `name = "nightly"`, `function_slug = "api"`, schedule),
			Want:   acctest.InOrder("has a trigger named", "import {"),
		})
	})
}

// Whatever becomes of the answers, there is one deployment more, and one trigger.
func TestAccFunction_ofParentFaults(t *testing.T) {
	t.Parallel()
	deployments := map[string]float64{"continued": 3, "new": 1}
	for reading, wants := range deployments {
		for _, fault := range []acctest.Fault{
			{Kind: "lost_after"}, {Kind: "status_after", Status: http.StatusInternalServerError}, {Kind: "status", Status: http.StatusServiceUnavailable},
			{Kind: "status", Status: http.StatusLocked},
		} {
			t.Run(fmt.Sprintf("%s %s %d", reading, fault.Kind, fault.Status), func(t *testing.T) {
				t.Parallel()
				w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"function-of-child": reading}})
				_, childID := withBackend(t, w)
				for _, line := range []string{"POST " + functionAt + "/deployments",
					"PATCH " + branchAt + "/triggers/{trigger_id}"} {
					fault.Route, fault.Count = line, 1
					w.AddFault(t, fault)
				}
				acctest.RunSteps(t, w.World, resource.TestStep{
					Config: w.ProviderConfig() + block("function", w.Ref(childID), code(acctest.CodeFolder(t, "1"))) +
						inFunction("trigger", `name = "nightly"`, schedule),
					ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
						all := w.Objects(t)
						functions, triggers := ofBranch(all.Functions, childID), ofBranch(all.Triggers, childID)
						if len(functions) != 1 || functions[0]["deployments"] != wants || len(triggers) != 1 ||
							triggers[0]["enabled"] != true {
							return fmt.Errorf("the child has %v and %v, want %v deployments", functions, triggers, wants)
						}
						return nil
					})},
				})
				if w.FaultsLeft(t) > 0 {
					t.Error("nothing met the fault")
				}
			})
		}
	}
}

// What a preview has from its parent can be read, and whether it has it from there alone.
func TestAccFunctionData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	parentID, childID := withBackend(t, w)
	_, err := w.API.CreateCustomDomain(t.Context(), w.Ref(parentID), "api.example.com", "api")
	w.Settle(t, nil, err)
	data := func(kind, name, branchID string, lines ...string) string {
		return fmt.Sprintf("data \"neon_%s\" %q {\n project_id = %q\n branch_id = %q\n %s\n}\n", kind, name, w.ProjectID,
			branchID, strings.Join(lines, "\n "))
	}
	is := func(address string, check knownvalue.Check, first string, more ...any) statecheck.StateCheck {
		at := tfjsonpath.New(first)
		for _, step := range more {
			switch step := step.(type) {
			case string:
				at = at.AtMapKey(step)
			case int:
				at = at.AtSliceIndex(step)
			}
		}
		return statecheck.ExpectKnownValue("data."+address, at, check)
	}
	text, boolean := knownvalue.StringExact, knownvalue.Bool
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config: w.ProviderConfig() + data("function", "parents", parentID, `slug = "api"`) +
				data("function", "childs", childID, `slug = "api"`) + data("functions", "all", childID) +
				data("triggers", "all", childID) + data("custom_domain", "api", parentID, `domain = "api.example.com"`),
			ConfigStateChecks: []statecheck.StateCheck{
				is("neon_function.parents", knownvalue.Null(), "error"),
				is("neon_function.parents", boolean(false), "inherited"), is("neon_function.childs", boolean(true), "inherited"),
				is("neon_function.childs", knownvalue.NotNull(), "invocation_url"),
				is("neon_function.childs", knownvalue.SetSizeExact(2), "environment_names"),
				is("neon_functions.all", text("api"), "functions", 0, "slug"),
				is("neon_function.parents", acctest.Matches(`Z$`), "created_at"),
				is("neon_functions.all", acctest.Matches(`Z$`), "functions", 0, "created_at"),
				is("neon_functions.all", boolean(true), "functions", 0, "inherited"),
				is("neon_triggers.all", boolean(true), "triggers", 0, "inherited"),
				is("neon_triggers.all", boolean(false), "triggers", 0, "enabled"),
				is("neon_triggers.all", text("0 3 * * *"), "triggers", 0, "schedule", "cron"),
				is("neon_custom_domain.api", text("pending"), "status"),
				is("neon_custom_domain.api", text("pending"), "binding_status"),
				is("neon_custom_domain.api", knownvalue.Null(), "status_reason"),
			},
		},
		resource.TestStep{ // Code that can't be built leaves the deployment before it.
			PreConfig: func() {
				before, err := w.API.GetFunction(t.Context(), w.Ref(parentID), "api")
				w.Settle(t, nil, err)
				_, err = w.API.DeployFunction(t.Context(), w.Ref(parentID), before,
					client.FunctionDeploy{Bundle: []byte("no archive")})
				w.Settle(t, nil, err)
			},
			Config: w.ProviderConfig() + data("function", "parents", parentID, `slug = "api"`),
			ConfigStateChecks: []statecheck.StateCheck{
				is("neon_function.parents", text("failed"), "status"),
				is("neon_function.parents", text("the bundle is not a zip archive"), "error"),
			},
		},
		resource.TestStep{Config: w.ProviderConfig() + data("function", "none", childID, `slug = "none"`),
			ExpectError: acctest.InOrder("No such function")},
		resource.TestStep{Config: w.ProviderConfig() + data("custom_domain", "none", childID, `domain = "api.example.com"`),
			ExpectError: acctest.InOrder("No such custom domain")},
		resource.TestStep{Config: w.ProviderConfig() + data("triggers", "none", "br-none-00000000"),
			ExpectError: acctest.InOrder("No such branch", "neon_branches")},
	)
}
