package emulator

import (
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// portUntilNextRun is a free port of those that no system gives to whoever asks for any: it isn't taken by chance
// between two runs.
func portUntilNextRun(t *testing.T) int {
	t.Helper()
	const first, ephemeral, tries = 20_000, 32_768, 100
	for range tries {
		port := first + rand.IntN(ephemeral-first)
		if listener, err := net.Listen("tcp", net.JoinHostPort(loopbackAddress, strconv.Itoa(port))); err == nil {
			_ = listener.Close()
			return port
		}
	}
	t.Fatal("no free port")
	return 0
}

// keptRun is a run of an emulator that keeps its data in a folder.
func keptRun(t *testing.T, folder string) (p *platform, end func()) {
	t.Helper()
	port := 0 // The one that the folder names.
	if kept, err := os.ReadDir(folder); err == nil && len(kept) == 0 {
		port = portUntilNextRun(t)
	}
	installation, err := postgres.Prepare(t.Context(), sharedPostgres(t).Programs)
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(Config{DataFolder: folder, Postgres: installation, PostgresPort: port,
		OperationDuration: time.Millisecond, Conflicts: ConflictsNone, Past: PastPresent})
	if err != nil {
		t.Fatal(err)
	}
	w := e.FirstWorld()
	p = &platform{t: t, e: e, url: "http://localhost", key: w.APIKey, project: w.ProjectID}
	return p, func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if err := installation.Close(); err != nil {
			t.Error(err)
		}
	}
}

