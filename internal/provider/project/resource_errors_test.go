package project_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func projectBlock(lines ...string) string {
	return "resource \"neon_project\" \"test\" {\n" + strings.Join(lines, "\n") + "\n}\n"
}

func TestAccProject_errors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	org := fmt.Sprintf("org_id = %q", w.OrgID)
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"no organization": {Config: projectBlock(), Want: acctest.InOrder("Unable to create project", "400", "personal API key", "NEON_ORG_ID")},
		"no such region": {
			Config: projectBlock(org, `region_id = "mars-1"`), Want: acctest.InOrder("Unable to create project", "400",
				"mars-1"),
		},
		"empty name":  {Config: projectBlock(`name = ""`), Command: acctest.Plan, Want: acctest.InWords("must be between 1 and 256")},
		"not an id":   {Config: projectBlock(`org_id = "A b"`), Command: acctest.Plan, Want: acctest.InWords("must be the id")},
		"retention":   {Config: projectBlock(`history_retention_seconds = -1`), Command: acctest.Plan, Want: acctest.InWords("must be at least 0")},
		"few units":   {Config: projectBlock(`default_endpoint_settings = { autoscaling_limit_min_cu = 0.1 }`), Command: acctest.Plan, Want: acctest.InWords("at least 0.25")},
		"quota":       {Config: projectBlock(`quota = { written_data_bytes = -1 }`), Command: acctest.Plan, Want: acctest.InWords("must be at least 0")},
		"weekday":     {Config: projectBlock(`maintenance_window = { weekdays = [8], start_time = "01:00", end_time = "02:00" }`), Command: acctest.Plan, Want: acctest.InWords("between 1 and 7")},
		"time of day": {Config: projectBlock(`maintenance_window = { weekdays = [1], start_time = "1:00", end_time = "02:00" }`), Command: acctest.Plan, Want: acctest.InWords("must be a time of the day such as 07:00")},
		"role name":   {Config: projectBlock(`default_branch = { role_name = "pg_owner" }`), Command: acctest.Plan, Want: acctest.InOrder("Reserved name of a role", "pg_owner")},
		"database":    {Config: projectBlock(`default_branch = { database_name = ".." }`), Command: acctest.Plan, Want: acctest.InWords("value must be none of")},
		"audit log":   {Config: projectBlock(`audit_log_level = "none"`), Command: acctest.Plan, Want: acctest.InWords("value must be one of")},
		"import id":   {Config: projectBlock(), Command: []string{"import", address, "A/b"}, Want: acctest.InWords("A project is imported by its id")},
		"import: not seen": {
			Config: projectBlock(), Command: []string{"import", address, "none-12345678"},
			Want: acctest.InOrder("Unable to read project", "can't be seen with this API key",
				"the data source neon_project finds by its name"),
		},
	})
}

// What counts at creation only, and what can't be switched off, is refused by the plan.
func TestAccProject_refusedChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.config(`default_branch = { role_name = "app", database_name = "shop" }`,
		`enable_logical_replication = true`, `hipaa = true`, `audit_log_level = "full"`)
	refused := func(want string, parts ...string) resource.TestStep {
		return resource.TestStep{Config: w.config(parts...), ExpectError: acctest.InOrder(strings.Split(want, "|")...)}
	}
	on := []string{`enable_logical_replication = true`, `hipaa = true`}
	w.run(t,
		w.step(first, plancheck.ResourceActionCreate),
		refused("Can't be switched off again|400|enable_logical_replication = true", `hipaa = true`,
			`enable_logical_replication = false`),
		refused("Can't be switched off again|400|hipaa = true", `enable_logical_replication = true`, `hipaa = false`),
		refused("Can't go back to base|400|audit_log_level = \"full\"", append(on, `audit_log_level = "base"`)...),
		refused("Can't be changed later|neon_role|role_name = \"app\"",
			append(on, `default_branch = { role_name = "other" }`)...),
		refused("Can't be changed later|neon_database|database_name = \"shop\"",
			append(on, `default_branch = { database_name = "other" }`)...),
		w.step(first, plancheck.ResourceActionNoop),
	)
}

