package emulator

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// project holds branches with their compute endpoints. The state file holds each of these, and each operation, by
// itself.
type project struct {
	Branches  map[string]*branch   `json:"-"`
	Endpoints map[string]*endpoint `json:"-"`
	// Operations are in the order of their times.
	Operations []*operation `json:"-"`

	// busy are those operations that may still change.
	busy []*operation
	// touched are the ids of branches, endpoints and operations that came, went or changed since a change was noted.
	touched []string
	// leavers are what is being deleted, by its id.
	leavers map[string]leaver

	ID, Name, OrgID, OwnerID string
	RegionID                 string
	Provisioner              string
	PostgresVersion          int
	StorePasswords           bool
	HistoryRetention         int64
	EndpointDefaults         endpointDefaults
	Settings                 map[string]any
	CreatedAt, UpdatedAt     time.Time
	HIPAAEnabledAt           time.Time `json:",omitzero"`
	DeletedAt                time.Time `json:",omitzero"`
	DefaultBranchID          string
	Permissions              []*permission `json:",omitempty"`
	// TransferRequests are those that nobody has accepted.
	TransferRequests []*transferRequest `json:",omitempty"`
	// Roles are those that members of the organization were given, by their ids.
	Roles map[string]string `json:",omitempty"`
	JWKS  []*jwks           `json:",omitempty"`
	// Snapshots are in the order of their times.
	Snapshots       []*snapshot       `json:",omitempty"`
	VPCRestrictions []*vpcRestriction `json:",omitempty"`
	// Integration is what the project is connected with, such as "github", if anything.
	Integration string `json:",omitempty"`
}

// endpointDefaults are the settings of endpoints that don't give their own.
type endpointDefaults struct {
	MinCU          float64        `json:"autoscaling_limit_min_cu"`
	MaxCU          float64        `json:"autoscaling_limit_max_cu"`
	SuspendTimeout int64          `json:"suspend_timeout_seconds"`
	PgSettings     map[string]any `json:"pg_settings,omitempty"`
}

// endpoint is a compute for a branch.
type endpoint struct {
	ID, Name, BranchID, Type string
	Host                     string
	MinCU, MaxCU             float64
	SuspendTimeout           int64
	Provisioner              string
	Settings                 map[string]any
	Disabled, Pooler         bool
	CreatedAt, UpdatedAt     time.Time
	// LastActive is when a client was active, of those sessions that have ended.
	LastActive time.Time `json:",omitzero"`
	States     states
}

// operation is work on a project. Its whole course is known when it is scheduled:
// its status at a time follows from these times.
type operation struct {
	ID, ProjectID, BranchID, EndpointID string
	Action                              string
	CreatedAt, RunsAt, EndsAt           time.Time
	// SourceID is the branch whose data is copied to another.
	SourceID string `json:",omitempty"`
	// End is the status at EndsAt; Error is told with it.
	End, Error string
	// Then is the status that follows at ThenAt, if any: Neon has tried again.
	Then   string    `json:",omitempty"`
	ThenAt time.Time `json:",omitzero"`
	// Held is empty, or why this operation can't end yet: its own database work runs (heldWorking), or that of the
	// operation before it (heldWaiting).
	Held string `json:",omitempty"`
	// Work is what it is held for.
	Work *databaseWork `json:",omitempty"`
}

// databaseWork is what an operation does with databases. The next run does what the end of
// one has interrupted.
type databaseWork struct {
	Copies []data.Copy `json:",omitempty"`
	// Configures brings the branch's roles and databases to what the API has, nil for not.
	Configures *postgres.Change `json:",omitempty"`
	// Deleted are roles that the API has no more, and has again where this fails.
	Deleted []*role `json:",omitempty"`
}

// jwks is the address of a set of keys that verify tokens in a project.
type jwks struct {
	ID, URL, Provider    string
	BranchID, Audience   string
	RoleNames            []string
	CreatedAt, UpdatedAt time.Time
}

// permission is access to a project for whoever has an account of an email address.
type permission struct {
	ID, Email string
	GrantedAt time.Time
	RevokedAt time.Time `json:",omitzero"`
}

