package emulator

import (
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var invitationRoutes = []route{
	{"GET " + orgPath + "/invitations", forOrgMembers, answers(
		func(e *Emulator, c *call) object { return e.invitationViews(c, c.org.Invitations) })},
	{"POST " + orgPath + "/invitations", forOrgUsers, checked(withBody((*Emulator).invite), (*Emulator).administers)},
}

// invitationViews are those of pending ones, and of those that were accepted.
func (e *Emulator) invitationViews(c *call, invitations []*invitation) object {
	return object{"invitations": viewsOf(invitations, func(i *invitation) object {
		return object{
			"id": i.ID, "email": i.Email, "org_id": c.org.ID, "invited_by": i.InvitedBy,
			"invited_at": wire.Seconds(i.InvitedAt), "role": e.shownRole(i.Role),
		}
	})}
}

// invite lets whoever has an account join at once.
func (e *Emulator) invite(c *call, body struct {
	Invitations []struct {
		Email string `json:"email" fits:"required,email"`
		Role  string `json:"role" fits:"required,role"`
	} `json:"invitations" fits:"required"`
}) (reply, error) {
	var made []*invitation
	for _, asked := range body.Invitations {
		made = append(made, &invitation{
			ID: wire.NewUUID(), Email: asked.Email, Role: storedRole(asked.Role), InvitedBy: c.key.UserID,
			InvitedAt: c.now,
		})
		for _, u := range which(e.world.Users, func(u *user) bool { return strings.EqualFold(u.Email, asked.Email) }) {
			c.org.addMember(u, asked.Role, c.now)
		}
	}
	c.org.Invitations = append(c.org.Invitations, made...)
	return ok(e.invitationViews(c, made))
}

var shownInvitations = shown{list: "invitations", ofOrganization: func(_ *Emulator, org *organization) []object {
	return objectsOf(org.Invitations, func(i *invitation) object {
		return object{"id": i.ID, "email": i.Email, "role": i.Role}
	})
}}
