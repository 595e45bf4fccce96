package emulator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var branchRoutes = []route{
	{"GET " + projectPath + "/branches", forProject, (*Emulator).listBranches},
	{"GET " + projectPath + "/branches/count", forProject, (*Emulator).countBranches},
	{"GET " + branchPath, forProject, (*Emulator).getBranch},
	{"PATCH " + branchPath, forProject, checked(withBody((*Emulator).updateBranch), (*Emulator).findBranch)},
	{"DELETE " + branchPath, forProject, (*Emulator).deleteBranch},
	{"POST " + branchPath + "/set_as_default", forProject, (*Emulator).setDefaultBranch},
}

const (
	// longestLife is the furthest ahead that a branch may expire.
	longestLife = 30 * 24 * time.Hour
	// schemaOnly is the source of branches that have their parent's schema, and are
	// roots.
	schemaOnly = "schema-only"
	// parentSchema is that of branches with the schema alone, too.
	parentSchema = "parent-schema"
)

// inherit gives the branch what its parent has. Passwords of a protected one are its
// own.
func (e *Emulator) inherit(b, parent *branch) {
	b.ParentID = parent.ID
	b.Auth, b.HasAuthSchema, b.LeftUsers = parent.Auth.clone(), parent.HasAuthSchema, slices.Clone(parent.LeftUsers)
	b.Buckets, b.Functions = viewsOf(parent.Buckets, (*bucket).inherited), viewsOf(parent.Functions, (*function).inherited)
	b.Triggers = viewsOf(parent.Triggers, (*trigger).inherited)
	b.Roles = make([]*role, len(parent.Roles))
	for i, r := range parent.Roles {
		copied := *r
		if parent.Protected && !r.NoLogin {
			copied.passwords = passwords{Password: wire.NewPassword()}
		}
		b.Roles[i] = &copied
	}
	b.Databases = make([]*database, len(parent.Databases))
	for i, d := range parent.Databases {
		copied := *d
		e.world.LastDatabaseID++
		copied.ID = e.world.LastDatabaseID
		b.Databases[i] = &copied
		if served := parent.DataAPIs[d.ID]; served != nil && e.plays(doubts.DataAPIOfChild, "copied") {
			setIn(&b.DataAPIs, copied.ID, served.of(b))
		}
	}
}

func (e *Emulator) findBranch(c *call) error {
	if b := c.project.Branches[c.PathValue("branch_id")]; b != nil && !c.now.Before(b.AppearsAt) {
		c.branch = b
		return nil
	}
	return errNoBranch()
}

func errNoBranch() error { return wire.NotFound("branch not found") }

func errBranchExists(name string) error {
	return wire.Conflict("branch already exists; branch_name:%q", name)
}

// branchView is a branch on the wire. Lists may have many, which an object would take much more memory for.
type branchView struct {
	ID                 string            `json:"id"`
	ProjectID          string            `json:"project_id"`
	ParentID           string            `json:"parent_id,omitempty"`
	ParentLSN          string            `json:"parent_lsn,omitempty"`
	ParentTimestamp    string            `json:"parent_timestamp,omitempty"`
	Name               string            `json:"name"`
	CurrentState       string            `json:"current_state"`
	PendingState       string            `json:"pending_state,omitempty"`
	StateChangedAt     string            `json:"state_changed_at"`
	LogicalSize        int64             `json:"logical_size,omitempty"`
	CreationSource     string            `json:"creation_source"`
	Primary            bool              `json:"primary"`
	Default            bool              `json:"default"`
	Protected          bool              `json:"protected"`
	CPUUsedSec         int64             `json:"cpu_used_sec"`
	ComputeTimeSeconds int64             `json:"compute_time_seconds"`
	ActiveTimeSeconds  int64             `json:"active_time_seconds"`
	WrittenDataBytes   int64             `json:"written_data_bytes"`
	DataTransferBytes  int64             `json:"data_transfer_bytes"`
	CreatedAt          string            `json:"created_at"`
	UpdatedAt          string            `json:"updated_at"`
	TTL                int64             `json:"ttl_interval_seconds,omitempty"`
	ExpiresAt          string            `json:"expires_at,omitempty"`
	CreatedBy          map[string]string `json:"created_by,omitempty"`
	InitSource         string            `json:"init_source,omitempty"`
	LastResetAt        string            `json:"last_reset_at,omitempty"`
	Slug               string            `json:"slug,omitempty"`
	ProjectSlug        string            `json:"project_slug,omitempty"`
	RestrictedActions  []restriction     `json:"restricted_actions,omitempty"`
	restoration
}

