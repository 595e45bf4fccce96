package client

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"
)

// Invitation is one to an organization. Neon has no call that takes one back, nor says whether it was accepted.
type Invitation struct {
	ID        string    `json:"id"`
	Email     string    `json:"email"`
	Role      string    `json:"role"`
	InvitedBy string    `json:"invited_by"`
	InvitedAt time.Time `json:"invited_at"`
}

var invitationKind = kind[Invitation]{
	noun: "invitation", route: "/organizations/{org_id}/invitations", field: "invitations",
	id: func(invitation Invitation) string { return invitation.ID },
}

// CreateInvitation invites an address to an organization, which takes an administrator's personal key.
// Neon sends it a mail; whoever has an account joins at once. It is a TakenError where that address was invited as that
// already.
// POST /organizations/{org_id}/invitations: https://api-docs.neon.tech/reference/createorganizationinvitations
func (c *Client) CreateInvitation(ctx context.Context, orgID, email, role string) (*Invitation, error) {
	request := invitationKind.call(http.MethodPost, "", orgID)
	request.subject = fmt.Sprintf("the invitation of %s to organization %s", email, orgID)
	request.body = map[string]any{"invitations": []map[string]string{{"email": email, "role": role}}}
	request.by = unrepeatable
	isTo := func(invitation Invitation) bool { return strings.EqualFold(invitation.Email, email) }
	return creation[Invitation]{
		kind: invitationKind, request: request, place: orgID + " " + strings.ToLower(email),
		isAlike: isTo,
		meets: func(_ context.Context, alike []Invitation) (*Answer[Invitation], error) {
			for _, invitation := range alike {
				if IsSameRole(invitation.Role, role) {
					return nil, &TakenError{invitation.ID}
				}
			}
			return nil, nil
		},
		send: func(request call) (*Answer[Invitation], error) {
			invitations, _, err := invitationKind.page(ctx, c, request)
			if invitation := readable(invitations, isTo); invitation != nil {
				return &Answer[Invitation]{Object: *invitation}, nil
			}
			return nil, cmp.Or(err, request.incomplete("invitation of that address"))
		},
	}.object(ctx, c)
}

// GetSharedInvitation reads one invitation.
// GET /organizations/{org_id}/invitations: https://api-docs.neon.tech/reference/getorganizationinvitations
func (c *Client) GetSharedInvitation(ctx context.Context, invitation OrgRef[Invitation]) (*Invitation, error) {
	return invitationKind.shared(ctx, c, invitation.OrgID, invitation.ID)
}

// ListInvitations lists the invitations to an organization, accepted ones too.
// GET /organizations/{org_id}/invitations: https://api-docs.neon.tech/reference/getorganizationinvitations
func (c *Client) ListInvitations(ctx context.Context, orgID string) iter.Seq2[Invitation, error] {
	return invitationKind.list(ctx, c, orgID)
}