func TestAccProject_deletionProtection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	protected := w.config(`deletion_protection = true`)
	w.run(t,
		w.step(protected, plancheck.ResourceActionCreate),
		resource.TestStep{Config: protected, Destroy: true, ExpectError: acctest.InOrder("The project is protected",
			"deletion_protection = false")},
		resource.TestStep{Config: w.config(`deletion_protection = true`, `pg_version = 15`),
			ExpectError: acctest.InWords("The project is protected")},
		w.step(w.config(), plancheck.ResourceActionUpdate),
	)
}

// A project with protected branches stays, and the error names them; the protection of the
// default branch that the project itself manages is taken off first.
func TestAccProject_protectedBranches(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]string{"managed": `default_branch = { protected = true }`, "not managed": ``} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			config, on, off := w.config(lines), true, false
			var other string
			w.run(t,
				w.step(config, plancheck.ResourceActionCreate),
				resource.TestStep{
					PreConfig: func() {
						created, err := w.api.CreateBranch(t.Context(), w.id, client.BranchCreate{Name: "kept", Protected: &on})
						w.settle(t, created.Operations, err)
						other = created.Object.ID
					},
					Config: config, Destroy: true, ExpectError: acctest.InOrder("Unable to delete project", "kept (br-",
						"The project wasn't deleted"),
				},
				resource.TestStep{PreConfig: func() {
					operations, err := client.OperationsOf(w.api.UpdateBranch(t.Context(),
						client.BranchRef{ProjectID: w.id, ID: other}, client.BranchUpdate{Protected: &off}))
					w.settle(t, operations, err)
				}, Config: config, PlanOnly: true},
			)
		})
	}
}

// A protection that is taken off for the project to go is put back where Neon keeps the project.
func TestAccProject_protectionAfterFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := w.config(`default_branch = { protected = true }`)
	w.run(t,
		w.step(config, plancheck.ResourceActionCreate),
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "DELETE /api/v2/projects/{project_id}", Kind: "status",
					Status: http.StatusUnprocessableEntity, Body: `{"code":"","message":"not now"}`, Count: 1})
			},
			Config: config, Destroy: true, ExpectError: acctest.InWords("not now"),
		},
		resource.TestStep{Config: config, PlanOnly: true},
	)
}

// The default branch that somebody else has protected keeps the project.
func TestAccProject_protectedElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	protect := func(on bool) func() {
		return func() {
			branch, err := w.api.GetDefaultBranch(t.Context(), w.id)
			if err != nil {
				t.Fatal(err)
			}
			operations, err := client.OperationsOf(w.api.UpdateBranch(t.Context(),
				client.BranchRef{ProjectID: w.id, ID: branch.ID}, client.BranchUpdate{Protected: &on}))
			w.settle(t, operations, err)
		}
	}
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate),
		resource.TestStep{
			PreConfig: protect(true), Config: w.config(), Destroy: true,
			ExpectError: acctest.InOrder("Somebody has protected the default branch", "main (br-", "apply that first"),
		},
		resource.TestStep{
			Config: w.config(`pg_version = 16`), PlanOnly: true, // Which replaces the project.
			ExpectError: acctest.InOrder("Somebody has protected the default branch", "main (br-", "apply that first"),
		},
		resource.TestStep{PreConfig: protect(false), Config: w.config(), PlanOnly: true},
	)
}

// Whatever becomes of the answers, there is one project, and it is in the state.
func TestAccProject_lostAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const one = " /api/v2/projects/{project_id}"
	for _, kind := range []string{"lost_before", "lost_after", "cut_body"} {
		for _, route := range []string{"POST /api/v2/projects", "PATCH" + one, "DELETE" + one} {
			w.AddFault(t, acctest.Fault{Route: route, Kind: kind, Count: 1})
		}
	}
	w.run(t,
		resource.TestStep{Config: w.config(`name = "once"`), ExpectError: acctest.InWords("may still have one")},
		w.step(w.config(`name = "once"`), plancheck.ResourceActionCreate),
		w.step(w.config(`name = "twice"`, `quota = { written_data_bytes = 5 }`, `allowed_ips = ["10.0.0.1"]`),
			plancheck.ResourceActionUpdate),
	)
	if projects := w.Objects(t).Projects; len(projects) != 1 {
		t.Errorf("there are %d projects after the destruction; want the first alone", len(projects))
	}
}

