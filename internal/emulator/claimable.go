package emulator

import (
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	// unclaimedLife is how long a database lives that nobody claims.
	unclaimedLife = 72 * time.Hour
	// claimablePostgres is the version that it has.
	claimablePostgres = 17

	claimableParameters = "channel_binding=require&sslmode=require"
	claimableMissing    = "Database not found"
	claimableFailure    = "Failed to create the database."
)

var claimableRoutes = map[string]func(*Emulator, *call) (reply, error){
	"POST /api/v1/database":      (*Emulator).createClaimable,
	"GET /api/v1/database/{id}":  (*Emulator).getClaimable,
	"POST /api/v1/database/{id}": (*Emulator).createClaimableAs,
}

// view has the pooled connection string until the database is claimed.
func (e *Emulator) claimableView(c *claimable, r *http.Request) object {
	view := object{
		"id": c.ID, "status": c.Status, "neon_project_id": c.ProjectID, "connection_string": nil,
		"claim_url":  e.baseURLFor(r) + "/claim/" + c.ID,
		"expires_at": nil, "created_at": wire.Milliseconds(c.CreatedAt), "updated_at": wire.Milliseconds(c.UpdatedAt),
	}
	if c.Status != claimed || e.plays(doubts.ClaimableExpiresAt, "told") {
		view["expires_at"] = wire.Milliseconds(c.ExpiresAt)
	}
	if c.Status == claimed {
		return view
	}
	if p := e.world.Projects[c.ProjectID]; p != nil {
		view["connection_string"] = e.claimableString(p)
	}
	return view
}

// claimableString is the pooled address of an unclaimed project's database; nil where a statement has dropped that.
func (e *Emulator) claimableString(p *project) any {
	b := p.Branches[p.DefaultBranchID]
	if len(b.Databases) == 0 {
		return nil
	}
	return e.connectionString(pooled(p.readWriteEndpoint(b.ID).Host), b.Roles[0], b.Databases[0], claimableParameters)
}

// errNoReferrer refuses to make a database for nobody.
func errNoReferrer(where string) error {
	return &wire.Error{
		Status: http.StatusBadRequest, Message: "Missing referrer",
		Hint: "Say who asks for the database in " + where + ".",
	}
}

func errClaimableFailure() error {
	return wire.Refuse(http.StatusInternalServerError, claimableFailure)
}

type claimableBody struct {
	Ref         *string `json:"ref" fits:"null"`
	Replication bool    `json:"enable_logical_replication" fits:"null"`
}

func (e *Emulator) createClaimable(c *call) (reply, error) {
	var body claimableBody
	if wire.Decode(c.body, &body) != nil {
		return reply{}, errClaimableFailure()
	}
	if body.Ref == nil || *body.Ref == "" {
		return reply{}, errNoReferrer(`the field "ref"`)
	}
	return ok(e.claimableView(e.addClaimable(wire.NewTimeUUID(c.now), *body.Ref, body.Replication, c.now), c.Request))
}

// createClaimableAs answers POST /database/{id}?referrer=, by which the official
// clients make a database whose id they chose.
func (e *Emulator) createClaimableAs(c *call) (reply, error) {
	id := c.PathValue("id")
	if !uuidPattern.MatchString(id) {
		return reply{}, wire.BadRequest(claimableMissing)
	}
	var body claimableBody
	if len(c.body) > 0 && wire.Decode(c.body, &body) != nil {
		return reply{}, errClaimableFailure()
	}
	referrer := c.query("referrer")
	if referrer == "" {
		return reply{}, errNoReferrer(`the parameter "referrer"`)
	}
	if e.world.Claimables[id] != nil {
		return reply{}, wire.Conflict("Database already exists")
	}
	return ok(e.claimableView(e.addClaimable(id, referrer, body.Replication, c.now), c.Request))
}

// addClaimable makes a database that is usable at once.
func (e *Emulator) addClaimable(id, referrer string, replication bool, now time.Time) *claimable {
	// Whoever knows all of the id can claim it.
	p := e.addUnclaimedProject(projectSpec{Name: "claimable-" + id[:8], PgVersion: claimablePostgres}, now)
	p.Settings["enable_logical_replication"] = replication
	made := &claimable{
		ID: id, ProjectID: p.ID, Referrer: referrer, Status: unclaimed,
		CreatedAt: now, UpdatedAt: now, ExpiresAt: now.Add(unclaimedLife),
	}
	e.world.Claimables[id] = made
	e.world.expiresAt(made.ExpiresAt)
	return made
}

// addUnclaimedProject makes a project that no organization of a user's owns until it is claimed.
func (e *Emulator) addUnclaimedProject(spec projectSpec, now time.Time) *project {
	spec.RegionID = firstRegion
	spec.Settings = map[string]any{"quota": map[string]any{"logical_size_bytes": 100 * mebibyte,
		"data_transfer_bytes": 1000 * mebibyte}}
	p := e.addProject(spec, now)
	endpoint := e.addEndpoint(p, p.Branches[p.DefaultBranchID], endpointSpec{Type: readWrite}, now)
	endpoint.States = states{{At: now, State: "active"}}
	return p
}

func (e *Emulator) baseURLFor(r *http.Request) string {
	if e.baseURL != "" {
		return e.baseURL
	}
	return "http://" + r.Host
}

// getClaimable answers GET /database/{id}. One that has expired is gone.
func (e *Emulator) getClaimable(c *call) (reply, error) {
	id := c.PathValue("id")
	if !uuidPattern.MatchString(id) {
		return reply{}, wire.BadRequest(claimableMissing)
	}
	found := e.world.Claimables[id]
	if found == nil {
		return reply{}, e.doubtful(doubts.ClaimableExpired, wire.NotFound(claimableMissing))
	}
	return ok(e.claimableView(found, c.Request))
}

// adopt gives a project that nobody owned to the organization of the first world, with the limits of its plan.
func (e *Emulator) adopt(p *project) {
	delete(p.Settings, "quota")
	p.OrgID = e.world.First.OrgID
}

// rotatePassword gives the owner of a project's database another password.
func (e *Emulator) rotatePassword(p *project, now time.Time) {
	role := p.Branches[p.DefaultBranchID].Roles[0]
	before := role.passwordAt(now)
	role.changePassword(wire.NewPassword(), before, []*operation{p.addFinished(now, p.DefaultBranchID, "",
		"apply_config")}, now)
}
