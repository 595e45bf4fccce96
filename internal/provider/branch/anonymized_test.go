package branch_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

const (
	maskedAddress  = "neon_anonymized_branch.test"
	anonymizeRoute = "POST /api/v2/projects/{project_id}/branches/{branch_id}/anonymize"
	maskedCreation = "POST /api/v2/projects/{project_id}/branch_anonymized"
	fakeEmail      = `masking_function = "anon.fake_email()"`
)

// masks is a rule of the table people, in a configuration.
func masks(column, mask string) string {
	return fmt.Sprintf(`{ database_name = "neondb", schema_name = "public", table_name = "people", column_name = %q, %s }`,
		column, mask)
}

func masked(w *acctest.BranchWorld, rules string, lines ...string) string {
	return w.ProviderConfig() + fmt.Sprintf(
		"resource \"neon_anonymized_branch\" \"test\" {\n project_id = %q\n name = \"preview\"\n masking_rules = [%s]\n %s\n}\n",
		w.ProjectID, rules, strings.Join(lines, "\n "))
}

// maskedValues are what a plan by the protocol needs of an anonymized branch.
func maskedValues(w *acctest.BranchWorld, name, database string) map[string]tftypes.Value {
	rule := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	for _, name := range []string{"database_name", "schema_name", "table_name", "column_name", "masking_function",
		"masking_value"} {
		rule.AttributeTypes[name] = tftypes.String
	}
	given := acctest.Texts(map[string]string{"project_id": w.ProjectID, "name": name})
	given["masking_rules"] = tftypes.NewValue(tftypes.Set{ElementType: rule},
		[]tftypes.Value{acctest.Object(rule, acctest.Texts(map[string]string{
			"database_name": database, "schema_name": "public", "table_name": "people", "column_name": "email",
			"masking_value": "NULL",
		}))})
	return given
}

func maskedIs(value knownvalue.Check, steps ...string) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(maskedAddress, branchPath(steps...), value)
}

var isAnonymized = maskedIs(knownvalue.StringExact("anonymized"), "state")

// checked is a look at Neon after a step.
func checked(look func()) statecheck.StateCheck {
	return acctest.After(func(acctest.State) error {
		look()
		return nil
	})
}

// runsOnce checks that the change in between masks data once more, or not, as wanted.
func runsOnce(t *testing.T, w *acctest.BranchWorld, wanted int) (before func(), after statecheck.StateCheck) {
	t.Helper()
	return func() { w.ForgetRequests(t) }, checked(func() {
		if runs := w.Requests(t).ByRoute[anonymizeRoute]; runs != wanted {
			t.Errorf("the data was masked %d times; want %d", runs, wanted)
		}
	})
}

// importedAlike is a step that imports the branch, of which the state then has what it had.
func importedAlike(w *acctest.BranchWorld) resource.TestStep {
	return resource.TestStep{
		ResourceName: maskedAddress, ImportState: true, ImportStateVerify: true,
		ImportStateIdFunc: func(state *terraform.State) (string, error) {
			return w.ProjectID + "/" + state.RootModule().Resources[maskedAddress].Primary.ID, nil
		},
	}
}

// An import of a branch that has its parent's real data asks for no mask.
func TestAccAnonymizedBranch_importsRealData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: masked(w, masks("email", fakeEmail), "anonymize = false")}, importedAlike(w))
}

