package neonfunction_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	functionAddress = "neon_function.test"
	triggerAddress  = "neon_trigger.test"
	domainAddress   = "neon_custom_domain.test"
	branchAt        = "/api/v2/projects/{project_id}/branches/{branch_id}"
	functionAt      = branchAt + "/functions/{slug}"
	secret          = "a secret that no state has"
)

func block(kind string, branch client.BranchRef, lines ...string) string {
	return fmt.Sprintf("resource \"neon_%s\" \"test\" {\n project_id = %q\n branch_id = %q\n %s\n}\n", kind,
		branch.ProjectID, branch.ID, strings.Join(lines, "\n "))
}

func code(source string) string { return fmt.Sprintf("slug = \"api\"\n source = %q", source) }

// inFunction is a block of what belongs to the function of the same configuration.
func inFunction(kind string, lines ...string) string {
	return fmt.Sprintf("resource \"neon_%s\" \"test\" {\n project_id = neon_function.test.project_id\n branch_id = neon_function.test.branch_id\n "+
		"function_slug = neon_function.test.slug\n %s\n}\n", kind, strings.Join(lines, "\n "))
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, folder, name string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
}

// has checks how often a function was deployed, its variables, and that the state has no secret.
func has(t *testing.T, w *acctest.BranchWorld, deployments int, variables string) statecheck.StateCheck {
	t.Helper()
	return acctest.After(func(state acctest.State) error {
		functions := w.Objects(t).Functions
		if len(functions) != 1 || functions[0]["deployments"] != float64(deployments) ||
			fmt.Sprint(functions[0]["environment"]) != variables {
			return fmt.Errorf("there are %v, want one with %d deployments and the variables %s", functions, deployments,
				variables)
		}
		if strings.Contains(state.String(), secret) {
			return fmt.Errorf("the state has the secret")
		}
		return nil
	})
}

func life(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	branchID, folder := w.MainBranch(t).ID, acctest.CodeFolder(t, "1")
	config := func(lines ...string) string {
		return w.ProviderConfig() + block("function", w.Ref(branchID), append(lines, code(folder))...)
	}
	const variables = `environment = { LEVEL = "info", OLD = "1" }`
	secrets := func(value string, version int) string {
		return fmt.Sprintf("environment_wo = { KEY = %q }\n environment_wo_version = %d", value, version)
	}
	updates := acctest.ExpectAction(functionAddress, plancheck.ResourceActionUpdate)
	var address knownvalue.Check = knownvalue.NotNull()
	if w.Plays(t, "function-address", "none") {
		address = knownvalue.Null()
	}
	return []resource.TestStep{
		{
			Config: config(variables, secrets(secret, 1)),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(functionAddress, tfjsonpath.New("deployment_id"), knownvalue.Int64Exact(1)),
				statecheck.ExpectKnownValue(functionAddress, tfjsonpath.New("invocation_url"), address),
				statecheck.ExpectKnownValue(functionAddress, tfjsonpath.New("runtime"), knownvalue.StringExact("nodejs24")),
				statecheck.ExpectKnownValue(functionAddress, tfjsonpath.New("name"), knownvalue.Null()),
				statecheck.ExpectKnownValue(functionAddress, tfjsonpath.New("created_at"), acctest.Matches(`Z$`)),
				has(t, w, 1, "map[KEY:"+secret+" LEVEL:info OLD:1]"),
			},
		},
		{
			ResourceName: functionAddress, ImportState: true, ImportStateVerify: true,
			ImportStateVerifyIgnore: []string{"source", "source_hash", "environment", "environment_wo",
				"environment_wo_version"},
		},
		// Another secret isn't sent without another version.
		{Config: config(variables, secrets("another", 1)), ConfigPlanChecks: acctest.ExpectAction(functionAddress, plancheck.ResourceActionNoop)},
		// Other code leaves the variables as they are.
		{
			PreConfig: func() { write(t, folder, "index.mjs", "export default {} // 2") },
			Config:    config(variables, secrets("another", 1)), ConfigPlanChecks: updates,
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 2, "map[KEY:"+secret+" LEVEL:info OLD:1]")},
		},
		// Other variables leave the secrets as they are.
		{Config: config(`environment = { LEVEL = "debug" }`, secrets("another", 1)), ConfigPlanChecks: updates, ConfigStateChecks: []statecheck.StateCheck{has(t, w, 3, "map[KEY:"+secret+" LEVEL:debug]")}},
		{Config: config(`environment = { LEVEL = "debug" }`, secrets("another", 2)), ConfigPlanChecks: updates, ConfigStateChecks: []statecheck.StateCheck{has(t, w, 4, "map[KEY:another LEVEL:debug]")}},
		// A name is no deployment.
		{
			Config:            config(`environment = { LEVEL = "debug" }`, secrets("another", 2), `name = "The API"`),
			ConfigPlanChecks:  updates,
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 4, "map[KEY:another LEVEL:debug]")},
		},
		{Config: config(), ConfigPlanChecks: updates, ConfigStateChecks: []statecheck.StateCheck{has(t, w, 5, "map[]")}},
		// Deleted there.
		{
			PreConfig: func() { w.Settle(t, nil, w.API.DeleteFunction(t.Context(), w.Ref(branchID), "api")) },
			Config:    config(), ConfigPlanChecks: acctest.ExpectAction(functionAddress, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 1, "map[]")},
		},
	}
}

