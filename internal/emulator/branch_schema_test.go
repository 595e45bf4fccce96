package emulator

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	at := "{p}/branches/" + p.e.FirstWorld().BranchID
	for query, want := range map[string]struct {
		message string
		status  int
	}{
		"/schema":                                                             {"db_name", 400},
		"/schema?db_name=none":                                                {"database not found", 404},
		"/schema?db_name=neondb&format=xml":                                   {"format", 400},
		"/schema?db_name=neondb&lsn=x":                                        {"lsn", 400},
		"/schema?db_name=neondb&timestamp=x":                                  {"timestamp", 400},
		"/schema?db_name=neondb&timestamp=2099-01-01T00:00:00Z":               {"future", 400},
		"/schema?db_name=neondb&lsn=0/1&timestamp=2026-01-01T00:00:00Z":       {"together", 400},
		"/compare_schema?db_name=none":                                        {"database not found", 404},
		"/compare_schema?db_name=neondb&base_branch_id=br-none-none-12345678": {"base branch not found", 404},
		"/compare_schema?db_name=neondb&base_lsn=x":                           {"base_lsn", 400},
	} {
		p.api("GET", at+query, "").refused(want.status, want.message)
	}
	if empty := p.must("GET", at+"/compare_schema?db_name=neondb", ""); empty.str("diff") != "" {
		t.Errorf("a branch differs from itself: %s", empty.text)
	}
	if empty := p.must("GET", at+"/schema?db_name=neondb&format=json", ""); empty.size("json", "tables") != 0 {
		t.Errorf("an empty database has %s", empty.text)
	}
}

// The schema is that of the real database, and so is what a branch changes in it.
func TestDatabasesSchema(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	main := s.e.FirstWorld().BranchID
	s.expect(t, s.mainURI(), "", "CREATE TABLE fruit (id int PRIMARY KEY, name text UNIQUE NOT NULL)",
		"SELECT ''::text WHERE false")
	child, uri := s.branch(`"name":"child"`)
	s.expect(t, uri, "", "ALTER TABLE fruit ADD COLUMN sweet boolean",
		"CREATE TABLE tree (fruit int REFERENCES fruit, twice int GENERATED ALWAYS AS (fruit * 2) STORED)",
		"SELECT ''::text WHERE false")

	if sql := s.must("GET", "{p}/branches/"+child+"/schema?db_name=neondb", "").str("sql"); !strings.Contains(sql,
		"CREATE TABLE public.tree") {
		t.Errorf("the schema is %s", sql)
	}
	answer := s.must("GET", "{p}/branches/"+child+"/schema?db_name=neondb&format=json", "")
	var got, want any
	if err := json.Unmarshal([]byte(answer.text), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{"json":{"tables":[
		{"schema":"public","name":"fruit","columns":[{"name":"id","type":"integer","nullable":false,"generated":false},
			{"name":"name","type":"text","nullable":false,"generated":false},{"name":"sweet","type":"boolean","nullable":true,
				"generated":false}],
		 "constraints":[{"name":"fruit_name_key","type":"unique","columns":["name"]},{"name":"fruit_pkey",
		   "type":"primary_key","columns":["id"]}]},
		{"schema":"public","name":"tree","columns":[{"name":"fruit","type":"integer","nullable":true,"generated":false},
			{"name":"twice","type":"integer","nullable":true,"generated":true}],
		 "constraints":[{"name":"tree_fruit_fkey","type":"foreign_key","columns":["fruit"],"referenced_table":{"schema":"public","table":"fruit","columns":["id"]}}]}
	]}}`), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the tables are %s", answer.text)
	}
	diff := s.must("GET", "{p}/branches/"+child+"/compare_schema?db_name=neondb&base_branch_id="+main, "").str("diff")
	for _, line := range []string{"--- a/neondb\n+++ b/neondb\n@@ -", "\n+    sweet boolean\n",
		"\n     id integer NOT NULL,\n"} {
		if !strings.Contains(diff, line) {
			t.Errorf("%q isn't in %s", line, diff)
		}
	}
	if same := s.must("GET", "{p}/branches/"+main+"/compare_schema?db_name=neondb", "").str("diff"); same != "" {
		t.Errorf("a branch differs from itself: %s", same)
	}
}
