package emulator

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (e *Emulator) branchRoutes() {
	const base = "/api/v2/projects/{project_id}/branches"
	e.handle("GET "+base, e.inProject(e.listBranches))
	e.handle("POST "+base, e.inProject(e.createBranch))
	e.handle("GET "+base+"/{branch_id}", e.onBranch(func(_ call, p *project, b *branch) (int, any, *failure) {
		return http.StatusOK, map[string]any{"branch": b.view(p, e.now()), "annotation": b.annotationView()}, nil
	}))
	e.handle("PATCH "+base+"/{branch_id}", e.onBranch(e.updateBranch))
	e.handle("DELETE "+base+"/{branch_id}", e.inProject(e.deleteBranch))
	e.handle("GET "+base+"/{branch_id}/endpoints", e.onBranch(func(_ call, p *project, b *branch) (int, any, *failure) {
		return http.StatusOK, map[string]any{"endpoints": e.endpointViews(p, b.id)}, nil
	}))
}

type onBranch func(call, *project, *branch) (int, any, *failure)

func (e *Emulator) onBranch(serve onBranch) handler {
	return e.inProject(func(c call, p *project) (int, any, *failure) {
		b := p.byID[c.id("branch_id")]
		if b == nil {
			return 0, nil, fail(http.StatusNotFound, "branch not found")
		}
		return serve(c, p, b)
	})
}

func (e *Emulator) listBranches(c call, p *project) (int, any, *failure) {
	n, failed := limit(c, e.config.BranchPage, 10000)
	if failed != nil {
		return 0, nil, failed
	}
	n = min(n, e.config.BranchPage)
	search := c.URL.Query().Get("search")
	from := len(p.branches)
	if cursor := c.URL.Query().Get("cursor"); cursor != "" {
		at, err := strconv.Atoi(cursor)
		if err != nil || at > from {
			return 0, nil, fail(http.StatusBadRequest, "invalid request: cursor")
		}
		from = at
	}
	list, annotations, now := []any{}, map[string]any{}, e.now()
	for from > 0 && len(list) < n {
		from--
		b := p.branches[from]
		if !strings.Contains(b.name, search) && !strings.Contains(b.id, search) {
			continue
		}
		list = append(list, b.view(p, now))
		if len(b.annotation) > 0 {
			annotations[b.id] = b.annotationView()
		}
	}
	body := map[string]any{"branches": list, "annotations": annotations}
	if from > 0 {
		body["pagination"] = map[string]any{"next": strconv.Itoa(from), "sort_by": "updated_at", "sort_order": "DESC"}
	}
	return http.StatusOK, body, nil
}

type branchRequest struct {
	Branch struct {
		Name            *string `json:"name"`
		ParentID        string  `json:"parent_id"`
		ParentLSN       string  `json:"parent_lsn"`
		ParentTimestamp string  `json:"parent_timestamp"`
		InitSource      string  `json:"init_source"`
		Protected       bool    `json:"protected"`
		ExpiresAt       string  `json:"expires_at"`
	} `json:"branch"`
	Endpoints  []endpointRequest `json:"endpoints"`
	Annotation map[string]string `json:"annotation_value"`
}

func (e *Emulator) createBranch(c call, p *project) (int, any, *failure) {
	var body branchRequest
	if failed := decode(c.Body, &body); failed != nil {
		return 0, nil, failed
	}
	parent := p.byID[body.Branch.ParentID]
	if body.Branch.ParentID == "" {
		parent = p.branches[slices.IndexFunc(p.branches, func(b *branch) bool { return b.isDefault })]
	}
	if parent == nil {
		return 0, nil, fail(http.StatusNotFound, "parent branch not found")
	}
	name, expires, failed := e.checkBranch(p, parent, body)
	if failed != nil {
		return 0, nil, failed
	}
	if failed := e.locked(p, parent.id); failed != nil {
		return 0, nil, failed
	}
	if e.now().Before(parent.ready) {
		return 0, nil, fail(http.StatusUnprocessableEntity, "branch not ready yet")
	}
	b := e.newBranch(p, name, parent)
	b.protected, b.expires, b.annotation = body.Branch.Protected, expires, body.Annotation
	b.lsn, b.timestamp, b.initSource = body.Branch.ParentLSN, body.Branch.ParentTimestamp, body.Branch.InitSource
	steps := []step{{"create_branch", b.id, ""}}
	b.ready = e.now().Add(e.config.OperationDuration)
	views, uris := []any{}, []any{}
	for _, wanted := range body.Endpoints {
		ep := e.newEndpoint(p, b.id, wanted.Type)
		wanted.apply(ep)
		steps = append(steps, step{"start_compute", b.id, ep.id})
		ep.ready = e.now().Add(time.Duration(len(steps)) * e.config.OperationDuration)
		uri := ep.url(b.password, false)
		e.secrets = append(e.secrets, uri)
		uris = append(uris, map[string]any{"connection_uri": uri, "connection_parameters": map[string]any{
			"database": "neondb", "password": b.password, "role": "neondb_owner", "host": ep.host(), "pooler_host": ep.pooled()}})
		views = append(views, ep.view(p, e.now()))
	}
	operations := e.schedule(p, steps...)
	return http.StatusCreated, map[string]any{
		"branch": b.view(p, e.now()), "endpoints": views, "operations": operations, "roles": []any{}, "databases": []any{},
		"connection_uris": uris,
	}, nil
}

