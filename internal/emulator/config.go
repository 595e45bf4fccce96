package emulator

import (
	"io"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// How Config.Limits reads the account's limit of 700 requests a minute, "about 11 a
// second", which doesn't say more.
const (
	LimitsOff = "off"
	// LimitsWindow lets 700 requests through in any minute.
	LimitsWindow = "on"
	// LimitsPaced lets 11 a second through, and 40 more after a rest.
	LimitsPaced = "paced"
)

// Config says how the emulated Neon behaves. The zero value is one without
// rate limits, whose operations take 300 ms and hold their project.
type Config struct {
	// OperationDuration is how long an operation takes; 300 ms by default.
	OperationDuration time.Duration
	// Conflicts is "project" (the default), "branch" or "none".
	Conflicts string
	// Plan is that of all organizations: "free", "launch" or "scale". Without one they have
	// what Scale has, and no limits on numbers but that of root branches.
	Plan string
	// Limits is how Neon enforces its rate limits: "off" (the default), "on" or
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
	// ConnectHost is the host of all connection strings, which then name their endpoint in an option and ask for no TLS,
	// for any driver; by default each endpoint's own host name.
	ConnectHost string
	// Exposed says that other machines may use what needs a key or a password, by whatever names they know this one.
	Exposed bool
	// AllowedOrigins are those of web pages that may use the databases without sockets and signed addresses of files,
	// such as "http://localhost:5173"; none by default.
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

// What is done where a call asks for data of the past (Config.Past).
const (
	// PastRefused refuses a moment since which the data has changed.
	PastRefused = "refuse"
	// PastPresent takes the present data for that of any moment.
	PastPresent = "present"
)
