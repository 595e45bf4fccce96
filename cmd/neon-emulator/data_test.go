package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// connect connects as a client does that takes .localhost for loopback.
func connect(ctx context.Context, uri string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(uri)
	if err != nil {
		return nil, err
	}
	config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	return pgx.ConnectConfig(ctx, config)
}

// openFolder is one that the account of the servers gets to, where the tests run as root.
func openFolder(t *testing.T) string {
	t.Helper()
	// In a folder of the test's name, the address of a socket is too long.
	folder, err := os.MkdirTemp("", "neon-") //nolint:usetesting // See above.
	if err == nil {
		err = os.Chmod(folder, 0o711)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func numbers(t *testing.T, uri string) map[int]bool {
	t.Helper()
	conn, err := connect(t.Context(), uri)
	if err != nil {
		t.Fatalf("the database doesn't open: %v", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	rows, err := conn.Query(t.Context(), "SELECT n FROM numbers")
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		t.Fatal(err)
	}
	all := map[int]bool{}
	for _, n := range found {
		all[n] = true
	}
	return all
}

// writes are those that were acknowledged.
type writes struct {
	mu                  sync.Mutex
	rows                []int
	branches, snapshots []string
	databases           []string
}

// enough reports whether there are as many rows and, each, branches and snapshots.
func (w *writes) enough(rows, copies int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.rows) >= rows && len(w.branches) >= copies && len(w.snapshots) >= copies && len(w.databases) >= copies
}

// writeUntilKilled inserts rows, creates branches and takes snapshots until the process is
// killed in the middle of that.
func (p *program) writeUntilKilled(uri string, run int, w *writes) {
	p.t.Helper()
	var writers sync.WaitGroup
	for side := range 2 {
		writers.Go(func() {
			conn, err := connect(p.t.Context(), uri)
			if err != nil {
				p.t.Error(err)
				return
			}
			for n := 100_000*run + side; ; n += 2 {
				if _, err := conn.Exec(p.t.Context(), "INSERT INTO numbers VALUES ($1)", n); err != nil {
					return
				}
				w.mu.Lock()
				w.rows = append(w.rows, n)
				w.mu.Unlock()
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	writers.Go(func() {
		p.createUntilItEnds("/branches", "branch", func(id string) { w.branches = append(w.branches, id) }, &w.mu)
	})
	writers.Go(func() {
		p.createUntilItEnds("/branches/"+p.firstBranch()+"/snapshot", "snapshot",
			func(id string) { w.snapshots = append(w.snapshots, id) }, &w.mu)
	})
	writers.Go(func() {
		for n, status := 0, http.StatusLocked; status != 0; {
			name := fmt.Sprintf("d%d_%d", run, n)
			status, _ = p.ask(http.MethodPost, "/branches/"+p.firstBranch()+"/databases",
				`{"database":{"name":"`+name+`","owner_name":"neondb_owner"}}`)
			if status == http.StatusCreated {
				w.mu.Lock()
				w.databases = append(w.databases, name)
				w.mu.Unlock()
				n++
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	for deadline := time.Now().Add(5 * time.Minute); !w.enough(50*run, 2*run); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatalf("only %d rows, %d branches and %d snapshots are acknowledged", len(w.rows), len(w.branches),
				len(w.snapshots))
		}
	}
	_ = p.command.Process.Kill() // The writers notice whether it worked.
	writers.Wait()
	_ = p.command.Wait() // It was killed.
}

// createUntilItEnds creates things of a kind until nobody answers any more, and adds their ids.
func (p *program) createUntilItEnds(path, kind string, add func(id string), mu *sync.Mutex) {
	for {
		status, answer := p.ask(http.MethodPost, path)
		created, _ := answer[kind].(map[string]any)
		switch {
		case created != nil:
			mu.Lock()
			add(fmt.Sprint(created["id"]))
			mu.Unlock()
		case status == 0:
			return
		case status != http.StatusLocked: // A snapshot locks its branch while it is taken.
			p.t.Errorf("POST %s: %d %v", path, status, answer)
			return
		}
	}
}

func (p *program) firstBranch() string {
	_, answer := p.ask(http.MethodGet, "/branches?sort_by=created_at&sort_order=asc")
	list, _ := answer["branches"].([]any)
	if len(list) == 0 {
		return ""
	}
	first, _ := list[0].(map[string]any)
	return fmt.Sprint(first["id"])
}

// What was acknowledged is there after a kill, in databases whose stored connection
// strings go on working.
func TestData_survivesKill(t *testing.T) {
	t.Parallel()
	if _, err := postgres.FindPrograms(t.Context()); err != nil {
		t.Skip(err)
	}
	folder, temporary := filepath.Join(openFolder(t), "data"), openFolder(t)
	// What removes the folder of a killed run has the account of the servers.
	if err := os.Chmod(temporary, 0o777); err != nil {
		t.Fatal(err)
	}
	begin := func() (*program, string) {
		c := commandWith(t.Context(), "-data", folder)
		c.Env = append(c.Env, "TMPDIR="+temporary)
		p := start(t, c)
		_, answer := p.ask(http.MethodGet, "/connection_uri?database_name=neondb&role_name=neondb_owner")
		return p, fmt.Sprint(answer["uri"])
	}
	p, uri := begin()
	conn, err := connect(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "CREATE TABLE numbers (n int PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	w := &writes{}
	for _, run := range []int{1, 2} {
		p.writeUntilKilled(uri, run, w)
		var again string
		if p, again = begin(); again != uri {
			t.Fatalf("the connection string was %s and is %s", uri, again)
		}
		found := numbers(t, uri)
		for _, n := range w.rows {
			if !found[n] {
				t.Errorf("row %d was acknowledged, and is gone", n)
			}
		}
		for _, id := range w.branches {
			if status, _ := p.ask(http.MethodGet, "/branches/"+id); status != http.StatusOK {
				t.Errorf("branch %s was acknowledged, and is gone: %d", id, status)
			}
		}
	}
	opened := p.expectLogins(p.firstBranch())
	for _, name := range w.databases {
		if !opened[name] {
			t.Errorf("database %s was acknowledged, and is gone", name)
		}
	}
	for _, id := range w.branches {
		p.addEndpoint(id)
		p.expectLogins(id)
		p.expectData(id)
	}
	p.expectSnapshots(w.snapshots)
	p.stop()
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("the runs that were killed have left %v, %v", left, err)
	}
	clusters, err := filepath.Glob(filepath.Join(folder, "neon-clusters", "*"))
	if all := len(w.branches) + len(w.snapshots); err != nil || len(clusters) < 2 || len(clusters) > all+6 {
		t.Errorf("%d clusters are kept of %d branches and snapshots, %v", len(clusters), all, err)
	}
}

// expectSnapshots expects that there are these snapshots, and that the last has data.
func (p *program) expectSnapshots(ids []string) {
	p.t.Helper()
	_, all := p.ask(http.MethodGet, "/snapshots")
	listed := fmt.Sprint(all)
	for _, id := range ids {
		if !strings.Contains(listed, id) {
			p.t.Errorf("snapshot %s was acknowledged, and is gone", id)
		}
	}
	status, answer := http.StatusLocked, map[string]any(nil)
	for ; status == http.StatusLocked; time.Sleep(10 * time.Millisecond) { // Others are still being taken.
		status, answer = p.ask(http.MethodPost, "/snapshots/"+ids[len(ids)-1]+"/restore")
	}
	restored, _ := answer["branch"].(map[string]any)
	if restored == nil {
		p.t.Fatalf("%d %v", status, answer)
	}
	p.expectData(fmt.Sprint(restored["id"]))
}

func (p *program) addEndpoint(branchID string) {
	p.t.Helper()
	status, text := http.StatusLocked, ""
	for ; status == http.StatusLocked; time.Sleep(10 * time.Millisecond) {
		status, text = p.send(http.MethodPost, "/endpoints", strings.NewReader(`{"endpoint":{"branch_id":"`+branchID+
			`","type":"read_write"}}`))
	}
	if status != http.StatusCreated {
		p.t.Fatalf("%d %s", status, text)
	}
}

// expectLogins logs in to all databases of a branch, and returns their names.
func (p *program) expectLogins(branchID string) map[string]bool {
	p.t.Helper()
	_, answer := p.ask(http.MethodGet, "/branches/"+branchID+"/databases")
	list, _ := answer["databases"].([]any)
	names := map[string]bool{}
	for _, one := range list {
		database, _ := one.(map[string]any)
		name := fmt.Sprint(database["name"])
		_, answer := p.ask(http.MethodGet, "/connection_uri?database_name="+name+"&role_name=neondb_owner&branch_id="+
			branchID)
		conn, err := connect(p.t.Context(), fmt.Sprint(answer["uri"]))
		if err != nil {
			p.t.Errorf("database %s of branch %s doesn't open: %v", name, branchID, err)
			continue
		}
		_ = conn.Close(p.t.Context())
		names[name] = true
	}
	return names
}

// expectData expects that a branch with an endpoint has the table of its parent.
func (p *program) expectData(branchID string) {
	p.t.Helper()
	_, answer := p.ask(http.MethodGet, "/connection_uri?database_name=neondb&role_name=neondb_owner&branch_id="+branchID)
	if rows := numbers(p.t, fmt.Sprint(answer["uri"])); len(rows) == 0 {
		p.t.Error("the branch hasn't the data of its parent")
	}
}

func (p *program) send(method, path string, body *strings.Reader) (int, string) {
	request, err := http.NewRequestWithContext(p.t.Context(), method,
		p.variables["NEON_BASE_URL"]+"/api/v2/projects/"+p.variables["NEON_PROJECT_ID"]+path, body)
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+p.variables["NEON_API_KEY"])
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var text bytes.Buffer
	_, _ = text.ReadFrom(response.Body)
	return response.StatusCode, text.String()
}

// A folder is for one emulator at a time, and two emulators with folders of their own
// don't meet.
func TestData_sideBySide(t *testing.T) {
	t.Parallel()
	if _, err := postgres.FindPrograms(t.Context()); err != nil {
		t.Skip(err)
	}
	folder := openFolder(t)
	one := start(t, commandWith(t.Context(), "-data", filepath.Join(folder, "one")))
	two := start(t, commandWith(t.Context(), "-data", filepath.Join(folder, "two")))
	if one.variables["NEON_BASE_URL"] == two.variables["NEON_BASE_URL"] ||
		one.variables["NEON_PROJECT_ID"] == two.variables["NEON_PROJECT_ID"] {
		t.Errorf("%v and %v", one.variables, two.variables)
	}
	patience, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	said, err := commandWith(patience, "-data", filepath.Join(folder, "one")).CombinedOutput()
	if err == nil || !strings.Contains(string(said), "is in use by another emulator") {
		t.Errorf("a second emulator with the same folder: %v %s", err, said)
	}
	one.stop()
	two.stop()
	if left, err := os.ReadDir(filepath.Join(folder, "one")); err != nil || len(left) > 5 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}
