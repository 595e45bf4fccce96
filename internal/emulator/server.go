// Package emulator serves Neon's control API and the claimable database
// API from memory, over plain HTTP, for tests, benchmarks and demonstrations.
//
// It is a reading of the two APIs of its own: it shares no type with the client
// that this project talks to Neon with, so that a wrong name in one of
// them isn't confirmed by the other.
package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/journal"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/serverless"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// New makes an emulator: with the world in the state file, or else with a new one.
func New(config Config) (*Emulator, error) {
	config.OperationDuration = cmp.Or(config.OperationDuration, defaultOperationDuration)
	config.Conflicts, config.Limits = cmp.Or(config.Conflicts, ConflictsProject), cmp.Or(config.Limits, LimitsOff)
	config.BranchPage = cmp.Or(config.BranchPage, defaultBranchPage)
	if config.Now == nil {
		config.Now = time.Now
	}
	if err := config.check(); err != nil {
		return nil, err
	}
	// It may be changed later, and is its caller's.
	config.Readings = maps.Collect(maps.All(config.Readings))
	e := &Emulator{
		config: config, mux: http.NewServeMux(), requests: control.NewRequests(),
		closed: make(chan struct{}), pagesOver: make(chan struct{}), journal: &journal.Journal{Log: config.Log},
		bodyPatience: usualBodyPatience,
	}
	e.close = sync.OnceFunc(func() { close(e.closed) })
	e.endPages = sync.OnceFunc(func() { close(e.pagesOver) })
	if folder := e.config.DataFolder; folder != "" {
		if err := data.PrepareFolder(folder); err != nil {
			return nil, err
		}
		e.config.StateFile = filepath.Join(folder, "world.db")
		e.contents.Folder = filepath.Join(folder, "objects")
	}
	if err := e.openWorld(); err != nil {
		return nil, err
	}
	e.pageSecret = e.world.SigningSeed
	e.advance(0)
	if err := e.openDatabases(); err != nil {
		return nil, errors.Join(fmt.Errorf("unable to serve databases: %w", err), e.Close())
	}
	e.door = serverless.New(e.databases.Gateway())
	e.resume()
	e.addRoutes()
	return e, nil
}

func (c Config) check() error {
	switch {
	case !slices.Contains([]string{ConflictsProject, ConflictsBranch, ConflictsNone}, c.Conflicts):
		return fmt.Errorf("conflicts is %q; it must be project, branch or none", c.Conflicts)
	case !slices.Contains([]string{LimitsOff, LimitsWindow, LimitsPaced}, c.Limits):
		return fmt.Errorf("limits is %q; it must be on, paced or off", c.Limits)
	case !slices.Contains([]string{"", PastRefused, PastPresent}, c.Past):
		return fmt.Errorf("past is %q; it must be refuse or present", c.Past)
	case c.OperationDuration < 0:
		return fmt.Errorf("an operation can't take %s", c.OperationDuration)
	case c.BranchPage < 0:
		return fmt.Errorf("a page can't have %d branches", c.BranchPage)
	case c.DataFolder != "" && c.StateFile != "":
		return errors.New("a state file keeps the world, and a folder of data does too: name one of them")
	}
	return errors.Join(checkPlan(c.Plan), checkReadings(c.Readings))
}

// ServeHTTP serves both APIs, the databases without sockets, the pages and the control path.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := e.checkCaller(r); err != nil {
		control.SendError(w, err)
		return
	}
	if e.allowFiles(w, r) {
		return
	}
	if serverless.Wants(r) {
		e.door.ServeHTTP(w, r)
		return
	}
	if said := wantedService(r); said != "" {
		e.observe(w, r, refuseService(said))
		return
	}
	if p := r.URL.EscapedPath(); path.Clean(p) != strings.TrimSuffix(p, "/") && p != "/" {
		// The multiplexer would redirect to another object, such as from a role named ".." to its branch.
		control.SendError(w, wire.NotFound("this route does not exist"))
		return
	}
	if r.URL.Path == "/" || strings.HasPrefix(r.URL.Path, "/_emulator") {
		e.mux.ServeHTTP(w, r)
		return
	}
	e.observe(w, r, e.mux)
}

// observe has a request served, and shows it on the page.
func (e *Emulator) observe(w http.ResponseWriter, r *http.Request, served http.Handler) {
	e.mu.Lock()
	seen := journal.Request{At: e.now(), Key: e.callerName(r)}
	e.mu.Unlock()
	e.journal.Observe(w, r, seen, served)
}

// EndPages ends the streams that keep open pages up to date, for a server that is told to
// end once its requests are over.
func (e *Emulator) EndPages() { e.endPages() }

// FirstWorld is what the world began with.
func (e *Emulator) FirstWorld() World {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.world.First
}

// SetBaseURL sets the address that claim URLs begin with. Without one they begin
// with the host that the request was sent to.
func (e *Emulator) SetBaseURL(url string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.baseURL = url
}

// Secrets returns every token, password and connection string that was handed out,
// so that tests can look for them where they must not be. It takes
// Config.RecordSecrets.
func (e *Emulator) Secrets() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(maps.Keys(e.world.secrets))
}

// Close cuts off who is connected to a database, and lets others have the state file.
func (e *Emulator) Close() error {
	e.close()
	e.endPages()
	err := e.databases.Close()
	if e.state != nil {
		err = errors.Join(err, e.state.close())
	}
	return err
}
