package emulator

import (
	"net/http"
	"slices"
)

type endpointRequest struct {
	BranchID string   `json:"branch_id"`
	Type     string   `json:"type"`
	Min      *float64 `json:"autoscaling_limit_min_cu"`
	Max      *float64 `json:"autoscaling_limit_max_cu"`
	Suspend  *int64   `json:"suspend_timeout_seconds"`
	Name     *string  `json:"name"`
	Disabled *bool    `json:"disabled"`
}

func (r endpointRequest) check(creating bool) *failure {
	if creating && r.Type != "read_write" && r.Type != "read_only" {
		return fail(http.StatusBadRequest, "invalid request: type must be read_write or read_only")
	}
	for _, limit := range []*float64{r.Min, r.Max} {
		if limit != nil && *limit < 0.25 {
			return fail(http.StatusBadRequest, "invalid request: autoscaling limits must be 0.25 or more")
		}
	}
	if r.Suspend != nil && (*r.Suspend < -1 || *r.Suspend > 604800 || *r.Suspend > 0 && *r.Suspend < 60) {
		return fail(http.StatusBadRequest, "invalid request: suspend_timeout_seconds is out of range")
	}
	return nil
}

func (r endpointRequest) apply(ep *endpoint) {
	if r.Min != nil {
		ep.min = *r.Min
	}
	if r.Max != nil {
		ep.max = *r.Max
	}
	if r.Max == nil && ep.max < ep.min {
		ep.max = ep.min
	}
	if r.Suspend != nil {
		ep.suspend = *r.Suspend
	}
	if r.Name != nil {
		ep.name = *r.Name
	}
	if r.Disabled != nil {
		ep.disabled = *r.Disabled
	}
}

func (e *Emulator) endpointRoutes() {
	const base = "/api/v2/projects/{project_id}/endpoints"
	e.handle("GET "+base, e.inProject(func(_ call, p *project) (int, any, *failure) {
		return http.StatusOK, map[string]any{"endpoints": e.endpointViews(p, "")}, nil
	}))
	e.handle("POST "+base, e.inProject(e.createEndpoint))
	e.handle("GET "+base+"/{endpoint_id}", e.onEndpoint(func(_ call, p *project, ep *endpoint) (int, any, *failure) {
		return http.StatusOK, map[string]any{"endpoint": ep.view(p, e.now())}, nil
	}))
	e.handle("PATCH "+base+"/{endpoint_id}", e.onEndpoint(e.updateEndpoint))
	e.handle("DELETE "+base+"/{endpoint_id}", e.inProject(e.deleteEndpoint))
}

func (p *project) endpoint(id string) *endpoint {
	for _, ep := range p.endpoints {
		if ep.id == id {
			return ep
		}
	}
	return nil
}

func (e *Emulator) onEndpoint(serve func(call, *project, *endpoint) (int, any, *failure)) handler {
	return e.inProject(func(c call, p *project) (int, any, *failure) {
		ep := p.endpoint(c.id("endpoint_id"))
		if ep == nil {
			return 0, nil, fail(http.StatusNotFound, "endpoint not found")
		}
		return serve(c, p, ep)
	})
}

func (e *Emulator) endpointViews(p *project, branchID string) []any {
	views := []any{}
	for _, ep := range p.endpoints {
		if branchID == "" || ep.branchID == branchID {
			views = append(views, ep.view(p, e.now()))
		}
	}
	return views
}

type endpointBody struct {
	Endpoint endpointRequest `json:"endpoint"`
}

func (e *Emulator) createEndpoint(c call, p *project) (int, any, *failure) {
	var body endpointBody
	if failed := decode(c.Body, &body); failed != nil {
		return 0, nil, failed
	}
	if failed := body.Endpoint.check(true); failed != nil {
		return 0, nil, failed
	}
	b := p.byID[body.Endpoint.BranchID]
	if b == nil {
		return 0, nil, fail(http.StatusNotFound, "branch not found")
	}
	for _, ep := range p.endpoints {
		if ep.branchID == b.id && ep.kind == "read_write" && body.Endpoint.Type == "read_write" {
			return 0, nil, fail(http.StatusConflict, "read_write endpoint already exists")
		}
	}
	if failed := e.locked(p, b.id); failed != nil {
		return 0, nil, failed
	}
	ep := e.newEndpoint(p, b.id, body.Endpoint.Type)
	body.Endpoint.apply(ep)
	ep.ready = e.now().Add(e.config.OperationDuration)
	return http.StatusCreated, map[string]any{
		"endpoint": ep.view(p, e.now()), "operations": e.schedule(p, step{"start_compute", b.id, ep.id}),
	}, nil
}

func (e *Emulator) updateEndpoint(c call, p *project, ep *endpoint) (int, any, *failure) {
	var body endpointBody
	if failed := decode(c.Body, &body); failed != nil {
		return 0, nil, failed
	}
	if failed := body.Endpoint.check(false); failed != nil {
		return 0, nil, failed
	}
	if failed := e.locked(p, ep.branchID); failed != nil {
		return 0, nil, failed
	}
	body.Endpoint.apply(ep)
	ep.ready = e.now().Add(2 * e.config.OperationDuration)
	return http.StatusOK, map[string]any{"endpoint": ep.view(p, e.now()), "operations": e.schedule(p,
		step{"apply_config", ep.branchID, ep.id}, step{"suspend_compute", ep.branchID, ep.id})}, nil
}

func (e *Emulator) deleteEndpoint(c call, p *project) (int, any, *failure) {
	ep := p.endpoint(c.id("endpoint_id"))
	if ep == nil {
		return http.StatusNoContent, nil, nil
	}
	if b := p.byID[ep.branchID]; b != nil && b.protected {
		return 0, nil, fail(http.StatusUnprocessableEntity, "cannot delete an endpoint of a protected branch")
	}
	if failed := e.locked(p, ep.branchID); failed != nil {
		return 0, nil, failed
	}
	p.endpoints = slices.DeleteFunc(p.endpoints, func(other *endpoint) bool { return other == ep })
	return http.StatusOK, map[string]any{
		"endpoint": ep.view(p, e.now()), "operations": e.schedule(p, step{"suspend_compute", ep.branchID, ep.id}),
	}, nil
}
