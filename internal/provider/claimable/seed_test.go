package claimable_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// seedFile writes a script, and gives a configuration that runs it.
type seedFile struct {
	w       *acctest.World
	path    string
	service string
}

func newSeedFile(t *testing.T, w *acctest.World, text string) seedFile {
	t.Helper()
	f := seedFile{w: w, path: filepath.Join(t.TempDir(), "seed.sql")}
	f.write(t, text)
	return f
}

func (f seedFile) write(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(f.path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (f seedFile) config() string {
	return f.w.KeylessConfig() + fmt.Sprintf(
		"resource \"neon_claimable_database\" \"test\" {\n  ref  = \"test\"\n  seed = { type = \"sql-script\", path = %q }\n  %s\n}\n", f.path, f.service)
}

// gives checks what a query returns through the connection strings in state.
func gives(ctx context.Context, query, want string) statecheck.StateCheck {
	return acctest.After(func(state acctest.State) error {
		attributes := state.Texts("neon_claimable_database.test")
		for _, name := range []string{"connection_string", "direct_connection_string"} {
			got, err := acctest.QueryOne(ctx, attributes[name], query)
			if err != nil {
				return fmt.Errorf("through %s: %w", name, err)
			}
			if got != want {
				return fmt.Errorf("through %s, %s gives %q; want %q", name, query, got, want)
			}
		}
		return nil
	})
}

func TestAccClaimableDatabase_seed(t *testing.T) {
	t.Parallel()
	w := acctest.StartDatabases(t)
	const many = "-- Fruit.\nCREATE TABLE fruit (name text);\nINSERT INTO fruit VALUES ('apple; pear'),\n  ('plum');\n"
	const dumped = "CREATE TABLE fruit (name text);\nCOPY public.fruit (name) FROM stdin;\napple; \\\\.'\n\\N\n\\.\n"
	for name, text := range map[string]string{
		"in one transaction":     many,
		"outside of transaction": many + "CREATE INDEX CONCURRENTLY ON fruit (name);\nVACUUM fruit",
		"with its own":           "BEGIN;\n" + many + "COMMIT;",
		"in Claimable Neon":      dumped,
		"a dump's data":          "\\restrict x\n" + dumped + "\\unrestrict x\n",
		"a function":             many + "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := newSeedFile(t, w, text)
			if strings.Contains(name, "Claimable Neon") {
				seed.service = "engine = \"claimable_neon\""
			}
			acctest.RunSteps(t, w,
				resource.TestStep{
					Config: seed.config(),
					ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue("neon_claimable_database.test",
						tfjsonpath.New("seed").AtMapKey("type"), knownvalue.StringExact("sql-script")),
						gives(t.Context(), "SELECT count(*)::text FROM fruit", "2"),
					},
				},
				resource.TestStep{
					// Neither another content nor a file that is gone replaces the database.
					PreConfig: func() { seed.write(t, "SELECT 'broken") }, Config: seed.config(),
					ConfigPlanChecks: acctest.ExpectAction("neon_claimable_database.test", plancheck.ResourceActionNoop),
				},
				resource.TestStep{
					PreConfig: func() { _ = os.Remove(seed.path) }, Config: seed.config(),
					ConfigPlanChecks: acctest.ExpectAction("neon_claimable_database.test", plancheck.ResourceActionNoop),
				})
		})
	}
}

func TestAccClaimableDatabase_seedFails(t *testing.T) {
	t.Parallel()
	w := acctest.StartDatabases(t)
	for name, test := range map[string]struct {
		text string
		want *regexp.Regexp
	}{
		"a constraint": {
			"CREATE TABLE t (x int PRIMARY KEY);\n\nINSERT INTO t\nVALUES (1), (1);",
			acctest.InOrder("Unable to seed", "seed.sql, line 3", "duplicate key value", "23505",
				"No statement of the script has taken effect", "INSERT INTO t", "tainted"),
		},
		"a mistake": {
			"SELECT 1;\nSELECT x\nFROM nowhere;", acctest.InOrder("Unable to seed", "seed.sql, line 3",
				`relation "nowhere" does not exist`, "42P01"),
		},
		"in a dump's data": {
			"CREATE TABLE t (x int);\nCOPY t FROM stdin;\n1\nnone\n\\.\n",
			acctest.InOrder("Unable to seed", "seed.sql, line 4", "invalid input syntax",
				"No statement of the script has taken effect", "COPY t FROM stdin"),
		},
		"after others took effect": {
			"VACUUM;\nSELECT nothing;", acctest.InOrder("Unable to seed", "line 2", `column "nothing" does not exist`,
				"The statements before it have taken effect"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := newSeedFile(t, w, test.text)
			acctest.RunSteps(t, w,
				resource.TestStep{Config: seed.config(), ExpectError: test.want},
				resource.TestStep{
					PreConfig: func() { seed.write(t, "CREATE TABLE t AS SELECT 'ok' AS x") }, Config: seed.config(),
					// The plugin framework for tests begins without the tainted database, so it is made anew.
					ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectNonEmptyPlan()}},
					ConfigStateChecks: []statecheck.StateCheck{gives(t.Context(), "SELECT x FROM t", "ok")},
				})
		})
	}
}