// transferRequest lets whoever knows its id take the project over.
type transferRequest struct {
	ID                   string
	CreatedAt, ExpiresAt time.Time
}

// vpcRestriction has a project accept private connections through an endpoint.
type vpcRestriction struct {
	ID    string `json:"vpc_endpoint_id"`
	Label string `json:"label"`
}

// snapshot is a copy of a root branch at a moment, from which branches can be restored.
type snapshot struct {
	Name, Slug, SourceID, LSN string
	// HiddenID is the branch that keeps the snapshot's data, which nothing lists.
	HiddenID string `json:",omitempty"`
	// Timestamp is the moment that was asked for, zero where none was.
	Timestamp time.Time `json:",omitzero"`
	CreatedAt time.Time
	ExpiresAt time.Time `json:",omitzero"`
	// Content has the roles and databases of the branch, and the snapshot's id.
	Content *branch
}

// leaver is the answer to reads of something whose deletion still runs.
type leaver struct {
	answer map[string]any
	until  time.Time
}

// work is an operation that a request asks for.
type work struct {
	branchID, endpointID, action string
}

// endpointsOf are the endpoints of a branch, or of the project where none is named.
func (p *project) endpointsOf(branchID string) []*endpoint {
	found := which(p.Endpoints, func(e *endpoint) bool { return branchID == "" || e.BranchID == branchID })
	slices.SortFunc(found, func(a, b *endpoint) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return found
}

func (p *project) readWriteEndpoint(branchID string) *endpoint {
	return findIn(p.Endpoints, func(e *endpoint) bool { return e.BranchID == branchID && e.Type == readWrite })
}

func (p *project) branchNamed(name string) *branch {
	return findIn(p.Branches, func(b *branch) bool { return b.Name == name })
}

func (p *project) hasBranchNamed(name string) bool { return p.branchNamed(name) != nil }

func (p *project) hasChildren(b *branch) bool {
	return findIn(p.Branches, func(other *branch) bool { return other.ParentID == b.ID }) != nil
}

func (p *project) roots() int {
	return len(which(p.Branches, func(b *branch) bool { return b.ParentID == "" }))
}

// permission returns the one that an address has, nil for none.
func (p *project) permission(email string) *permission {
	return find(p.Permissions, func(granted *permission) bool {
		return granted.RevokedAt.IsZero() && strings.EqualFold(granted.Email, email)
	})
}

// Types of compute endpoints.
const (
	readWrite = "read_write"
	readOnly  = "read_only"
)

const (
	defaultRegion = "aws-us-east-1"
	// firstRegion is where projects are that no request asked for.
	firstRegion             = "aws-us-east-2"
	defaultPostgres         = 18
	defaultHistoryRetention = 86400
	defaultDatabase         = "neondb"
	mebibyte                = 1 << 20
	// recoveryPeriod is how long a deleted project can be recovered.
	recoveryPeriod = 7 * 24 * time.Hour
	// domain ends the names of all hosts. Names below localhost are loopback
	// everywhere (RFC 6761).
	domain = "neon.localhost"
)

// Ways in which an operation is held.
const (
	heldWorking = "working"
	heldWaiting = "waiting"
)

// proxyHost is the host that the names of the endpoints are below: a region
// aws-us-east-2 is us-east-2.aws there.
func (p *project) proxyHost() string {
	provider, region, _ := strings.Cut(p.RegionID, "-")
	return region + "." + provider + "." + domain
}

var uuidPattern = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

func (p *project) forgetSnapshots(which func(*snapshot) bool) {
	p.Snapshots = slices.DeleteFunc(p.Snapshots, which)
}

// allowedIPs are the addresses that settings of a project let in, with what else is set of that.
func allowedIPs(settings map[string]any) (ips []string, allowed map[string]any) {
	allowed, _ = settings["allowed_ips"].(map[string]any)
	return texts(allowed["ips"]), allowed
}

// texts are those of a list that came from JSON, or that we made.
func texts(list any) []string {
	if all, made := list.([]string); made {
		return all
	}
	var all []string
	elements, _ := list.([]any)
	for _, element := range elements {
		if text, isText := element.(string); isText {
			all = append(all, text)
		}
	}
	return all
}
