package emulator

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xdg-go/scram"
)

// has lists what the API has on the first branch: databases with their owners, and roles.
func (s *served) has() string {
	s.t.Helper()
	var all []string
	for _, kind := range []string{"databases", "roles"} {
		items, _ := s.must("GET", "{p}/branches/"+s.mainBranch()+"/"+kind, "").at(kind).([]any)
		for _, item := range items {
			one, _ := item.(map[string]any)
			name, owner := fmt.Sprint(one["name"]), one["owner_name"]
			if owner != nil {
				name += " " + fmt.Sprint(owner)
			}
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// The API has what statements do to databases and roles as soon as they are answered.
func TestSQLChanges(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	conn, err := connect(t.Context(), s.mainURI())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	for _, step := range []struct{ statements, want string }{
		{"CREATE DATABASE app", "app neondb_owner, neondb neondb_owner, neondb_owner"},
		{"CREATE ROLE bob LOGIN PASSWORD 'it''s bob'", "app neondb_owner, bob, neondb neondb_owner, neondb_owner"},
		{"GRANT bob TO neondb_owner; ALTER DATABASE app OWNER TO bob", "app bob, bob, neondb neondb_owner, neondb_owner"},
		{"BEGIN; CREATE ROLE never; ROLLBACK", "app bob, bob, neondb neondb_owner, neondb_owner"},
		{"ALTER DATABASE app RENAME TO renamed", "bob, neondb neondb_owner, neondb_owner, renamed bob"},
	} {
		for statement := range strings.SplitSeq(step.statements, "; ") {
			if _, err := conn.Exec(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		if got := s.has(); got != step.want {
			t.Errorf("after %s there is %s, want %s", step.statements, got, step.want)
		}
	}
	bob := s.uri(s.mainBranch(), "bob", "renamed")
	s.expect(t, bob, "bob renamed", "SELECT current_user || ' ' || current_database()")
	if _, err := conn.Exec(t.Context(), "ALTER ROLE bob PASSWORD 'second'"); err != nil {
		t.Fatal(err)
	}
	s.expectRefusal(t, bob, "password authentication failed")
	s.expect(t, s.uri(s.mainBranch(), "bob", "renamed"), "bob", "SELECT current_user::text")
	if got := s.must("GET", "{p}/branches/"+s.mainBranch()+"/roles/bob/reveal_password",
		"").str("password"); got != "second" {
		t.Errorf("the API tells the password %q", got)
	}
	// Of a password that a client has hashed, only the verifier is known, and lets in.
	verifier := verifierOf(t, "third")
	if _, err := conn.Exec(t.Context(), "ALTER ROLE bob PASSWORD '"+verifier+"'"); err != nil {
		t.Fatal(err)
	}
	s.expect(t, strings.Replace(s.uri(s.mainBranch(), "bob", "renamed"), "bob:@", "bob:third@", 1), "bob",
		"SELECT current_user::text")

	// A branch has all of it, and the API's own calls work on it.
	child := s.branchOf(`"name":"child"`)
	s.expect(t, s.uri(child, "neondb_owner", "renamed"), "renamed", "SELECT current_database()::text")
	if _, err := conn.Exec(t.Context(), "DROP DATABASE renamed"); err != nil {
		t.Fatal(err)
	}
	s.must("DELETE", "{p}/branches/"+s.mainBranch()+"/roles/bob", "")
	s.clock.advance(time.Minute)
	if got := s.has(); got != "neondb neondb_owner, neondb_owner" {
		t.Errorf("there is %s", got)
	}
	s.expect(t, s.mainURI(), "neondb_owner",
		"SELECT rolname::text FROM pg_roles WHERE rolname !~ '^pg_' AND rolname NOT IN ('cloud_admin', 'neon_superuser')")
	// Tools that create databases begin in this one, which no list has.
	s.expect(t, strings.Replace(s.mainURI(), "/neondb?", "/postgres?", 1), "postgres", "CREATE DATABASE made_there",
		"SELECT current_database()::text")
	if got := s.has(); got != "made_there neondb_owner, neondb neondb_owner, neondb_owner" {
		t.Errorf("there is %s", got)
	}
}

// A password that only its client knows is the branch's own as any other is: a branch of a protected one has others,
// and a branch that is restored keeps its own.
func TestSQLChanges_hashedPasswords(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	hashed := func(uri, password string) string {
		return strings.Replace(uri, "bob:@", "bob:"+password+"@", 1)
	}
	s.expect(t, s.mainURI(), "done", "CREATE ROLE bob LOGIN PASSWORD '"+verifierOf(t, "hashed")+"'", "SELECT 'done'")
	plain := s.branchOf(`"name":"plain"`)
	keeps := s.uri(plain, "bob", "neondb")
	s.expect(t, hashed(keeps, "hashed"), "bob", "SELECT current_user::text")
	s.must("PATCH", "{p}/branches/"+s.mainBranch(), `{"branch":{"protected":true}}`)
	s.clock.advance(time.Minute)
	own := s.uri(s.branchOf(`"name":"own"`), "bob", "neondb")
	if strings.Contains(own, "bob:@") {
		t.Errorf("a branch of a protected one has no password of its own: %s", own)
	}
	s.expect(t, own, "bob", "SELECT current_user::text")

	s.expect(t, s.mainURI(), "done", "ALTER ROLE bob PASSWORD 'plain'", "SELECT 'done'")
	s.must("POST", "{p}/branches/"+plain+"/restore", `{"source_branch_id":"`+s.mainBranch()+`"}`)
	s.clock.advance(time.Minute)
	s.expect(t, hashed(keeps, "hashed"), "bob", "SELECT current_user::text")
	s.expectRefusal(t, hashed(keeps, "plain"), "password authentication failed")
}

// A password that only its client knows lets in until the one is there that replaces it, as any other does.
func TestSQLChanges_hashedPasswordReset(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	s.expect(t, s.mainURI(), "done", "CREATE ROLE bob LOGIN PASSWORD '"+verifierOf(t, "hashed")+"'", "SELECT 'done'")
	hashed := strings.Replace(s.uri(s.mainBranch(), "bob", "neondb"), "bob:@", "bob:hashed@", 1)
	s.begin("POST", "{p}/branches/"+s.mainBranch()+"/roles/bob/reset_password", "")
	reset := s.uri(s.mainBranch(), "bob", "neondb")
	// Until the reset's operation has ended, which it would do in the time that expect lets pass.
	if found, err := query(t, hashed, "SELECT current_user::text"); err != nil || !slices.Equal(found, []string{"bob"}) {
		t.Errorf("the former password gives %v, %v", found, err)
	}
	s.expectRefusal(t, reset, "password authentication failed")
	s.clock.advance(time.Minute)
	s.expect(t, reset, "bob", "SELECT current_user::text")
	s.expectRefusal(t, hashed, "password authentication failed")
}

// verifierOf is what a client sends that hashes a password itself, as psql's \password does.
func verifierOf(t *testing.T, password string) string {
	t.Helper()
	client, err := scram.SHA256.NewClient("", password, "")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := client.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "sixteen bytes ok", Iters: 4096})
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$4096:%s$%s:%s", encode([]byte("sixteen bytes ok")), encode(kept.StoredKey),
		encode(kept.ServerKey))
}
