package emulator

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
)

// askDirectly returns a function that makes requests without a network, which would
// take time and memory of its own.
func askDirectly(tb testing.TB, e *Emulator) func(method, path, body string) []byte {
	key := e.FirstWorld().APIKey
	return func(method, path, body string) []byte {
		tb.Helper()
		request := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		request.RemoteAddr = "127.0.0.1:50000"
		request.Header.Set("Authorization", "Bearer "+key)
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, request)
		if answer.Code >= 300 {
			tb.Fatalf("%s %s: %d %s", method, path, answer.Code, answer.Body)
		}
		return answer.Body.Bytes()
	}
}

// manyBranches gives an emulator with a project of 10,000 branches, and a function
// that reads a page of them.
func manyBranches(tb testing.TB) (*Emulator, func(query string)) {
	tb.Helper()
	e, err := New(Config{})
	if err != nil {
		tb.Fatal(err)
	}
	ask := askDirectly(tb, e)
	var made struct {
		ProjectIDs []string `json:"project_ids"`
	}
	if err := json.Unmarshal(ask("POST", "/_emulator/projects", `{"name":"large","branches":10000}`), &made); err != nil {
		tb.Fatal(err)
	}
	return e, func(query string) { ask("GET", "/api/v2/projects/"+made.ProjectIDs[0]+"/branches?"+query, "") }
}

// Finding a page among a project's branches is the only work that grows with their
// number, and it takes no memory for each: what a page takes is for what is on it. (How
// long it takes says more about what else the machine does; the benchmark measures it.)
func TestBranchPageOfMany(t *testing.T) {
	_, page := manyBranches(t)
	for _, query := range []string{"", "limit=100&sort_by=name&sort_order=asc", "sort_by=created_at", "search=branch"} {
		if allocations := testing.AllocsPerRun(5, func() { page(query) }); allocations > 1000 {
			t.Errorf("a page by %q of 10,000 branches takes %g allocations", query, allocations)
		}
	}
}