func TestAccFunction_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World, life(t, w)...)
	if left := w.Objects(t).Functions; len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestAccTerraform_function(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0") // environment_wo
	w := acctest.NewBranchWorld(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(), Steps: acctest.FirstSteps(4, life(t, w)),
	})
}

// all is a function with a trigger and a domain.
func all(t *testing.T, w *acctest.BranchWorld, trigger ...string) string {
	t.Helper()
	return w.ProviderConfig() + block("function", w.Ref(w.MainBranch(t).ID), code(acctest.CodeFolder(t, "1"))) +
		inFunction("trigger", append(trigger, `name = "nightly"`)...) +
		inFunction("custom_domain", `domain = "api.example.com"`)
}

const schedule = `schedule = { cron = "0 3 * * *" }`

// Whatever answer is lost or refused, there is what the configuration says, once, and nothing in the end.
func TestAccFunction_faults(t *testing.T) {
	t.Parallel()
	const deployments, triggers, domains = "POST " + functionAt + "/deployments", branchAt + "/triggers",
		branchAt + "/custom-domains"
	for name, fault := range map[string]acctest.Fault{
		"deployment lost":   {Route: deployments, Kind: "lost_after", Count: 1},
		"deployment locked": {Route: deployments, Kind: "status", Status: http.StatusLocked, Count: 2},
		"reading refused":   {Route: "GET " + functionAt, Kind: "status", Status: http.StatusServiceUnavailable, Count: 2},
		"deletion lost":     {Route: "DELETE " + functionAt, Kind: "lost_after", Count: 1},
		"trigger lost":      {Route: "POST " + triggers, Kind: "lost_after", Count: 1},
		"trigger locked":    {Route: "POST " + triggers, Kind: "status", Status: http.StatusLocked, Count: 2},
		"trigger kept":      {Route: "DELETE " + triggers + "/{trigger_id}", Kind: "lost_after", Count: 1},
		"domain lost":       {Route: "POST " + domains, Kind: "lost_after", Count: 1},
		"domain locked":     {Route: "POST " + domains, Kind: "status", Status: http.StatusLocked, Count: 2},
		"domain kept":       {Route: "DELETE " + domains + "/{domain}", Kind: "lost_after", Count: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			w.AddFault(t, fault)
			acctest.RunSteps(t, w.World, resource.TestStep{
				Config: all(t, w, schedule),
				ConfigStateChecks: []statecheck.StateCheck{has(t, w, 1, "map[]"), acctest.After(func(acctest.State) error {
					if all := w.Objects(t); len(all.Triggers) != 1 || len(all.CustomDomains) != 1 {
						return fmt.Errorf("there are %v and %v", all.Triggers, all.CustomDomains)
					}
					return nil
				})},
			})
			if left := w.Objects(t); len(left.Functions)+len(left.Triggers)+len(left.CustomDomains) > 0 {
				t.Errorf("left: %v %v %v", left.Functions, left.Triggers, left.CustomDomains)
			}
			if w.FaultsLeft(t) > 0 {
				t.Error("nothing met the fault")
			}
		})
	}
}

// A function whose code others deploy is imported and named, and neither deployed nor replaced.
func TestAccFunction_withoutCode(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	w.MakeFunction(t, w.Ref(branchID), "api")
	taken := fmt.Sprintf("import {\n to = neon_function.test\n id = \"%s/%s/api\"\n}\n", w.ProjectID, branchID)
	config := func(slug string) string {
		return w.ProviderConfig() + block("function", w.Ref(branchID), slug, `name = "The API"`)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(`slug = "api"`) + taken,
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 1, "map[]")}},
		resource.TestStep{Config: config(`slug = "api"`), ConfigPlanChecks: acctest.ExpectAction(functionAddress,
			plancheck.ResourceActionNoop)},
		resource.TestStep{Config: config(`slug = "web"`), ExpectError: acctest.InOrder("A new function needs code")},
	)
}

// plannedNames checks what a plan says of the names of variables.
func plannedNames(action plancheck.ResourceActionType, wants ...string) resource.ConfigPlanChecks {
	checks := acctest.ExpectAction(functionAddress, action)
	values := make([]knownvalue.Check, len(wants))
	for i, name := range wants {
		values[i] = knownvalue.StringExact(name)
	}
	checks.PreApply = append(checks.PreApply, plancheck.ExpectKnownValue(functionAddress,
		tfjsonpath.New("environment_names"), knownvalue.SetExact(values)))
	return checks
}

// deployElsewhere deploys the function "api" again, as somebody else would.
func deployElsewhere(t *testing.T, w *acctest.BranchWorld, branch client.BranchRef, environment map[string]string) {
	t.Helper()
	now, err := w.API.GetFunction(t.Context(), branch, "api")
	w.Settle(t, nil, err)
	_, err = w.API.DeployFunction(t.Context(), branch, now, client.FunctionDeploy{Environment: environment})
	w.Settle(t, nil, err)
}

