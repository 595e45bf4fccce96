package emulator

import (
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// world is all that exists on the platform. It is what the state file holds.
type world struct {
	// Advanced is how far the world's clock is ahead of the real one.
	Advanced time.Duration
	First    World
	Users    map[string]*user
	Orgs     map[string]*organization
	Projects map[string]*project
	// Deleted are the projects that were deleted.
	Deleted map[string]*project
	Keys    map[int64]*apiKey
	// GatewayPort is where databases are connected to, zero where none has been served.
	GatewayPort int
	// LastKeyID and LastDatabaseID are the numbers given last.
	LastKeyID      int64
	LastDatabaseID int64
	Claimables     map[string]*claimable
	// Registrations are the anonymous identities of Claimable Neon, those that have ended too.
	Registrations map[string]*registration
	// SigningSeed is what the key begins with that signs their tokens.
	SigningSeed []byte `json:",omitempty"`
	// NextExpiry is the earliest time at which something may expire, zero for none.
	NextExpiry time.Time
	// NextSuspension is the earliest time at which a compute may suspend by itself.
	NextSuspension time.Time

	byToken map[string]*apiKey
	// secrets holds what was handed out where that is recorded, and is nil elsewhere.
	secrets map[string]bool
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
		Users: map[string]*user{}, Orgs: map[string]*organization{}, Projects: map[string]*project{}, Deleted: map[string]*project{},
		Keys: map[int64]*apiKey{}, Claimables: map[string]*claimable{}, Registrations: map[string]*registration{}, NextSuspension: never,
		LastKeyID: 1_600_000, LastDatabaseID: 2_400_000,
		byToken: map[string]*apiKey{},
	}
}

// secret records that a value was handed out.
func (w *world) secret(value string) string {
	if w.secrets != nil && value != "" {
		w.secrets[value] = true
	}
	return value
}

// expiresAt makes sure that the world is looked through when something expires.
func (w *world) expiresAt(at time.Time) {
	if w.NextExpiry.IsZero() || at.Before(w.NextExpiry) {
		w.NextExpiry = at
	}
}

// createFirstWorld makes what a new world begins with: a user who administers an
// organization, with a key, and a project.
func (e *Emulator) createFirstWorld() {
	w := e.world
	e.worldIsNew = true
	// It was all made a while ago: nothing of it is still being worked on.
	made := e.now().Add(-time.Hour)
	ada := w.addUser("Ada Admin", "ada@example.com")
	org := w.addOrganization("Example", made)
	org.addMember(ada, admin, made)
	key := w.addKey(&apiKey{Kind: personalKey, Name: "first", UserID: ada.ID, CreatedAt: made})
	made = made.Add(time.Minute)
	p := e.addProject(projectSpec{Name: "first", OrgID: org.ID, OwnerID: ada.ID, RegionID: firstRegion}, made)
	b := p.Branches[p.DefaultBranchID]
	endpoint := e.addEndpoint(p, b, endpointSpec{Type: readWrite}, made)
	p.addFinished(made, b.ID, "", "create_timeline")
	p.addFinished(made, b.ID, endpoint.ID, "start_compute")
	endpoint.States, endpoint.LastActive = states{{At: made, State: "active"}}, e.now()
	w.watchCompute(endpoint, e.now())
	w.First = World{
		APIKey: key.Token, OrgID: org.ID, ProjectID: p.ID, BranchID: b.ID, EndpointID: endpoint.ID,
		RoleName: b.Roles[0].Name, DatabaseName: b.Databases[0].Name,
	}
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

// expire removes what the world's time has passed: branches with their compute
// endpoints, snapshots, and unclaimed databases with the projects below them. Computes that
// nobody uses are suspended.
func (e *Emulator) expire(now time.Time) {
	w := e.world
	if !now.Before(w.NextSuspension) {
		e.suspendIdle(now)
	}
	if w.NextExpiry.IsZero() || now.Before(w.NextExpiry) {
		return
	}
	e.changedAnywhere()
	w.NextExpiry = time.Time{}
	for _, p := range w.Projects {
		for _, b := range p.Branches {
			switch at := e.deletedAt(b); {
			case at.IsZero():
			case now.Before(at):
				w.expiresAt(at)
			default:
				e.removeBranch(p, b, at)
			}
		}
		w.expireSnapshots(p, now)
	}
	w.expireDeleted(now)
	for id, c := range w.Claimables {
		switch {
		case c.Status == claimed:
		case now.Before(c.ExpiresAt):
			w.expiresAt(c.ExpiresAt)
		default:
			delete(w.Claimables, id)
			delete(w.Projects, c.ProjectID)
		}
	}
	w.expireRegistrations(now)
}

// deletedAt is when a branch goes by itself, zero for never.
func (e *Emulator) deletedAt(b *branch) time.Time {
	switch {
	case !b.GoneAt.IsZero():
		return b.GoneAt
	case !b.ExpiresAt.IsZero() && e.plays("expired-branch", "late"):
		return b.ExpiresAt.Add(time.Minute)
	}
	return b.ExpiresAt
}