// A seed for which there was no connection says so, and doesn't blame the script.
func TestClaimableDatabase_seedWithoutConnection(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a refused connection is another error there, which is tried again for minutes")
	}
	w := acctest.StartEmulator(t, emulator.Config{}) // It has no databases.
	_, err := inprocess.RunCommand(t.Context(), w.Factories()["neon"], newSeedFile(t, w, "SELECT 1").config(),
		[]string{"apply"})
	if err == nil || !acctest.InOrder("Unable to seed", "connection refused", "The script wasn't run", "tainted",
		"apply again").MatchString(err.Error()) || strings.Contains(err.Error(), "correct the") {
		t.Error(err)
	}
}

func TestAccTerraform_seedFailureTaints(t *testing.T) {
	t.Parallel()
	w := acctest.StartDatabases(t)
	seed := newSeedFile(t, w, "SELECT nothing")
	r := acctest.NewRun(t, w, seed.config())
	said, err := r.Command(t, "apply", "-auto-approve").CombinedOutput()
	if err == nil {
		t.Fatalf("the seed should have failed:\n%s", said)
	}
	secrets := w.Emulator.Secrets()
	for _, database := range w.Objects(t).ClaimableDatabases {
		secrets = append(secrets, fmt.Sprint(database["id"])) // Whoever knows it can read the connection string.
	}
	for _, secret := range secrets {
		if secret != w.APIKey && strings.Contains(string(said), secret) {
			t.Errorf("the output has %q:\n%s", secret, said)
		}
	}
	if said := r.Terraform(t, "show"); !strings.Contains(said, "(tainted)") {
		t.Errorf("the database isn't tainted:\n%s", said)
	}
	seed.write(t, "CREATE TABLE t AS SELECT 1")
	if said := r.Terraform(t, "apply", "-auto-approve"); !strings.Contains(said, "1 added, 0 changed, 1 destroyed") {
		t.Errorf("the database isn't replaced:\n%s", said)
	}
}

func TestAccClaimableDatabase_seedErrorsAtPlan(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	block := func(seed string) string {
		return `resource "neon_claimable_database" "test" {
		ref  = "test"
		seed = ` + seed + "\n}\n"
	}
	broken := newSeedFile(t, w, "SELECT 1;\nSELECT 'a")
	command := newSeedFile(t, w, "SELECT 1;\n\\connect other\n")
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"missing":    {Config: block(`{ type = "sql-script", path = "nowhere.sql" }`), Want: acctest.InOrder("Unable to read the seed", "nowhere.sql", "no such file", "path.module")},
		"a folder":   {Config: block(`{ type = "sql-script", path = "." }`), Want: acctest.InOrder("Unable to read the seed", "is a directory")},
		"unfinished": {Config: block(fmt.Sprintf(`{ type = "sql-script", path = %q }`, broken.path)), Want: acctest.InOrder("Unable to read the seed", "line 2", "doesn't end")},
		"a command":  {Config: block(fmt.Sprintf(`{ type = "sql-script", path = %q }`, command.path)), Want: acctest.InOrder("Unable to read the seed", "seed.sql, line 2", `\connect is a command of psql`, "only SQL can be run here.")},
		"type":       {Config: block(`{ type = "csv", path = "seed.csv" }`), Want: acctest.InOrder("seed.type value must be one of", "sql-script")},
		"empty path": {Config: block(`{ type = "sql-script", path = "" }`), Want: acctest.InWords("seed.path string length must be at least 1")},
	})
}

func TestAccExamples_claimableSeed(t *testing.T) {
	t.Parallel()
	w := acctest.StartDatabases(t)
	r := acctest.NewExampleRun(t, w, "claimable-seed")
	fruit := func() string {
		t.Helper()
		uri := strings.TrimSpace(r.Terraform(t, "output", "-raw", "connection_string"))
		count, err := acctest.QueryOne(t.Context(), uri, "SELECT count(*)::text FROM fruit")
		if err != nil {
			t.Fatal(err)
		}
		return count
	}
	r.Terraform(t, "apply", "-auto-approve")
	if got := fruit(); got != "2" {
		t.Errorf("%s rows, want 2", got)
	}
	r.Write(t, "seed.sql", acctest.ReadExample(t, "claimable-seed/seed.sql")+"INSERT INTO fruit (name) VALUES ('pear');")
	r.Terraform(t, "apply", "-auto-approve")
	if got := fruit(); got != "3" {
		t.Errorf("after the change of the file: %s rows, want 3", got)
	}
}