// A creation that fails halfway keeps the project in the state, and so it isn't lost.
func TestAccProject_failedCreation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.EndOperations(t, "create_timeline", "cancelled", "")
	w.Refuses(t, acctest.Refusal{
		Config: w.config(), Want: acctest.InOrder("Unable to create project", "was cancelled"),
	})
	if projects := w.Objects(t).Projects; len(projects) != 1 {
		t.Errorf("there are %d projects after the destruction; want the first alone", len(projects))
	}
	w.AddFault(t, acctest.Fault{Route: "PATCH /api/v2/projects/{project_id}/branches/{branch_id}", Kind: "status",
		Status: http.StatusUnprocessableEntity, Count: 1})
	w.Refuses(t, acctest.Refusal{
		Config: w.config(`default_branch = { protected = true }`), Want: acctest.InOrder("Unable to create project", "422"),
	})
	if projects := w.Objects(t).Projects; len(projects) != 1 {
		t.Errorf("there are %d projects after the destruction; want the first alone", len(projects))
	}
}

// What is protected can't be replaced, so nothing that Neon may refuse comes after the protection.
func TestAccProject_failedCreationIsReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.AddFault(t, acctest.Fault{Route: "PATCH /api/v2/projects/{project_id}/endpoints/{endpoint_id}", Kind: "status",
		Status: http.StatusUnprocessableEntity, Count: 1})
	config := w.config(`default_branch = { protected = true, endpoint = { name = "app" } }`)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config, ExpectError: acctest.InOrder("Unable to create project", "422", "tainted")},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionReplace)},
	)
}

// A creation whose time is up keeps the project, which Neon goes on to create.
func TestAccProject_timeIsUp(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, emulator.Config{OperationDuration: 6 * time.Second})
	w.Refuses(t, acctest.Refusal{
		Config: w.config(`timeouts = { create = "3s" }`),
		Want: acctest.InOrder("Unable to create project", "imed out after waiting", "for operations that had not finished",
			"create_timeline"),
	})
	if projects := w.Objects(t).Projects; len(projects) != 1 {
		t.Errorf("there are %d projects after the destruction; want the first alone", len(projects))
	}
}

// Operations that can't be read say nothing of the project: no page of a proxy has it replaced.
func TestAccProject_operationsUnread(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]acctest.Fault{
		"one page":       {Status: http.StatusForbidden, Body: "<html>", Count: 1},
		"until the end":  {Status: http.StatusForbidden, Body: "<html>"},
		"without a list": {Status: http.StatusOK, Body: "{}"},
		"Neon refuses":   {Status: http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, emulator.Config{OperationDuration: time.Second})
			for _, route := range []string{"/operations", "/operations/{operation_id}"} {
				fault.Route, fault.Kind = "GET /api/v2/projects/{project_id}"+route, "status"
				w.AddFault(t, fault)
			}
			timeout := "4s"
			if fault.Count > 0 { // It is waited for, however slow this machine is.
				timeout = "5m"
			}
			config := w.config(`timeouts = { create = "`+timeout+`" }`, `default_branch = { name = "trunk", protected = true }`)
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: config, ExpectNonEmptyPlan: fault.Count == 0},
				resource.TestStep{
					PreConfig: func() {
						w.Control(t, http.MethodDelete, "/_emulator/faults", nil, nil)
						time.Sleep(time.Second)
					},
					Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{notReplaced{}}},
				},
			)
		})
	}
}