func (p *project) branchView(b *branch, now time.Time, e *Emulator) branchView {
	v := branchView{
		ID: b.ID, ProjectID: p.ID, LogicalSize: e.databases.Size(b.ID), ParentID: b.ParentID, ParentLSN: b.ParentLSN,
		ParentTimestamp: wire.OptionalSeconds(e.parentTimestamp(b)), Name: b.Name, CurrentState: b.States.current(now),
		PendingState: b.States.pending(now), StateChangedAt: wire.Seconds(b.States.since(now)), CreationSource: "console",
		Primary: b.ID == p.DefaultBranchID, Default: b.ID == p.DefaultBranchID, Protected: b.Protected,
		CreatedAt: wire.Seconds(b.CreatedAt), UpdatedAt: wire.Seconds(b.UpdatedAt), TTL: int64(b.Life / time.Second),
		ExpiresAt: wire.OptionalSeconds(b.ExpiresAt), InitSource: e.initSource(b),
		LastResetAt: wire.OptionalSeconds(b.LastResetAt), restoration: b.Restored, RestrictedActions: b.restrictions(),
	}
	if e.plays(doubts.NewerFields, "told") {
		v.Slug, v.ProjectSlug = b.ID, p.ID
	}
	if b.Archived && v.CurrentState == "ready" && len(p.endpointsOf(b.ID)) == 0 {
		v.CurrentState = "archived"
	}
	if by := e.world.Users[b.CreatedBy]; by != nil {
		v.CreatedBy = map[string]string{"name": by.Name, "image": ""}
	}
	return v
}

// initSource is what answers have.
func (e *Emulator) initSource(b *branch) string {
	if b.InitSource == schemaOnly && e.plays(doubts.SchemaOnlyInitSource, "parent-schema") {
		return parentSchema
	}
	return b.InitSource
}

// parentTimestamp is what answers after the creation have.
func (e *Emulator) parentTimestamp(b *branch) time.Time {
	if e.plays(doubts.BranchOrigin, "asked") {
		return b.ParentTimestamp
	}
	return b.ParentChangedAt
}

func (b *branch) annotationView() object {
	value := b.Annotation
	if value == nil {
		value = map[string]string{}
	}
	return object{"object": map[string]string{"type": "console/branch", "id": b.ID}, "value": value,
		"created_at": wire.Seconds(b.AnnotatedAt), "updated_at": wire.Seconds(b.AnnotatedAt)}
}

func (e *Emulator) getBranch(c *call) (reply, error) {
	if c.branch == nil {
		return c.leaving(c.PathValue("branch_id"), errNoBranch())
	}
	return ok(map[string]any{"branch": c.project.branchView(c.branch, c.now, e), "annotation": c.branch.annotationView()})
}

// updateBranch isn't stopped by running operations where it schedules none.
func (e *Emulator) updateBranch(c *call, body branchUpdateBody) (reply, error) {
	b := c.branch
	changed := *b
	set(&changed.Name, body.Branch.Name)
	set(&changed.Protected, body.Branch.Protected)
	var err error
	switch {
	case changed.Name != b.Name && c.project.hasBranchNamed(changed.Name):
		err = errBranchExists(changed.Name)
	case changed.Protected && !b.Protected:
		err = e.planOfProject(c.project).checkProtected(c.project)
	}
	err = cmp.Or(err, body.Branch.ExpiresAt.apply(&changed, c.now),
		c.project.checkExpiry(&changed, c.project.hasChildren(b)))
	configures := changed.Protected != b.Protected && e.plays(doubts.Protecting, "operation")
	if err == nil && configures {
		err = e.isFree(c)
	}
	if err != nil {
		return reply{}, err
	}
	changed.UpdatedAt = c.now
	*b = changed
	e.world.expiresAt(b.ExpiresAt)
	var operations []*operation
	if configures {
		operations = e.schedule(c.project, c.now, work{b.ID, "", protectedConfig})
	}
	return ok(map[string]any{"branch": c.project.branchView(b, c.now, e), "operations": operationViews(operations, c.now)})
}

// checkExpiry refuses an expiry where a branch can't have one.
func (p *project) checkExpiry(b *branch, hasChildren bool) error {
	switch {
	case b.ExpiresAt.IsZero():
		return nil
	case b.ID == p.DefaultBranchID:
		return wire.Unprocessable("cannot set expiration on the default branch")
	case b.Protected:
		return wire.Unprocessable("cannot set expiration on a protected branch")
	case hasChildren:
		return wire.Unprocessable("cannot set expiration on a branch that has children")
	}
	return nil
}