// Keeping a write costs the same whatever else the world has. (As above: 200 a second are meant, and are there beside
// 10,000 branches when a write takes no memory for each.)
func TestWritesBesideMany(t *testing.T) {
	e, err := New(Config{Conflicts: ConflictsNone, StateFile: filepath.Join(t.TempDir(), "world.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }() // It was only measured.
	ask, world := askDirectly(t, e), e.FirstWorld()
	ask("POST", "/_emulator/projects", `{"name":"large","branches":10000}`)
	project := apiRoot + "/projects/" + world.ProjectID
	i := 0
	for path, body := range map[string]string{
		"PATCH " + project:                                             `{"project":{"name":"n%d"}}`,
		"POST " + project + "/permissions":                             `{"email":"p%d@example.com"}`,
		"POST " + project + "/jwks":                                    `{"jwks_url":"https://example.com/%d","provider_name":"n"}`,
		"POST " + project + "/branches/" + world.BranchID + "/buckets": `{"name":"bucket-%d"}`,
		"POST " + apiRoot + "/organizations/" + world.OrgID +
			"/invitations": `{"invitations":[{"email":"i%d@example.com","role":"member"}]}`,
	} {
		method, path, _ := strings.Cut(path, " ")
		write := func() {
			i++
			ask(method, path, fmt.Sprintf(body, i))
		}
		began := time.Now()
		if allocations := testing.AllocsPerRun(20, write); allocations > 2000 {
			t.Errorf("%s %s takes %g allocations beside 10,000 branches", method, path, allocations)
		}
		t.Logf("%s %s: %s", method, path, time.Since(began)/21)
	}
}

func BenchmarkBranchPageOfMany(b *testing.B) {
	_, page := manyBranches(b)
	for b.Loop() {
		page("")
	}
}

func TestOperationsAreForgotten(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Readings: plainCreation})
	project := p.e.world.Projects[p.project]
	p.named("old")
	p.control("POST", "/clock", fmt.Sprintf(`{"advance":%q}`, retention/2))
	p.named("recent")
	recent := len(project.Operations)
	p.control("POST", "/clock", fmt.Sprintf(`{"advance":%q}`, retention/2+time.Hour)) // A compute was suspended meanwhile.
	if left := len(project.Operations); left != 1 || left == recent {
		t.Errorf("%d operations of %d are kept", left, recent)
	}
	p.clock.advance(retention)
	p.named("new")
	if left := len(project.Operations); left != 1 {
		t.Errorf("%d operations are kept", left)
	}
}

func TestSecretsAreRecordedOnRequest(t *testing.T) {
	t.Parallel()
	e, err := New(Config{})
	if err != nil || len(e.Secrets()) != 0 {
		t.Errorf("%d secrets are recorded, %v", len(e.Secrets()), err)
	}
}

// memory is what is in use once what isn't has been collected.
func memory() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// What is gone leaves nothing behind once its operations are six months old. This
// test doesn't run beside others, since it looks at the memory of all.
func TestMemoryIsFlat(t *testing.T) {
	clock := &stillClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	e, err := New(Config{Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	first, ask := e.FirstWorld(), askDirectly(t, e)
	project := apiRoot + "/projects/" + first.ProjectID
	turn := func() {
		var made struct {
			Branch  struct{ ID string }
			Project struct{ ID string }
			ID      int64
		}
		create := func(path, body string) {
			if err := json.Unmarshal(ask("POST", path, body), &made); err != nil {
				t.Fatal(err)
			}
		}
		create(apiRoot+"/projects", `{"project":{"org_id":"`+first.OrgID+`"}}`)
		create(project+"/branches", `{"endpoints":[{"type":"read_write"}]}`)
		create(apiRoot+"/api_keys", `{"key_name":"k"}`)
		clock.advance(time.Hour)
		ask("GET", project+"/connection_uri?database_name=neondb&role_name=neondb_owner&branch_id="+made.Branch.ID, "")
		ask("DELETE", project+"/branches/"+made.Branch.ID, "")
		ask("DELETE", apiRoot+"/projects/"+made.Project.ID, "")
		ask("DELETE", fmt.Sprintf("%s/api_keys/%d", apiRoot, made.ID), "")
		// Nobody claims it, and it expires.
		ask("POST", "/api/v1/database", `{"ref":"r"}`)
		clock.advance(4 * 24 * time.Hour)
	}
	after := func(turns int) int64 {
		for range turns {
			turn()
		}
		return memory()
	}
	before := after(60)
	if grown := after(600) - before; grown > 200_000 {
		t.Errorf("memory grew from %d by %d bytes", before, grown)
	}
	runtime.KeepAlive(e)
}

// What anybody can list without end is kept up to a number, the newest.
func TestListsEnd(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Readings: plainCreation})
	var deleted string
	for range mostDeleted + 1 {
		deleted = p.must("POST", "/projects", `{"project":{"org_id":"`+p.org+`"}}`).str("project", "id")
		p.must("DELETE", "/projects/"+deleted, "")
		p.clock.advance(time.Second)
	}
	if kept := p.e.world.Deleted; len(kept) != mostDeleted || kept[deleted] == nil {
		t.Errorf("%d deleted projects are kept, the last: %t", len(kept), kept[deleted] != nil)
	}
	p.control("POST", "/faults", `{"route":"*","kind":"slow","delay":"1ns"}`)
	for range control.MostSpent + 10 {
		p.control("POST", "/faults", `{"route":"GET /api/v2/projects/{project_id}","kind":"status","status":503,"count":1}`)
		p.api("GET", "{p}", "")
	}
	if kept := p.e.faults.List(); len(kept) != control.MostSpent+2 || kept[0].Kind != control.FaultSlow {
		t.Errorf("%d faults are kept, the first %s", len(kept), kept[0].Kind)
	}
	p.control("POST", "/operations/bulk", fmt.Sprintf(`{"project_id":%q,"count":%d}`, p.project, mostOperations))
	newest := p.must("POST", "{p}/branches", "").str("operations", 0, "id")
	p.must("GET", "{p}/operations/"+newest, "")
	if kept := len(p.e.world.Projects[p.project].Operations); kept > mostOperations+1 {
		t.Errorf("%d operations are kept", kept)
	}
}
