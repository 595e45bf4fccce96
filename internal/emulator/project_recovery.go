package emulator

import (
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var recoveryRoutes = []route{
	{"POST " + projectPath + "/recover", forProjects, (*Emulator).recoverProject},
}

// recoverProject makes a project what it was when it was deleted, but for its keys and what has expired since,
// and its computes are idle. Its answer has all branches, as the description requires: with 10,000 of them these are
// 5 MB, and nearly all the time that it takes.
func (e *Emulator) recoverProject(c *call) (reply, error) {
	p := e.world.Deleted[c.PathValue("project_id")]
	if p == nil || e.roleIn(c.key, p) == "" {
		return reply{}, wire.NotFound("project not found")
	}
	if e.roleIn(c.key, p) != admin {
		return reply{}, e.errRole(admin, "project")
	}
	if err := e.checkNewProject(e.world.Orgs[p.OrgID]); err != nil {
		return reply{}, err
	}
	delete(e.world.Deleted, p.ID)
	e.world.Projects[p.ID] = p
	p.DeletedAt, p.UpdatedAt = time.Time{}, c.now
	c.project, c.isOfAccounts = p, true
	for _, endpoint := range p.Endpoints {
		if endpoint.States.current(c.now) == "idle" && endpoint.States.pending(c.now) == "" {
			continue
		}
		endpoint.States = states{{At: c.now, State: "idle"}}
		p.touched = append(p.touched, endpoint.ID)
	}
	e.expireIn(p, c.now)
	views := viewsOf(p.sortedBranches(), func(b *branch) branchView { return p.branchView(b, c.now, e) })
	return ok(map[string]any{"project": e.changedProjectView(p), "branches": views})
}