// The plan says which variables come and go, also those that nobody configured.
func TestAccFunction_variablesFromElsewhere(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, folder := w.MainBranch(t).ID, acctest.CodeFolder(t, "1")
	w.MakeFunction(t, w.Ref(branchID), "api")
	deploy := func(environment map[string]string) func() {
		return func() { deployElsewhere(t, w, w.Ref(branchID), environment) }
	}
	deploy(map[string]string{"STRIPE_KEY": "1"})()
	config := func(lines ...string) string {
		return w.ProviderConfig() + block("function", w.Ref(branchID), append(lines, code(folder))...)
	}
	taken := fmt.Sprintf("import {\n to = neon_function.test\n id = \"%s/%s/api\"\n}\n", w.ProjectID, branchID)
	const level = `environment = { LEVEL = "info" }`
	secrets := fmt.Sprintf("environment_wo = { KEY = %q }\n environment_wo_version = 1", secret)
	updated := plancheck.ResourceActionUpdate
	acctest.RunSteps(t, w.World,
		// Those of others stay while none are configured.
		resource.TestStep{Config: config() + taken, ConfigPlanChecks: plannedNames(updated, "STRIPE_KEY"),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 3, "map[STRIPE_KEY:1]")}},
		resource.TestStep{Config: config(level), ConfigPlanChecks: plannedNames(updated, "LEVEL"),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 4, "map[LEVEL:info]")}},
		resource.TestStep{
			PreConfig: deploy(map[string]string{"LEVEL": "", "EXTRA": "1"}), Config: config(level),
			ConfigPlanChecks: plannedNames(updated, "LEVEL"), ConfigStateChecks: []statecheck.StateCheck{has(t, w, 6,
				"map[LEVEL:info]")},
		},
		resource.TestStep{Config: config(level), ConfigPlanChecks: plannedNames(plancheck.ResourceActionNoop, "LEVEL")},
		resource.TestStep{Config: config(level, secrets), ConfigPlanChecks: plannedNames(updated, "LEVEL", "KEY"),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 7, "map[KEY:"+secret+" LEVEL:info]")}},
		// A secret that is gone is sent again, without another version.
		resource.TestStep{
			PreConfig: deploy(map[string]string{"KEY": ""}), Config: config(level, secrets),
			ConfigPlanChecks:  plannedNames(updated, "LEVEL", "KEY"),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 9, "map[KEY:"+secret+" LEVEL:info]")},
		},
		resource.TestStep{Config: config(level), ConfigPlanChecks: plannedNames(updated, "LEVEL"),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 10, "map[LEVEL:info]")}},
		// Neon's own names can be overridden.
		resource.TestStep{Config: config(`environment = { NEON_AUTH_BASE_URL = "x" }`),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 11, "map[NEON_AUTH_BASE_URL:x]")}},
	)
}

// A value that somebody else has deployed goes with the code that is deployed again.
func TestAccFunction_valueFromElsewhere(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := w.ProviderConfig() + block("function", w.Ref(branchID), `environment = { LEVEL = "info" }`,
		code(acctest.CodeFolder(t, "1")))
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() { deployElsewhere(t, w, w.Ref(branchID), map[string]string{"LEVEL": "debug"}) },
			Config:    config, ConfigPlanChecks: acctest.ExpectAction(functionAddress, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 3, "map[LEVEL:info]")},
		},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(functionAddress,
			plancheck.ResourceActionNoop)},
	)
}

// Secrets that aren't known yet may turn out to have other names than those that are there, where anything else is
// planned.
func TestAccFunction_secretsKnownLater(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	folder := acctest.CodeFolder(t, "1")
	config := func(run, variables, name string) string {
		return w.ProviderConfig() + fmt.Sprintf(
			"resource \"terraform_data\" \"secrets\" {\n input = { run = %s, all = %s }\n}\n", run, variables) +
			block("function", w.Ref(w.MainBranch(t).ID), code(folder), name,
				"environment_wo = terraform_data.secrets.output.all", "environment_wo_version = 1")
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("1", `{ A = "1" }`, ""),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 1, "map[A:1]")}},
		resource.TestStep{Config: config("2", `{ A = "2" }`, ""),
			ConfigPlanChecks: acctest.ExpectAction(functionAddress, plancheck.ResourceActionNoop)},
		resource.TestStep{Config: config("3", `{ B = "2" }`, `name = "The API"`),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 2, "map[B:2]")}},
	)
}

