package emulator

import (
	"crypto/ed25519"
	"iter"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// world is all that exists at Neon. It is what the state file holds, each of the objects in its maps by itself.
type world struct {
	Users    map[string]*user         `json:"-"`
	Orgs     map[string]*organization `json:"-"`
	Projects map[string]*project      `json:"-"`
	// Deleted are the projects that were deleted.
	Deleted    map[string]*project   `json:"-"`
	Keys       map[int64]*apiKey     `json:"-"`
	Claimables map[string]*claimable `json:"-"`
	// Registrations are the anonymous identities of Claimable Neon, those that have ended a while ago too.
	Registrations map[string]*registration `json:"-"`

	byToken map[string]*apiKey
	// secrets holds what was handed out where that is recorded, and is nil elsewhere.
	secrets map[string]bool

	// Advanced is how far the world's clock is ahead of the real one.
	Advanced time.Duration
	First    World
	// GatewayPort is where databases are connected to, zero where none has been served.
	GatewayPort int
	// LastKeyID and LastDatabaseID are the numbers given last.
	LastKeyID      int64
	LastDatabaseID int64
	// SigningSeed is what the key begins with that signs their tokens. It also signs addresses of files and forms.
	SigningSeed []byte
	// NextExpiry is the earliest time at which something may expire, zero for none.
	NextExpiry time.Time
	// NextSuspension is the earliest time at which a compute may suspend by itself.
	NextSuspension time.Time
}

// user is somebody with an account.
type user struct {
	ID, Name, Email string
}

// organization owns projects.
type organization struct {
	ID, Name  string
	CreatedAt time.Time
	// Plan is the organization's, empty for the one that all have.
	Plan string `json:",omitempty"`
	// Members are by their users' ids.
	Members     map[string]*member
	Invitations []*invitation `json:",omitempty"`
	// VPCEndpoints are in the order of their assignment, removed ones too.
	VPCEndpoints []*vpcEndpoint `json:",omitempty"`
	// SpendingLimit is in cents a month, 0 for none.
	SpendingLimit int64 `json:",omitempty"`
}

func newWorld() *world {
	return &world{
		NextSuspension: never, LastKeyID: 1_600_000, LastDatabaseID: 2_400_000,
		SigningSeed: []byte(wire.Unguessable(ed25519.SeedSize)),
		Users:       map[string]*user{}, Orgs: map[string]*organization{}, Projects: map[string]*project{},
		Deleted: map[string]*project{}, Keys: map[int64]*apiKey{}, Claimables: map[string]*claimable{},
		Registrations: map[string]*registration{}, byToken: map[string]*apiKey{},
	}
}

// secret records that a value was handed out.
func (w *world) secret(value string) string {
	if w.secrets != nil && value != "" {
		w.secrets[value] = true
	}
	return value
}

// expiresAt makes sure that the world is looked through when something expires; zero for never.
func (w *world) expiresAt(at time.Time) {
	if !at.IsZero() && (w.NextExpiry.IsZero() || at.Before(w.NextExpiry)) {
		w.NextExpiry = at
	}
}

// hasExpired reports whether something's time has come; zero is never. If it hasn't yet, the world is looked through
// then.
func (w *world) hasExpired(at, now time.Time) bool {
	if at.IsZero() || now.Before(at) {
		w.expiresAt(at)
		return false
	}
	return true
}

func (w *world) addUser(name, email string) *user {
	u := &user{ID: wire.NewUUID(), Name: name, Email: email}
	w.Users[u.ID] = u
	return u
}

func (w *world) addOrganization(name string, now time.Time) *organization {
	org := &organization{ID: wire.NewOrgID(), Name: name, CreatedAt: now, Members: map[string]*member{}}
	w.Orgs[org.ID] = org
	return org
}

// apiKey is a key that hasn't been revoked: revocation is for ever, so nothing
// of a revoked one is kept.
type apiKey struct {
	ID                int64
	Kind, Name, Token string
	// UserID is the owner of a personal key, the creator of another.
	UserID           string
	OrgID, ProjectID string
	CreatedAt        time.Time
	LastUsedAt       time.Time `json:",omitzero"`
	LastUsedFrom     string
}

// member is a user in an organization.
type member struct {
	ID, UserID, Role string
	JoinedAt         time.Time
}

// invitation is one to an organization.
type invitation struct {
	ID, Email, Role, InvitedBy string
	InvitedAt                  time.Time
}

// vpcEndpoint is an endpoint of AWS PrivateLink that an organization was given. One that was
// removed stays, as it can never come back.
type vpcEndpoint struct {
	ID, RegionID, Label string
	AssignedAt          time.Time
	RemovedAt           time.Time `json:",omitzero"`
}

// claimable is a database that was made without an account. It has a project of
// its own, which changes hands when somebody claims it.
type claimable struct {
	ID, ProjectID, Referrer         string
	Status                          string
	CreatedAt, UpdatedAt, ExpiresAt time.Time
}

// registration is an anonymous identity of Claimable Neon, with the project that was made for it.
type registration struct {
	ID, ProjectID, BranchID string
	Source, Assertion       string
	Capabilities            []string
	CreatedAt, ExpiresAt    time.Time
	// Tokens are those that the assertion was exchanged for, by their texts.
	Tokens map[string]*accessToken `json:",omitempty"`
	// Claim is the newest attempt to claim the project, nil for none.
	Claim *claimAttempt `json:",omitempty"`
	// Frozen says that a person has begun to claim the project: nobody else reaches it any more.
	Frozen bool `json:",omitempty"`
	// Links counts the codes that were made.
	Links int `json:",omitempty"`
	// Revoked says that the assertion was revoked, or the project deleted.
	Revoked bool `json:",omitempty"`
}

type accessToken struct {
	Scopes    []string
	ExpiresAt time.Time
	Revoked   bool `json:",omitempty"`
}

// claimAttempt is a code, and the transfer that a person began with it.
type claimAttempt struct {
	Code      string
	ExpiresAt time.Time
	// TransferID names the transfer that the person continues with; empty until then.
	TransferID string `json:",omitempty"`
	// AcceptedAt is when the person took the project over.
	AcceptedAt time.Time `json:",omitzero"`
	// ReconciledAt is when the service notices that.
	ReconciledAt time.Time `json:",omitzero"`
}

// allProjects are those that exist, and the deleted ones.
func (w *world) allProjects() iter.Seq[*project] {
	return func(yield func(*project) bool) {
		for _, some := range []map[string]*project{w.Projects, w.Deleted} {
			for _, p := range some {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// Kinds of API keys.
const (
	personalKey     = "personal"
	organizationKey = "organization"
	projectKey      = "project-scoped"
)

// Statuses of a claimable database.
const (
	unclaimed = "UNCLAIMED"
	claiming  = "CLAIMING"
	claimed   = "CLAIMED"
)

const (
	admin = "admin"
	// mostMembers is how many a page of members has at most, and by default.
	mostMembers = 500
)

// administers reports whether a user is an administrator of the organization.
func (org *organization) administers(userID string) bool {
	m := org.Members[userID]
	return m != nil && m.Role == admin
}

// find returns the first that is so, nil for none.
func find[T any](all []*T, isSo func(*T) bool) *T {
	if at := slices.IndexFunc(all, isSo); at >= 0 {
		return all[at]
	}
	return nil
}

// setIn makes the map where there is none: one without members isn't kept.
func setIn[K comparable, T any](all *map[K]T, id K, one T) {
	if *all == nil {
		*all = map[K]T{}
	}
	(*all)[id] = one
}

// which are those of a map that are so, in no order.
func which[K comparable, T any](all map[K]*T, isSo func(*T) bool) (found []*T) {
	for _, one := range all {
		if isSo(one) {
			found = append(found, one)
		}
	}
	return found
}

// findIn returns one of a map that is so, nil for none.
func findIn[K comparable, T any](all map[K]*T, isSo func(*T) bool) *T {
	for _, one := range all {
		if isSo(one) {
			return one
		}
	}
	return nil
}

// without returns all but one.
func without[T comparable](all []T, gone T) []T {
	return slices.DeleteFunc(all, func(one T) bool { return one == gone })
}

// projectRoles are the roles in a project, from the least to the most.
var projectRoles = []string{"viewer", "editor", admin}

// isLess reports whether a role in a project, or none, may less than another.
func isLess(role, than string) bool {
	return slices.Index(projectRoles, role) < slices.Index(projectRoles, than)
}
