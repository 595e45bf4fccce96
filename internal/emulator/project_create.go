package emulator

import (
	"cmp"
	"net/http"
)

var projectCreateRoutes = []route{
	{"POST " + apiRoot + "/projects", forProjects, withBody((*Emulator).createProject)},
}

func (e *Emulator) createProject(c *call, body struct {
	Project projectSpec `json:"project" fits:"required"`
}) (reply, error) {
	spec := body.Project
	if err := e.prepareProject(c, &spec); err != nil {
		return reply{}, err
	}
	p := e.addProject(spec, c.now)
	b := p.Branches[p.DefaultBranchID]
	endpoint := e.addEndpoint(p, b, endpointSpec{Type: readWrite}, c.now)
	b.States, endpoint.States = states{{At: c.now, State: "init"}}, states{{At: c.now, State: "init"}}
	operations := e.schedule(p, c.now, work{b.ID, "", "create_timeline"}, work{b.ID, endpoint.ID, startCompute})
	p.lead(operations, c.now)
	return reply{http.StatusCreated, map[string]any{
		"project":         e.projectByItself(p),
		"connection_uris": []object{e.connection(endpoint, b.Roles[0], b.Databases[0])},
		"roles":           []object{e.viewWithPassword(b, b.Roles[0])},
		"databases":       b.databaseViews(),
		"operations":      operationViews(operations, c.now),
		"branch":          p.branchView(b, c.now, e),
		"endpoints":       []object{e.endpointView(p, endpoint, c.now)},
	}}, nil
}

// prepareProject refuses what can't be created, and adds whose it will be.
func (e *Emulator) prepareProject(c *call, spec *projectSpec) error {
	org, err := e.organization(c, spec.OrgID)
	if err != nil {
		return err
	}
	if m := c.callerIn(org); m != nil && isLess(roleByDefault(m.Role), "editor") {
		return e.errRole("editor", "organization")
	}
	of := e.planOf(org)
	if err := cmp.Or(e.checkNewProject(org), of.checkProject(spec.HistoryRetention, spec.Settings),
		checkSettings(nil, spec.Settings), e.checkRegion(spec.RegionID), e.checkDatabaseName(spec.Branch.DatabaseName),
		e.checkRoleName(spec.roleName())); err != nil {
		return err
	}
	defaults := e.defaultSizes(of)
	set(&defaults.MinCU, spec.MinCU)
	defaults.MaxCU = max(defaults.MaxCU, defaults.MinCU)
	set(&defaults.MaxCU, spec.MaxCU)
	var sent sentDefaults
	set(&sent, spec.EndpointDefaults)
	spec.OrgID, spec.ownerID, spec.defaults = org.ID, c.key.UserID, &defaults
	return defaults.merge(of, sent, false)
}
