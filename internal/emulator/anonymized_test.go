package emulator

import (
	"strings"
	"testing"
	"time"
)

const (
	people      = `CREATE TABLE people (id int PRIMARY KEY, email text, name text, phone text, note text)`
	twoOfPeople = `INSERT INTO people VALUES (1, 'eve@private.example', 'Eve', '0123456789', 'secret'), (2, 'max@private.example', 'Max', NULL, 'secret')`
)

func rule(column, mask string) string {
	return `{"database_name":"neondb","schema_name":"public","table_name":"people","column_name":"` + column + `",` +
		mask + `}`
}

// anonymized creates an anonymized branch, and returns its id and a string that leads to it.
func (s *served) anonymized(rules ...string) (id, uri string) {
	s.t.Helper()
	s.awaitWork()
	created := s.must("POST", "{p}/branch_anonymized", `{"start_anonymization":true,"masking_rules":[`+
		strings.Join(rules, ",")+`]}`)
	s.awaitWork()
	return created.str("branch", "id"), created.str("connection_uris", 0, "connection_uri")
}

// masked waits until the branch is in a state.
func (s *served) masked(id, state string) answer {
	s.t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); {
		status := s.must("GET", "{p}/branches/"+id+"/anonymized_status", "")
		if status.str("state") == state {
			return status
		}
		if status.str("state") != "created" && status.str("state") != "anonymizing" && status.str("state") != "initialized" {
			s.t.Fatal(status)
		}
		s.clock.advance(time.Second)
		time.Sleep(10 * time.Millisecond) // PostgreSQL is at it.
	}
	s.t.Fatal("it is never " + state)
	return answer{}
}

// Rules mask the data of the branch, and of no other; once more where it is asked for.
func TestAnonymizedBranch(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	s.expect(t, s.mainURI(), "Eve", people, twoOfPeople, "SELECT name FROM people WHERE id = 1")
	id, uri := s.anonymized(rule("email", `"masking_function":"anon.fake_email()"`),
		rule("name", `"masking_function":"anon.pseudo_first_name(name)"`),
		rule("phone", `"masking_function":"anon.partial(phone, 2, $$***$$, 1)"`),
		rule("note", `"masking_value":"'CONFIDENTIAL'"`))
	status := s.masked(id, anonymized)
	if said := status.str("status_message"); said != "Anonymization completed successfully (1 tables, 4 masking rules applied)" {
		t.Error(said)
	}
	s.expect(t, uri, "0", "SELECT count(*)::text FROM people WHERE email LIKE '%private%' OR name IN ('Eve', 'Max') OR note = 'secret'")
	s.expect(t, uri, "01***9", "SELECT phone FROM people WHERE id = 1")
	s.expect(t, uri, "2", "SELECT count(DISTINCT email)::text FROM people WHERE email LIKE '%@example.com'")
	s.expect(t, s.mainURI(), "eve@private.example", "SELECT email FROM people WHERE id = 1")

	s.expect(t, uri, "1", "INSERT INTO people VALUES (3, 'new@private.example', 'New', '', '')", "SELECT '1'")
	s.awaitWork()
	s.begin("POST", "{p}/branches/"+id+"/anonymize", "")
	s.expectRefusal(t, uri, "being anonymized", "SELECT 1")
	s.masked(id, anonymized)
	s.expect(t, uri, "0", "SELECT count(*)::text FROM people WHERE email LIKE '%private%'")
}

// What can't be masked fails, by the name of the column, and masks nothing.
func TestAnonymizedBranch_failingRules(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	s.expect(t, s.mainURI(), "1", people, twoOfPeople, "CREATE TABLE orders (person int REFERENCES people)", "SELECT '1'")
	for says, failing := range map[string]string{
		`neondb.public.people.age: column "age" of relation "people" does not exist`: rule("age", `"masking_value":"1"`),
		"neondb.public.people.id: a column of a foreign key can't be masked": rule("id",
			`"masking_function":"anon.random_int_between(1, 9)"`),
		`neondb.public.people.id: invalid input syntax for type integer: "x"`: rule("id", `"masking_value":"'x'"`),
		"cannot insert multiple commands into a prepared statement": rule("note",
			`"masking_value":"NULL); DROP TABLE orders; SELECT (1"`),
	} {
		id, uri := s.anonymized(rule("email", `"masking_function":"anon.fake_email()"`), failing)
		status := s.masked(id, maskingFailed)
		if said := status.str("status_message"); !strings.Contains(said, says) {
			t.Errorf("%s, not %s", said, says)
		}
		s.expect(t, uri, "eve@private.example", "SELECT email FROM people WHERE id = 1")
	}
	s.api("POST", "{p}/branch_anonymized", `{"masking_rules":[`+
		rule("email", `"masking_function":"anon.fake_passport()"`)+`]}`).
		refused(422, "anon.fake_passport isn't emulated; these are: anon.dnoise, ")
}

// An anonymized branch says what can't be done to it, and refuses that.
func TestAnonymizedBranch_restrictions(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsNone})
	created := p.must("POST", "{p}/branch_anonymized", `{"branch_create":{"branch":{"name":"preview"}}}`)
	id, endpoint := created.str("branch", "id"), created.str("endpoints", 0, "id")
	if created.size("branch", "restricted_actions") != 2 ||
		created.str("endpoints", 0, "settings", "preload_libraries", "enabled_libraries", 0) != "anon" {
		t.Error(created)
	}
	p.api("POST", "{p}/branches/"+id+"/anonymize", "").refused(409, "cannot be anonymized in state created")
	p.clock.advance(time.Minute)
	p.api("DELETE", "{p}/endpoints/"+endpoint, "").refused(422, "cannot delete read-write endpoints")
	p.api("POST", "{p}/branches/"+id+"/restore", `{"source_branch_id":"`+created.str("branch", "parent_id")+
		`"}`).refused(422, "cannot restore anonymized")
	p.must("PATCH", "{p}/branches/"+id+"/masking_rules", `{"masking_rules":[`+rule("a", `"masking_value":"1"`)+`]}`)
	p.api("PATCH", "{p}/branches/"+id+"/masking_rules", `{"masking_rules":[`+
		rule("a", `"masking_value":"1","masking_function":"f()"`)+`]}`).refused(400, "exactly one")
	p.control("POST", "/operations", `{"action":"anonymize","status":"failed","error":"no column a"}`)
	p.must("POST", "{p}/branches/"+id+"/anonymize", "")
	p.clock.advance(time.Minute)
	failed := p.must("GET", "{p}/branches/"+id+"/anonymized_status", "")
	if failed.str("state") != maskingFailed || failed.str("status_message") != "no column a" {
		t.Error(failed)
	}
	child := p.must("POST", "{p}/branches", `{"branch":{"parent_id":"`+id+`"}}`).str("branch", "id")
	p.api("GET", "{p}/branches/"+child+"/masking_rules", "").refused(404, "not anonymized")
}