// Secrets that ignore_changes has stay as they are, also where something else is deployed.
func TestAccFunction_ignoredSecrets(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	folder := acctest.CodeFolder(t, "1")
	config := func(ignored string, lines ...string) string {
		return w.ProviderConfig() + block("function", w.Ref(w.MainBranch(t).ID), append(lines, code(folder),
			"lifecycle {\n ignore_changes = "+ignored+"\n }")...)
	}
	secrets := func(variables string, version int) string {
		return fmt.Sprintf("environment_wo = %s\n environment_wo_version = %d", variables, version)
	}
	const both, level = "[environment_wo, environment_wo_version]", `environment = { LEVEL = "info" }`
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("all", secrets(`{ A = "1" }`, 1)),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 1, "map[A:1]")}},
		resource.TestStep{Config: config(both, secrets(`{ B = "2" }`, 2)),
			ConfigPlanChecks: acctest.ExpectAction(functionAddress, plancheck.ResourceActionNoop)},
		resource.TestStep{
			PreConfig:         func() { write(t, folder, "index.mjs", "export default {} // 2") },
			Config:            config(both, secrets(`{ B = "2" }`, 2)),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 2, "map[A:1]")},
		},
		resource.TestStep{Config: config(both, secrets(`{ B = "2" }`, 2), level),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 3, "map[A:1 LEVEL:info]")}},
		resource.TestStep{Config: config(both, secrets(`{ B = "2" }`, 2)),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 4, "map[A:1]")}},
		resource.TestStep{Config: config("[environment_wo]", secrets(`{ B = "2" }`, 2)),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 4, "map[A:1]")}},
		resource.TestStep{Config: config("[]", secrets(`{ B = "2" }`, 2)),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 5, "map[B:2]")}},
	)
}

// What somebody else has deployed shows, and the configured code is deployed again.
func TestAccFunction_deployedElsewhere(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := w.ProviderConfig() + block("function", w.Ref(branchID), code(acctest.CodeFolder(t, "1")))
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() { deployElsewhere(t, w, w.Ref(branchID), nil) },
			Config:    config, ConfigPlanChecks: acctest.ExpectAction(functionAddress, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 3, "map[]")},
		},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(functionAddress,
			plancheck.ResourceActionNoop)},
	)
}

// What somebody else has deployed stays where ignore_changes has the code.
func TestAccFunction_ignoredCode(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, folder := w.MainBranch(t).ID, acctest.CodeFolder(t, "1")
	config := func(ignored string, lines ...string) string {
		return w.ProviderConfig() + block("function", w.Ref(branchID), append(lines, code(folder),
			"lifecycle {\n ignore_changes = "+ignored+"\n }")...)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("[source]")},
		resource.TestStep{
			PreConfig: func() { deployElsewhere(t, w, w.Ref(branchID), nil) },
			Config:    config("[source]", `name = "The API"`), ConfigStateChecks: []statecheck.StateCheck{has(t, w, 2, "map[]")},
		},
		resource.TestStep{Config: config("all"), ConfigPlanChecks: acctest.ExpectAction(functionAddress,
			plancheck.ResourceActionNoop)},
		resource.TestStep{Config: config("[]"), ConfigStateChecks: []statecheck.StateCheck{has(t, w, 3, "map[]")}},
	)
}

// A plan that deploys nothing leaves all known, and one that deploys the address.
func TestAccFunction_addressStaysKnown(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, folder := w.MainBranch(t).ID, acctest.CodeFolder(t, "1")
	config := func(name string) string {
		return w.ProviderConfig() + block("function", w.Ref(branchID), code(folder), fmt.Sprintf("name = %q", name))
	}
	known := func(attributes ...string) resource.ConfigPlanChecks {
		checks := acctest.ExpectAction(functionAddress, plancheck.ResourceActionUpdate)
		for _, attribute := range attributes {
			checks.PreApply = append(checks.PreApply, plancheck.ExpectKnownValue(functionAddress, tfjsonpath.New(attribute),
				knownvalue.NotNull()))
		}
		return checks
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("A")},
		resource.TestStep{Config: config("B"), ConfigPlanChecks: known("invocation_url", "runtime", "deployment_id",
			"environment_names"), ConfigStateChecks: []statecheck.StateCheck{has(t, w, 1, "map[]")}},
		resource.TestStep{
			PreConfig: func() { write(t, folder, "index.mjs", "export default {} // 2") },
			Config:    config("B"), ConfigPlanChecks: known("invocation_url", "runtime", "environment_names"),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 2, "map[]")},
		},
	)
}

// A name that Neon refuses after a deployment has nothing deployed again, and no new function replaced.
func TestAccFunction_nameRefused(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, folder := w.MainBranch(t).ID, acctest.CodeFolder(t, "1")
	config := func(name string) string {
		return w.ProviderConfig() + block("function", w.Ref(branchID), code(folder), fmt.Sprintf("name = %q", name))
	}
	refuse := func() {
		w.AddFault(t, acctest.Fault{Route: "PATCH " + functionAt, Kind: "status", Status: http.StatusBadRequest, Count: 1})
	}
	named := func(deployments int, name string) []statecheck.StateCheck {
		return []statecheck.StateCheck{has(t, w, deployments, "map[]"), statecheck.ExpectKnownValue(functionAddress,
			tfjsonpath.New("name"), knownvalue.StringExact(name))}
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{PreConfig: refuse, Config: config("A"), ExpectNonEmptyPlan: true},
		resource.TestStep{Config: config("A"), ConfigStateChecks: named(1, "A"),
			ConfigPlanChecks: acctest.ExpectAction(functionAddress, plancheck.ResourceActionUpdate)},
		resource.TestStep{
			PreConfig: func() {
				refuse()
				write(t, folder, "index.mjs", "export default {} // 2")
			},
			Config: config("B"), ExpectError: acctest.InWords("Unable to update function"),
		},
		resource.TestStep{Config: config("B"), ConfigStateChecks: named(2, "B")},
	)
}

