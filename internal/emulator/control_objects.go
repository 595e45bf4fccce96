package emulator

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

func (e *Emulator) showObjects(c *call) (reply, error) { return ok(e.listed(shownKinds, c.now)) }

// mostAtOnce are the branches and endpoints that the control path makes at once, some 250 MB of memory.
const mostAtOnce = 500_000

type sizedProjects struct {
	Name               string `json:"name" says:"the name; several are numbered"`
	Count              *int   `json:"count" fits:"1..20000" says:"how many projects; 1 by default"`
	Branches           int    `json:"branches" fits:"0..100000" says:"how many branches each has beside its default one"`
	EndpointsPerBranch int    `json:"endpoints_per_branch" fits:"0..100" says:"how many endpoints each of these branches has, the first read-write"`
}

// addSizedProjects creates projects of a size, each with its default branch besides the
// branches that the body asks for. No operation is left to wait for.
func (e *Emulator) addSizedProjects(c *call, body sizedProjects) (reply, error) {
	count := 1
	set(&count, body.Count)
	if all := count * (1 + body.Branches) * (1 + body.EndpointsPerBranch); all > mostAtOnce {
		return reply{}, wire.BadRequest("these are %d branches and endpoints; one request creates at most %d", all,
			mostAtOnce)
	}
	projectIDs, branchIDs, endpointIDs := []string{}, []string{}, []string{}
	var first *project
	for i := range count {
		name := body.Name
		if count > 1 {
			name = fmt.Sprintf("%s-%d", cmp.Or(body.Name, "project"), i+1)
		}
		p, branches, endpoints := e.addSizedProject(name, body, c.now)
		first = cmp.Or(first, p)
		projectIDs = append(projectIDs, p.ID)
		branchIDs, endpointIDs = append(branchIDs, branches...), append(endpointIDs, endpoints...)
	}
	return created(map[string]any{
		"project": e.projectByItself(first), "default_branch_id": first.DefaultBranchID,
		"project_ids": projectIDs, "branch_ids": branchIDs, "endpoint_ids": endpointIDs,
	})
}

// addSizedProject creates one of them, and returns it with the ids of the branches that it has
// besides the default one, and of their endpoints.
func (e *Emulator) addSizedProject(
	name string, size sizedProjects, now time.Time,
) (p *project, branchIDs, endpointIDs []string) {
	p = e.addProject(projectSpec{Name: name, OrgID: e.world.First.OrgID, RegionID: firstRegion}, now)
	root := p.Branches[p.DefaultBranchID]
	e.addReadyEndpoint(p, root, readWrite, now)
	for i := range size.Branches {
		b := newBranch(p, fmt.Sprintf("branch-%d", i+1), now.Add(time.Duration(i)*time.Microsecond))
		e.inherit(b, root)
		b.ParentLSN, b.States = fakeLSN(now), states{{At: now, State: "ready"}}
		branchIDs = append(branchIDs, b.ID)
		kind := readWrite
		for range size.EndpointsPerBranch {
			endpointIDs = append(endpointIDs, e.addReadyEndpoint(p, b, kind, now).ID)
			kind = readOnly
		}
	}
	return p, branchIDs, endpointIDs
}

func (e *Emulator) addReadyEndpoint(p *project, b *branch, kind string, now time.Time) *endpoint {
	made := e.addEndpoint(p, b, endpointSpec{Type: kind}, now)
	made.States = states{{At: now, State: "active"}}
	return made
}

type historySpec struct {
	ProjectID string `json:"project_id" says:"the project"`
	Count     int    `json:"count" fits:"required,1..5000" says:"how many operations"`
}

// addHistory adds finished operations to the history of a project.
func (e *Emulator) addHistory(c *call, body historySpec) (reply, error) {
	p := e.world.Projects[body.ProjectID]
	if p == nil {
		return reply{}, errNoProject(body.ProjectID)
	}
	oldest := c.now
	if len(p.Operations) > 0 {
		oldest = p.Operations[0].CreatedAt
	}
	// All of them are recent enough to be kept.
	step := min(time.Minute, retention/2/time.Duration(body.Count)).Truncate(time.Microsecond)
	history := make([]*operation, body.Count)
	for i := range history {
		at := oldest.Add(-time.Duration(body.Count-i) * step).Truncate(time.Microsecond)
		history[i] = p.newOperation(work{branchID: p.DefaultBranchID, action: "check_availability"}, at)
	}
	p.Operations = slices.Concat(history, p.Operations)
	return created(map[string]int{"count": body.Count})
}

type lockSpec struct {
	ProjectID string `json:"project_id" says:"the project"`
	BranchID  string `json:"branch_id,omitempty" says:"the branch; the whole project by default"`
	Duration  string `json:"duration" fits:"required,duration" says:"how long, a duration such as 2s"`
}

// addLock starts work that Neon does of itself, such as maintenance or a
// check of availability, and that is in the way of all other.
func (e *Emulator) addLock(c *call, body lockSpec) (reply, error) {
	p := e.world.Projects[body.ProjectID]
	if p == nil {
		return reply{}, errNoProject(body.ProjectID)
	}
	duration, _ := time.ParseDuration(body.Duration) // It was checked.
	if body.BranchID != "" && p.Branches[body.BranchID] == nil {
		return reply{}, wire.NotFound("there is no branch %q in project %s", body.BranchID, p.ID)
	}
	o := p.newOperation(work{branchID: body.BranchID, action: "check_availability"}, p.nextOperationTime(c.now))
	o.RunsAt, o.EndsAt = c.now, c.now.Add(duration)
	p.Operations, p.busy = append(p.Operations, o), append(p.busy, o)
	return created(map[string]any{"operation": o.view(c.now)})
}

type parentSpec struct {
	BranchID string `json:"branch_id" says:"the branch"`
	ParentID string `json:"parent_id" says:"its new parent, a branch of the same project that doesn't come from it"`
}

// setParent moves a branch to another parent, as a restore of its parent does to
// all children of it.
func (e *Emulator) setParent(c *call, body parentSpec) (reply, error) {
	for _, p := range e.world.Projects {
		b, parent := p.Branches[body.BranchID], p.Branches[body.ParentID]
		if b == nil || parent == nil || p.descends(parent, b) {
			continue
		}
		b.ParentID, b.ParentLSN, b.ParentTimestamp, b.UpdatedAt = parent.ID, fakeLSN(c.now), time.Time{}, c.now
		return ok(map[string]any{"branch": p.branchView(b, c.now, e)})
	}
	return reply{}, wire.BadRequest("branch_id and parent_id must name two branches of a project, the second no " +
		"descendant of the first")
}

// descends reports whether a branch is another one or comes from it.
func (p *project) descends(b, from *branch) bool {
	for ; b != nil; b = p.Branches[b.ParentID] {
		if b == from {
			return true
		}
	}
	return false
}

func errNoProject(id string) error {
	return wire.NotFound("there is no project %q; GET /_emulator/objects lists those that there are", id)
}
