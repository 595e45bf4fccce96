package claimable_test

import (
	"bytes"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// endInstant has the older service answer as one that was removed.
func endInstant(t *testing.T, w *acctest.World) {
	t.Helper()
	for _, route := range []string{"POST /api/v1/database", "GET /api/v1/database/{id}"} {
		w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: http.StatusGone,
			Body: `{"message":"This API was removed"}`})
	}
}

// A database of Claimable Neon lives as one of the older service does, and destroy deletes it.
func TestAccClaimableDatabase_claimableNeonLife(t *testing.T) {
	acctest.EachReading(t, "claimable-neon-expired", claimableNeonLife)
}

func claimableNeonLife(t *testing.T, played emulator.Config) {
	t.Parallel()
	w := acctest.StartEmulator(t, played)
	block := w.KeylessConfig() + acctest.ClaimableBlock(`ref = "test"`, `engine = "claimable_neon"`,
		`services = ["auth", "data_api", "storage"]`)
	granted := func(name string, granted bool) statecheck.StateCheck {
		return statecheck.ExpectKnownValue(acctest.ClaimableAddress,
			tfjsonpath.New("capabilities").AtMapKey(name).AtMapKey("granted"), knownvalue.Bool(granted))
	}
	checks := []statecheck.StateCheck{
		claimableIs("engine", knownvalue.StringExact("claimable_neon")),
		claimableIs("status", knownvalue.StringExact("UNCLAIMED")),
		claimableIs("connection_string", acctest.Matches(`^postgres(ql)?://[^@]+@[^./]+-pooler\..*sslmode=require`)),
		claimableIs("direct_connection_string", acctest.Matches(
			`^postgres(ql)?://[^@]+@ep(-[a-z0-9]+){3}\..*sslmode=require`)),
		claimableIs("identity_assertion", acctest.Matches(`^[^.]+\.[^.]+\.[^.]+$`)),
		claimableIs("claim_url", acctest.Matches(`/claim\?registration_id=reg_`)),
		granted("postgres", true), granted("auth", true), granted("data_api", true), granted("storage", false),
		statecheck.ExpectKnownValue(acctest.ClaimableAddress, tfjsonpath.New("capabilities").AtMapKey("storage").AtMapKey(
			"reason"),
			knownvalue.StringExact("requires_claim")),
		statecheck.ExpectKnownValue(acctest.ClaimableAddress, tfjsonpath.New("capabilities").AtMapKey("data_api").AtMapKey(
			"url"), acctest.Matches(`^https?://`)),
	}
	acctest.RunSteps(t, w,
		resource.TestStep{Config: block, ConfigStateChecks: checks},
		resource.TestStep{Config: block, ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress,
			plancheck.ResourceActionNoop)},
		// A token that has ended is exchanged again; a database that has expired is created again.
		resource.TestStep{
			PreConfig: func() { w.Advance(t, time.Hour) }, Config: block,
			ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress, plancheck.ResourceActionNoop),
		},
		resource.TestStep{
			PreConfig: func() { w.Advance(t, 73*time.Hour) }, Config: block,
			ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress, plancheck.ResourceActionCreate),
		},
	)
	if left := w.Objects(t).ClaimableDatabases; len(left) != 0 {
		t.Errorf("after the destroy there are %v", left)
	}
}