func anonymizedLife(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	email, phone := masks("email", fakeEmail), masks("phone", `masking_value = "NULL"`)
	both := email + ", " + phone
	change := func(rules ...client.MaskingRule) func() {
		return func() {
			w.Settle(t, nil, w.API.SetMaskingRules(t.Context(), w.Ref(w.BranchNamed(t, "preview").ID), rules))
		}
	}
	forget, ranOnce := runsOnce(t, w, 1)
	_, ranNever := runsOnce(t, w, 0)
	return []resource.TestStep{
		{
			Config: masked(w, email, `endpoint = { suspend_timeout_seconds = 120 }`), PreConfig: forget,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(maskedAddress, plancheck.ResourceActionCreate),
				plancheck.ExpectKnownValue(maskedAddress, tfjsonpath.New("state"), knownvalue.StringExact("anonymized")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				isAnonymized, maskedIs(knownvalue.Int64Exact(120), "endpoint", "suspend_timeout_seconds"),
				maskedIs(knownvalue.NotNull(), "endpoint", "pooler_host"),
				maskedIs(knownvalue.StringExact(w.MainBranch(t).ID), "parent_id"), maskedIs(knownvalue.Bool(false), "protected"),
				ranOnce,
			},
		},
		importedAlike(w),
		// Names, expiries and endpoints don't concern the data; rules do.
		{
			Config: masked(w, email, `endpoint = { suspend_timeout_seconds = 180 }`,
				fmt.Sprintf("expires_at = %q", acctest.InDays(3))), PreConfig: forget,
			ConfigPlanChecks:  acctest.ExpectAction(maskedAddress, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{isAnonymized, ranNever},
		},
		{
			Config: masked(w, both, "protected = true"), PreConfig: forget,
			ConfigPlanChecks:  acctest.ExpectAction(maskedAddress, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{isAnonymized, ranOnce},
		},
		// Rules that somebody else has changed are set back, and mask the data again.
		{
			PreConfig: func() {
				change(client.MaskingRule{DatabaseName: "neondb", SchemaName: "public", TableName: "people", ColumnName: "name",
					Value: "''"})()
				forget()
			},
			Config: masked(w, both, "protected = true"), ConfigPlanChecks: acctest.ExpectAction(maskedAddress,
				plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{isAnonymized, maskedIs(knownvalue.SetSizeExact(2), "masking_rules"),
				ranOnce},
		},
		// A failed run of somebody else's is made good.
		{
			PreConfig: func() {
				w.EndOperations(t, "anonymize", "failed", "by somebody else")
				_ = w.API.Anonymize(t.Context(), w.Ref(w.BranchNamed(t, "preview").ID), nil)
				forget()
			},
			Config: masked(w, both, "protected = true"), ConfigPlanChecks: acctest.ExpectAction(maskedAddress,
				plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{isAnonymized, ranOnce},
		},
		{
			Config: masked(w, both, "anonymize = false", "protected = false"), PreConfig: forget,
			ConfigPlanChecks:  acctest.ExpectAction(maskedAddress, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{isAnonymized, ranNever},
		},
		{
			Config: masked(w, email, "anonymize = false"), PreConfig: forget,
			ConfigStateChecks: []statecheck.StateCheck{maskedIs(knownvalue.StringExact("outdated"), "state"), ranNever},
		},
		{Config: masked(w, email), PreConfig: forget, ConfigStateChecks: []statecheck.StateCheck{isAnonymized, ranOnce}},
	}
}

func TestAccAnonymizedBranch_life(t *testing.T) {
	t.Parallel()
	for _, reading := range []string{"anonymize-answer", "anonymize-begins"} {
		acctest.EachReading(t, reading, func(t *testing.T, played emulator.Config) {
			t.Helper()
			t.Parallel()
			w := acctest.BranchWorldOf(t, played)
			acctest.RunSteps(t, w.World, anonymizedLife(t, w)...)
			if left := len(w.Objects(t).Branches); left != 1 {
				t.Errorf("%d branches are left", left)
			}
		})
	}
}

// The data is masked by the time that the branch is created, on the branch alone.
func TestAccAnonymizedBranch_data(t *testing.T) {
	t.Parallel()
	w := &acctest.BranchWorld{World: acctest.StartDatabases(t)}
	w.API = w.Client(t)
	count := func(branchID, condition string, want int) {
		t.Helper()
		uri, err := w.API.GetConnectionURI(context.WithoutCancel(t.Context()), w.ProjectID,
			client.ConnectionURIQuery{BranchID: branchID, DatabaseName: "neondb", RoleName: "neondb_owner"})
		if err == nil {
			statement := fmt.Sprintf("DO $$ BEGIN IF (SELECT count(*) FROM people WHERE %s) <> %d THEN RAISE EXCEPTION 'there are others'; END IF; END $$", condition, want)
			err = (&sqlscript.Script{Statements: []sqlscript.Statement{{Text: statement}}}).Run(
				context.WithoutCancel(t.Context()), uri)
		}
		if err != nil {
			t.Errorf("%s: %v", condition, err)
		}
	}
	main := w.MainBranch(t).ID
	uri, err := w.API.GetConnectionURI(t.Context(), w.ProjectID,
		client.ConnectionURIQuery{BranchID: main, DatabaseName: "neondb", RoleName: "neondb_owner"})
	if err == nil {
		err = (&sqlscript.Script{Statements: []sqlscript.Statement{
			{Text: "CREATE TABLE people (email text, phone text)"}, {Text: "INSERT INTO people SELECT 'p' || n || '@private.example', '0123' FROM generate_series(1, 20) n"},
		}}).Run(t.Context(), uri)
	}
	if err != nil {
		t.Fatal(err)
	}
	const failing = `masking_function = "anon.fake_email()"`
	acctest.RunSteps(t, w.World,
		resource.TestStep{
			Config: masked(w, masks("e_mail", failing)), ExpectError: acctest.InWords(
				`masking rule for neondb.public.people.e_mail: column "e_mail" of relation "people" does not exist`),
		},
		resource.TestStep{Config: masked(w, masks("email", fakeEmail)),
			ConfigStateChecks: []statecheck.StateCheck{isAnonymized, checked(func() {
				preview := w.BranchNamed(t, "preview").ID
				count(preview, "email LIKE '%@example.com' AND phone = '0123'", 20)
				count(main, "email LIKE '%@private.example'", 20)
			})}},
		resource.TestStep{Config: masked(w, masks("email", fakeEmail)+", "+masks("phone", `masking_value = "'-'"`)),
			ConfigStateChecks: []statecheck.StateCheck{checked(func() {
				count(w.BranchNamed(t, "preview").ID, "phone = '-'", 20)
			})}},
	)
}

// Rules that turn out to be what they were, while the plan doesn't know them, leave the data masked.
func TestAccAnonymizedBranch_rulesKnownLater(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	later := func(version string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"later\" {\n input = \"email\"\n triggers_replace = %q\n}\n", version)
	}
	rule := strings.Replace(masks("email", fakeEmail), `"email"`, "terraform_data.later.output", 1)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: later("1") + masked(w, rule), ConfigStateChecks: []statecheck.StateCheck{isAnonymized}},
		resource.TestStep{
			Config:            later("2") + masked(w, rule, "anonymize = false"),
			ConfigStateChecks: []statecheck.StateCheck{isAnonymized},
		},
	)
}

// A lost answer makes no second branch, and the one that it made is in the state.
func TestAccAnonymizedBranch_lostAnswer(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"lost_before", "lost_after"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			w.AddFault(t, acctest.Fault{Route: maskedCreation, Kind: kind, Count: 1})
			// The order to anonymize is never sent twice: lost before its effect, it is an error.
			w.AddFault(t, acctest.Fault{Route: anonymizeRoute, Kind: "lost_after", Count: 1})
			acctest.RunSteps(t, w.World, resource.TestStep{
				Config: masked(w, masks("email", fakeEmail)), ConfigStateChecks: []statecheck.StateCheck{isAnonymized,
					maskedIs(knownvalue.NotNull(), "endpoint", "id"), checked(func() {
						if made := len(w.Objects(t).Branches); made != 2 {
							t.Errorf("%d branches", made)
						}
					})},
			})
		})
	}
}

