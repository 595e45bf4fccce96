package emulator

import (
	"maps"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const authPath = branchPath + "/auth"

var authRoutes = []route{
	{"GET " + authPath, forProject, about((*Emulator).auth, (*Emulator).getAuth)},
	{"POST " + authPath, forProject, withBody(whenFree((*Emulator).enableAuth))},
	{"DELETE " + authPath, forProject,
		checked(bodyOptional(withBody(whenFree((*Emulator).disableAuth))), (*Emulator).hasAuth)},
}

func authDefaults() map[string]map[string]any {
	return map[string]map[string]any{
		"email_and_password": {
			"enabled": true, "email_verification_method": "otp", "require_email_verification": false,
			"auto_sign_in_after_verification":    true,
			"send_verification_email_on_sign_up": false, "send_verification_email_on_sign_in": false, "disable_sign_up": false,
		},
		"magic_link":   {"enabled": false, "expires_in": 5, "disable_sign_up": false},
		"phone_number": {"enabled": false, "otp_expires_in": 300},
		"organization": {
			"enabled": true, "organization_limit": 10, "membership_limit": 100, "creator_role": "owner",
			"send_invitation_email": false,
		},
		"webhook": {"enabled": false},
	}
}

// clone is the one of a branch of the branch.
func (a *neonAuth) clone() *neonAuth {
	if a == nil {
		return nil
	}
	copied := *a
	copied.Groups = map[string]map[string]any{}
	for name, group := range a.Groups {
		copied.Groups[name] = maps.Clone(group)
	}
	copied.Domains, copied.OAuth, copied.Users = slices.Clone(a.Domains), slices.Clone(a.OAuth), slices.Clone(a.Users)
	return &copied
}

// enableAuth gives the branch one for a database. The users of an earlier one are there again.
func (b *branch) enableAuth(provider, database, name string, now time.Time) {
	b.HasAuthSchema, b.Auth = true, &neonAuth{Provider: provider, ProjectID: wire.NewUUID(), Database: database,
		CreatedAt: now, Name: name, Groups: authDefaults(), AllowLocalhost: true, Users: b.LeftUsers}
	b.LeftUsers = nil
}

// auth finds Neon Auth of the branch that the path names.
func (e *Emulator) auth(c *call) (*neonAuth, error) {
	if c.branch.Auth == nil {
		return nil, wire.NotFound("Neon Auth is not enabled")
	}
	return c.branch.Auth, nil
}

// changesAuth is a handler of writes with a body to Neon Auth of the branch, which wait for other work there.
func changesAuth[B any](handle func(*Emulator, *call, *neonAuth, B) (reply, error), required ...string) handler {
	change := func(e *Emulator, c *call, body B) (reply, error) { return handle(e, c, c.branch.Auth, body) }
	return checked(withBody(whenFree(change), required...), (*Emulator).hasAuth)
}

func (e *Emulator) hasAuth(c *call) error {
	_, err := e.auth(c)
	return err
}

func (e *Emulator) authURL(c *call, b *branch) string {
	return e.serviceURL(c, c.project.computeHost(b), "neonauth") + "/" + b.Auth.Database + "/auth"
}

const keysOfAuth = "/.well-known/jwks.json"

func (e *Emulator) getAuth(c *call, a *neonAuth) (reply, error) {
	b := c.branch
	base := e.authURL(c, b)
	return ok(map[string]any{
		"auth_provider": a.Provider, "auth_provider_project_id": a.ProjectID, "branch_id": b.ID, "db_name": a.Database,
		"created_at": wire.Seconds(a.CreatedAt),
		"owned_by":   "neon", "jwks_url": base + keysOfAuth, "base_url": base, "name": a.Name,
	})
}

// enableAuth answers POST .../auth. The schema of an earlier one is in the way.
func (e *Emulator) enableAuth(c *call, body struct {
	Provider string `json:"auth_provider" fits:"required,=mock|stack|better_auth"`
	Database string `json:"database_name"`
}) (reply, error) {
	b := c.branch
	if body.Database == "" && len(b.Databases) > 0 {
		body.Database = b.Databases[0].Name
	}
	switch {
	case b.Auth != nil:
		return reply{}, wire.Conflict("Neon Auth is already enabled")
	case b.database(body.Database) == nil:
		return reply{}, wire.NotFound("database not found")
	case b.HasAuthSchema && !e.plays(doubts.AuthSchemaLeft, "enabled"):
		return reply{}, e.doubtful(doubts.AuthSchemaLeft, wire.Conflict("schema neon_auth already exists"))
	}
	b.enableAuth(body.Provider, body.Database, c.project.Name, c.now)
	base, public, secret := e.authURL(c, b), "", ""
	if body.Provider == "stack" {
		public, secret = "pck_"+wire.Unguessable(20), "ssk_"+wire.Unguessable(20)
	}
	return created(map[string]any{
		"auth_provider": body.Provider, "auth_provider_project_id": b.Auth.ProjectID, "pub_client_key": public,
		"secret_server_key": secret,
		"jwks_url":          base + keysOfAuth, "schema_name": "neon_auth", "table_name": "users_sync", "base_url": base,
	})
}

func (e *Emulator) disableAuth(c *call, body struct {
	DeleteData bool `json:"delete_data"`
}) (reply, error) {
	b := c.branch
	b.LeftUsers = nil
	if !body.DeleteData {
		b.LeftUsers = b.Auth.Users
	}
	b.Auth, b.HasAuthSchema = nil, !body.DeleteData
	return ok(nil)
}
