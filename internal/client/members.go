package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Member is a user in an organization.
type Member struct {
	Member struct {
		ID       string     `json:"id"`
		UserID   string     `json:"user_id"`
		Role     string     `json:"role"` // an open set: admin, editor, viewer, collaborator are published
		JoinedAt *time.Time `json:"joined_at"`
	} `json:"member"`
	User struct {
		Email         string     `json:"email"`
		HasMFA        bool       `json:"has_mfa"`
		DeactivatedAt *time.Time `json:"deactivated_at"`
	} `json:"user"`
}

var memberKind = kind[Member]{
	noun: "member", route: "/organizations/{org_id}/members", one: "/{member_id}", field: "members", isPaged: true,
	query: url.Values{"limit": {"500"}, "sort_by": {"joined_at"}, "sort_order": {"asc"}},
	id:    func(member Member) string { return member.Member.ID },
}

// IsSameRole reports whether two roles in an organization mean the same: "member" is an older name of "editor".
func IsSameRole(one, other string) bool {
	const older, role = "member", "editor"
	return one == other || one == older && other == role || one == role && other == older
}

// UpdateMemberRole changes the role of a member of an organization, which takes an administrator's personal key.
// PATCH /organizations/{org_id}/members/{member_id}: https://api-docs.neon.tech/reference/updateorganizationmember
func (c *Client) UpdateMemberRole(ctx context.Context, member OrgRef[Member], role string) error {
	request := memberKind.of(http.MethodPatch, "", member.OrgID, member.ID)
	request.subject = fmt.Sprintf("the role %s of member %s in organization %s", role, member.ID, member.OrgID)
	request.body = map[string]string{"role": role}
	return c.settle(ctx, request, "id", func(ctx context.Context) (bool, error) {
		now, err := memberKind.read(ctx, c, member.OrgID, member.ID)
		return err == nil && IsSameRole(now.Member.Role, role), err
	})
}

// GetSharedMember reads one member.
// GET /organizations/{org_id}/members: https://api-docs.neon.tech/reference/getorganizationmembers
func (c *Client) GetSharedMember(ctx context.Context, member OrgRef[Member]) (*Member, error) {
	return memberKind.shared(ctx, c, member.OrgID, member.ID)
}

// GetSharedMemberByEmail finds the member whose address that is, in any case.
// GET /organizations/{org_id}/members: https://api-docs.neon.tech/reference/getorganizationmembers
func (c *Client) GetSharedMemberByEmail(ctx context.Context, orgID, email string) (*Member, error) {
	isIt := func(member Member) bool { return strings.EqualFold(member.User.Email, email) }
	read := func() (*Member, error) { return memberKind.first(ctx, c, memberKind.listCall(orgID), isIt) }
	member, err := memberKind.sharedOr(ctx, c, email, isIt, read, orgID)
	return memberKind.orLacking(member, err, email, orgID)
}

// ListMembers lists the members of an organization, who joined first before the others.
// GET /organizations/{org_id}/members: https://api-docs.neon.tech/reference/getorganizationmembers
func (c *Client) ListMembers(ctx context.Context, orgID string) iter.Seq2[Member, error] {
	return memberKind.list(ctx, c, orgID)
}