// A run that fails names its rule. The branch that was to be created is replaced, and one that exists is masked by the
// next apply.
func TestAccAnonymizedBranch_failedRun(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	fail := func() {
		w.EndOperations(t, "anonymize", "failed", `masking rule for neondb.public.people.age: column "age" does not exist`)
	}
	says := acctest.InOrder("people.age", "may not be masked", "Correct the masking rule",
		"terraform apply -replace=ADDRESS")
	email := masks("email", fakeEmail)
	acctest.RunSteps(t, w.World,
		resource.TestStep{PreConfig: fail, Config: masked(w, email), ExpectError: says},
		resource.TestStep{Config: masked(w, email), ConfigPlanChecks: acctest.ExpectAction(maskedAddress,
			plancheck.ResourceActionReplace), ConfigStateChecks: []statecheck.StateCheck{checked(func() {
			if made := len(w.Objects(t).Branches); made != 2 {
				t.Errorf("%d branches", made)
			}
		})}},
		resource.TestStep{PreConfig: fail, Config: masked(w, email+", "+masks("age", `masking_value = "1"`)),
			ExpectError: says},
		resource.TestStep{
			Config:            masked(w, email+", "+masks("age", `masking_value = "1"`)),
			ConfigPlanChecks:  acctest.ExpectAction(maskedAddress, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{isAnonymized},
		},
	)
}

func TestAccAnonymizedBranch_errorsAtPlan(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	email := masks("email", fakeEmail)
	for name, test := range map[string]struct{ rules, line, want string }{
		"two rules for a column":   {email + ", " + masks("email", `masking_value = "NULL"`), "", "two masking rules for neondb.public.people.email"},
		"function and value":       {masks("email", fakeEmail+`, masking_value = "NULL"`), "", "masking_function"},
		"neither":                  {masks("email", "masking_value = null"), "", "masking_function"},
		"no rules":                 {"", "", "at least 1"},
		"a text without quotes":    {masks("email", `masking_value = "CONFIDENTIAL"`), "", `write "'CONFIDENTIAL'" instead`},
		"no call of a function":    {masks("email", `masking_function = "fake_email"`), "", "such as anon.fake_email()"},
		"an expiry and protection": {email, "protected = true\n expires_in = \"24h\"", "Protected branches can't expire"},
		"sizes":                    {email, "endpoint = { autoscaling_limit_min_cu = 2, autoscaling_limit_max_cu = 1 }", "Autoscaling minimum above the maximum"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: masked(w, test.rules, test.line), Command: acctest.Plan,
				Want: acctest.InWords(test.want)})
		})
	}
	// The plan only warns: see TestAccTerraform_expiredKeepsNothing.
	w.Refuses(t, acctest.Refusal{Config: masked(w, email, `expires_at = "2020-01-01T00:00:00Z"`),
		Want: acctest.InOrder("Unable to create", "which is past")})
}

