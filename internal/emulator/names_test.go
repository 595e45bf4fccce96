package emulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// possible are names that PostgreSQL takes, whatever they look like to a shell, a URL or a library.
var possible = []string{
	"with space", " leading", "a=b", "host=/run/postgresql user=postgres dbname=postgres", "host=evil.example port=1",
	"postgresql://evil.example/x?host=/tmp", "it's", `dou"ble`, `back\slash`, "$(id)", "; DROP DATABASE neondb; --",
	"--all", "-d",
	"a/b?c#d%20e", "...", "tab\there", "line\nbreak", "emoji 😀", "bidi \u202ecba", "cloud_admin_copier", "x.2400006",
	"%s%n",
	strings.Repeat("x", 63),
}

// impossible are names that are refused, with the words for it.
var impossible = map[string]string{
	"a\u0000b": "has a NUL character", "\u0000": "has a NUL character", strings.Repeat("x", 64): "longer than 63 bytes",
	strings.Repeat("😀", 16): "longer than 63 bytes", "": "", ".": "can't be", "..": "can't be",
}

// inPath writes a name as a segment of a path.
func inPath(name string) string { return strings.ReplaceAll(url.PathEscape(name), ".", "%2E") }

func inJSON(name string) string {
	text, _ := json.Marshal(name)
	return string(text)
}

// branchOf makes a branch with an endpoint, whatever databases it has, and gives its id.
func (s *served) branchOf(body string) string {
	s.t.Helper()
	made := s.must("POST", "{p}/branches", `{"branch":{`+body+`},"endpoints":[{"type":"read_write"}]}`)
	s.clock.advance(time.Minute)
	return made.str("branch", "id")
}

func (s *served) org() string { return `"org_id":"` + s.e.FirstWorld().OrgID + `"` }

// expectRefused expects a name to be refused in words, wherever a role or a database can have it.
func (s *served) expectRefused(name, says string) {
	s.t.Helper()
	branch := "{p}/branches/" + s.mainBranch()
	for path, body := range map[string]string{
		branch + "/roles":     `{"role":{"name":` + inJSON(name) + `}}`,
		branch + "/databases": `{"database":{"name":` + inJSON(name) + `,"owner_name":"neondb_owner"}}`,
		"/projects":           `{"project":{` + s.org() + `,"branch":{"role_name":` + inJSON(name) + `}}}`,
		"/projects?databases": `{"project":{` + s.org() + `,"branch":{"database_name":` + inJSON(name) + `}}}`,
	} {
		if name == "" && strings.HasPrefix(path, "/projects") {
			continue // That is none given.
		}
		s.api("POST", path, body).refused(400, says)
	}
}

