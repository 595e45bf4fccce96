package emulator

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"
)

func (e *Emulator) routes() {
	e.keyRoutes()
	e.projectRoutes()
	e.branchRoutes()
	e.endpointRoutes()
	e.claimableRoutes()
	e.controlRoutes()
}

// control serves the control path: for tests and benchmarks.
func (e *Emulator) control(pattern string, serve func(r *http.Request) any) {
	e.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		defer e.mu.Unlock()
		writeJSON(w, http.StatusOK, serve(r))
	})
}

func read[T any](r *http.Request) T {
	var body T
	_ = json.NewDecoder(r.Body).Decode(&body)
	return body
}

var done = map[string]any{"ok": true}

func (e *Emulator) controlRoutes() {
	e.control("GET /_emulator/requests", func(*http.Request) any { return e.counts })
	e.control("DELETE /_emulator/requests", func(*http.Request) any { e.counts = newCounters(); return done })
	e.control("GET /_emulator/objects", func(*http.Request) any { return e.objects() })
	e.control("POST /_emulator/clock", func(r *http.Request) any {
		advance, _ := time.ParseDuration(read[struct{ Advance string }](r).Advance)
		e.offset += advance
		return map[string]any{"now": second(e.now())}
	})
	e.control("GET /_emulator/faults", func(*http.Request) any { return e.faults })
	e.control("POST /_emulator/faults", func(r *http.Request) any {
		f := read[fault](r)
		f.random = rand.New(rand.NewPCG(f.Seed, f.Seed)) // #nosec G404 -- repeatable on purpose
		e.faults = append(e.faults, &f)
		return done
	})
	e.control("DELETE /_emulator/faults", func(*http.Request) any { e.faults = nil; return done })
	e.control("POST /_emulator/operations", func(r *http.Request) any {
		ending := read[ending](r)
		if ending.Count == 0 {
			ending.Count = 1
		}
		e.endings = append(e.endings, &ending)
		return done
	})
	e.control("POST /_emulator/operations/bulk", e.bulkOperations)
	e.control("POST /_emulator/projects", e.bulkProjects)
	e.control("POST /_emulator/projects_unavailable", func(r *http.Request) any {
		e.partial = read[struct{ IDs []string }](r).IDs
		return done
	})
	e.control("POST /_emulator/locks", func(r *http.Request) any {
		body := read[struct {
			ProjectID string `json:"project_id"`
			Duration  string
		}](r)
		duration, _ := time.ParseDuration(body.Duration)
		p := e.project[body.ProjectID]
		now := e.now()
		p.operations = append(p.operations, &operation{id: newUUID(), projectID: p.ID, action: "check_availability",
			created: now, starts: now, ends: now.Add(duration), duration: duration})
		return done
	})
	e.control("POST /_emulator/claimable_databases/{id}/claim", func(r *http.Request) any {
		d := e.claims[r.PathValue("id")]
		status := read[struct{ Status string }](r).Status
		if status == "" {
			status = "CLAIMED"
		}
		d.status, d.updated = status, e.now()
		return done
	})
}

func (e *Emulator) bulkOperations(r *http.Request) any {
	body := read[struct {
		ProjectID string `json:"project_id"`
		Count     int
	}](r)
	p := e.project[body.ProjectID]
	past := []*operation{}
	for i := range body.Count {
		at := e.now().Add(-time.Duration(body.Count-i) * time.Minute)
		past = append(past, &operation{id: newUUID(), projectID: p.ID, action: "start_compute", created: at, starts: at,
			ends: at.Add(time.Second), duration: time.Second})
	}
	p.operations = append(past, p.operations...)
	return done
}

func (e *Emulator) bulkProjects(r *http.Request) any {
	body := read[struct {
		Name      string
		Count     int
		Branches  int
		Endpoints int `json:"endpoints_per_branch"`
	}](r)
	for i := range body.Count {
		e.newProject(fmt.Sprintf("project-%04d", i))
	}
	if body.Count > 0 {
		return done
	}
	p := e.newProject(body.Name)
	branches, endpoints := []string{}, []string{}
	for i := range body.Branches {
		b := e.newBranch(p, fmt.Sprintf("branch-%04d", i), p.branches[0])
		branches = append(branches, b.id)
		for n := range body.Endpoints {
			kind := "read_write"
			if n > 0 {
				kind = "read_only"
			}
			endpoints = append(endpoints, e.newEndpoint(p, b.id, kind).id)
		}
	}
	return map[string]any{"project": p.view(), "branch_ids": branches, "endpoint_ids": endpoints}
}

func (e *Emulator) objects() any {
	projects, branches, endpoints, keys, claims := []any{}, []any{}, []any{}, []any{}, []any{}
	now := e.now()
	for _, id := range e.order {
		p := e.project[id]
		projects = append(projects, p.view())
		for _, b := range p.branches {
			view := b.view(p, now)
			view["annotation"] = b.annotation
			branches = append(branches, view)
		}
		endpoints = append(endpoints, e.endpointViews(p, "")...)
	}
	ids := []int64{}
	for id, key := range e.keys {
		if !key.revoked {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		view := e.keys[id].view(e.userID)
		view["org_id"] = e.keys[id].orgID
		keys = append(keys, view)
	}
	for _, d := range e.claims {
		if d.status == "CLAIMED" || now.Before(d.created.Add(lifetime)) {
			claims = append(claims, map[string]any{"id": d.id, "status": d.status, "created_at": milli(d.created)})
		}
	}
	return map[string]any{
		"projects": projects, "branches": branches, "endpoints": endpoints, "api_keys": keys, "claimable_databases": claims,
	}
}