func (e *Emulator) deleteBranch(c *call) (reply, error) {
	p, b := c.project, c.project.Branches[c.PathValue("branch_id")]
	if b == nil {
		return alreadyGone()
	}
	switch {
	case b.ID == p.DefaultBranchID:
		return reply{}, e.doubtful(doubts.DeleteProtected, wire.Unprocessable("cannot delete the default branch of "+
			"the project"))
	case b.Protected:
		return reply{}, e.doubtful(doubts.DeleteProtected, wire.Unprocessable("cannot delete protected branch"))
	case b.BacksUpRoot && e.plays(doubts.DeleteBackup, "refused"):
		return reply{}, wire.Unprocessable("cannot delete the backup of a restored root branch")
	case b.IsFirst && e.plays(doubts.DeleteFirstBranch, "refused"):
		return reply{}, wire.Unprocessable("cannot delete the root branch of the project")
	case p.hasChildren(b):
		return reply{}, wire.Unprocessable("cannot delete branch that has children; branch_id:%q", b.ID)
	}
	if err := e.checkFree(p, c.now, b.ID); err != nil {
		return reply{}, err
	}
	wanted := append(onEach(p.endpointsOf(b.ID), suspendCompute), work{b.ID, "", "delete_timeline"})
	operations := e.schedule(p, c.now, wanted...)
	view := p.branchView(b, c.now, e)
	view.PendingState = "storage_deleted"
	over := operations[len(operations)-1].EndsAt
	for _, endpoint := range p.endpointsOf(b.ID) {
		e.leaves(c, endpoint.ID, map[string]any{"endpoint": e.endpointView(p, endpoint, c.now)}, over)
	}
	e.leaves(c, b.ID, map[string]any{"branch": view, "annotation": b.annotationView()}, over)
	e.forgetBranch(p, b)
	return ok(map[string]any{"branch": view, "operations": operationViews(operations, c.now)})
}

// forgetBranch removes a branch with its computes.
func (e *Emulator) forgetBranch(p *project, b *branch) {
	p.touched = append(p.touched, b.ID)
	for _, endpoint := range p.endpointsOf(b.ID) {
		p.touched = append(p.touched, endpoint.ID)
		delete(p.Endpoints, endpoint.ID)
	}
	p.JWKS = slices.DeleteFunc(p.JWKS, func(k *jwks) bool { return k.BranchID == b.ID })
	if e.plays(doubts.SnapshotWithoutBranch, "gone") {
		p.forgetSnapshots(func(s *snapshot) bool { return s.SourceID == b.ID })
	}
	delete(p.Branches, b.ID)
}

// removeBranch deletes a branch whose time has come. The work that this took is
// in the operations, of that time.
func (e *Emulator) removeBranch(p *project, b *branch, at time.Time) {
	for _, endpoint := range p.endpointsOf(b.ID) {
		p.addFinished(at, b.ID, endpoint.ID, suspendCompute)
	}
	p.addFinished(at, b.ID, "", "delete_timeline")
	e.forgetBranch(p, b)
}

func (e *Emulator) setDefaultBranch(c *call) (reply, error) {
	b := c.branch
	if !b.ExpiresAt.IsZero() {
		return reply{}, wire.Unprocessable("cannot set a branch that expires as default")
	}
	c.project.DefaultBranchID = b.ID
	b.UpdatedAt = c.now
	return ok(map[string]any{"branch": c.project.branchView(b, c.now, e), "operations": []object{}})
}

func (e *Emulator) countBranches(c *call) (reply, error) {
	search := c.query("search")
	found := which(c.project.Branches, func(b *branch) bool { return contains(search, b.Name, b.ID) })
	return ok(map[string]int{"count": len(found)})
}

// branchCursors are those of lists of branches.
var branchCursors = cursorFields{id: "branch_id", value: "sort_by_value"}

