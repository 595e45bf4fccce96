package client

import (
	"cmp"
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
	request.once = true
	isTo := func(invitation Invitation) bool { return strings.EqualFold(invitation.Email, email) }
	invitation, _, err := creation[Invitation, Invitation]{
		request: request,
		place:   orgID + " " + strings.ToLower(email),
		list:    func(ctx context.Context) ([]Invitation, error) { return All(c.Invitations(ctx, orgID)) },
		id:      func(invitation Invitation) string { return invitation.ID },
		isAlike: isTo,
		send: func(request call) (*Invitation, error) {
			invitations, err := listOf[Invitation](ctx, c, request, "invitations")
			if i := slices.IndexFunc(invitations, isTo); i >= 0 {
				return &invitations[i], nil
			}
			return nil, cmp.Or(err, request.incomplete("invitation of that address"))
		},
		object: func(invitation *Invitation) Invitation { return *invitation },
		adopt:  func(_ context.Context, invitation Invitation) (*Invitation, error) { return &invitation, nil },
	}.run(ctx, c)
	return invitation, err
}

// SharedInvitation reads one invitation. IsAbsent is true for the error about one that isn't in the
// list. Reads that come close together share one list.
func (c *Client) SharedInvitation(ctx context.Context, orgID, id string) (*Invitation, error) {
	if invitation, err := readShared(ctx, c.reads.invitations, orgID, id); invitation != nil || err != nil {
		return invitation, err
	}
	invitations, err := All(c.Invitations(ctx, orgID))
	return listed(invitations, err, "organization "+orgID, "invitation", id, func(invitation Invitation) bool { return invitation.ID == id })
}

// Invitations: one that can't be decoded comes with an error of its
// own.
func (c *Client) Invitations(ctx context.Context, orgID string) iter.Seq2[Invitation, error] {
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
