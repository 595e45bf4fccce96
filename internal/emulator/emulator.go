package emulator

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/journal"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/serverless"
)

// Emulator is one emulated Neon. It is an http.Handler.
type Emulator struct {
	config Config
	mux    *http.ServeMux
	// pageSecret signs forms of pages and addresses of files, for who doesn't hold the lock.
	pageSecret []byte
	// databases is nil where none is served.
	databases *data.Databases
	// door leads there without a socket.
	door *serverless.Door
	// closed ends what hasn't happened yet.
	closed chan struct{}
	close  func()
	// pagesOver ends the streams of open pages.
	pagesOver chan struct{}
	endPages  func()
	journal   *journal.Journal
	// contents has those of the objects in buckets.
	contents data.Contents
	// bodyPatience is how long the body of a request may take to arrive.
	bodyPatience time.Duration
	// advanced is how far the world's clock is ahead, for who doesn't hold the lock.
	advanced atomic.Int64
	// lateTurn is held while late effects are taken out and happen.
	lateTurn sync.Mutex

	// mu guards all that follows. A request holds it for as long as it is handled,
	// never while it waits for its peer.
	mu          sync.Mutex
	world       *world
	worldIsNew  bool
	baseURL     string
	limits      limits
	faults      control.Faults
	lateEffects []lateEffect
	endings     []*ending
	requests    control.Requests
	unavailable []string
	// state is nil where the world is kept nowhere; version counts the world's changes, and changed says where those
	// are that aren't kept yet.
	state   *stateFile
	version uint64
	changed changes
}

// lateEffect is the effect of a request that was answered before: due at a time of the world's, or
// where that is zero, right before the next request of the route.
type lateEffect struct {
	route string
	due   time.Time
	run   func()
}

// ending is how the next operations of an action end, as the control path is told it.
type ending struct {
	Action string `json:"action" fits:"required,=anonymize|apply_config|apply_storage_config|check_availability|create_branch|create_timeline|delete_timeline|start_compute|suspend_compute|timeline_archive|timeline_unarchive|timeline_update_protected_config" says:"the action of the operations, such as create_branch or start_compute"`
	Status string `json:"status" fits:"required,=scheduling|running|finished|failed|error|cancelling|cancelled|skipped" says:"the status that they end with, such as failed or cancelled; with scheduling, running or cancelling they never end"`
	Error  string `json:"error" says:"the error message of these operations"`
	Count  int    `json:"count" fits:"0.." says:"how many operations; 1 by default"`
	Then   string `json:"then" fits:"=scheduling|running|finished|failed|error|cancelling|cancelled|skipped,empty" says:"the status that follows, as if Neon had tried again"`
	After  string `json:"after" fits:"duration,empty" says:"how long after the end then follows, a duration such as 1s"`
}