// Nor does a change of the new project whose answer is lost, where Neon can't be asked whether it was made.
func TestAccProject_changeUnread(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	branches := "/api/v2/projects/{project_id}/branches"
	w.AddFault(t, acctest.Fault{Route: "PATCH " + branches + "/{branch_id}", Kind: "cut_body", Count: 1})
	for _, route := range []string{branches, branches + "/{branch_id}"} {
		w.AddFault(t, acctest.Fault{Route: "GET " + route, Kind: "status", Status: http.StatusServiceUnavailable})
	}
	config := w.config(`default_branch = { name = "trunk", protected = true }`)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config, ExpectError: regexp.MustCompile("503")},
		resource.TestStep{
			PreConfig: func() { w.Control(t, http.MethodDelete, "/_emulator/faults", nil, nil) },
			Config:    config, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{notReplaced{}}},
		},
	)
}

// notReplaced wants a plan that keeps the project.
type notReplaced struct{}

func (notReplaced) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	for _, change := range req.Plan.ResourceChanges {
		if slices.Contains(change.Change.Actions, "delete") {
			resp.Error = fmt.Errorf("%s is to be replaced", change.Address)
		}
	}
}

// An import shows that somebody has protected the default branch, and plans nothing because of it.
// That is theirs: Terraform neither takes it off nor destroys the project.
func TestAccProject_importedProtection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	imported := fmt.Sprintf("import {\n to = %s\n id = %q\n}\n", address, w.ProjectID)
	w.id = w.ProjectID
	protect := func(on bool) {
		branch := w.defaultBranch(t)
		operations, err := client.OperationsOf(w.api.UpdateBranch(t.Context(),
			client.BranchRef{ProjectID: w.id, ID: branch.ID}, client.BranchUpdate{Protected: &on}))
		w.settle(t, operations, err)
	}
	protect(true)
	w.run(t,
		w.step(w.config()+imported, plancheck.ResourceActionNoop, is(yes, "default_branch", "protected")),
		resource.TestStep{Config: w.config(), Destroy: true, ExpectError: acctest.InOrder(
			"Somebody has protected the default branch", "main (br-")},
		resource.TestStep{PreConfig: func() { protect(false) }, Config: w.config(), PlanOnly: true},
	)
}

// A protection that the configuration put on stays when it is left out, without a line in the plan,
// and is taken off by the destruction of the project.
func TestAccProject_releasedProtection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t,
		w.step(w.config(`default_branch = { protected = true }`), plancheck.ResourceActionCreate,
			is(yes, "default_branch", "protected")),
		w.step(w.config(), plancheck.ResourceActionNoop, is(yes, "default_branch", "protected")),
		w.step(w.config(`name = "renamed"`), plancheck.ResourceActionUpdate, is(yes, "default_branch", "protected")),
	)
	if left := w.Objects(t).Projects; len(left) != 1 {
		t.Errorf("%d projects are left after the destruction; want the first alone", len(left))
	}
}

// A project of the name that came meanwhile and has no mark may be anybody's: it is named,
// and no other is created.
func TestAccProject_doubtfulNamesake(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// The stranger's arrives in the moment in which ours is lost.
	w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects", Kind: "late", Status: http.StatusGatewayTimeout, Count: 1})
	w.sendCreation(t, "shop")
	w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects", Kind: "lost_before", Count: 1})
	w.Refuses(t, acctest.Refusal{
		Config: w.config(`name = "shop"`),
		Want: acctest.InOrder("Unable to create project", "created meanwhile", "Look in the web console whose they are",
			"to = neon_project.NAME", "id ="),
	})
	if projects := w.Objects(t).Projects; len(projects) != 2 {
		t.Errorf("there are %d projects, want the first and the stranger's", len(projects))
	}
}

// sendCreation sends a project's creation once, for a fault to answer.
func (w *projectWorld) sendCreation(t *testing.T, name string) {
	t.Helper()
	body := fmt.Sprintf(`{"project":{"name":%q,"org_id":%q}}`, name, w.OrgID)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		strings.TrimRight(w.BaseURL, "/")+"/api/v2/projects", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+w.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusGatewayTimeout {
		t.Fatalf("the fault didn't answer, but %s", response.Status)
	}
}
