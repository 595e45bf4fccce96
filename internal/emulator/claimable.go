package emulator

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"time"
)

type claimable struct {
	id, projectID, url, status string
	created, updated           time.Time
}

const lifetime = 72 * time.Hour

func (d *claimable) view(base string) map[string]any {
	view := map[string]any{
		"id": d.id, "status": d.status, "neon_project_id": d.projectID, "connection_string": d.url,
		"claim_url": base + "/claim/" + d.id, "expires_at": milli(d.created.Add(lifetime)),
		"created_at": milli(d.created), "updated_at": milli(d.updated),
	}
	if d.status == "CLAIMED" {
		view["connection_string"], view["expires_at"] = nil, nil
	}
	return view
}

func milli(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (e *Emulator) claimableRoutes() {
	e.serve("POST /api/v1/database", e.createClaimable)
	e.serve("POST /api/v1/database/{id}", func(c call) (int, any, *failure) {
		d := e.newClaimable(c.id("id"))
		return http.StatusOK, d.view("http://" + c.Host), nil
	})
	e.serve("GET /api/v1/database/{id}", func(c call) (int, any, *failure) {
		d := e.claims[c.id("id")]
		if d == nil || d.status != "CLAIMED" && !e.now().Before(d.created.Add(lifetime)) {
			return 0, nil, fail(http.StatusBadRequest, "Database not found")
		}
		return http.StatusOK, d.view("http://" + c.Host), nil
	})
	for _, path := range []string{"GET /claim/{id}", "GET /database/{id}"} {
		e.mux.HandleFunc(path, e.claimPage)
	}
}

func (e *Emulator) createClaimable(c call) (int, any, *failure) {
	var body struct {
		Ref                      string `json:"ref"`
		EnableLogicalReplication bool   `json:"enable_logical_replication"`
	}
	if json.NewDecoder(c.Body).Decode(&body) != nil {
		return 0, nil, fail(http.StatusInternalServerError, "Failed to create the database.")
	}
	if body.Ref == "" {
		return 0, nil, &failure{http.StatusBadRequest, "Missing referrer", "send a non-empty ref"}
	}
	return http.StatusOK, e.newClaimable(newUUID7(e.now())).view("http://" + c.Host), nil
}

func (e *Emulator) newClaimable(id string) *claimable {
	ep := &endpoint{id: "ep-" + newName() + "-" + letters(8)}
	password := "npg_" + letters(16)
	d := &claimable{
		id: id, projectID: newName() + "-" + digits(8), url: ep.url(password, true), status: "UNCLAIMED",
		created: e.now().Truncate(time.Millisecond), updated: e.now(),
	}
	e.secrets = append(e.secrets, password, d.url)
	e.claims[id] = d
	return d
}

func (e *Emulator) claimPage(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.claims[r.PathValue("id")]
	if d == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, "<!doctype html><title>Claim</title><p>Database %s, %s, until %s.</p>",
		html.EscapeString(d.id), d.status, milli(d.created.Add(lifetime)))
}
