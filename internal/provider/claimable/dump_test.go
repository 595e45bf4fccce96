package claimable_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

// original is a database with some of all that a dump can have.
const original = `CREATE TYPE colour AS ENUM ('red', 'green; "blue"');
CREATE TABLE fruit (id serial PRIMARY KEY, name text NOT NULL, colour colour, data bytea, many int[]);
INSERT INTO fruit (name, colour, data, many) VALUES
	('apple;', 'red', '\x00ff5c', '{1,2}'), (E'line\nbreak\ttab\\.', NULL, NULL, NULL), (E'\\.', 'green; "blue"', '', '{}'), ('', NULL, '\x', NULL);
CREATE TABLE empty (x int);
CREATE FUNCTION sweet(fruit) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN $1.name <> ';'; END $$;
CREATE VIEW sweets AS SELECT * FROM fruit f WHERE sweet(f);
CREATE INDEX ON fruit (lower(name));
COMMENT ON TABLE fruit IS 'it''s; "a" comment';
SELECT lo_from_bytea(0, '\xdeadbeef');`

// dump returns what the machine's own pg_dump writes, without its tokens.
func dump(t *testing.T, uri string) string {
	t.Helper()
	programs, err := postgres.FindPrograms(t.Context())
	if err != nil {
		t.Skip(err)
	}
	program := filepath.Join(programs, "pg_dump")
	if _, err := exec.LookPath(program); err != nil {
		t.Skip(err)
	}
	text, err := exec.CommandContext(t.Context(), program, "--no-owner", "--no-privileges",
		uri+"&hostaddr=127.0.0.1").CombinedOutput()
	if err != nil {
		t.Fatalf("pg_dump: %v\n%s", err, text)
	}
	return regexp.MustCompile(`(restrict) \w+`).ReplaceAllString(string(text), "$1 token")
}

func TestAccClaimableDatabase_seedFromDump(t *testing.T) {
	t.Parallel()
	w := acctest.StartDatabases(t)
	first, err := w.Client(t).CreateClaimableDatabase(t.Context(), client.ClaimableDatabaseCreate{Ref: "test"})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := sqlscript.Connect(t.Context(), *first.ConnectionString)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.PgConn().Exec(t.Context(), original).ReadAll()
	_ = conn.Close(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	before := dump(t, *first.ConnectionString)
	if !strings.Contains(before, "FROM stdin;") {
		t.Fatalf("the dump has no data:\n%s", before)
	}
	r := acctest.NewRun(t, w, newSeedFile(t, w, before).config()+
		"output \"uri\" {\n  value     = neon_claimable_database.test.direct_connection_string\n  sensitive = true\n}\n")
	r.Terraform(t, "apply", "-auto-approve")
	if after := dump(t, strings.TrimSpace(r.Terraform(t, "output", "-raw", "uri"))); after != before {
		t.Errorf("the dump became\n%s\nfrom\n%s", after, before)
	}
}

func TestAccClaimableDatabase_timeouts(t *testing.T) {
	t.Parallel()
	w := acctest.StartDatabases(t)
	seed := newSeedFile(t, w, "SELECT 1;\nSELECT pg_sleep(600);")
	within := func(timeout string) string {
		return strings.Replace(seed.config(), `ref  = "test"`,
			`ref = "test"`+"\n  timeouts = { create = \""+timeout+"\" }", 1)
	}
	began := time.Now()
	acctest.RunSteps(t, w,
		resource.TestStep{Config: within("0s"), ExpectError: acctest.InOrder("timeouts.create", "0s")},
		// On a busy machine the time may be up before the database has started.
		resource.TestStep{Config: within("30s"), ExpectError: regexp.MustCompile(
			acctest.InOrder("Unable to seed", "seed.sql, line 2", "took too long", "timeouts.create").String() + "|" +
				acctest.InOrder("Unable to seed", "Failed to connect", "deadline exceeded", "timeouts.create").String())},
		resource.TestStep{PreConfig: func() { seed.write(t, "SELECT 1") }, Config: within("5m")},
		resource.TestStep{Config: within("6m"), ConfigPlanChecks: acctest.ExpectAction("neon_claimable_database.test",
			plancheck.ResourceActionUpdate)})
	if took := time.Since(began); took > 5*time.Minute {
		t.Errorf("the timeout took %s", took)
	}
}