// The day after the older service is gone, its databases stay until they expire, and new ones come from the successor.
func TestAccClaimableDatabase_serviceGone(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	block := w.KeylessConfig() + acctest.ClaimableBlock(`ref = "test"`)
	same := statecheck.CompareValue(compare.ValuesSame())
	kept := func() statecheck.StateCheck {
		return same.AddStateValue(acctest.ClaimableAddress, tfjsonpath.New("connection_string"))
	}
	acctest.RunSteps(t, w,
		resource.TestStep{Config: block, ConfigStateChecks: []statecheck.StateCheck{claimableIs("engine",
			knownvalue.StringExact("instant")), kept()}},
		resource.TestStep{
			PreConfig: func() { endInstant(t, w) }, Config: block,
			ConfigPlanChecks:  acctest.ExpectAction(acctest.ClaimableAddress, plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{kept()},
		},
		resource.TestStep{
			Config:            w.KeylessConfig() + acctest.ClaimableBlock(`ref = "other"`),
			ConfigStateChecks: []statecheck.StateCheck{claimableIs("engine", knownvalue.StringExact("claimable_neon"))},
		},
	)
}

// Where a creation failed in any other way, no other service is asked: it may have created a database.
func TestAccClaimableDatabase_neverTwoServices(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{Route: "POST /api/v1/database", Kind: "lost_after", Count: 1})
	acctest.RunSteps(t, w, resource.TestStep{
		Config:      w.KeylessConfig() + acctest.ClaimableBlock(`ref = "test"`),
		ExpectError: regexp.MustCompile(`it\s+expires\s+by\s+itself`),
	})
	if databases := w.Objects(t).ClaimableDatabases; len(databases) != 1 {
		t.Errorf("there are %v", databases)
	}
}

// A lost answer to the creation of a project that can't be looked up names what may exist, and nothing is sent twice.
func TestAccClaimableDatabase_claimableNeonLost(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{Route: "POST /v1/agent/identity", Kind: "lost_after", Count: 1})
	acctest.RunSteps(t, w, resource.TestStep{
		Config: w.KeylessConfig() + acctest.ClaimableBlock(`ref = "test"`, `engine = "claimable_neon"`),
		ExpectError: regexp.MustCompile(
			`(?s)claimable project.*expires\s+by\s+itself.*Apply\s+again,\s+which\s+creates\s+another`),
	})
	if databases := w.Objects(t).ClaimableDatabases; len(databases) != 1 {
		t.Errorf("there are %v", databases)
	}
}

// A database whose connection strings couldn't be read is in the state, and the error says what the next apply does.
func TestAccClaimableDatabase_claimableNeonUnread(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MaxRetries = 1
	block := w.KeylessConfig() + acctest.ClaimableBlock(`ref = "test"`, `engine = "claimable_neon"`)
	w.AddFault(t, acctest.Fault{Route: "GET /v1/projects/{project_id}/credentials", Kind: "status",
		Status: http.StatusForbidden, Count: 1})
	acctest.RunSteps(t, w,
		resource.TestStep{Config: block, ExpectError: acctest.InOrder("kept in the state", "tainted",
			"the next apply replaces it")},
		resource.TestStep{
			Config: block, ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress, plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{claimableIs("connection_string", knownvalue.NotNull())},
		})
}

