package emulator

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

type apiKey struct {
	id                            int64
	name, token, orgID, projectID string
	created                       time.Time
	lastUsed                      *time.Time
	lastAddress                   string
	revoked                       bool
}

func (e *Emulator) newKey(name, orgID, projectID string) *apiKey {
	e.nextKey++
	key := &apiKey{id: e.nextKey, name: name, token: "napi_" + letters(64), orgID: orgID, projectID: projectID, created: e.now()}
	e.keys[key.id], e.tokens[key.token] = key, key
	e.secrets = append(e.secrets, key.token)
	return key
}

func (k *apiKey) personal() bool { return k.orgID == "" }

func (k *apiKey) view(createdBy any) map[string]any {
	view := map[string]any{
		"id": k.id, "name": k.name, "created_at": second(k.created), "created_by": createdBy,
		"last_used_at": nil, "last_used_from_addr": k.lastAddress,
	}
	if k.lastUsed != nil {
		view["last_used_at"] = second(*k.lastUsed)
	}
	if k.projectID != "" {
		view["project_id"] = k.projectID
	}
	return view
}

func (e *Emulator) keyRoutes() {
	for _, prefix := range []string{"/api/v2/api_keys", "/api/v2/organizations/{org_id}/api_keys"} {
		e.handle("GET "+prefix, e.scoped(e.listKeys))
		e.handle("POST "+prefix, e.scoped(e.createKey))
		e.handle("DELETE "+prefix+"/{key_id}", e.scoped(e.revokeKey))
	}
}

// scoped lets personal keys alone to keys (API document, section 5).
func (e *Emulator) scoped(serve handler) handler {
	return func(c call) (int, any, *failure) {
		if !c.key.personal() {
			return 0, nil, fail(http.StatusNotFound, "not allowed for organization API keys")
		}
		if org := c.id("org_id"); org != "" && org != e.first.OrgID {
			return 0, nil, fail(http.StatusNotFound, "organization not found")
		}
		return serve(c)
	}
}

func (e *Emulator) listKeys(c call) (int, any, *failure) {
	list := []any{}
	ids := []int64{}
	for id, key := range e.keys {
		if !key.revoked && key.orgID == c.id("org_id") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	for _, id := range ids {
		list = append(list, e.keys[id].view(map[string]any{"id": e.userID, "name": "Ada", "image": ""}))
	}
	return http.StatusOK, list, nil
}

func (e *Emulator) createKey(c call) (int, any, *failure) {
	var body struct {
		KeyName   string `json:"key_name"`
		ProjectID string `json:"project_id"`
	}
	if failed := decode(c.Body, &body); failed != nil {
		return 0, nil, failed
	}
	if body.KeyName == "" || len([]rune(body.KeyName)) > 64 {
		return 0, nil, fail(http.StatusBadRequest, "invalid request: key_name must have 1 to 64 characters")
	}
	if c.id("org_id") == "" {
		body.ProjectID = ""
	}
	if body.ProjectID != "" && e.project[body.ProjectID] == nil {
		return 0, nil, fail(http.StatusNotFound, "project not found")
	}
	key := e.newKey(body.KeyName, c.id("org_id"), body.ProjectID)
	view := key.view(e.userID)
	delete(view, "last_used_at")
	delete(view, "last_used_from_addr")
	view["key"] = key.token
	return http.StatusOK, view, nil
}

func (e *Emulator) revokeKey(c call) (int, any, *failure) {
	id, err := strconv.ParseInt(c.id("key_id"), 10, 64)
	key := e.keys[id]
	if err != nil || key == nil || key.revoked || key.orgID != c.id("org_id") {
		return 0, nil, fail(http.StatusNotFound, "API key not found")
	}
	key.revoked = true
	view := key.view(e.userID)
	view["revoked"] = true
	return http.StatusOK, view, nil
}