// What can be known before is told before: a name that is taken, a database that isn't there, and a function without
// its schema. The name of an anonymized branch may be that of one which is tainted, and gone before the creation.
func TestAccAnonymizedBranch_told(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	made, err := w.API.CreateAnonymizedBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: "tainted"},
		[]client.MaskingRule{})
	w.Settle(t, made.Operations, err)
	p := acctest.NewProtocol(t, w.World)
	said := func(name, database string) string {
		return p.PlanCreation(t, "neon_anonymized_branch", maskedValues(w, name, database))
	}
	if text := said("preview", "neondb"); text != "" {
		t.Error(text)
	}
	if text := said("main", "neondb"); !acctest.InOrder("The name is taken",
		"isn't an anonymized one: choose another name").MatchString(text) {
		t.Error(text)
	}
	if text := said("preview", "none"); !acctest.InOrder("No such database", "none").MatchString(text) {
		t.Error(text)
	}
	if text := said("tainted", "neondb"); !acctest.InOrder("The name is taken", "import it").MatchString(text) {
		t.Error(text)
	}
	p.Imported(t, "neon_anonymized_branch",
		map[string]string{"project_id": w.ProjectID, "id": made.Object.ID})
	if text := said("tainted", "neondb"); text != "" {
		t.Error("of one that is tainted, Terraform plans the creation: " + text)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: masked(w, masks("email", `masking_function = "pg_sleep(10)"`)), PlanOnly: true,
			ExpectError: acctest.InWords("with its schema, such as anon.fake_email() or pg_catalog.md5(email)")},
		resource.TestStep{Config: masked(w, masks("email", `masking_value = "NULL"`))},
		resource.TestStep{Config: strings.ReplaceAll(masked(w, masks("email", `masking_value = "NULL"`)), "neondb", "none"),
			PlanOnly: true, ExpectError: acctest.InOrder("No such database", "none")},
	)
}

