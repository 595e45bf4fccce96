package client

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
)

func TestInvite(t *testing.T) {
	const theirs, ours = `{"id":"old","email":"a@b","role":"editor"}`, `{"id":"i","email":"A@b","role":"viewer"}`
	for name, lost := range map[string]bool{"answered": false, "lost": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				list := `{"invitations":[` + theirs + `]}`
				platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
					if request.Method != http.MethodPost {
						return respond(request, http.StatusOK, list), nil
					}
					list = `{"invitations":[` + theirs + `,` + ours + `]}`
					if lost {
						return respond(request, http.StatusBadGateway, ``), nil
					}
					return respond(request, http.StatusOK, `{"invitations":[`+ours+`]}`), nil
				}}
				invitation, err := newClient(t, platform).CreateInvitation(t.Context(), "org-1", "a@b", "viewer")
				if err != nil || invitation.ID != "i" {
					t.Errorf("got %v, %v", invitation, err)
				}
				equal(t, "body", unmarked(t, platform.all()[1].body), `{"invitations":[{"email":"a@b","role":"viewer"}]}`)
			})
		})
	}
	// Who was invited as that isn't invited again, whatever the case of letters and the name of the role.
	synctest.Test(t, func(t *testing.T) {
		platform := inTurn(`{"invitations":[` + theirs + `]}`)
		_, err := newClient(t, platform).CreateInvitation(t.Context(), "org-1", "A@B", "member")
		if taken, is := errors.AsType[*TakenError](err); !is || taken.ID != "old" || platform.count() != 1 {
			t.Errorf("got %v after %d requests", err, platform.count())
		}
	})
	// A success without the invitation isn't one.
	synctest.Test(t, func(t *testing.T) {
		if _, err := newClient(t, inTurn(`{"invitations":[]}`)).CreateInvitation(t.Context(), "org-1", "a@b",
			"viewer"); err == nil {
			t.Error("an answer without the invitation is taken for one")
		}
	})
}

// A role in a project shows in what was set; where an answer doesn't say what was, in what counts
// because something was.
func TestExplicitRole(t *testing.T) {
	for want, members := range map[string][]ProjectMember{
		"editor": {
			{ExplicitPermission: "EDITOR", Role: "admin", GrantSource: "org_admin_override"}, {ExplicitPermission: "CAN_EDIT"},
			{Role: "editor", GrantSource: "explicit"},
		},
		"": {{Role: "editor", GrantSource: "org_role_default"}, {}},
	} {
		for _, member := range members {
			equal(t, member.GrantSource+member.ExplicitPermission, member.ExplicitRole(), want)
		}
	}
}

func TestIsSameRole(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"member", "editor"}: true, {"editor", "member"}: true, {"viewer", "viewer"}: true, {"member", "viewer"}: false,
		{"admin", "editor"}: false,
	} {
		equal(t, pair[0]+pair[1], IsSameRole(pair[0], pair[1]), want)
	}
}