// A database that somebody claims stays in the state and plans nothing new.
func TestAccClaimableDatabase_claimableNeonClaimed(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	block := w.KeylessConfig() + acctest.ClaimableBlock(`ref = "test"`, `engine = "claimable_neon"`)
	var id string
	claim := func(status string) func() {
		return func() {
			w.Control(t, http.MethodPost, "/_emulator/claimable_databases/"+id+"/claim",
				map[string]string{"status": status}, nil)
		}
	}
	step := func(status string, connection, expires knownvalue.Check, before func()) resource.TestStep {
		return resource.TestStep{
			PreConfig: before, Config: block, ConfigPlanChecks: acctest.ExpectAction(acctest.ClaimableAddress,
				plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{
				claimableIs("status", knownvalue.StringExact(status)), claimableIs("connection_string", connection),
				claimableIs("expires_at", expires),
			},
		}
	}
	acctest.RunSteps(t, w,
		resource.TestStep{Config: block, ConfigStateChecks: []statecheck.StateCheck{acctest.IDOf(acctest.ClaimableAddress,
			&id)}},
		step("CLAIMING", knownvalue.Null(), knownvalue.NotNull(), claim("CLAIMING")),
		step("CLAIMED", knownvalue.Null(), knownvalue.Null(), claim("CLAIMED")),
		step("CLAIMED", knownvalue.Null(), knownvalue.Null(), func() { w.Advance(t, 100*time.Hour) }),
	)
	if !strings.HasPrefix(id, "reg_") {
		t.Errorf("its id is %s", id)
	}
}

// Who began to claim a database and gave it up has ended its password: it stays in the state until it is claimed after
// all, or expires.
func TestAccClaimableDatabase_claimIsGivenUp(t *testing.T) {
	acctest.EachReading(t, "claimable-neon-expired", func(t *testing.T, played emulator.Config) {
		t.Parallel()
		w := acctest.StartEmulator(t, played)
		r := acctest.NewRun(t, w, w.KeylessConfig()+acctest.ClaimableBlock(`ref = "test"`, `engine = "claimable_neon"`))
		r.Terraform(t, "apply", "-auto-approve")
		w.Control(t, http.MethodPost, fmt.Sprintf("/_emulator/claimable_databases/%s/claim",
			w.Objects(t).ClaimableDatabases[0]["id"]),
			map[string]string{"status": "CLAIMING"}, nil)
		w.Advance(t, time.Hour)
		said := acctest.InOneLine(r.Terraform(t, "plan"))
		for _, part := range []string{"No changes", "is being claimed", "ended its password", "neon_create_claim_link"} {
			if !strings.Contains(said, part) {
				t.Errorf("the plan doesn't say %q:\n%s", part, said)
			}
		}
		if said := acctest.InOneLine(r.Fails(t, "destroy", "-auto-approve")); !strings.Contains(said,
			"destroy again once it was claimed or has expired") {
			t.Errorf("the destroy says:\n%s", said)
		}
		w.Advance(t, 72*time.Hour)
		want := "1 to add, 0 to change, 0 to destroy"
		if played.Readings["claimable-neon-expired"] == "invalid-grant" { // It may have been claimed in the last moment.
			want = "apply with -replace"
		}
		if said := acctest.InOneLine(r.Terraform(t, "plan")); !strings.Contains(said, want) {
			t.Errorf("the plan after it has expired says:\n%s", said)
		}
		r.Terraform(t, "apply", "-auto-approve", "-replace="+acctest.ClaimableAddress)
		if left := w.Objects(t).ClaimableDatabases; len(left) != 1 || left[0]["status"] != "UNCLAIMED" {
			t.Errorf("after the replacement there are %v", left)
		}
	})
}

// A plan that replaces a database of Claimable Neon says that its data goes: destroy deletes it.
func TestAccClaimableDatabase_claimableNeonReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	block := func(lines ...string) string { return w.KeylessConfig() + acctest.ClaimableBlock(lines...) }
	r := acctest.NewRun(t, w, block(`ref = "a"`, `engine = "claimable_neon"`))
	r.Terraform(t, "apply", "-auto-approve")
	for _, lines := range [][]string{
		{`ref = "b"`, `engine = "claimable_neon"`}, {`ref = "a"`, `engine = "instant"`}, {`ref = "a"`, `services = ["auth"]`},
	} {
		r.Configure(t, block(lines...))
		said := acctest.InOneLine(r.Terraform(t, "plan"))
		if !strings.Contains(said, "Neon deletes that of project ") || strings.Contains(said, "lives on") {
			t.Errorf("with %s the plan says:\n%s", lines, said)
		}
	}
}

// What no service can do is refused before anything is created.
func TestAccClaimableDatabase_engineMistakes(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	only := *w
	only.ClaimableNeonBaseURL = ""
	long := strings.Repeat("a", 101)
	for name, test := range map[string]struct {
		world *acctest.World
		lines []string
		says  string
	}{
		"services of the older":        {w, []string{`ref = "a"`, `engine = "instant"`, `services = ["auth"]`}, `engine =\s+"claimable_neon"`},
		"replication of the newer":     {w, []string{`ref = "a"`, `engine = "claimable_neon"`, `enable_logical_replication = true`}, `can't\s+turn\s+logical`},
		"replication and services":     {w, []string{`ref = "a"`, `services = ["auth"]`, `enable_logical_replication = true`}, `can't\s+turn\s+logical`},
		"a blank reference":            {w, []string{`ref = " "`, `engine = "claimable_neon"`}, `1\s+to\s+100\s+characters`},
		"a long reference":             {w, []string{`ref = "` + long + `"`, `engine = "claimable_neon"`}, `1\s+to\s+100\s+characters`},
		"an unknown service":           {w, []string{`ref = "a"`, `services = ["mail"]`}, `value must be one of`},
		"an unknown engine":            {w, []string{`ref = "a"`, `engine = "both"`}, `value must be one of`},
		"no services":                  {w, []string{`ref = "a"`, `services = []`}, `at least 1`},
		"an engine without an address": {&only, []string{`ref = "a"`, `engine = "claimable_neon"`}, `claimable_neon_base_url`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunSteps(t, test.world, resource.TestStep{
				Config: test.world.KeylessConfig() + acctest.ClaimableBlock(test.lines...), PlanOnly: true,
				ExpectError: regexp.MustCompile(test.says),
			})
		})
	}
}