// A plan tells of a name that another branch has, or that it gives to another resource, also where the branch is only
// renamed; not of one that another resource gives up.
func TestAccAnonymizedBranch_names(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.MakeBranch(t, "taken")
	const isTaken, isTwice = "The name is taken", "Two resources for one branch"
	var heard acctest.Heard
	named := func(name string, lines ...string) string {
		return strings.Replace(masked(w, masks("email", fakeEmail), lines...), "preview", name, 1)
	}
	ordinary := func(name string) string { return acctest.BranchBlock(w.ProjectID, fmt.Sprintf("name = %q", name)) }
	planned := func(config string) resource.TestStep {
		return resource.TestStep{PreConfig: func() { heard.Take() }, Config: config, PlanOnly: true, ExpectNonEmptyPlan: true}
	}
	after := func(says, saysNot string) func() {
		return func() {
			if said := heard.Take(); !strings.Contains(said, says) || strings.Contains(said, saysNot) {
				t.Errorf("it should say %q and not %q: %s", says, saysNot, said)
			}
		}
	}
	// What it refers to comes first.
	afterIt := strings.Replace(named("b"), fmt.Sprintf("%q", w.ProjectID), "neon_branch.test.project_id", 1)
	last := resource.TestStep{PreConfig: after("", isTaken), Config: named("preview")}
	renamed := planned(named("free") + ordinary("free"))
	renamed.PreConfig = after(isTaken, isTwice)
	swapped := resource.TestStep{PreConfig: after(isTwice, isTaken), Config: named("preview") + ordinary("b")}
	acctest.HearSteps(t, w.World, &heard,
		resource.TestStep{Config: named("preview")},
		planned(named("taken")),
		renamed,
		swapped,
		planned(ordinary("old")+afterIt),
		last,
	)
}

// A branch of the past of an anonymized one is refused, since its data may not be masked there; one of today isn't. A
// rule that Neon refuses is told with where its functions are listed.
func TestAccAnonymizedBranch_past(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	child := func(line string) string {
		return masked(w, masks("email", `masking_value = "NULL"`)) +
			fmt.Sprintf("resource \"neon_branch\" \"child\" {\n project_id = %q\n name = \"child\"\n parent_id = %s.id\n %s\n}\n", w.ProjectID, maskedAddress, line)
	}
	maskedChild := func(line string) string {
		_, block, _ := strings.Cut(masked(w, masks("email", `masking_value = "NULL"`), "parent_id = "+maskedAddress+".id", line),
			"resource ")
		return masked(w, masks("email", `masking_value = "NULL"`)) +
			"resource " + strings.NewReplacer(`"test"`, `"child"`, "preview", "child").Replace(block)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: masked(w, masks("email", `masking_value = "NULL"`))},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{
					Route: "PATCH /api/v2/projects/{project_id}/branches/{branch_id}/masking_rules", Kind: "status",
					Status: http.StatusUnprocessableEntity,
					Body:   `{"code":"","message":"masking rule for public.people.email: function anon.none() does not exist"}`,
					Count:  1,
				})
			},
			Config:      masked(w, masks("email", `masking_function = "anon.none()"`)),
			ExpectError: acctest.InOrder("anon.none() does not exist", "Check the rule that it names", "-replace=ADDRESS"),
		},
		resource.TestStep{Config: child(`parent_timestamp = "2026-01-01T00:00:00Z"`),
			ExpectError: acctest.InOrder("The data may not be masked", "Remove parent_timestamp")},
		resource.TestStep{Config: child(`parent_lsn = "0/1"`),
			ExpectError: acctest.InOrder("The data may not be masked", "Remove parent_lsn")},
		resource.TestStep{Config: maskedChild(`parent_timestamp = "2026-01-01T00:00:00Z"`),
			ExpectError: acctest.InOrder("The data may not be masked", "Remove parent_timestamp")},
		resource.TestStep{Config: maskedChild(`parent_lsn = "0/1"`),
			ExpectError: acctest.InOrder("The data may not be masked", "Remove parent_lsn")},
		resource.TestStep{Config: child("")},
	)
}

