package emulator

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

func (e *Emulator) projectRoutes() {
	e.handle("GET /api/v2/projects", e.listProjects)
	e.handle("GET /api/v2/projects/{project_id}", e.inProject(func(_ call, p *project) (int, any, *failure) {
		return http.StatusOK, map[string]any{"project": p.view()}, nil
	}))
	e.handle("GET /api/v2/projects/{project_id}/operations", e.inProject(e.listOperations))
	e.handle("GET /api/v2/projects/{project_id}/operations/{operation_id}", e.inProject(e.getOperation))
	e.handle("GET /api/v2/users/me", e.scoped(func(call) (int, any, *failure) {
		return http.StatusOK, map[string]any{"id": e.userID, "login": "ada", "email": "ada@example.com", "name": "Ada"}, nil
	}))
}

type inProject func(call, *project) (int, any, *failure)

func (e *Emulator) inProject(serve inProject) handler {
	return func(c call) (int, any, *failure) {
		p := e.project[c.id("project_id")]
		if p == nil {
			return 0, nil, fail(http.StatusNotFound, "project not found")
		}
		return serve(c, p)
	}
}

func limit(c call, otherwise, most int) (int, *failure) {
	text := c.URL.Query().Get("limit")
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fail(http.StatusBadRequest, "invalid request: limit is out of range")
	}
	return n, nil
}

func (e *Emulator) listProjects(c call) (int, any, *failure) {
	query := c.URL.Query()
	if c.key.personal() && query.Get("org_id") == "" {
		return 0, nil, fail(http.StatusBadRequest, "org_id is required, you can find it on your organization settings page")
	}
	n, failed := limit(c, 10, 400)
	if failed != nil {
		return 0, nil, failed
	}
	if org := query.Get("org_id"); org != "" && org != e.first.OrgID {
		return 0, nil, fail(http.StatusNotFound, "organization not found")
	}
	ids := slices.Clone(e.order)
	slices.Reverse(ids)
	if cursor := query.Get("cursor"); cursor != "" {
		ids = ids[slices.Index(ids, cursor)+1:]
	}
	list := []any{}
	last := ""
	for _, id := range ids {
		p := e.project[id]
		if !strings.Contains(p.name, query.Get("search")) && !strings.Contains(p.ID, query.Get("search")) {
			continue
		}
		if len(list) == n {
			break
		}
		view := p.view()
		view["org_id"] = e.first.OrgID
		list, last = append(list, view), id
	}
	body := map[string]any{"projects": list, "applications": map[string]any{}, "integrations": map[string]any{}}
	if last != "" {
		body["pagination"] = map[string]any{"cursor": last}
	}
	if len(e.partial) > 0 {
		body["unavailable_project_ids"] = e.partial
	}
	return http.StatusOK, body, nil
}

func (e *Emulator) listOperations(c call, p *project) (int, any, *failure) {
	n, failed := limit(c, 100, 1000)
	if failed != nil {
		return 0, nil, failed
	}
	from := len(p.operations)
	if cursor := c.URL.Query().Get("cursor"); cursor != "" {
		at, err := strconv.Atoi(cursor[strings.LastIndex(cursor, ".")+1:])
		if err != nil || at > from || at < 0 {
			return 0, nil, fail(http.StatusBadRequest, "invalid request: cursor")
		}
		from = at
	}
	list := []any{}
	now := e.now()
	for from > 0 && len(list) < n {
		from--
		list = append(list, p.operations[from].view(now))
	}
	body := map[string]any{"operations": list}
	if len(list) > 0 {
		body["pagination"] = map[string]any{"cursor": strings.TrimSuffix(second(p.operations[from].created), "Z") + "." + strconv.Itoa(from)}
	}
	return http.StatusOK, body, nil
}

func (e *Emulator) getOperation(c call, p *project) (int, any, *failure) {
	for _, o := range p.operations {
		if o.id == c.id("operation_id") {
			return http.StatusOK, map[string]any{"operation": o.view(e.now())}, nil
		}
	}
	return 0, nil, fail(http.StatusNotFound, "operation not found")
}