// An answer that lacks what is only known after apply leaves it null: Terraform takes no state that isn't known whole.
func TestAccFunction_answerWithoutDeployment(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	behind := w.Behind(t, func(neon *httputil.ReverseProxy) http.Handler {
		neon.ModifyResponse = func(response *http.Response) error {
			text, err := io.ReadAll(response.Body)
			if response.Request.Method == http.MethodGet {
				text = bytes.Replace(text, []byte("current_deployment"), []byte("deployment_in_use_"), 1)
			}
			response.Body = io.NopCloser(bytes.NewReader(text))
			return err
		}
		return neon
	})
	p := acctest.NewProtocol(t, behind)
	created := p.Created(t, "neon_function", acctest.Texts(map[string]string{"project_id": w.ProjectID,
		"branch_id": w.MainBranch(t).ID, "slug": "api", "source": acctest.CodeFolder(t, "1")}))
	state, err := created.NewState.Unmarshal(p.Schema.ResourceSchemas["neon_function"].ValueType())
	if err != nil || state.IsNull() || !state.IsFullyKnown() {
		t.Errorf("the state is %s, %v", state, err)
	}
}

// The runtime that a function has can be configured without a deployment, and another one is Neon's to refuse.
func TestAccFunction_runtime(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	folder := acctest.CodeFolder(t, "1")
	config := func(lines ...string) string {
		return w.ProviderConfig() + block("function", w.Ref(w.MainBranch(t).ID), append(lines, code(folder))...)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config()},
		resource.TestStep{Config: config(`runtime = "nodejs24"`),
			ConfigPlanChecks: acctest.ExpectAction(functionAddress, plancheck.ResourceActionNoop)},
		resource.TestStep{Config: config(`runtime = "nodejs99"`),
			ExpectError: acctest.InOrder("must be nodejs24", `Neon doesn't accept runtime = "nodejs99"`)},
		resource.TestStep{Config: config(), ConfigPlanChecks: acctest.ExpectAction(functionAddress,
			plancheck.ResourceActionNoop), ConfigStateChecks: []statecheck.StateCheck{has(t, w, 1, "map[]")}},
	)
}

// What may have secrets isn't deployed with a folder, and a link is what it leads to.
func TestAccFunction_folder(t *testing.T) {
	t.Parallel()
	plain, dotted, linked := acctest.CodeFolder(t, "1"), acctest.CodeFolder(t, "1"), acctest.CodeFolder(t, "1")
	write(t, dotted, ".env", secret)
	write(t, filepath.Join(dotted, ".git"), "config", secret)
	write(t, dotted, "prod.tfvars", secret)
	write(t, dotted, "prod.auto.tfvars.json", secret)
	link(t, ".env", dotted, "env") // Nor what leads to it.
	write(t, filepath.Join(plain, "lib"), "a.mjs", "1")
	write(t, filepath.Join(dotted, "lib"), "a.mjs", "1")
	write(t, filepath.Join(linked, ".store"), "a.mjs", "1")
	link(t, ".store", linked, "lib")
	w := acctest.NewBranchWorld(t)
	step := func(folder string, action plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			Config:            w.ProviderConfig() + block("function", w.Ref(w.MainBranch(t).ID), code(folder)),
			ConfigPlanChecks:  acctest.ExpectAction(functionAddress, action),
			ConfigStateChecks: []statecheck.StateCheck{has(t, w, 1, "map[]")},
		}
	}
	acctest.RunSteps(t, w.World,
		step(plain, plancheck.ResourceActionCreate),
		step(dotted, plancheck.ResourceActionUpdate), // Of the path alone.
		step(linked, plancheck.ResourceActionUpdate),
	)
}

