package emulator

import (
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var permissionRoutes = []route{
	{"GET " + projectPath + "/permissions", forProject,
		tells("project_permissions", (*Emulator).permissionViews)},
	{"POST " + projectPath + "/permissions", forProject, withBody((*Emulator).grantPermission)},
	{"DELETE " + projectPath + "/permissions/{permission_id}", forProject, (*Emulator).revokePermission},
}

func (granted *permission) view() object {
	return unlessEmpty(object{
		"id": granted.ID, "granted_to_email": granted.Email, "granted_at": wire.Seconds(granted.GrantedAt),
		"revoked_at": wire.OptionalSeconds(granted.RevokedAt),
	}, "revoked_at")
}

// permissionViews leave revoked ones out.
func (e *Emulator) permissionViews(c *call) []object {
	listed := slices.DeleteFunc(slices.Clone(c.project.Permissions), func(granted *permission) bool {
		return !granted.RevokedAt.IsZero() && !e.plays(doubts.RevokedPermission, "listed")
	})
	return viewsOf(listed, (*permission).view)
}

func (e *Emulator) grantPermission(c *call, body struct {
	Email string `json:"email" fits:"required,email"`
}) (reply, error) {
	if c.project.permission(body.Email) != nil {
		return reply{}, e.doubtful(doubts.SecondPermission, wire.Conflict("project is already shared with this user"))
	}
	granted := &permission{ID: wire.NewUUID(), Email: body.Email, GrantedAt: c.now}
	c.project.Permissions = append(c.project.Permissions, granted)
	return ok(granted.view())
}

func (e *Emulator) revokePermission(c *call) (reply, error) {
	granted := find(c.project.Permissions, func(granted *permission) bool {
		return granted.ID == c.PathValue("permission_id") && granted.RevokedAt.IsZero()
	})
	if granted == nil {
		return reply{}, wire.NotFound("permission not found")
	}
	granted.RevokedAt = c.now
	return ok(granted.view())
}

var shownPermissions = shown{list: "permissions", ofProject: func(_ *Emulator, p *project, _ time.Time) []object {
	return objectsOf(p.Permissions, func(granted *permission) object {
		if !granted.RevokedAt.IsZero() {
			return nil
		}
		return object{"id": granted.ID, "email": granted.Email}
	})
}}
