package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Invitation is one to an organization. Neon has no call that takes one back, and doesn't
// say whether it was accepted.
type Invitation struct {
	ID        string    `json:"id"`
	Email     string    `json:"email"`
	Role      string    `json:"role"`
	InvitedBy string    `json:"invited_by"`
	InvitedAt time.Time `json:"invited_at"`
}

// Invite invites an address to an organization, which takes an administrator's personal key.
// Neon sends it a mail; whoever has an account joins at once.
func (c *Client) Invite(ctx context.Context, orgID, email, role string) (*Invitation, error) {
	request := invitationCall(http.MethodPost, orgID)
	request.subject = fmt.Sprintf("the invitation of %s to organization %s", email, orgID)
	request.body = map[string]any{"invitations": []map[string]string{{"email": email, "role": role}}}
	before, err := c.Invitations(ctx, orgID)
	if err != nil {
		return nil, err
	}
	invited := func(invitations []Invitation, err error) (*Invitation, error) {
		return present(listed(invitations, err, "organization "+orgID, "invitation of", email, func(invitation Invitation) bool {
			isOld := slices.ContainsFunc(before, func(old Invitation) bool { return old.ID == invitation.ID })
			return !isOld && strings.EqualFold(invitation.Email, email)
		}))
	}
	// What an earlier attempt invited late is the same to whoever gets it.
	invitation, _, err := writeOnce(ctx, c, settlingLooks,
		func() (*Invitation, error) {
			invitation, err := invited(listOf[Invitation](ctx, c, request, "invitations"))
			if invitation == nil && err == nil {
				err = request.incomplete("invitation of that address")
			}
			return invitation, err
		},
		func() (*Invitation, error) { return invited(c.Invitations(ctx, orgID)) })
	return invitation, err
}

// Invitation reads one invitation. IsAbsent is true for the error about one that isn't in the
// list. Reads that come close together share one list.
func (c *Client) Invitation(ctx context.Context, orgID, id string) (*Invitation, error) {
	if invitation, err := readShared(ctx, c.reads.invitations, orgID, id); invitation != nil || err != nil {
		return invitation, err
	}
	invitations, err := c.Invitations(ctx, orgID)
	return listed(invitations, err, "organization "+orgID, "invitation", id, func(invitation Invitation) bool { return invitation.ID == id })
}

// Invitations lists the invitations to an organization, accepted ones too, which Neon sends
// in one answer.
func (c *Client) Invitations(ctx context.Context, orgID string) ([]Invitation, error) {
	return allOf(c.EachInvitation(ctx, orgID))
}

// EachInvitation is Invitations, but that one that can't be decoded comes with an error of its
// own.
func (c *Client) EachInvitation(ctx context.Context, orgID string) iter.Seq2[Invitation, error] {
	return eachOf(ctx, c, invitationsCall(orgID), "invitations", "invitation", func(invitation Invitation) string { return invitation.ID })
}

// listInvitations returns the invitations to an organization by id.
func (c *Client) listInvitations(ctx context.Context, request call) (map[string]element[Invitation], error) {
	return listByName(ctx, c, request, "invitations", func(invitation Invitation) string { return invitation.ID })
}

func invitationsCall(orgID string) call { return invitationCall(http.MethodGet, orgID) }

func invitationCall(method, orgID string) call {
	return call{method: method, route: "/organizations/{org_id}/invitations", params: []string{orgID}}
}