func TestAccFunction_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	w.MakeFunction(t, w.Ref(branchID), "api")
	empty, linked, text := t.TempDir(), acctest.CodeFolder(t, "1"), t.TempDir()
	link(t, t.TempDir(), linked, "link.mjs")
	broken, loop, terraform, stateful := acctest.CodeFolder(t, "1"), acctest.CodeFolder(t, "1"),
		acctest.CodeFolder(t, "1"), acctest.CodeFolder(t, "1")
	link(t, "none.mjs", broken, "link.mjs")
	link(t, ".", loop, "all")
	write(t, filepath.Join(terraform, "lib", ".terraform"), "lock", "")
	write(t, stateful, "terraform.tfstate", "{}")
	write(t, text, "code.zip", "no archive")
	function := func(lines ...string) string {
		return w.ProviderConfig() + block("function", w.Ref(branchID), lines...)
	}
	taken, source := code(acctest.CodeFolder(t, "1")), fmt.Sprintf("source = %q", acctest.CodeFolder(t, "1"))
	for name, test := range map[string]struct {
		config string
		wants  []string
	}{
		"one that is there":         {function(taken), []string{"api is there already", "import {"}},
		"no code":                   {function(`slug = "new"`), []string{"A new function needs code", "source"}},
		"no such folder":            {function(code("/none/such")), []string{"Unable to pack the code", `source = "/none/such": no such file or directory.`, "${path.module}", "apply that first"}},
		"no entry":                  {function(code(empty)), []string{"Unable to pack the code", "index.mjs"}},
		"a link that leads out":     {function(code(linked)), []string{"link.mjs", "symbolic link", "leads out"}},
		"a link to nothing":         {function(code(broken)), []string{"link.mjs", "symbolic link", "leads to nothing"}},
		"a link to its own folder":  {function(code(loop)), []string{"all is a symbolic link", "it is in itself"}},
		"Terraform's folder":        {function(code(terraform)), []string{"lib/.terraform", "a folder of its own"}},
		"a state":                   {function(code(stateful)), []string{"terraform.tfstate", "a folder of its own"}},
		"a name of blanks":          {function(taken, `name = "  "`), []string{"no blank at either end"}},
		"a padded name":             {function(taken, `name = " My API "`), []string{"no blank at either end"}},
		"a name after wide blanks":  {function(taken, `name = "\u3000My API"`), []string{"no blank at either end"}},
		"a variable twice":          {function(taken, `environment = { A = "1" }`, `environment_wo = { A = "2" }`, `environment_wo_version = 1`), []string{"both maps", "Remove it from one"}},
		"a variable with a blank":   {function(taken, `environment = { "a b" = "1" }`), []string{"letters, digits and _"}},
		"a variable with a digit":   {function(taken, `environment = { "1A" = "1" }`), []string{"no digit first"}},
		"large variables":           {function(taken, fmt.Sprintf("environment = { A = %q }", strings.Repeat("x", 65<<10))), []string{"Too many variables", "64 KiB"}},
		"no archive":                {function(code(filepath.Join(text, "code.zip"))), []string{"neither a folder nor a ZIP archive"}},
		"a wrong slug":              {function(`slug = "My-API"`, source), []string{"lower-case letters"}},
		"an empty variable":         {function(taken, `environment = { A = "" }`), []string{"string length must be at least 1"}},
		"secrets without a version": {function(taken, `environment_wo = { A = "1" }`), []string{"environment_wo_version"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: test.config, Want: acctest.InOrder(test.wants...)})
		})
	}
}

// Importing a trigger that is disabled, as a preview has it, enables it by the default alone: the plan says so.
func TestAccTrigger_importEnables(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: all(t, w, schedule, "enabled = false"),
		ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
			p := acctest.NewProtocol(t, w.World)
			found := w.Objects(t).Triggers[0]
			read := p.Imported(t, "neon_trigger", map[string]string{"project_id": w.ProjectID, "branch_id": branchID,
				"trigger_id": fmt.Sprint(found["id"])})
			cron := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"cron": tftypes.String}}
			given := map[string]tftypes.Value{
				"project_id": acctest.Text(w.ProjectID), "branch_id": acctest.Text(branchID),
				"name": acctest.Text(fmt.Sprint(found["name"])), "function_slug": acctest.Text("api"),
				"schedule": tftypes.NewValue(cron, map[string]tftypes.Value{"cron": acctest.Text("0 3 * * *")}),
			}
			if said := p.PlanUpdate(t, "neon_trigger", read, given); !strings.Contains(said, "is disabled, and enabled defaults to true") ||
				!strings.Contains(said, "enabled = false") {
				return fmt.Errorf("without enabled the plan says %q", said)
			}
			for _, enabled := range []bool{false, true} {
				given["enabled"] = tftypes.NewValue(tftypes.Bool, enabled)
				if said := p.PlanUpdate(t, "neon_trigger", read, given); said != "" {
					return fmt.Errorf("with enabled = %t the plan says %q", enabled, said)
				}
			}
			return nil
		})},
	})
}

