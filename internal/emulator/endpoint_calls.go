package emulator

import (
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var endpointRoutes = []route{
	{"GET " + branchPath + "/endpoints", forProject, tells("endpoints",
		func(e *Emulator, c *call) []object { return e.endpointViews(c.project, c.branch.ID, c.now) })},
	{"GET " + projectPath + "/endpoints", forProject, tells("endpoints",
		func(e *Emulator, c *call) []object { return e.endpointViews(c.project, "", c.now) })},
	{"POST " + projectPath + "/endpoints", forProject,
		withBody((*Emulator).createEndpoint, "endpoint.branch_id", "endpoint.type")},
	{"GET " + endpointPath, forProject, (*Emulator).getEndpoint},
	{"PATCH " + endpointPath, forProject, aboutWithBody((*Emulator).endpoint, (*Emulator).updateEndpoint)},
	{"DELETE " + endpointPath, forProject, unlessGone((*Emulator).endpoint, (*Emulator).deleteEndpoint)},
	{"POST " + endpointPath + "/start", forProject, about((*Emulator).endpoint, (*Emulator).startEndpoint)},
	{"POST " + endpointPath + "/suspend", forProject, about((*Emulator).endpoint, (*Emulator).suspendEndpoint)},
	{"POST " + endpointPath + "/restart", forProject, about((*Emulator).endpoint, (*Emulator).restartEndpoint)},
}

func (e *Emulator) endpoint(c *call) (*endpoint, error) {
	if endpoint := c.project.Endpoints[c.PathValue("endpoint_id")]; endpoint != nil {
		return endpoint, nil
	}
	return nil, wire.NotFound("endpoint not found")
}

// endpointReply is the answer to all work on an endpoint.
func (e *Emulator) endpointReply(c *call, status int, endpoint *endpoint, operations []*operation) (reply, error) {
	return reply{status, map[string]any{
		"endpoint": e.endpointView(c.project, endpoint, c.now), "operations": operationViews(operations, c.now),
	}}, nil
}

func (e *Emulator) getEndpoint(c *call) (reply, error) {
	endpoint, err := e.endpoint(c)
	if err != nil {
		return c.leaving(c.PathValue("endpoint_id"), err)
	}
	return ok(map[string]any{"endpoint": e.endpointView(c.project, endpoint, c.now)})
}

type endpointBody struct {
	Endpoint endpointSpec `json:"endpoint" fits:"required"`
}

// createEndpoint creates one read-write endpoint a branch, and any number of read-only ones.
func (e *Emulator) createEndpoint(c *call, body endpointBody) (reply, error) {
	spec, p := body.Endpoint, c.project
	err, b := spec.check(e.planOfProject(p), p.EndpointDefaults), p.Branches[spec.BranchID]
	switch {
	case err != nil:
		return reply{}, err
	case spec.RegionID != "" && spec.RegionID != p.RegionID:
		return reply{}, wire.BadRequest("region_id must be the project's")
	case b == nil:
		return reply{}, errNoBranch()
	case spec.Type == readWrite && p.readWriteEndpoint(b.ID) != nil:
		return reply{}, errSecondWriter()
	}
	if err := e.checkFree(p, c.now, b.ID); err != nil {
		return reply{}, err
	}
	endpoint := e.addEndpoint(p, b, spec, c.now)
	switch {
	case endpoint.Disabled && e.plays(doubts.CreateDisabled, "started"):
		said, err := e.runEndpoint(c, endpoint, startCompute, suspendCompute)
		said.status = http.StatusCreated
		return said, err
	case endpoint.Disabled, endpoint.Type == readOnly && e.plays(doubts.NewReplica, "idle"), !e.mayRunMore(p, b, c.now):
		return e.endpointReply(c, http.StatusCreated, endpoint, nil)
	}
	endpoint.States = states{{At: c.now, State: "init"}}
	return e.endpointReply(c, http.StatusCreated, endpoint, e.take(c, endpoint, startCompute))
}

// updateEndpoint schedules apply_config for a change that the compute must be told of, and suspends a compute that
// runs, so that it starts anew with the next connection.
func (e *Emulator) updateEndpoint(c *call, endpoint *endpoint, body endpointBody) (reply, error) {
	kept := endpointDefaults{MinCU: endpoint.MinCU, MaxCU: endpoint.MaxCU}
	if err := body.Endpoint.check(e.planOfProject(c.project), kept); err != nil {
		return reply{}, err
	}
	if id := body.Endpoint.BranchID; id != "" && id != endpoint.BranchID {
		return reply{}, wire.BadRequest("endpoint cannot be moved to another branch")
	}
	changed := *endpoint
	told := body.Endpoint.apply(&changed)
	changed.UpdatedAt = c.now
	if !told {
		*endpoint = changed
		return e.endpointReply(c, http.StatusOK, endpoint, nil)
	}
	if err := e.checkFree(c.project, c.now, endpoint.BranchID); err != nil {
		return reply{}, err
	}
	*endpoint = changed
	if !endpoint.runs(c.now) && e.plays(doubts.PatchIdleCompute, "alone") {
		return e.endpointReply(c, http.StatusOK, endpoint, nil)
	}
	return e.endpointReply(c, http.StatusOK, endpoint, e.configure(c, endpoint, endpoint.runs(c.now)))
}

// configure schedules what tells a compute of a change, and suspends it after that.
func (e *Emulator) configure(c *call, endpoint *endpoint, suspend bool) []*operation {
	if suspend {
		return e.take(c, endpoint, "apply_config", suspendCompute)
	}
	return e.take(c, endpoint, "apply_config")
}

// take schedules actions on a compute, one after the other.
func (e *Emulator) take(c *call, endpoint *endpoint, actions ...string) []*operation {
	operations := e.schedule(c.project, c.now, viewsOf(actions, func(action string) work {
		return work{endpoint.BranchID, endpoint.ID, action}
	})...)
	c.project.lead(operations, c.now)
	return operations
}

// suspendAll schedules the end of all computes of the project that run: each starts anew with
// the next connection.
func (e *Emulator) suspendAll(c *call) []*operation {
	var operations []*operation
	for _, endpoint := range c.project.endpointsOf("") {
		if endpoint.runs(c.now) {
			operations = append(operations, e.take(c, endpoint, suspendCompute)...)
			e.changedIn(c.project, endpoint.ID)
		}
	}
	return operations
}

func (e *Emulator) deleteEndpoint(c *call, endpoint *endpoint) (reply, error) {
	if c.project.Branches[endpoint.BranchID].Protected {
		return reply{}, e.doubtful(doubts.DeleteProtected, wire.Unprocessable("cannot delete endpoint of protected branch"))
	}
	if endpoint.Type == readWrite {
		if err := e.restrict(c.project.Branches[endpoint.BranchID], "delete-rw-endpoint"); err != nil {
			return reply{}, err
		}
	}
	if err := e.checkFree(c.project, c.now, endpoint.BranchID); err != nil {
		return reply{}, err
	}
	operations := e.schedule(c.project, c.now, work{endpoint.BranchID, endpoint.ID, suspendCompute})
	e.leaves(c, endpoint.ID, map[string]any{"endpoint": e.endpointView(c.project, endpoint, c.now)}, operations[0].EndsAt)
	delete(c.project.Endpoints, endpoint.ID)
	return e.endpointReply(c, http.StatusOK, endpoint, operations)
}

func (e *Emulator) startEndpoint(c *call, endpoint *endpoint) (reply, error) {
	if endpoint.Disabled {
		return reply{}, wire.Unprocessable("endpoint is disabled")
	}
	if endpoint.States.current(c.now) == "active" && endpoint.States.pending(c.now) == "" {
		return e.endpointReply(c, http.StatusOK, endpoint, nil)
	}
	if !e.mayRunMore(c.project, c.project.Branches[endpoint.BranchID], c.now) {
		return reply{}, tooMany("active endpoints")
	}
	return e.runEndpoint(c, endpoint, startCompute)
}

func (e *Emulator) suspendEndpoint(c *call, endpoint *endpoint) (reply, error) {
	if endpoint.States.pending(c.now) != "" {
		return reply{}, wire.Refuse(http.StatusLocked, "endpoint is in some transitive state, could not suspend")
	}
	if endpoint.States.current(c.now) == "idle" {
		return e.endpointReply(c, http.StatusOK, endpoint, nil)
	}
	return e.runEndpoint(c, endpoint, suspendCompute)
}

func (e *Emulator) restartEndpoint(c *call, endpoint *endpoint) (reply, error) {
	if endpoint.Disabled {
		return reply{}, wire.Unprocessable("endpoint is disabled")
	}
	return e.runEndpoint(c, endpoint, suspendCompute, startCompute)
}

// runEndpoint takes actions where no other work is in the way.
func (e *Emulator) runEndpoint(c *call, endpoint *endpoint, actions ...string) (reply, error) {
	if err := e.checkFree(c.project, c.now, endpoint.BranchID); err != nil {
		return reply{}, err
	}
	return e.endpointReply(c, http.StatusOK, endpoint, e.take(c, endpoint, actions...))
}
