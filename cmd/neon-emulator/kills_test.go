package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// killedWork is what an emulator is killed in the middle of: a copy, an emptied copy, a restore, and the first start of
// a server for each.
type killedWork struct {
	// source has the data, and target is restored to it over and over.
	source, target string
	mu             sync.Mutex
	// rows has the branches that were acknowledged, and how many rows each must have.
	rows map[string]int
}

// begin begins all of it at once, and returns what waits for the answers.
func (w *killedWork) begin(p *program) (wait func()) {
	var asking sync.WaitGroup
	create := func(rows int, more string) {
		status, answer := p.ask(http.MethodPost, "/branches", `{"branch":{"parent_id":"`+w.source+`"`+more+
			`},"endpoints":[{"type":"read_write"}]}`)
		if made, _ := answer["branch"].(map[string]any); status == http.StatusCreated && made != nil {
			id := fmt.Sprint(made["id"])
			w.mu.Lock()
			w.rows[id] = rows
			w.mu.Unlock()
			if conn, err := connect(p.t.Context(), p.uriOf(id)); err == nil {
				_ = conn.Close(p.t.Context()) // It is only opened.
			}
		}
	}
	asking.Go(func() { create(3, "") })
	asking.Go(func() { create(0, `,"init_source":"schema-only"`) })
	asking.Go(func() {
		p.ask(http.MethodPost, "/branches/"+w.target+"/restore", `{"source_branch_id":"`+w.source+`"}`)
	})
	return asking.Wait
}

// check opens all that was acknowledged, and deletes what is there but the source and the target.
func (w *killedWork) check(p *program) {
	p.t.Helper()
	for id, want := range w.rows {
		if rows := numbers(p.t, p.uriOf(id)); len(rows) != want {
			p.t.Errorf("branch %s has %d rows, want %d", id, len(rows), want)
		}
	}
	if rows := numbers(p.t, p.uriOf(w.target)); len(rows) != 3 {
		p.t.Errorf("the restored branch has %d rows of 3", len(rows))
	}
	_, answer := p.ask(http.MethodGet, "/branches") // Among them are some whose answer was lost.
	list, _ := answer["branches"].([]any)
	for _, one := range list {
		branch, _ := one.(map[string]any)
		if id := fmt.Sprint(branch["id"]); id != w.source && id != w.target {
			p.delete("/branches/" + id)
		}
	}
	clear(w.rows)
}

func (p *program) delete(path string) {
	p.t.Helper()
	status := http.StatusLocked
	for ; status == http.StatusLocked; time.Sleep(10 * time.Millisecond) {
		status, _ = p.ask(http.MethodDelete, path)
	}
	if status != http.StatusOK {
		p.t.Errorf("DELETE %s: %d", path, status)
	}
}

func (p *program) uriOf(branchID string) string {
	_, answer := p.ask(http.MethodGet, "/connection_uri?database_name=neondb&role_name=neondb_owner&branch_id="+branchID)
	return fmt.Sprint(answer["uri"])
}

// Whenever the emulator is killed, each branch that it has acknowledged opens afterwards with the data that it should
// have, and nothing is left of the run. `make kills` does so 200 times.
func TestData_survivesKillsOfCopies(t *testing.T) {
	t.Parallel()
	if _, err := postgres.FindPrograms(t.Context()); err != nil {
		t.Skip(err)
	}
	kills := 2
	if asked := os.Getenv("NEON_EMULATOR_KILLS"); asked != "" {
		var err error
		if kills, err = strconv.Atoi(asked); err != nil {
			t.Fatal(err)
		}
	}
	folder, temporary := filepath.Join(openFolder(t), "data"), openFolder(t)
	if err := os.Chmod(temporary,
		0o777); err != nil { // What removes the folder of a killed run has the account of the servers.
		t.Fatal(err)
	}
	begin := func() *program {
		c := commandWith(t.Context(), "-data", folder)
		c.Env = append(c.Env, "TMPDIR="+temporary)
		return start(t, c)
	}
	p := begin()
	w := &killedWork{source: p.firstBranch(), rows: map[string]int{}}
	conn, err := connect(t.Context(), p.uriOf(w.source))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "CREATE TABLE numbers AS SELECT n FROM generate_series(1, 3) n"); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close(t.Context())
	w.begin(p)() // A first restore's target is a branch of its own.
	for id, rows := range w.rows {
		if rows == 3 {
			w.target = id
		}
	}
	delete(w.rows, w.target)
	acknowledged := 0
	for kill := range kills {
		wait := w.begin(p)
		time.Sleep(rand.N(4 * time.Second))
		_ = p.command.Process.Kill() // What was asked for has no answer then.
		wait()
		_ = p.command.Wait() // It was killed.
		p = begin()
		acknowledged += len(w.rows)
		if w.check(p); t.Failed() {
			t.Fatalf("after kill %d", kill+1)
		}
	}
	t.Logf("%d kills, %d branches were acknowledged", kills, acknowledged)
	// What was deleted last goes after its operations, unless the program ends first: then it goes at the next start.
	for deadline := time.Now().Add(3 * time.Minute); len(clustersIn(t, folder)) > mostLeft &&
		time.Now().Before(deadline); {
		time.Sleep(100 * time.Millisecond)
	}
	p.stop()
	expectNothingLeft(t, folder, temporary)
}

// mostLeft are the clusters of two branches, and what is prepared for others.
const mostLeft = 2 + 6

func clustersIn(t *testing.T, folder string) []string {
	t.Helper()
	clusters, err := filepath.Glob(filepath.Join(folder, "neon-clusters", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return clusters
}

// expectNothingLeft expects neither processes nor files of runs that were killed.
func expectNothingLeft(t *testing.T, folder, temporary string) {
	t.Helper()
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("the runs that were killed have left %v, %v", left, err)
	}
	if clusters := clustersIn(t, folder); len(clusters) > mostLeft {
		t.Errorf("%d clusters are kept", len(clusters))
	}
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline") // Where there is no such folder, nothing is looked at.
	for _, file := range commands {
		if line, err := os.ReadFile(file); err == nil && strings.Contains(string(line), folder) {
			t.Errorf("a process is left: %q", line)
		}
	}
}