// ask makes a request without a server.
func (p *platform) ask(method, path, body string) map[string]any {
	p.t.Helper()
	var answer map[string]any
	var sent any
	if body != "" {
		sent = rawJSON(body)
	}
	if err := p.e.platformToSeed().Ask(p.t.Context(), method, apiRoot+"/projects/"+p.project+path, sent,
		&answer); err != nil {
		p.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// rows are those that a branch has, by way of an endpoint that it may need.
func (p *platform) rows(branch, statements string) string {
	p.t.Helper()
	project := p.e.world.Projects[p.project]
	b := project.branchNamed(branch)
	if project.readWriteEndpoint(b.ID) == nil {
		p.ask("POST", "/endpoints", `{"endpoint":{"branch_id":"`+b.ID+`","type":"read_write"}}`)
	}
	uri := p.e.connectionString(project.readWriteEndpoint(b.ID).Host, b.Roles[0], b.Databases[0], controlParameters)
	found, err := query(p.t, uri, append(strings.Split(statements, ";"), "SELECT n::text FROM t ORDER BY n")...)
	if err != nil {
		p.t.Fatalf("%s: %v", branch, err)
	}
	return strings.Join(found, ",")
}

// isCopying reports whether work on data has begun.
func (p *platform) isCopying() bool {
	p.e.mu.Lock()
	defer p.e.mu.Unlock()
	return slices.ContainsFunc(p.e.world.Projects[p.project].Operations, func(o *operation) bool { return o.Work != nil })
}

// Branches that were restored and preserved, and databases that were deleted and created
// again, are in the next run what they were.
func TestKeptStores(t *testing.T) {
	t.Parallel()
	sharedPostgres(t)
	folder := t.TempDir()
	// The account of the servers must get to it.
	if err := os.Chmod(filepath.Dir(folder), 0o711); err != nil {
		t.Fatal(err)
	}
	p, end := keptRun(t, folder)
	p.rows("main", "CREATE TABLE t (n int);INSERT INTO t VALUES (1)")
	p.ask("POST", "/branches", `{"branch":{"name":"child"}}`)
	p.rows("child", "INSERT INTO t VALUES (2)")
	child := p.e.world.Projects[p.project].branchNamed("child").ID
	p.ask("POST", "/branches/"+child+"/restore",
		`{"source_branch_id":"`+p.e.world.First.BranchID+`","preserve_under_name":"before"}`)
	end()
	p, end = keptRun(t, folder)
	for branch, want := range map[string]string{"main": "1", "child": "1", "before": "1,2"} {
		if got := p.rows(branch, "SELECT 'x'"); got != want {
			t.Errorf("%s has %s, want %s", branch, got, want)
		}
	}
	clusters, err := os.ReadDir(filepath.Join(folder, "neon-clusters"))
	if err != nil || len(clusters) != 4 {
		t.Errorf("the folder has %v, %v; want the lock and three clusters", clusters, err)
	}
	end()
}

// Data that was being copied when the emulator ended is copied in the next run.
func TestKeptStores_resume(t *testing.T) {
	t.Parallel()
	sharedPostgres(t)
	for _, test := range []struct {
		name, path, body string
		// rows are those of branches in the next run.
		rows map[string]string
	}{
		{"branch", "/branches", `{"branch":{"name":"new"}}`, map[string]string{"new": "1", "child": "1,2"}},
		{"schema", "/branches", `{"branch":{"name":"new","init_source":"schema-only"}}`, map[string]string{"new": ""}},
		{"restore", "/branches/{child}/restore", `{"source_branch_id":"{main}","preserve_under_name":"before"}`,
			map[string]string{"child": "1", "before": "1,2", "main": "1"}},
		{"past", "/branches/{child}/restore",
			`{"source_branch_id":"{child}","source_lsn":"0/1","preserve_under_name":"before"}`,
			map[string]string{"child": "1,2", "before": "1,2"}},
		{"snapshot", "/branches/{main}/snapshot?name=kept", "", map[string]string{"main": "1", "from snapshot": "1"}},
		{"from_snapshot", "/snapshots/{snapshot}/restore", `{"name":"new"}`, map[string]string{"new": "1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			// The account of the servers must get to it.
			if err := os.Chmod(filepath.Dir(folder), 0o711); err != nil {
				t.Fatal(err)
			}
			p, end := keptRun(t, folder)
			p.rows("main", "CREATE TABLE t (n int);INSERT INTO t VALUES (1)")
			p.ask("POST", "/branches", `{"branch":{"name":"child"}}`)
			p.rows("child", "INSERT INTO t VALUES (2)")
			ids := []string{"{main}", p.e.world.First.BranchID, "{child}", p.e.world.Projects[p.project].branchNamed("child").ID}
			if strings.Contains(test.path, "{snapshot}") {
				ids = append(ids, "{snapshot}", p.takeSnapshot())
			}
			fill := strings.NewReplacer(ids...).Replace
			p.interrupt(fill(test.path), fill(test.body))
			end()
			p, end = keptRun(t, folder)
			defer end()
			if err := p.e.platformToSeed().AwaitOperations(t.Context()); err != nil {
				t.Fatal(err)
			}
			for branch, want := range test.rows {
				if branch == "from snapshot" {
					p.ask("POST", "/snapshots/"+p.e.world.Projects[p.project].Snapshots[0].Content.ID+"/restore",
						`{"name":"from snapshot"}`)
				}
				if got := p.rows(branch, "SELECT 'x'"); got != want {
					t.Errorf("%s has %q, want %q", branch, got, want)
				}
			}
		})
	}
}

// takeSnapshot takes one of the first branch.
func (p *platform) takeSnapshot() string {
	p.t.Helper()
	taken, _ := p.ask("POST", "/branches/"+p.e.world.First.BranchID+"/snapshot", "")["snapshot"].(map[string]any)
	id, _ := taken["id"].(string)
	return id
}

// interrupt has a request begin work on databases that has to end at once. How far it gets doesn't matter here:
// one that ends while it copies files may be done before a busy machine gets to end it.
func (p *platform) interrupt(path, body string) {
	p.t.Helper()
	p.e.databases.Stop()
	r := httptest.NewRequest(http.MethodPost, "http://localhost"+apiRoot+"/projects/"+p.project+path,
		strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+p.key)
	r.Header.Set("Content-Type", "application/json")
	p.e.ServeHTTP(httptest.NewRecorder(), r)
	if !p.isCopying() {
		p.t.Error("the copy wasn't interrupted")
	}
}
