package emulator

import (
	"cmp"
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var branchCreateRoutes = []route{
	{"POST " + projectPath + "/branches", forProject, bodyOptional(withBody((*Emulator).createBranch))},
}

type branchCreateBody struct {
	Branch struct {
		ParentID        string     `json:"parent_id" fits:"id,empty"`
		Name            string     `json:"name" fits:"1..256"`
		ParentLSN       string     `json:"parent_lsn" fits:"lsn"`
		ParentTimestamp *time.Time `json:"parent_timestamp"`
		Protected       bool       `json:"protected"`
		Archived        bool       `json:"archived"`
		InitSource      string     `json:"init_source" fits:"=parent-data|parent-schema|schema-only|import"`
		ExpiresAt       expiry     `json:"expires_at" fits:"time"`
	} `json:"branch"`
	Endpoints  []branchEndpoint  `json:"endpoints"`
	Annotation map[string]string `json:"annotation_value" fits:"..50"`
}

// branchEndpoint is one that is created with its branch.
type branchEndpoint struct {
	computeSpec

	Type string `json:"type" fits:"required,=read_only|read_write"`
}

func (body branchCreateBody) endpoints() []endpointSpec {
	return viewsOf(body.Endpoints, func(asked branchEndpoint) endpointSpec {
		return endpointSpec{Type: asked.Type, computeSpec: asked.computeSpec}
	})
}

func (e *Emulator) createBranch(c *call, body branchCreateBody) (reply, error) {
	b, parent, err := e.branchFrom(c, body)
	if err != nil {
		return reply{}, err
	}
	return e.startBranch(c, b, parent, body.endpoints())
}

// branchFrom returns a new branch without endpoints, and its parent.
func (e *Emulator) branchFrom(c *call, body branchCreateBody) (b, parent *branch, err error) {
	p := c.project
	if parent, err = body.check(e, p, c.now); err != nil {
		return nil, nil, err
	}
	draft := &branch{Protected: body.Branch.Protected}
	if err := cmp.Or(e.checkPast(parent, body.Branch.ParentLSN, body.Branch.ParentTimestamp),
		body.Branch.ExpiresAt.apply(draft, c.now), p.checkExpiry(draft, false), e.checkFree(p, c.now, parent.ID),
		parent.checkReady(c.now)); err != nil {
		return nil, nil, err
	}
	if body.Branch.InitSource == schemaOnly && parent.role("anonymous") != nil &&
		e.plays(doubts.SchemaOnlyWithDataAPI, "refused") {
		return nil, nil, wire.Refuse(http.StatusPreconditionFailed, "cannot create a schema-only branch: the branch has "+
			"the legacy web access role; role:%q", "anonymous")
	}
	b = newBranch(p, body.Branch.Name, c.now)
	e.inherit(b, parent)
	b.Protected, b.ExpiresAt, b.Life = draft.Protected, draft.ExpiresAt, draft.Life
	b.Archived, b.Annotation, b.CreatedBy = body.Branch.Archived, body.Annotation, c.key.UserID
	b.InitSource = cmp.Or(body.Branch.InitSource, b.InitSource)
	if e.makesRoot(b.InitSource) {
		b.ParentID = ""
		if e.plays(doubts.RootParent, "lsn") {
			b.ParentLSN = fakeLSN(c.now)
		}
	} else {
		b.begin(parent, e.askedLSN(body.Branch.ParentLSN), body.Branch.ParentTimestamp, c.now)
	}
	e.world.expiresAt(b.ExpiresAt)
	return b, parent, nil
}

// check returns the parent, or says why there can't be such a branch.
func (body branchCreateBody) check(e *Emulator, p *project, now time.Time) (*branch, error) {
	asked, of := body.Branch, e.planOfProject(p)
	if err := p.checkMoment("parent_", asked.ParentLSN, asked.ParentTimestamp, now); err != nil {
		return nil, e.doubtful(doubts.ParentTimestampRange, err)
	}
	writers := 0
	for _, spec := range body.Endpoints {
		if err := spec.check(of, p.EndpointDefaults); err != nil {
			return nil, err
		}
		if spec.Type == readWrite {
			writers++
		}
	}
	if writers > 1 {
		return nil, errSecondWriter()
	}
	parent := p.Branches[cmp.Or(asked.ParentID, p.DefaultBranchID)]
	switch {
	case parent == nil:
		return nil, e.doubtful(doubts.MissingParent, wire.NotFound("parent branch not found"))
	case !parent.ExpiresAt.IsZero():
		return nil, wire.Unprocessable("cannot create a branch from a branch that expires")
	case asked.Name != "" && p.hasBranchNamed(asked.Name):
		return nil, errBranchExists(asked.Name)
	}
	return parent, of.checkNewBranch(p, e.makesRoot(asked.InitSource), asked.Protected)
}

// makesRoot reports whether a branch that is created by a source has no parent.
func (e *Emulator) makesRoot(initSource string) bool {
	return initSource == schemaOnly || initSource == parentSchema && e.plays(doubts.ParentSchemaParent, "none")
}

// askedLSN is a position that was asked for, as answers have it. Neon's storage branches off at multiples of eight.
func (e *Emulator) askedLSN(lsn string) string {
	if lsn != "" && e.plays(doubts.AskedLSN, "rounded") {
		return lsnText((positionOf(lsn) + 7) &^ 7)
	}
	return lsn
}

// checkMoment refuses a moment or a position that isn't in a project's history, or both at once. Their names begin with
// a prefix. Answers have moments without fractions of a second.
func (p *project) checkMoment(prefix, lsn string, at *time.Time, now time.Time) error {
	what, moment := prefix+"timestamp", time.Time{}
	if at != nil {
		moment = *at
	}
	switch {
	case lsn != "" && !moment.IsZero():
		return wire.BadRequest("%slsn and %stimestamp cannot be specified together", prefix, prefix)
	case lsn != "" && momentOf(lsn).Before(p.CreatedAt.Truncate(time.Second)):
		return nil // No answer has had it, so that nothing says when it was.
	case lsn != "":
		what, moment = prefix+"lsn", momentOf(lsn)
	case moment.IsZero():
		return nil
	}
	switch {
	case moment.After(now):
		return wire.BadRequest("%s cannot be in the future", what)
	case moment.Before(p.CreatedAt.Truncate(time.Second)):
		return wire.BadRequest("%s cannot be before the project was created", what)
	case moment.Before(now.Add(-time.Duration(p.HistoryRetention) * time.Second).Truncate(time.Second)):
		return wire.BadRequest("%s is older than the project's history of %d seconds", what, p.HistoryRetention)
	}
	return nil
}

// startBranch schedules the creation of a branch and its endpoints, which ends after
// the copying of its parent's data, if any, and answers.
func (e *Emulator) startBranch(c *call, b, parent *branch, specs []endpointSpec) (reply, error) {
	p := c.project
	wanted := []work{{b.ID, "", "create_branch"}}
	if e.plays(doubts.CreationOperations, "protected-config") {
		wanted = append(wanted, work{b.ID, "", protectedConfig})
	}
	var endpoints []*endpoint
	mayRun := e.mayRunMore(p, b, c.now)
	for _, spec := range specs {
		endpoint := e.addEndpoint(p, b, spec, c.now)
		endpoints = append(endpoints, endpoint)
		if mayRun {
			endpoint.States = states{{At: c.now, State: "init"}}
			wanted = append(wanted, work{b.ID, endpoint.ID, startCompute})
		}
	}
	operations := e.schedule(p, c.now, wanted...)
	copied := copyOf(b, parent)
	copied.SchemaOnly = b.InitSource == schemaOnly || b.InitSource == parentSchema
	e.hold(c, operations, databaseWork{Copies: []data.Copy{copied}})
	p.lead(operations, c.now)
	if at, made := operations[0].settled(); !made && at.Before(never) && e.plays(doubts.FailedCreation, "gone") {
		b.GoneAt = at
		e.world.expiresAt(at)
	}
	view := p.branchView(b, c.now, e)
	if e.plays(doubts.BranchOrigin, "late") {
		view.ParentTimestamp = ""
	}
	answer := map[string]any{
		"branch": view, "operations": operationViews(operations, c.now),
		"endpoints": viewsOf(endpoints, func(made *endpoint) object { return e.endpointView(p, made, c.now) }),
		"roles":     b.roleViews(), "databases": b.databaseViews(),
	}
	// With more roles or databases there would be no telling which is wanted.
	if p.StorePasswords && len(b.Roles) == 1 && len(b.Databases) == 1 && len(endpoints) > 0 {
		answer["connection_uris"] = viewsOf(endpoints, func(through *endpoint) object {
			return e.connection(through, b.Roles[0], b.Databases[0])
		})
	}
	return reply{http.StatusCreated, answer}, nil
}
