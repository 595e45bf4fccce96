// Package emulator serves the platform's control API and the claimable database
// API from memory, over plain HTTP, for tests, benchmarks and demonstrations.
//
// It is a reading of the two APIs of its own: it shares no type with the client
// that this project talks to the platform with, so that a wrong name in one of
// them isn't confirmed by the other.
package emulator

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/journal"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/serverless"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// Ways to refuse overlapping work (Config.Conflicts).
const (
	// ConflictsProject refuses new work on a project while any runs there.
	ConflictsProject = "project"
	// ConflictsBranch refuses it only on the branch where some runs.
	ConflictsBranch = "branch"
	// ConflictsNone refuses none.
	ConflictsNone = "none"
)

// UsualPostgres is the version of PostgreSQL that projects have which ask for none.
const UsualPostgres = defaultPostgres

const (
	defaultOperationDuration = 300 * time.Millisecond
	// The official command line says that real pages of branches stop at 100.
	defaultBranchPage = 100
)

// Config says how the emulated platform behaves. The zero value is one without
// rate limits, whose operations take 300 ms and hold their project.
type Config struct {
	// OperationDuration is how long an operation takes; 300 ms by default.
	OperationDuration time.Duration
	// Conflicts is "project" (the default), "branch" or "none".
	Conflicts string
	// Plan is that of all organizations: "free", "launch" or "scale". Without one they have
	// what Scale has, and no limits on numbers but that of root branches.
	Plan string
	// Limits is how the platform enforces its rate limits: "off" (the default), "on" or
	// "paced".
	Limits string
	// BranchPage is the most branches in one page; 100 by default.
	BranchPage int
	// Readings are alternatives to what was decided where nobody knows what Neon does, by the
	// names that Readings lists.
	Readings map[string]string
	// StateFile is where the world is kept between runs; nowhere by default.
	StateFile string
	// DataFolder is where the world and the data of branches are kept between runs; nowhere by
	// default. A state file has a world without data.
	DataFolder string
	// Postgres keeps the data of branches; without one no database is served. One that keeps
	// data between runs serves a single emulator.
	Postgres *postgres.Installation
	// Past says what becomes of calls that ask for data of a past moment, of which no history is kept:
	// "refuse" (the default) refuses a moment since which the data has changed, and "present" gives the
	// present data for any.
	Past string
	// RecordSecrets remembers all that is handed out, for Secrets.
	RecordSecrets bool
	// PostgresHost is the address that databases are served on, that of loopback by default, and PostgresPort its port; by
	// default that of the kept world, or any free one.
	PostgresHost string
	PostgresPort int
	// ConnectHost is the host of all connection strings, which then name their endpoint in an option and ask for no TLS, for
	// any driver; by default each endpoint's own host name.
	ConnectHost string
	// Exposed says that other machines may use what needs a key or a password, by whatever names they know this one.
	Exposed bool
	// AllowedOrigins are those of web pages that may use the databases without sockets and signed addresses of files, such as
	// "http://localhost:5173"; none by default.
	AllowedOrigins []string
	// Token is what the control path and the page need; they are for this machine alone where there is none.
	Token string
	// Log gets a line for each request to the APIs and the claim page; nobody by default.
	Log io.Writer
	// Now is the clock below the world's; time.Now by default.
	Now func() time.Time
}

// World is what a new world begins with.
type World struct {
	// APIKey is a personal key of an administrator of the organization.
	APIKey string
	OrgID  string
	// ProjectID is a project of the organization; the rest is what it has.
	ProjectID    string
	BranchID     string
	EndpointID   string
	RoleName     string
	DatabaseName string
}

// Emulator is one emulated platform. It is an http.Handler.
type Emulator struct {
	config Config
	mux    *http.ServeMux
	// pageSecret signs the tokens in the forms of the claim page.
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

// New makes an emulator: with the world in the state file, or else with a new one.
func New(config Config) (*Emulator, error) {
	if config.OperationDuration == 0 {
		config.OperationDuration = defaultOperationDuration
	}
	if config.Conflicts == "" {
		config.Conflicts = ConflictsProject
	}
	if config.Limits == "" {
		config.Limits = LimitsOff
	}
	if config.BranchPage == 0 {
		config.BranchPage = defaultBranchPage
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if err := config.check(); err != nil {
		return nil, err
	}
	// It may be changed later, and is its caller's.
	config.Readings = maps.Collect(maps.All(config.Readings))
	e := &Emulator{
		config: config, mux: http.NewServeMux(), pageSecret: make([]byte, 32), requests: control.NewRequests(),
		closed: make(chan struct{}), pagesOver: make(chan struct{}), journal: &journal.Journal{Log: config.Log}, bodyPatience: usualBodyPatience,
	}
	e.close = sync.OnceFunc(func() { close(e.closed) })
	e.endPages = sync.OnceFunc(func() { close(e.pagesOver) })
	_, _ = rand.Read(e.pageSecret) // It never fails: crypto/rand ends the program instead.
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
	switch c.Conflicts {
	case ConflictsProject, ConflictsBranch, ConflictsNone:
	default:
		return fmt.Errorf("conflicts is %q; it must be project, branch or none", c.Conflicts)
	}
	switch c.Limits {
	case LimitsOff, LimitsWindow, LimitsPaced:
	default:
		return fmt.Errorf("limits is %q; it must be on, paced or off", c.Limits)
	}
	switch c.Past {
	case "", PastRefused, PastPresent:
	default:
		return fmt.Errorf("past is %q; it must be refuse or present", c.Past)
	}
	if c.OperationDuration < 0 {
		return fmt.Errorf("an operation can't take %s", c.OperationDuration)
	}
	if c.BranchPage < 0 {
		return fmt.Errorf("a page can't have %d branches", c.BranchPage)
	}
	if c.DataFolder != "" && c.StateFile != "" {
		return errors.New("a state file keeps the world, and a folder of data does too: name one of them")
	}
	return errors.Join(checkPlan(c.Plan), checkReadings(c.Readings))
}

// Handler is the emulator itself.
func (e *Emulator) Handler() http.Handler { return e }

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
