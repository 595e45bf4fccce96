// Package emulator is both of the platform's APIs in one http.Handler, in
// memory: an independent reading of the API document, for the demo, the
// examples and the tests.
package emulator

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// Config says how the emulated platform behaves.
type Config struct {
	// OperationDuration is how long an operation takes; default 300 ms.
	OperationDuration time.Duration
	// Conflicts is "project", "branch" or "none".
	Conflicts string
	// Limits enforces the rate limits.
	Limits bool
	// BranchPage is the most branches in one page; default 100.
	BranchPage int
	// StateFile keeps the world between runs.
	StateFile string
	// Now is the clock; default time.Now.
	Now func() time.Time
}

// World is what a new emulator begins with.
type World struct {
	APIKey    string
	OrgID     string
	ProjectID string
}

// Emulator is the platform.
type Emulator struct {
	config Config
	mux    *http.ServeMux

	mu      sync.Mutex
	offset  time.Duration
	first   World
	userID  string
	nextKey int64
	keys    map[int64]*apiKey
	tokens  map[string]*apiKey
	order   []string
	project map[string]*project
	claims  map[string]*claimable
	secrets []string
	faults  []*fault
	endings []*ending
	counts  counters
	windows map[string][]time.Time
	partial []string
}

type counters struct {
	Total    int            `json:"total"`
	ByRoute  map[string]int `json:"by_route"`
	ByStatus map[string]int `json:"by_status"`
}

func newCounters() counters {
	return counters{ByRoute: map[string]int{}, ByStatus: map[string]int{}}
}

// New makes a world with an organization, a personal key of its administrator,
// and one project.
func New(config Config) (*Emulator, error) {
	if config.OperationDuration == 0 {
		config.OperationDuration = 300 * time.Millisecond
	}
	if config.Conflicts == "" {
		config.Conflicts = "project"
	}
	if config.BranchPage == 0 {
		config.BranchPage = 100
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	e := &Emulator{
		config: config, mux: http.NewServeMux(), keys: map[int64]*apiKey{}, tokens: map[string]*apiKey{},
		project: map[string]*project{}, claims: map[string]*claimable{}, counts: newCounters(),
		windows: map[string][]time.Time{}, userID: newUUID(), nextKey: 1000000,
	}
	e.first.OrgID = "org-" + newName() + "-" + digits(8)
	key := e.newKey("first key", "", "")
	e.first.APIKey = key.token
	e.first.ProjectID = e.newProject("first-project").ID
	e.routes()
	return e, nil
}

// FirstWorld tells how to point a client at what the emulator began with.
func (e *Emulator) FirstWorld() World { return e.first }

// Secrets are all tokens, passwords and connection strings handed out.
func (e *Emulator) Secrets() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.secrets...)
}

// Close ends the emulator.
func (e *Emulator) Close() error { return nil }

func (e *Emulator) now() time.Time { return e.config.Now().Add(e.offset).UTC() }

func second(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

type failure struct {
	status  int
	message string
	hint    string
}

func fail(status int, message string) *failure { return &failure{status: status, message: message} }

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