// Another spelling of the position that the branch begins at is the same position.
func TestAccAnonymizedBranch_samePosition(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	at := func(lsn string) string {
		return masked(w, masks("email", `masking_value = "NULL"`), fmt.Sprintf("parent_lsn = %q", lsn))
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: at("0/1E88480")},
		resource.TestStep{
			Config: at("0/01e88480"), ConfigPlanChecks: acctest.ExpectAction(maskedAddress, plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{maskedIs(knownvalue.StringExact("0/1E88480"), "parent_lsn")},
		},
	)
}

// What Neon never does to an anonymized branch is refused before it is asked, and an ordinary one is none.
func TestAccAnonymizedBranch_restricted(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	made, err := w.API.CreateAnonymizedBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: "preview"},
		[]client.MaskingRule{})
	w.Settle(t, made.Operations, err)
	p := acctest.NewProtocol(t, w.World)
	reset := acctest.ActionOf("reset_branch", "project_id", w.ProjectID, "branch_id", made.Object.ID)
	if problem := p.PlanAction(t, reset); !strings.Contains(problem, "cannot restore anonymized branches") ||
		!strings.Contains(problem, "-replace") {
		t.Error(problem)
	}
	taken := masked(w, masks("email", fakeEmail))
	ordinary := fmt.Sprintf("import {\n to = %s\n id = \"%s/%s\"\n}\n", maskedAddress, w.ProjectID, w.MainBranch(t).ID)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: taken, ExpectError: acctest.InOrder("409", "import {", made.Object.ID)},
		resource.TestStep{Config: strings.Replace(taken, "preview", "main", 1),
			ExpectError: acctest.InOrder("isn't an anonymized one")},
		resource.TestStep{Config: taken + ordinary, ExpectError: acctest.InOrder("isn't an anonymized branch",
			"there is neon_branch")},
	)
}

// Whatever Neon answers for an ordinary branch, the data source and the action say that it is one, and nothing of the
// network.
func TestAccAnonymizedBranch_ordinary(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "ordinary-branch", func(t *testing.T, config emulator.Config) {
		t.Parallel()
		w := acctest.BranchWorldOf(t, config)
		id := w.MainBranch(t).ID
		acctest.RunSteps(t, w.World, resource.TestStep{
			Config: w.ProviderConfig() + acctest.DataBlock("anonymized_branch",
				fmt.Sprintf("project_id = %q\nbranch_id = %q", w.ProjectID, id)),
			ExpectError: acctest.InOrder(id, "isn't an anonymized branch", "neon_branch"),
		})
		invoked := acctest.NewProtocol(t, w.World).Invoke(t,
			acctest.ActionOf("anonymize_branch", "project_id", w.ProjectID, "branch_id", id), nil)
		if problem := invoked.Problem; !acctest.InOrder(id, "isn't an anonymized branch",
			"A neon_anonymized_branch that is created from it").MatchString(problem) ||
			strings.Contains(problem, "network") {
			t.Error(problem)
		}
	})
}

