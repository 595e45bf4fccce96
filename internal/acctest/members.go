package acctest

import (
	"net/http"
	"testing"
)

// AddMember has somebody join the first organization, and returns the id of the member and a
// personal key.
func (w *World) AddMember(t *testing.T, email, role string) (id, apiKey string) {
	t.Helper()
	var made struct {
		APIKey string `json:"api_key"`
	}
	w.Control(t, http.MethodPost, "/_emulator/members", map[string]string{"email": email, "role": role}, &made)
	member, err := w.Client(t).GetSharedMemberByEmail(t.Context(), w.OrgID, email)
	if err != nil {
		t.Fatal(err)
	}
	return member.Member.ID, made.APIKey
}

// RemoveMember has a member leave the first organization.
func (w *World) RemoveMember(t *testing.T, id string) {
	t.Helper()
	w.Request(t, http.MethodDelete, "/api/v2/organizations/"+w.OrgID+"/members/"+id, nil)
}