func TestAccTrigger_life(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, config := w.MainBranch(t).ID, func(lines ...string) string { return all(t, w, lines...) }
	enabled := func(want bool) statecheck.StateCheck {
		return acctest.After(func(acctest.State) error {
			if triggers := w.Objects(t).Triggers; len(triggers) != 1 || triggers[0]["enabled"] != want {
				return fmt.Errorf("there are %v", triggers)
			}
			return nil
		})
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(schedule), ConfigStateChecks: []statecheck.StateCheck{enabled(true)}},
		resource.TestStep{ResourceName: triggerAddress, ImportState: true, ImportStateVerify: true},
		resource.TestStep{Config: config(schedule, "enabled = false"),
			ConfigPlanChecks:  acctest.ExpectAction(triggerAddress, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{enabled(false)}},
		resource.TestStep{
			Config:            config(`storage_object_created = { bucket_name = "uploads" }`),
			ConfigPlanChecks:  acctest.ExpectAction(triggerAddress, plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{enabled(true)},
		},
		resource.TestStep{ResourceName: triggerAddress, ImportState: true, ImportStateVerify: true},
		resource.TestStep{
			PreConfig: func() {
				for trigger, err := range w.API.ListTriggers(t.Context(), w.Ref(branchID)) {
					w.Settle(t, nil, err)
					w.Settle(t, nil, w.API.DeleteTrigger(t.Context(), w.Ref(branchID), trigger.ID))
				}
			},
			Config: config(schedule), ConfigPlanChecks: acctest.ExpectAction(triggerAddress, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{enabled(true)},
		},
	)
	if left := w.Objects(t).Triggers; len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// newTakenWorld has a trigger named "taken" of the function "api" on the main branch.
func newTakenWorld(t *testing.T) (w *acctest.BranchWorld, branchID, triggerID string) {
	t.Helper()
	w = acctest.NewBranchWorld(t)
	branchID = w.MainBranch(t).ID
	w.MakeFunction(t, w.Ref(branchID), "api")
	made, err := w.API.CreateTrigger(t.Context(), w.Ref(branchID), client.TriggerSpec{
		Type: "schedule", FunctionSlug: "api", Name: "taken", Path: "/", Schedule: &client.TriggerSchedule{Cron: "0 3 * * *"},
	})
	w.Settle(t, nil, err)
	return w, branchID, made.ID
}

func TestAccTrigger_errors(t *testing.T) {
	t.Parallel()
	w, branchID, takenID := newTakenWorld(t)
	for name, test := range map[string]struct{ lines, want string }{
		"one that is there": {"name = \"taken\"\n function_slug = \"api\"\n" + schedule, "id = \"" + w.ProjectID + "/" + branchID + "/" + takenID},
		"no such function":  {"name = \"a\"\n function_slug = \"none\"\n" + schedule, "function_slug = neon_function.NAME.slug"},
		"no kind":           {"name = \"a\"\n function_slug = \"api\"", "storage_object_created"},
		"names of days":     {"name = \"a\"\n function_slug = \"api\"\n schedule = { cron = \"0 3 * * MON\" }", "five fields of numbers"},
		"an hour too late":  {"name = \"a\"\n function_slug = \"api\"\n schedule = { cron = \"0 25 * * *\" }", "25 as the hour, which must be 0 to 23"},
		"a minute too late": {"name = \"a\"\n function_slug = \"api\"\n schedule = { cron = \"61 3 * * *\" }", "61 as the minute"},
		"no step":           {"name = \"a\"\n function_slug = \"api\"\n schedule = { cron = \"*/0 * * * *\" }", "step must be at least 1"},
		"commas alone":      {"name = \"a\"\n function_slug = \"api\"\n schedule = { cron = \",,, - * * *\" }", "isn't one"},
		"a day of no month": {"name = \"a\"\n function_slug = \"api\"\n schedule = { cron = \"0 0 0 1-13 *\" }", "0 as the day of the month"},
		"a range backwards": {"name = \"a\"\n function_slug = \"api\"\n schedule = { cron = \"0 0 * * 5-1\" }", "ends before it begins"},
		"a query":           {"name = \"a\"\n function_slug = \"api\"\n function_path = \"/jobs?a=b\"\n" + schedule, "neither a query nor a host"},
		"a host":            {"name = \"a\"\n function_slug = \"api\"\n function_path = \"//example.com\"\n" + schedule, "neither a query nor a host"},
		"a path without /":  {"name = \"a\"\n function_slug = \"api\"\n function_path = \"jobs\"\n" + schedule, "must begin with a slash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: w.ProviderConfig() + block("trigger", w.Ref(branchID), test.lines),
				Want: acctest.InOrder(test.want)})
		})
	}
}

// A trigger that is to get the name of another one learns which has it.
func TestAccTrigger_renamedToATakenName(t *testing.T) {
	t.Parallel()
	w, branchID, takenID := newTakenWorld(t)
	config := func(name string) string {
		return w.ProviderConfig() + block("trigger", w.Ref(branchID), fmt.Sprintf("name = %q", name),
			`function_slug = "api"`, schedule)
	}
	acctest.RunSteps(t, w.World, resource.TestStep{Config: config("a")},
		resource.TestStep{Config: config("taken"), ExpectError: acctest.InOrder(takenID + " of the branch has that name")})
}

// A domain that is to lead to a function that isn't there is replaced, as the function may be created before:
// the plan warns.
func TestAccCustomDomain_noFunction(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main := w.MainBranch(t).ID
	for _, slug := range []string{"api", "web"} {
		w.MakeFunction(t, w.Ref(main), slug)
	}
	p := acctest.NewProtocol(t, w.World)
	given := acctest.Texts(map[string]string{"project_id": w.ProjectID, "branch_id": main, "domain": "api.example.com",
		"function_slug": "api"})
	p.Created(t, "neon_custom_domain", given)
	read := p.Imported(t, "neon_custom_domain", map[string]string{"project_id": w.ProjectID, "branch_id": main,
		"domain": "api.example.com"})
	for slug, want := range map[string]string{"api": "", "web": "", "wbe": "has no function wbe"} {
		given["function_slug"] = acctest.Text(slug)
		if said := p.PlanUpdate(t, "neon_custom_domain", read, given); !strings.Contains(said, want) ||
			(said == "") != (want == "") {
			t.Errorf("with %s the plan says %q", slug, said)
		}
	}
}

