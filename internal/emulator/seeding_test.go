package emulator

import (
	"strings"
	"testing"
)

const seeded = `
organizations:
  - name: Example
    projects:
      - name: first
        branches:
          - name: main
            roles: [app]
            databases: [{name: shop, owner: app}]
            sql:
              - database: shop
                run: CREATE TABLE orders (id int); INSERT INTO orders VALUES (1), (2)
          - name: staging
            protected: true
            endpoints: [read_write, read_only]
            sql:
              - database: shop
                run: INSERT INTO orders VALUES (3)
          - name: preview
            parent: staging
            expires_in: 24h
  - name: Acme
    plan: launch
    projects:
      - name: blog
        region: aws-eu-central-1
        postgres: 16
`

func TestSeedWorld(t *testing.T) {
	t.Parallel()
	p := startBy(t, nil, Config{Postgres: sharedPostgres(t)})
	if err := p.e.SeedWorld(t.Context(), strings.NewReader(seeded)); err != nil {
		t.Fatal(err)
	}
	for branch, rows := range map[string]string{"main": "2", "staging": "3", "preview": "3"} {
		b := p.e.world.Projects[p.project].branchNamed(branch)
		uri := p.must("GET", "{p}/connection_uri?database_name=shop&role_name=app&branch_id="+b.ID, "").str("uri")
		if got, err := query(t, uri, "SELECT count(*)::text FROM orders"); err != nil || got[0] != rows {
			t.Errorf("%s has %s rows, %v; want %s", branch, got, err, rows)
		}
		if b.Protected != (branch == "staging") || b.ExpiresAt.IsZero() != (branch != "preview") {
			t.Errorf("%s: protected %t, expires %s", branch, b.Protected, b.ExpiresAt)
		}
	}
	objects := p.control("GET", "/objects", "").text
	if !strings.Contains(objects, `"name":"blog"`) || strings.Count(objects, `"type":"read_only"`) != 1 {
		t.Errorf("the world is %s", objects)
	}
	if p.e.config.Limits != LimitsOff || p.e.config.Conflicts != ConflictsProject {
		t.Errorf("the emulator goes on with %+v", p.e.config)
	}
}

// A plan that the first organization gets is kept, also where a file says nothing else.
func TestSeedWorld_plan(t *testing.T) {
	t.Parallel()
	p := startBy(t, nil, Config{})
	if err := p.e.SeedWorld(t.Context(), strings.NewReader("organizations: [{name: Example, plan: free}]")); err != nil {
		t.Fatal(err)
	}
	if got := p.must("GET", "{o}", "").str("plan"); got != PlanFree {
		t.Errorf("the plan is %s", got)
	}
	checkKept(t, p.e)
}

func TestSeedWorld_refusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ file, says string }{
		{"organisations: []", `line 1: field organisations not found in type World`},
		{"organizations: [{nme: Acme}]", `line 1: field nme not found in type organization`},
		{"organizations: [{name: Acme, projects: [{name: blog, branches: [{name: a, sql: [{data: x}]}]}]}]",
			`line 1: field data not found in type statements`},
		{"Acme", "line 1: cannot unmarshal !!str `Acme` into World"},
		{"organizations: {name: Acme}", "line 1: cannot unmarshal !!map into a list of organization"},
		{"organizations: [{name: [Acme]}]", "line 1: cannot unmarshal !!seq into string"},
		{"organizations: [{name: Acme, projects: [{name: blog, postgres: new}]}]", "cannot unmarshal !!str `new` into int"},
		{"organizations: [{name: Acme, projects: [{name: blog, branches: [{name: a, protected: 3}]}]}]", "cannot unmarshal !!int `3` into bool"},
		{"organizations: [{plan: free}]", "an organization has no name"},
		{"organizations: [{name: Acme, projects: [{region: moon}]}]", "organization Acme, project without a name: refused with 400: "},
		{"organizations: [{name: Acme, projects: [{name: blog, branches: [{name: main}, {}]}]}]",
			"organization Acme, project blog: branch without a name: refused with 400: "},
		{"organizations: [{name: Example, plan: gold}]", `organization Example: plan is "gold"; it must be free, launch or scale`},
		{"organizations: [{name: Acme, plan: gold}]", `plan is "gold"; it must be free, launch or scale`},
		{"organizations: [{name: Acme, projects: [{name: blog, region: moon}]}]", `organization Acme, project blog: refused with 400: region "moon" does not exist`},
		{"organizations: [{name: Acme, projects: [{name: blog, branches: [{name: a, parent: b}]}]}]",
			"organization Acme, project blog: branch a: its parent b isn't listed before it"},
		{"organizations: [{name: Example, projects: [{name: first, branches: [{name: a, expires_in: soon}]}]}]",
			`expires_in is "soon"; it must be a duration such as 24h`},
		{"organizations: [{name: Example, projects: [{name: first, branches: [{name: main, databases: [{name: neondb}]}]}]}]",
			"branch main: database neondb: refused with 409: database already exists"},
		{"organizations: [{name: Example, projects: [{name: first, branches: [{name: main, sql: [{database: neondb, run: SELECT 1}]}]}]}]",
			"branch main: SQL for neondb: no database is served"},
	} {
		p := startBy(t, nil, Config{})
		if err := p.e.SeedWorld(t.Context(), strings.NewReader(test.file)); err == nil ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %s", test.file, err, test.says)
		}
	}
}
