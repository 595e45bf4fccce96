package emulator

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
)

// load is how long TestLoad goes on at least.
var load = flag.Duration("load", 0, "how `long` to load an emulator, with a day's requests at least")

const (
	// loadPace is the world's time from one request to the next.
	loadPace = time.Second / 10
	// After each of these times, memory is measured.
	loadStep, loadDay = time.Hour, 24 * time.Hour
	// loadSettles is how long lists grow until they are as long as they get.
	loadSettles = 4 * time.Hour
	// loadGrowth is how much memory may grow from then on, in bytes.
	loadGrowth = 500_000
)

// caller uses a project of its own.
type caller struct {
	e                         *Emulator
	clock                     *stillClock
	key, org, project, branch string
	turns                     int
	statuses                  map[int]int
}

// ask makes a request without a network. A connection that the emulator ends has the status 0.
func (c *caller) ask(method, path, body string) (status int, answer []byte) {
	c.clock.advance(loadPace)
	path = strings.Replace(path, "{p}", apiRoot+"/projects/"+c.project, 1)
	request := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:50000"
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Content-Type", "application/json")
	recorded := httptest.NewRecorder()
	defer func() {
		status, answer = recorded.Code, recorded.Body.Bytes()
		if broken := recover(); broken != nil {
			if err, _ := broken.(error); !errors.Is(err, http.ErrAbortHandler) {
				panic(broken)
			}
			status = 0
		}
		c.statuses[status]++
	}()
	c.e.ServeHTTP(recorded, request)
	return status, answer
}

// create creates something once no other work is in the way, and returns the ids of what the
// answer has.
func (c *caller) create(path, body string) (made struct {
	Project, Branch, Snapshot struct{ ID string }
	ID                        int64
},
) {
	status, answer := c.ask(http.MethodPost, path, body)
	for status == http.StatusLocked {
		status, answer = c.ask(http.MethodPost, path, body)
	}
	_ = json.Unmarshal(answer, &made) // Nothing is found of what has no id.
	return made
}

// remove deletes something once no other work is in the way.
func (c *caller) remove(path string) {
	for status := http.StatusLocked; status == http.StatusLocked; {
		status, _ = c.ask(http.MethodDelete, path, "")
	}
}

// turn is some two dozen requests of all kinds.
func (c *caller) turn() {
	c.turns++
	made := c.create("{p}/branches", fmt.Sprintf(`{"branch":{"name":"b%d"},"endpoints":[{"type":"read_write"}]}`, c.turns))
	branch := "{p}/branches/" + made.Branch.ID
	c.ask(http.MethodPost, "{p}/branches", `{}`) // The first one's work is in the way.
	c.ask(http.MethodGet, "{p}/operations?limit=20", "")
	c.ask(http.MethodGet, branch, "")
	c.ask(http.MethodGet, "{p}/branches?limit=10", "")
	c.ask(http.MethodGet, "{p}/connection_uri?database_name=neondb&role_name=neondb_owner&branch_id="+made.Branch.ID, "")
	c.ask(http.MethodPatch, branch, `{"branch":{"name":"renamed"}}`)
	c.ask(http.MethodGet, "{p}/branches/br-none-1", "")
	c.ask(http.MethodPost, "{p}/branches", `{"branch":{"nome":"b"}}`)
	c.ask(http.MethodPost, branch+"/roles", `{"role":{"name":"app"}}`)
	key := c.create(apiRoot+"/api_keys", `{"key_name":"k"}`)
	c.ask(http.MethodDelete, fmt.Sprintf("%s/api_keys/%d", apiRoot, key.ID), "")
	c.ask(http.MethodDelete, fmt.Sprintf("%s/api_keys/%d", apiRoot, key.ID), "")
	c.ask(http.MethodPost, "/_emulator/faults", fmt.Sprintf(
		`{"route":"GET /api/v2/projects/{project_id}/endpoints","kind":%q,"status":503,"delay":"1ms","count":1}`,
		control.FaultKinds()[c.turns%len(control.FaultKinds())]))
	c.ask(http.MethodGet, "{p}/endpoints", "")
	c.ask(http.MethodGet, "{p}/endpoints", "")
	snapshot := c.create("{p}/branches/"+c.branch+"/snapshot", "")
	c.ask(http.MethodGet, apiRoot+"/projects", "")
	c.remove("{p}/snapshots/" + snapshot.Snapshot.ID)
	if c.turns%10 == 0 {
		project := c.create(apiRoot+"/projects", `{"project":{"org_id":"`+c.org+`"}}`)
		c.remove(apiRoot + "/projects/" + project.Project.ID)
	}
	if c.turns%100 == 0 {
		c.ask(http.MethodGet, "/", "")
	}
	for _, b := range c.left() {
		c.remove("{p}/branches/" + b)
	}
}

// left are the branches beside the first.
func (c *caller) left() []string {
	var list struct{ Branches []struct{ ID string } }
	_, answer := c.ask(http.MethodGet, "{p}/branches", "")
	if err := json.Unmarshal(answer, &list); err != nil {
		panic(err)
	}
	var ids []string
	for _, b := range list.Branches {
		if b.ID != c.branch {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

// A day with ten requests a second, of several callers side by side, leaves memory flat.
func TestLoad(t *testing.T) {
	if *load == 0 {
		t.Skip("this takes its time: make soak")
	}
	clock := &stillClock{now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	e, err := New(Config{Now: clock.Now, Limits: LimitsWindow})
	if err != nil {
		t.Fatal(err)
	}
	var callers []*caller
	for range 4 {
		first := e.FirstWorld()
		c := &caller{e: e, clock: clock, key: first.APIKey, org: first.OrgID, statuses: map[int]int{}}
		made := c.create(apiRoot+"/projects", `{"project":{"org_id":"`+c.org+`"}}`)
		c.project, c.branch = made.Project.ID, made.Branch.ID
		callers = append(callers, c)
	}
	began, day, settled := time.Now(), clock.Now(), int64(0)
	for passed := loadStep; passed <= loadDay || time.Since(began) < *load; passed += loadStep {
		var together sync.WaitGroup
		for _, c := range callers {
			together.Go(func() {
				for clock.Now().Before(day.Add(passed)) {
					c.turn()
				}
			})
		}
		together.Wait()
		used := memory()
		t.Logf("%s, %s of the world's: %d bytes, %d goroutines", time.Since(began).Round(time.Second), passed, used,
			runtime.NumGoroutine())
		switch {
		case passed == loadSettles:
			settled = used
		case passed > loadSettles && used-settled > loadGrowth:
			t.Errorf("memory grew by %d bytes", used-settled)
		}
	}
	total, statuses := 0, map[int]int{}
	for _, c := range callers {
		for status, count := range c.statuses {
			statuses[status] += count
			total += count
		}
	}
	t.Logf("%d requests, by status: %v", total, statuses)
	for _, status := range []int{0, 200, 201, 400, 404, 423, 503} {
		if statuses[status] == 0 {
			t.Errorf("no request has the status %d", status)
		}
	}
	if total < int(loadDay/loadPace) || statuses[http.StatusTooManyRequests] > 0 ||
		statuses[http.StatusInternalServerError] > 0 {
		t.Errorf("%d requests, by status: %v", total, statuses)
	}
	runtime.KeepAlive(e)
}