// The rules, the endpoint and the state of an anonymized branch are read.
func TestMovedAnonymizedBranch(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	made, err := w.API.CreateAnonymizedBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: "b"},
		[]client.MaskingRule{})
	w.Settle(t, made.Operations, err)
	w.Settle(t, nil, w.API.Anonymize(t.Context(), w.Ref(made.Object.ID), nil))
	state := map[string]any{
		"id": made.Object.ID, "project_id": w.ProjectID, "name": "b", "state": "created", "start_anonymization": true,
		"masking_rules": []map[string]any{{"column_name": "a"}},
	}
	attributes, identity, problem := p.Move(t, "neon_anonymized_branch",
		acctest.MovedSource{Provider: "kenchan0130/neon", TypeName: "neon_anonymized_branch"}, state)
	if problem != "" || identity["id"] != made.Object.ID || attributes["state"] != "anonymized" {
		t.Errorf("%v %v %s", attributes, identity, problem)
	}
	if kept := p.Upgrade(t, "neon_anonymized_branch", 0, state); kept["id"] != made.Object.ID ||
		kept["state"] != "anonymized" {
		t.Errorf("it is left as %v", kept)
	}
}

// A parent that was restored is another branch, and the masked one goes on as it is.
func TestAccAnonymizedBranch_parentRestored(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	parent := w.MainBranch(t).ID
	config := masked(w, masks("email", `masking_value = "NULL"`), "parent_id = data.neon_branch.main.id") +
		fmt.Sprintf("data \"neon_branch\" \"main\" {\n project_id = %q\n name = \"main\"\n}\n", w.ProjectID)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				taken, err := w.API.CreateSnapshot(t.Context(), w.Ref(parent), client.SnapshotCreate{Name: "s"})
				w.Settle(t, taken.Operations, err)
				restored, err := w.API.RestoreSnapshot(t.Context(), client.SnapshotRef{ProjectID: w.ProjectID, ID: taken.Object.ID},
					client.SnapshotRestore{TargetBranchID: parent, Finalize: true})
				w.Settle(t, restored.Operations, err)
			},
			Config: config, ConfigPlanChecks: acctest.ExpectAction(maskedAddress, plancheck.ResourceActionUpdate),
		},
	)
}

// Another parent replaces the branch, of which the plan warns, and which it refuses where Neon would refuse the
// deletion.
func TestAccAnonymizedBranch_anotherParent(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(parent string) string {
		return masked(w, masks("email", `masking_value = "NULL"`), fmt.Sprintf("parent_id = %q", parent))
	}
	protect := func(protected bool) func() {
		return func() {
			operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(w.BranchNamed(t, "preview").ID),
				client.BranchUpdate{Protected: &protected}))
			w.Settle(t, operations, err)
		}
	}
	other := w.MakeBranch(t, "other").ID
	itself := masked(w, masks("email", `masking_value = "NULL"`), "parent_id = data.neon_branch.itself.id") +
		strings.Replace(dataOfB(w), `"b"`, `"preview"`, 1)
	replaced := acctest.ExpectAction(maskedAddress, plancheck.ResourceActionReplace)
	var heard acctest.Heard
	acctest.HearSteps(t, w.World, &heard,
		resource.TestStep{Config: config(w.MainBranch(t).ID)},
		resource.TestStep{Config: itself, ExpectError: acctest.InWords("A branch can't be its own parent")},
		resource.TestStep{PreConfig: protect(true), Config: config(other),
			ExpectError: acctest.InOrder("Somebody has protected the branch", "neon_anonymized_branch.NAME")},
		resource.TestStep{PreConfig: protect(false), Config: config(other), ConfigPlanChecks: replaced},
	)
	if said := heard.Take(); !acctest.InOrder("A branch will be replaced", "with all data written to it", "parent_id = ",
		"With prevent_destroy in its lifecycle block, Terraform refuses such plans").MatchString(said) {
		t.Errorf("the plan doesn't say what goes: %s", said)
	}
}