// The identity assertion, with which anybody can do anything to the project, is in the state alone: on no terminal, in
// no log and in no error.
func TestAccClaimableDatabase_assertionIsKnownToNobodyElse(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MaxRetries = 1
	folder := t.TempDir()
	run := acctest.NewRun(t, w, w.ProviderConfig()+acctest.ClaimableBlock(`ref = "test"`, `engine = "claimable_neon"`,
		`services = ["auth"]`),
		"TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(folder, "trace.log"))
	var said strings.Builder
	for _, command := range [][]string{{"plan"}, {"apply", "-auto-approve"}, {"plan"}, {"show"}} {
		said.WriteString(run.Terraform(t, command...))
	}
	for _, f := range []acctest.Fault{
		{Route: "POST /v1/oauth2/token", Kind: "status", Status: 500}, {Route: "GET /v1/projects/{project_id}/credentials", Kind: "cut_body"},
		{Route: "DELETE /v1/projects/{project_id}", Kind: "status", Status: 403},
	} {
		w.AddFault(t, f)
		command := []string{"plan"}
		if strings.HasPrefix(f.Route, "DELETE") {
			command = []string{"destroy", "-auto-approve"}
		}
		said.WriteString(run.Fails(t, command...))
		w.Control(t, http.MethodDelete, "/_emulator/faults", nil, nil)
	}
	said.WriteString(run.Terraform(t, "destroy", "-auto-approve"))
	contents := map[string][]byte{"the terminal": []byte(said.String())}
	acctest.ReadTree(t, folder, contents)
	for name, content := range contents {
		for _, secret := range w.Emulator.Secrets() {
			if secret != w.APIKey && bytes.Contains(content, []byte(secret)) {
				t.Errorf("%.12s... is in %s", secret, name)
			}
		}
	}
	if !acctest.ContainsFile(contents, "trace.log") || len(w.Emulator.Secrets()) < 3 {
		t.Error("the log wasn't looked at, or there is no secret")
	}
}

// A refused link is no matter of the API key, which the action doesn't use, nor of a project of the user's.
func TestAccCreateClaimLink_refused(t *testing.T) {
	t.Parallel()
	for status, says := range map[int]string{
		http.StatusForbidden: "identity_assertion and project_id of the same", http.StatusLocked: "on the claimable database",
	} {
		w := acctest.StartEmulator(t, emulator.Config{})
		w.MaxRetries = 1
		made, err := w.Client(t).CreateClaimableProject(t.Context(), client.ClaimableProjectCreate{Source: "test"})
		if err != nil {
			t.Fatal(err)
		}
		w.AddFault(t, acctest.Fault{Route: "POST /v1/projects/{project_id}/claim", Kind: "status", Status: status, Count: 1})
		protocol := acctest.NewProtocolWith(t, w, map[string]tftypes.Value{"max_retries": acctest.Number(0)})
		invoked := protocol.Invoke(t, acctest.ActionOf("create_claim_link", "project_id", made.Project.ID,
			"identity_assertion", made.IdentityAssertion), nil)
		if !strings.Contains(invoked.Problem, says) || strings.Contains(invoked.Problem, "api_key") ||
			strings.Contains(invoked.Problem, "on the project") {
			t.Errorf("%d: %q", status, invoked.Problem)
		}
	}
}