// checkBranch refuses what the platform refuses before it looks for conflicts.
func (e *Emulator) checkBranch(p *project, parent *branch, body branchRequest) (name string, expires time.Time, failed *failure) {
	if body.Branch.Name != nil {
		name = *body.Branch.Name
		if failed := p.nameFits(name); failed != nil {
			return "", expires, failed
		}
	}
	expires, failed = e.expiry(body.Branch.ExpiresAt, body.Branch.Protected)
	switch {
	case failed != nil:
	case len(body.Annotation) > 50:
		failed = fail(http.StatusBadRequest, "invalid request: annotation_value has more than 50 pairs")
	case body.Branch.ParentLSN != "" && body.Branch.ParentTimestamp != "":
		failed = fail(http.StatusBadRequest, "parent_lsn and parent_timestamp are mutually exclusive")
	case !parent.expires.IsZero():
		failed = fail(http.StatusUnprocessableEntity, "cannot create a child of an expiring branch")
	}
	writers := 0
	for _, ep := range body.Endpoints {
		if failed == nil {
			failed = ep.check(true)
		}
		if ep.Type == "read_write" {
			writers++
		}
	}
	if failed == nil && writers > 1 {
		failed = fail(http.StatusConflict, "read_write endpoint already exists")
	}
	return name, expires, failed
}

func (p *project) nameFits(name string) *failure {
	if name == "" || len([]rune(name)) > 256 {
		return fail(http.StatusBadRequest, "invalid request: branch name must have 1 to 256 characters")
	}
	if p.names[name] != nil {
		return fail(http.StatusConflict, fmt.Sprintf("branch already exists; branch_name:%q", name))
	}
	return nil
}

func (e *Emulator) expiry(text string, protected bool) (time.Time, *failure) {
	if text == "" {
		return time.Time{}, nil
	}
	moment, err := time.Parse(time.RFC3339, text)
	switch {
	case err != nil:
		return time.Time{}, fail(http.StatusBadRequest, "invalid request: expires_at is no RFC 3339 time")
	case !moment.After(e.now()):
		return time.Time{}, fail(http.StatusBadRequest, "expires_at must be in the future")
	case moment.After(e.now().Add(30*24*time.Hour + time.Minute)):
		return time.Time{}, fail(http.StatusBadRequest, "expires_at must be at most 30 days ahead")
	case protected:
		return time.Time{}, fail(http.StatusUnprocessableEntity, "protected branches can't expire")
	}
	return moment.Truncate(time.Second), nil
}

func (e *Emulator) updateBranch(c call, p *project, b *branch) (int, any, *failure) {
	var body struct {
		Branch map[string]any `json:"branch"`
	}
	if failed := decode(c.Body, &body); failed != nil {
		return 0, nil, failed
	}
	name, renamed := body.Branch["name"].(string)
	protected, protects := body.Branch["protected"].(bool)
	if !protects {
		protected = b.protected
	}
	expires := b.expires
	if value, given := body.Branch["expires_at"]; given {
		text, _ := value.(string)
		var failed *failure
		if expires, failed = e.expiry(text, protected); failed != nil {
			return 0, nil, failed
		}
		if text != "" && (b.isDefault || b.children > 0) {
			return 0, nil, fail(http.StatusUnprocessableEntity, "default and parent branches can't expire")
		}
	}
	if protected && !expires.IsZero() {
		return 0, nil, fail(http.StatusUnprocessableEntity, "protected branches can't expire")
	}
	if renamed && name != b.name {
		if failed := p.nameFits(name); failed != nil {
			return 0, nil, failed
		}
		delete(p.names, b.name)
		b.name = name
		p.names[name] = b
	}
	b.protected, b.expires, b.updated = protected, expires, e.now()
	return http.StatusOK, map[string]any{"branch": b.view(p, e.now()), "operations": []any{}}, nil
}

func (e *Emulator) deleteBranch(c call, p *project) (int, any, *failure) {
	b := p.byID[c.id("branch_id")]
	switch {
	case b == nil:
		return http.StatusNoContent, nil, nil
	case b.isDefault:
		return 0, nil, fail(http.StatusUnprocessableEntity, "cannot delete the default branch")
	case b.protected:
		return 0, nil, fail(http.StatusUnprocessableEntity, "cannot delete a protected branch")
	case b.children > 0:
		return 0, nil, fail(http.StatusUnprocessableEntity, "cannot delete branch that has children")
	}
	if failed := e.locked(p, b.id); failed != nil {
		return 0, nil, failed
	}
	steps := []step{}
	for _, ep := range p.endpoints {
		if ep.branchID == b.id {
			steps = append(steps, step{"suspend_compute", b.id, ep.id})
		}
	}
	view := b.view(p, e.now())
	e.removeBranch(p, b)
	return http.StatusOK, map[string]any{
		"branch": view, "operations": e.schedule(p, append(steps, step{"delete_timeline", b.id, ""})...),
	}, nil
}

func (e *Emulator) removeBranch(p *project, b *branch) {
	p.branches = slices.DeleteFunc(p.branches, func(other *branch) bool { return other == b })
	p.endpoints = slices.DeleteFunc(p.endpoints, func(ep *endpoint) bool { return ep.branchID == b.id })
	delete(p.byID, b.id)
	delete(p.names, b.name)
	if parent := p.byID[b.parentID]; parent != nil {
		parent.children--
	}
}

// retention is after how long the platform may remove an operation (API
// document, section 8).
const retention = 183 * 24 * time.Hour

// expire removes what the world's time has ended.
func (e *Emulator) expire() {
	now := e.now()
	for _, p := range e.project {
		for len(p.operations) > 0 && now.Sub(p.operations[0].created) > retention {
			p.operations = p.operations[1:]
		}
		for _, b := range slices.Clone(p.branches) {
			if !b.expires.IsZero() && !now.Before(b.expires) {
				e.removeBranch(p, b)
			}
		}
	}
}