// listBranches answers GET .../branches. A page has at most so many branches as Neon gives, however many are asked for.
func (e *Emulator) listBranches(c *call) (reply, error) {
	q := c.sortedQuery(branchCursors, min(c.queryInt("limit", e.config.BranchPage, 1, 10000), e.config.BranchPage),
		c.queryOneOf("sort_by", "updated_at", "name", "created_at", "updated_at"),
		c.queryOneOf("sort_order", "desc", "asc", "desc"))
	c.queryBool("include_deleted")
	search := c.query("search")
	isWanted := func(b *branch) bool { return contains(search, b.Name, b.ID) }
	found, next := sortedPage(q, maps.Values(c.project.Branches), isWanted, func(b *branch) place {
		switch q.sortBy {
		case "name":
			return place{text: b.Name, id: b.ID}
		case "created_at":
			return place{at: b.CreatedAt.UnixNano(), id: b.ID}
		}
		return place{at: b.UpdatedAt.UnixNano(), id: b.ID}
	})
	annotations := map[string]object{}
	for _, b := range found {
		if len(b.Annotation) > 0 {
			annotations[b.ID] = b.annotationView()
		}
	}
	order := strings.ToUpper(q.sortOrder)
	pagination := unlessEmpty(object{"sort_by": q.sortBy, "sort_order": order, "next": next}, "next")
	views := viewsOf(found, func(b *branch) branchView { return c.project.branchView(b, c.now, e) })
	return ok(map[string]any{"branches": views, "annotations": annotations, "pagination": pagination})
}

// begin says where in the history of another a branch begins: at a position, at a moment, or
// now.
func (b *branch) begin(parent *branch, lsn string, at *time.Time, now time.Time) {
	b.ParentLSN, b.ParentTimestamp = cmp.Or(lsn, fakeLSN(now)), time.Time{}
	if at != nil {
		b.ParentTimestamp, now = *at, *at
	}
	b.ParentChangedAt = parent.UpdatedAt
	if parent.UpdatedAt.After(now) {
		b.ParentChangedAt = parent.CreatedAt
	}
}

// fakeLSN is a position in a log that grows with time. Positions are multiples of eight.
func fakeLSN(now time.Time) string { return lsnText(uint64(now.UnixMilli()) << 3) }

func lsnText(position uint64) string { return fmt.Sprintf("%X/%X", position>>32, uint32(position)) }

// positionOf reads a position, zero for none.
func positionOf(lsn string) (position uint64) {
	high, low := uint64(0), uint64(0)
	if n, _ := fmt.Sscanf(lsn, "%X/%X", &high, &low); n == 2 {
		position = high<<32 + low
	}
	return position
}

type branchUpdateBody struct {
	Branch struct {
		Name      *string `json:"name" fits:"1..256"`
		Protected *bool   `json:"protected"`
		ExpiresAt expiry  `json:"expires_at" fits:"time,null"`
	} `json:"branch" fits:"required"`
}

// expiry tells a field that isn't there from one that is null: null ends an
// expiry.
type expiry struct {
	given bool
	at    time.Time
}

func (x *expiry) UnmarshalJSON(text []byte) error {
	x.given = true
	if string(text) == "null" {
		return nil
	}
	return json.Unmarshal(text, &x.at)
}

// apply sets or removes the branch's expiry, kept in seconds.
func (x expiry) apply(b *branch, now time.Time) error {
	if !x.given {
		return nil
	}
	if x.at.IsZero() {
		b.ExpiresAt, b.Life = time.Time{}, 0
		return nil
	}
	at := x.at.UTC().Truncate(time.Second)
	if !at.After(now) {
		return wire.BadRequest("expires_at must be in the future")
	}
	if at.Sub(now) > longestLife {
		return wire.BadRequest("expires_at must be at most 30 days ahead")
	}
	b.ExpiresAt, b.Life = at, at.Sub(now).Round(time.Second)
	return nil
}

var shownBranches = shown{list: "branches", ofProject: func(_ *Emulator, p *project, now time.Time) []object {
	return objectsOf(p.sortedBranches(), func(b *branch) object {
		return object{
			"anonymization": b.Masking.state(p, b, now), "masked_columns": b.Masking.columns(), "id": b.ID, "name": b.Name,
			"parent_id":  b.ParentID,
			"annotation": b.annotationView()["value"], "created_at": wire.Seconds(b.CreatedAt),
			"expires_at": wire.OptionalSeconds(b.ExpiresAt),
			"protected":  b.Protected, "current_state": b.States.current(now), "working": p.worksOn(b.ID, now),
		}
	})
}}

// worksOn reports whether an operation on the branch has not ended. One that has failed on a compute that
// is gone may be tried again, and matters to nobody.
func (p *project) worksOn(branchID string, now time.Time) bool {
	return slices.ContainsFunc(p.busy, func(o *operation) bool {
		isOfNone := o.EndpointID != "" && p.Endpoints[o.EndpointID] == nil && o.status(now) == failed
		return o.BranchID == branchID && !o.isOver(now) && !isOfNone
	})
}