// A name is a name, in each call, program and library that it goes through.
func TestNames(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	main := s.mainBranch()
	s.expect(t, s.mainURI(), "1", "SELECT '1'")
	for name, says := range impossible {
		s.expectRefused(name, says)
	}
	path := "{p}/branches/" + main
	for _, name := range possible {
		s.must("POST", path+"/roles", `{"role":{"name":`+inJSON(name)+`}}`)
		s.must("POST", path+"/databases", `{"database":{"name":`+inJSON(name)+`,"owner_name":`+inJSON(name)+`}}`)
		s.must("POST", "/projects", `{"project":{`+s.org()+`,"name":`+inJSON(name)+`,"branch":{"name":`+inJSON(name)+
			`,"role_name":`+inJSON(name)+`,"database_name":`+inJSON(name)+`}}}`)
	}
	s.clock.advance(time.Minute) // All operations have ended: passwords let in.
	for _, name := range possible {
		s.expect(t, s.uri(main, name, name), name+" "+name, "CREATE TABLE of_"+fmt.Sprint(len(name))+" (n int)",
			"SELECT current_user || ' ' || current_database()")
	}
	s.must("POST", path+"/snapshot?name="+url.QueryEscape(possible[3]), "")
	branch := s.branchOf(`"name":` + inJSON(possible[3]))
	schema := s.branchOf(`"name":` + inJSON(possible[4]) + `,"init_source":"schema-only"`)
	endpoint := s.must("GET", "{p}/branches/"+branch+"/endpoints", "").str("endpoints", 0, "id")
	for i, name := range possible {
		s.must("PATCH", "{p}/endpoints/"+endpoint, `{"endpoint":{"name":`+inJSON(name)+`}}`)
		table := "of_" + fmt.Sprint(len(name))
		if got := s.must("GET", "{p}/branches/"+branch+"/schema?db_name="+url.QueryEscape(name),
			"").str("sql"); !strings.Contains(got, "CREATE TABLE public."+table) {
			t.Errorf("the schema of %q is %.200s", name, got)
		}
		if got := s.must("GET", "{p}/branches/"+schema+"/schema?format=json&db_name="+url.QueryEscape(name),
			"").text; !strings.Contains(got, table) {
			t.Errorf("the tables of %q are %.200s", name, got)
		}
		renamed := fmt.Sprintf("host=%d '", i)
		s.must("PATCH", path+"/databases/"+inPath(name), `{"database":{"name":`+inJSON(renamed)+`}}`)
		s.expect(t, s.uri(main, name, renamed), renamed, "SELECT current_database()::text FROM (SELECT count(*) FROM "+
			table+") t")
		s.must("DELETE", path+"/databases/"+inPath(renamed), "")
		s.must("DELETE", path+"/roles/"+inPath(name), "")
	}
	if left := s.must("GET", path+"/databases", ""); strings.Count(left.text, `"id"`) != 1 {
		t.Errorf("these databases are left: %s", left.text)
	}
	s.expect(t, s.mainURI(), "neondb", "SELECT datname::text FROM pg_database WHERE datname <> 'template1'")
}

// A path is never taken for another, which a client that follows would change.
func TestNames_dotsInPaths(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	for _, path := range []string{"/roles/..", "/roles/.", "/databases/../roles", "//roles"} {
		p.api("DELETE", "{p}/branches/"+p.e.FirstWorld().BranchID+path, "").refused(404, "")
	}
}

// Databases that were renamed, deleted and created again never share anything, and have the name
// that they are called by.
func TestNames_usedAgain(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	main, long := s.mainBranch(), strings.Repeat("d", 63)
	path := "{p}/branches/" + main + "/databases"
	s.expect(t, s.mainURI(), "1", "SELECT '1'")
	create := func(name string) {
		t.Helper()
		s.must("POST", path, `{"database":{"name":"`+name+`","owner_name":"neondb_owner"}}`)
		s.expect(t, s.uri(main, "neondb_owner", name), name, "CREATE TABLE t AS SELECT current_database()::text AS x",
			"SELECT x FROM t")
	}
	create(long)
	s.must("PATCH", path+"/"+long, `{"database":{"name":"renamed"}}`)
	create(long)
	create("renamed.2400003")
	for range 3 {
		s.must("DELETE", path+"/"+long, "")
		create(long)
	}
	s.must("DELETE", path+"/"+long, "")
	s.expect(t, s.uri(main, "neondb_owner", "renamed"), "renamed", "ALTER DATABASE renamed SET work_mem = '5MB'",
		"SELECT current_database()::text FROM t")
	s.expect(t, s.uri(main, "neondb_owner", "renamed"), long, "SELECT x FROM t")
}

// A bucket whose name no address can lead to could never be deleted.
func TestNames_buckets(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	for _, name := range []string{".", ".."} {
		p.api("POST", "/projects/"+p.e.FirstWorld().ProjectID+"/branches/"+p.e.FirstWorld().BranchID+"/buckets",
			`{"name":`+inJSON(name)+`}`).refused(400, "can't be")
	}
}

// A name with quotes is a part of the command that the page shows.
func TestNames_inCommands(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	path := "{p}/branches/" + s.mainBranch()
	s.must("POST", path+"/roles", `{"role":{"name":"o';id;'"}}`)
	s.must("POST", path+"/databases", `{"database":{"name":"d';id;'","owner_name":"o';id;'"}}`)
	shown := s.e.pageView(httptest.NewRequest(http.MethodGet, "/", http.NoBody)).Owners[0].Projects[0].Roots[0].Databases
	if command := shown[len(shown)-1].Command; strings.Count(command, "'") != 2 {
		t.Errorf("the command is %s", command)
	}
}
