package branchschema_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// run runs a statement on a branch.
func run(t *testing.T, w *acctest.BranchWorld, branchID, statement string) {
	t.Helper()
	uri, err := w.API.GetConnectionURI(t.Context(), w.ProjectID,
		client.ConnectionURIQuery{BranchID: branchID, DatabaseName: "neondb", RoleName: "neondb_owner"})
	if err == nil {
		script := sqlscript.Script{Statements: []sqlscript.Statement{{Text: statement}}}
		err = script.Run(t.Context(), uri)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The schema is that of the database, and the difference what the branch has changed in it.
func TestAccBranchSchema(t *testing.T) {
	t.Parallel()
	w := &acctest.BranchWorld{World: acctest.StartDatabases(t)}
	w.API = w.Client(t)
	main := w.MainBranch(t).ID
	run(t, w, main, "CREATE TABLE fruit (name text PRIMARY KEY)")
	child := w.ActionBranch(t, "child").ID
	inChild := fmt.Sprintf("project_id = %q\nbranch_id = %q\ndatabase_name = \"neondb\"\n", w.ProjectID, child)
	compared := acctest.DataBlock("schema_diff", inChild+fmt.Sprintf("base_branch_id = %q\n", main))
	config := w.ProviderConfig() + acctest.DataBlock("branch_schema", inChild) + compared +
		"output \"columns\" {\n value = jsondecode(data.neon_branch_schema.test.json).tables[0].columns[*].name\n}\n"
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config, ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("branch_schema", knownvalue.StringRegexp(regexp.MustCompile(`CREATE TABLE public\.fruit`)), "sql"),
			acctest.DataIs("schema_diff", knownvalue.StringExact(""), "diff"),
			acctest.DataIs("schema_diff", knownvalue.Bool(false), "changed"),
			statecheck.ExpectKnownOutputValue("columns", knownvalue.ListExact(
				[]knownvalue.Check{knownvalue.StringExact("name")})),
		}},
		resource.TestStep{
			PreConfig: func() { run(t, w, child, "ALTER TABLE fruit ADD COLUMN sweet boolean") },
			Config:    config,
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.DataIs("schema_diff", knownvalue.StringRegexp(regexp.MustCompile(`(?m)^\+    sweet boolean$`)), "diff"),
				acctest.DataIs("schema_diff", knownvalue.Bool(true), "changed"),
			},
		},
	)
}

// A key of the one project is enough.
func TestAccBranchSchema_projectsKey(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main := w.MainBranch(t).ID
	key, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(),
		client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "ci"))
	if err != nil {
		t.Fatal(err)
	}
	in := fmt.Sprintf("project_id = %q\nbranch_id = %q\n", w.ProjectID, main)
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfigWith(key.Key) + acctest.DataBlock("branch_schema", in+"database_name = \"neondb\"") +
			acctest.DataBlock("schema_diff", in+"database_name = \"neondb\"\nbase_branch_id = \""+main+"\"") +
			acctest.DataBlock("snapshots", in),
		ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("schema_diff", knownvalue.Bool(false), "changed")},
	})
}

func TestAccBranchSchema_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main, child := w.MainBranch(t).ID, w.ActionBranch(t, "child").ID
	made, err := w.API.CreateDatabase(t.Context(), w.Ref(child),
		client.DatabaseCreate{Name: "late", OwnerName: "neondb_owner"})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, made.Operations, nil)
	in := func(branchID, database string) string {
		return fmt.Sprintf("project_id = %q\nbranch_id = %q\ndatabase_name = %q\n", w.ProjectID, branchID, database)
	}
	diff := func(base, lines string) string {
		return acctest.DataBlock("schema_diff", in(main, "neondb")+fmt.Sprintf("base_branch_id = %q\n%s", base, lines))
	}
	soon := strconv.Quote(time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"no such database": {
			Config: acctest.DataBlock("branch_schema", in(main, "none")),
			Want:   acctest.InOrder("No such database", "database_name", "404", "database not found"),
		},
		"no such branch": {
			Config: acctest.DataBlock("branch_schema", in("br-none-such-12345678", "neondb")),
			Want:   acctest.InOrder("No such branch", "branch_id", "404", "branch not found"),
		},
		"two moments": {
			Config: acctest.DataBlock("branch_schema", in(main, "neondb")+
				"lsn = \"0/1\"\ntimestamp = \"2026-01-01T00:00:00Z\""),
			Command: acctest.Plan,
			Want:    acctest.InWords("cannot be specified when"),
		},
		"no position":  {Config: acctest.DataBlock("branch_schema", in(main, "neondb")+`lsn = "x"`), Command: acctest.Plan, Want: acctest.InWords("must be a log position")},
		"no such base": {Config: diff("br-none-such-12345678", ""), Want: acctest.InOrder("No such base branch", "base_branch_id", "404")},
		"a base without the database": {
			Config: acctest.DataBlock("schema_diff", in(child, "late")+fmt.Sprintf("base_branch_id = %q", main)),
			Want:   acctest.InOrder("No such database", "database_name", child+" or its base "+main+" has no database"),
		},
		"two moments of the base": {
			Config: diff(main, "base_lsn = \"0/1\"\nbase_timestamp = \"2026-01-01T00:00:00Z\""), Command: acctest.Plan,
			Want: acctest.InWords("cannot be specified when"),
		},
		"the future": {
			Config: acctest.DataBlock("branch_schema", in(main, "neondb")+"timestamp = "+soon),
			Want:   acctest.InOrder("A moment in the future", "timestamp is ", "must be in the past"),
		},
		"the branch's future": {
			Config: diff(main, "timestamp = "+soon), Want: acctest.InOrder("A moment in the future", "timestamp is "),
		},
		"the base's future": {
			Config: diff(main, "base_timestamp = "+soon),
			Want:   acctest.InOrder("A moment in the future", "base_timestamp is ", "must be in the past"),
		},
	})
}
