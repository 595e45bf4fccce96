package emulator

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var keyRoutes = []route{
	{"GET " + apiRoot + "/api_keys", forUsers, (*Emulator).listKeys},
	{"POST " + apiRoot + "/api_keys", forUsers, withBody((*Emulator).createKey)},
	{"DELETE " + apiRoot + "/api_keys/{key_id}", forUsers, about((*Emulator).keyOfPath, (*Emulator).revoke)},
	{"GET " + orgPath + "/api_keys", forOrgMembers, (*Emulator).listKeys},
	{orgKeyCreation, forOrgUsers, withBody((*Emulator).createOrgKey)},
	{"DELETE " + orgPath + "/api_keys/{key_id}", forOrgKeys,
		checked(about((*Emulator).keyOfPath, (*Emulator).revoke), (*Emulator).administers)},
}

// addKey gives a key its number and its token, and lets it in.
func (w *world) addKey(key *apiKey) *apiKey {
	w.LastKeyID++
	key.ID, key.Token = w.LastKeyID, w.secret(wire.NewToken())
	w.Keys[key.ID], w.byToken[key.Token] = key, key
	return key
}

func (w *world) removeKey(key *apiKey) {
	delete(w.Keys, key.ID)
	delete(w.byToken, key.Token)
}

func (w *world) removeKeysOf(p *project) {
	for _, key := range which(w.Keys, func(key *apiKey) bool { return key.ProjectID == p.ID }) {
		w.removeKey(key)
	}
}

func (key *apiKey) lastUsed() *string {
	if key.LastUsedAt.IsZero() {
		return nil
	}
	return new(wire.Seconds(key.LastUsedAt))
}

// view is what all answers tell of a key. Who created it is an object in a list, and a string in the others.
func (key *apiKey) view(createdBy any) object {
	return unlessEmpty(object{
		"id": key.ID, "name": key.Name, "created_at": wire.Seconds(key.CreatedAt), "created_by": createdBy,
		"project_id": key.ProjectID,
	}, "project_id")
}

// usedView has besides when the key was used last.
func (key *apiKey) usedView(createdBy any) object {
	view := key.view(createdBy)
	view["last_used_at"], view["last_used_from_addr"] = key.lastUsed(), key.LastUsedFrom
	return view
}

// revoke answers the deletion of a key.
func (e *Emulator) revoke(_ *call, key *apiKey) (reply, error) {
	e.world.removeKey(key)
	view := key.usedView(key.UserID)
	view["revoked"] = true
	return ok(view)
}

// belongs reports whether a key is one of those that the path is about: the keys of its organization, or else the
// caller's own personal ones.
func (c *call) belongs(key *apiKey) bool {
	if c.org != nil {
		return key.Kind != personalKey && key.OrgID == c.org.ID
	}
	return key.Kind == personalKey && key.UserID == c.key.UserID
}

// listKeys answers with a bare array, in the order of creation.
func (e *Emulator) listKeys(c *call) (reply, error) {
	items := []object{}
	for _, id := range slices.Sorted(maps.Keys(e.world.Keys)) {
		key := e.world.Keys[id]
		if !c.belongs(key) {
			continue
		}
		by := map[string]string{"id": key.UserID, "name": "", "image": ""}
		if u := e.world.Users[key.UserID]; u != nil {
			by["name"] = u.Name
		}
		items = append(items, key.usedView(by))
	}
	return ok(items)
}

// keyOfPath finds the key that the path names, if it belongs where the path says.
func (e *Emulator) keyOfPath(c *call) (*apiKey, error) {
	id, err := strconv.ParseInt(c.PathValue("key_id"), 10, 64)
	if err != nil {
		return nil, badPath("key_id", "must be an integer")
	}
	key := e.world.Keys[id]
	if key == nil || !c.belongs(key) {
		return nil, wire.NotFound("api key not found")
	}
	return key, nil
}

func (e *Emulator) createKey(c *call, body struct {
	Name string `json:"key_name" fits:"required,..64"`
}) (reply, error) {
	return e.addNamedKey(&apiKey{Kind: personalKey, Name: body.Name, UserID: c.key.UserID, CreatedAt: c.now})
}

// createOrgKey takes an administrator, and for a key for one project a member.
func (e *Emulator) createOrgKey(c *call, body struct {
	Name      string  `json:"key_name" fits:"required,..64"`
	ProjectID *string `json:"project_id" fits:"id"`
}) (reply, error) {
	key := &apiKey{Kind: organizationKey, Name: body.Name, UserID: c.key.UserID, OrgID: c.org.ID, CreatedAt: c.now}
	if body.ProjectID == nil {
		if err := e.administers(c); err != nil {
			return reply{}, err
		}
	} else {
		p := e.world.Projects[*body.ProjectID]
		if p == nil || p.OrgID != c.org.ID {
			return reply{}, wire.NotFound("project not found")
		}
		key.Kind, key.ProjectID = projectKey, p.ID
	}
	return e.addNamedKey(key)
}

// addNamedKey adds a key that somebody has asked for, unless another one of the same owner has its name, and answers
// with it.
func (e *Emulator) addNamedKey(key *apiKey) (reply, error) {
	like := findIn(e.world.Keys, func(other *apiKey) bool {
		isPersonal := key.Kind == personalKey
		return other.Name == key.Name && isPersonal == (other.Kind == personalKey) &&
			(isPersonal && other.UserID == key.UserID || !isPersonal && other.OrgID == key.OrgID)
	})
	if like != nil && e.plays(doubts.KeyNames, "once") {
		return reply{}, wire.Conflict("api key name already exists; key_name:%q", key.Name)
	}
	e.world.addKey(key)
	view := key.view(key.UserID)
	view["key"] = key.Token
	return ok(view)
}

var shownKeys = shown{list: "api_keys", ofWorld: func(e *Emulator, _ time.Time) []object {
	byAge := sorted(e.world.Keys, func(k *apiKey) (time.Time, string) { return k.CreatedAt, strconv.FormatInt(k.ID, 10) })
	return objectsOf(byAge, func(key *apiKey) object {
		return object{
			"id": key.ID, "name": key.Name, "kind": key.Kind, "org_id": key.OrgID, "project_id": key.ProjectID,
			"created_by": key.UserID, "created_at": wire.Seconds(key.CreatedAt), "last_used_at": key.lastUsed(),
		}
	})
}}
