package emulator

import (
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var projectListRoutes = []route{
	{"GET " + apiRoot + "/projects", forProjects, (*Emulator).listProjects},
	{"GET " + apiRoot + "/projects/shared", forProjects, (*Emulator).listSharedProjects},
}

func (e *Emulator) listProjects(c *call) (reply, error) {
	recoverable := c.queryBool("recoverable")
	org, err := e.organization(c, c.queryMatching("org_id", wire.IDPattern))
	if err != nil {
		return reply{}, err
	}
	listed := e.world.Projects
	if recoverable {
		listed = e.world.Deleted
	}
	answer := e.projectPage(c, listed, func(p *project) bool {
		return p.OrgID == org.ID && e.roleIn(c.key, p) != ""
	})
	answer["applications"], answer["integrations"] = map[string]any{}, map[string]any{}
	return ok(answer)
}

func (e *Emulator) listSharedProjects(c *call) (reply, error) {
	return ok(e.projectPage(c, e.world.Projects, func(p *project) bool { return e.sharedWith(c.key, p) }))
}

// projectPage is a page of a list, whose cursor is the id of the last project.
func (e *Emulator) projectPage(c *call, listed map[string]*project, wanted func(*project) bool) map[string]any {
	limit := c.queryInt("limit", 10, 1, 400)
	c.queryInt("timeout", 0, 100, 30000)
	cursor, search := c.query("cursor"), c.query("search")
	found := which(listed, func(p *project) bool {
		return wanted(p) && p.ID > cursor && contains(search, p.Name, p.ID) && !slices.Contains(e.unavailable, p.ID)
	})
	slices.SortFunc(found, func(a, b *project) int { return strings.Compare(a.ID, b.ID) })
	found = found[:min(limit, len(found))]
	items := viewsOf(found, e.projectListItem)
	answer := map[string]any{"projects": items}
	if len(items) > 0 {
		answer["pagination"] = map[string]string{"cursor": found[len(found)-1].ID}
	}
	if len(e.unavailable) > 0 {
		answer["unavailable_project_ids"] = e.unavailable
	}
	return answer
}

// Bounds of the deleted projects that are kept, the last ones, so that an emulator can be left running. With
// databases, each of them occupies disk space.
const (
	mostDeleted         = 200
	mostDeletedWithData = 10
)

// addDeleted keeps a deleted project for its recovery, and drops the one that was deleted longest ago where there
// are too many.
func (e *Emulator) addDeleted(p *project) {
	w, most := e.world, mostDeleted
	if e.databases != nil {
		most = mostDeletedWithData
	}
	w.Deleted[p.ID] = p
	w.expiresAt(p.DeletedAt.Add(recoveryPeriod))
	if len(w.Deleted) > most {
		oldest := sorted(w.Deleted, func(p *project) (time.Time, string) { return p.DeletedAt, p.ID })[0]
		delete(w.Deleted, oldest.ID)
	}
}
