package emulator

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var transferRoutes = []route{
	{"POST " + apiRoot + "/organizations/{source_org_id}/projects/transfer", forProjects,
		aboutWithBody((*Emulator).sourceOrganization, (*Emulator).transferFromOrganization)},
	{"POST " + apiRoot + "/users/me/projects/transfer", forUsers, withBody((*Emulator).transferFromUser)},
}

type transferBody struct {
	Destination string   `json:"destination_org_id" fits:"required,id"`
	ProjectIDs  []string `json:"project_ids" fits:"required,1..400,each,id"`
}

// sourceOrganization finds the one that projects leave, which takes an administrator.
func (e *Emulator) sourceOrganization(c *call) (*organization, error) {
	err := e.findOrganization(c, c.PathValue("source_org_id"))
	if err == nil && c.key.Kind == personalKey {
		err = e.administers(c)
	}
	return c.org, err
}

// transferFromOrganization transfers all projects, or none, for who belongs to the destination too.
func (e *Emulator) transferFromOrganization(c *call, source *organization, body transferBody) (reply, error) {
	if err := e.findOrganization(c, body.Destination); err != nil {
		return reply{}, err
	}
	projects, err := e.projectsOf(source, body.ProjectIDs)
	if err != nil {
		return reply{}, err
	}
	if refusal := integrated(projects); refusal != nil {
		return reply{http.StatusUnprocessableEntity, map[string]any{"projects": refusal}}, nil
	}
	if source == c.org {
		return ok(map[string]any{})
	}
	if limits := e.unsatisfied(source, c.org, len(projects)); limits != nil {
		return reply{http.StatusNotAcceptable, map[string]any{"limits": limits}}, nil
	}
	for _, p := range projects {
		e.handOver(p, c.org, c.now)
	}
	return ok(map[string]any{})
}

// handOver makes a project another organization's.
func (e *Emulator) handOver(p *project, to *organization, now time.Time) {
	leaves := to.ID != p.OrgID
	p.OrgID, p.UpdatedAt = to.ID, now
	if !leaves {
		return
	}
	p.Roles = nil // They are of the members of the organization that had it.
	if e.plays(doubts.ProjectKeyAfterTransfer, "401") {
		e.world.removeKeysOf(p)
	}
}

func (e *Emulator) projectsOf(org *organization, ids []string) ([]*project, error) {
	var projects []*project
	for _, id := range ids {
		p := e.world.Projects[id]
		if p == nil || p.OrgID != org.ID {
			return nil, wire.NotFound("project not found; project_id:%q", id)
		}
		projects = append(projects, p)
	}
	return projects, nil
}

// unsatisfiedLimit is one of a plan that projects would break.
type unsatisfiedLimit struct {
	Name     string `json:"name"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
}

// subscriptionType names the limit that a lower plan is.
const subscriptionType = "subscription_type"

// unsatisfied are the limits of the destination's plan that the projects would break.
func (e *Emulator) unsatisfied(source, destination *organization, added int) (limits []unsatisfiedLimit) {
	from, to := e.planOf(source), e.planOf(destination)
	if to.rank < from.rank {
		limits = append(limits, unsatisfiedLimit{subscriptionType, from.name, to.name})
	}
	if count := e.world.projectCount(destination) + added; !to.lenient && count > to.projects {
		limits = append(limits, unsatisfiedLimit{"projects_count", strconv.Itoa(to.projects), strconv.Itoa(count)})
	}
	return limits
}

// integrated are those of the projects that can't be transferred for an integration.
func integrated(projects []*project) []any {
	var found []any
	for _, p := range projects {
		if p.Integration != "" {
			found = append(found, map[string]string{"id": p.ID, "integration": p.Integration})
		}
	}
	return found
}

// transferFromUser finds no project: all are an organization's, and none a user's own any more.
func (e *Emulator) transferFromUser(c *call, body transferBody) (reply, error) {
	return reply{}, cmp.Or(e.findOrganization(c, body.Destination),
		wire.NotFound("project not found; project_id:%q", body.ProjectIDs[0]))
}