func TestAccCustomDomain_life(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, config := w.MainBranch(t).ID, all(t, w, schedule)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config, ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue(domainAddress, tfjsonpath.New("dns_records").AtSliceIndex(0).AtMapKey("type"),
				knownvalue.StringExact("CNAME")),
			statecheck.ExpectKnownValue(domainAddress, tfjsonpath.New("dns_records").AtSliceIndex(0).AtMapKey("name"),
				knownvalue.StringExact("api.example.com")),
			statecheck.ExpectKnownValue(domainAddress, tfjsonpath.New("cname_target"), acctest.Matches(`^fn-custom-domains\.[a-z0-9-]+\.aws\.`)),
		}},
		resource.TestStep{ResourceName: domainAddress, ImportState: true, ImportStateVerify: true},
		resource.TestStep{
			PreConfig: func() {
				w.Settle(t, nil, w.API.DeleteCustomDomain(t.Context(), w.Ref(branchID), "api.example.com"))
			},
			Config: config, ConfigPlanChecks: acctest.ExpectAction(domainAddress, plancheck.ResourceActionCreate),
		},
	)
	if left := w.Objects(t).CustomDomains; len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// A domain is one function's on the whole platform.
func TestAccCustomDomain_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main, child := w.MainBranch(t).ID, w.MakeBranch(t, "child").ID
	for _, branchID := range []string{main, child} {
		w.MakeFunction(t, w.Ref(branchID), "api")
	}
	_, err := w.API.CreateCustomDomain(t.Context(), w.Ref(main), "taken.example.com", "api")
	w.Settle(t, nil, err)
	domain := func(branchID, name, slug string) string {
		return w.ProviderConfig() + block("custom_domain", w.Ref(branchID),
			fmt.Sprintf("domain = %q\n function_slug = %q", name, slug))
	}
	for name, test := range map[string]struct {
		config string
		wants  []string
	}{
		"one that is there":  {domain(main, "taken.example.com", "api"), []string{"taken.example.com is there already", "import {"}},
		"one of another":     {domain(child, "taken.example.com", "api"), []string{"409", "another branch", "support"}},
		"no such function":   {domain(main, "a.example.com", "none"), []string{"no such function"}},
		"capital letters":    {domain(main, "A.example.com", "api"), []string{"lower case"}},
		"a name without dot": {domain(main, "localhost", "api"), []string{"must be a host name"}},
		"one of Neon's":      {domain(main, "api.neon.tech", "api"), []string{"A host name of Neon's", "of your own"}},
		"a hyphen first":     {domain(main, "-a.example.com", "api"), []string{"no hyphen at"}},
		"a long label":       {domain(main, strings.Repeat("a", 64)+".example.com", "api"), []string{"1 to 63"}},
		"an address":         {domain(main, "1.2.3.4", "api"), []string{"no IP address"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: test.config, Want: acctest.InOrder(test.wants...)})
		})
	}
}

// Where the new one can't be made, the plan says so, and the old one stays.
func TestAccFunction_replacementRefused(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main, child := w.MainBranch(t).ID, w.MakeBranch(t, "child").ID
	for _, branchID := range []string{main, child} {
		w.MakeFunction(t, w.Ref(branchID), "taken")
	}
	_, err := w.API.CreateCustomDomain(t.Context(), w.Ref(main), "taken.example.com", "taken")
	w.Settle(t, nil, err)
	_, err = w.API.CreateTrigger(t.Context(), w.Ref(child), client.TriggerSpec{
		Type: "schedule", FunctionSlug: "taken", Name: "nightly", Path: "/",
		Schedule: &client.TriggerSchedule{Cron: "0 3 * * *"},
	})
	w.Settle(t, nil, err)
	folder := acctest.CodeFolder(t, "1")
	config := func(slug, domain, branchID string) string {
		return w.ProviderConfig() + block("function", w.Ref(main), fmt.Sprintf("slug = %q\n source = %q", slug, folder)) +
			block("trigger", w.Ref(branchID), `name = "nightly"`, `function_slug = "taken"`, schedule) +
			block("custom_domain", w.Ref(main), fmt.Sprintf("domain = %q\n function_slug = \"taken\"", domain))
	}
	stays := func() {
		if all := w.Objects(t); len(all.Functions) != 3 || len(all.Triggers) != 2 || len(all.CustomDomains) != 2 {
			t.Errorf("there are %v, %v and %v", all.Functions, all.Triggers, all.CustomDomains)
		}
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("api", "api.example.com", main)},
		resource.TestStep{Config: config("taken", "api.example.com", main),
			ExpectError: acctest.InOrder("Unable to replace function", "taken is there already")},
		resource.TestStep{PreConfig: stays, Config: config("api", "taken.example.com", main),
			ExpectError: acctest.InOrder("Unable to replace custom domain", "taken.example.com is there already")},
		resource.TestStep{PreConfig: stays, Config: config("api", "api.example.com", child),
			ExpectError: acctest.InOrder("Unable to replace trigger", "has a trigger named")},
		resource.TestStep{PreConfig: stays, Config: config("api", "api.example.com", main)},
	)
}
