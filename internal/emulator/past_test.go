package emulator

import (
	"net/url"
	"testing"
	"time"
)

// No call gets present data for that of a moment since which it has changed, and all get it for a
// moment since which it hasn't.
func TestPast(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	main, uri := s.mainBranch(), s.mainURI()
	ask := func(at string) map[string]answer {
		t.Helper()
		defer s.awaitWork()
		escaped := url.QueryEscape(at)
		return map[string]answer{
			"a branch":   s.api("POST", "{p}/branches", `{"branch":{"parent_timestamp":"`+at+`"}}`),
			"a snapshot": s.api("POST", "{p}/branches/"+main+"/snapshot?timestamp="+escaped, ""),
			"a restore": s.api("POST", "{p}/branches/"+main+"/restore",
				`{"source_branch_id":"`+main+`","source_timestamp":"`+at+`","preserve_under_name":"kept at `+s.ahead(0)+`"}`),
			"a schema":     s.api("GET", "{p}/branches/"+main+"/schema?db_name=neondb&timestamp="+escaped, ""),
			"a comparison": s.api("GET", "{p}/branches/"+main+"/compare_schema?db_name=neondb&base_timestamp="+escaped, ""),
		}
	}
	expectRefused := func(at string) {
		t.Helper()
		for _, refused := range ask(at) {
			refused.refused(422, "the emulator keeps no history")
		}
	}
	s.clock.advance(time.Minute)
	// Nothing has ever been written; statements that only read change nothing.
	s.expect(t, uri, "1", "SELECT '1'")
	before := s.ahead(-time.Minute)
	s.must("POST", "{p}/branches", `{"branch":{"name":"empty","parent_timestamp":"`+before+`"}}`)
	s.expect(t, uri, "1", "CREATE TABLE t AS SELECT '1' AS x", "SELECT x FROM t")
	expectRefused(before)
	s.clock.advance(time.Minute)
	after := s.ahead(-30 * time.Second)
	s.expect(t, uri, "1", "SELECT x FROM t")
	child := s.must("POST", "{p}/branches", `{"branch":{"name":"child","parent_timestamp":"`+after+`"}}`)
	s.clock.advance(time.Minute)
	// A branch has its parent's past, and a position is a moment.
	s.api("POST", "{p}/branches", `{"branch":{"parent_id":"`+child.str("branch", "id")+`","parent_timestamp":"`+before+
		`"}}`).refused(422, "no history")
	position := child.str("branch", "parent_lsn")
	s.must("POST", "{p}/branches", `{"branch":{"parent_lsn":"`+position+`"}}`)
	s.clock.advance(time.Minute)
	s.expect(t, uri, "2", "INSERT INTO t VALUES ('2')", "SELECT count(*)::text FROM t")
	s.api("POST", "{p}/branches", `{"branch":{"parent_lsn":"`+position+`"}}`).refused(422, "no history")
	expectRefused(after)
}

// A branch that was restored from one without data had other data before.
func TestPast_restoredFromNothing(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	empty := s.must("POST", "{p}/branches", `{"branch":{"name":"empty"}}`).str("branch", "id")
	s.clock.advance(time.Minute)
	id, uri := s.branch(`"name":"b"`)
	s.expect(t, uri, "1", "CREATE TABLE t AS SELECT '1' AS x", "SELECT x FROM t")
	s.clock.advance(time.Minute)
	before := s.ahead(-time.Second)
	s.must("POST", "{p}/branches/"+id+"/restore", `{"source_branch_id":"`+empty+`"}`)
	s.clock.advance(time.Minute)
	s.api("POST", "{p}/branches", `{"branch":{"parent_id":"`+id+`","parent_timestamp":"`+before+`"}}`).refused(422,
		"the emulator keeps no history")
}

// Who asked for it gets the present data for that of any moment.
func TestPast_present(t *testing.T) {
	t.Parallel()
	s := &served{start(t, Config{Conflicts: ConflictsNone, Postgres: sharedPostgres(t), Past: PastPresent})}
	s.clock.advance(time.Minute)
	s.expect(t, s.mainURI(), "1", "CREATE TABLE t AS SELECT '1' AS x", "SELECT x FROM t")
	_, uri := s.branch(`"parent_timestamp":"` + s.ahead(-time.Minute) + `"`)
	s.expect(t, uri, "1", "SELECT x FROM t")
}
