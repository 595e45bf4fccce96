package client

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
)

const aJWKS = `{"id":"k","project_id":"p","jwks_url":"https://k","provider_name":"n","branch_id":"b","role_names":["r"]}`

var jwksToAdd = JWKSAdd{URL: "https://k", ProviderName: "n", BranchID: "b", RoleNames: []string{"r"}}

func TestAddJWKS(t *testing.T) {
	platform := inTurn(`{"jwks":[]}`, `{"jwks":`+aJWKS+`,"operations":[{"id":"o","status":"running"}]}`)
	added, err := newClient(t, platform).CreateJWKS(t.Context(), "p", jwksToAdd)
	if err != nil || added.Object.RoleNames[0] != "r" || added.Operations[0].ID != "o" {
		t.Errorf("got %v, %v", added, err)
	}
	sent := platform.all()[1]
	equal(t, "request", sent.method+" "+sent.uri+" "+unmarked(t, sent.body),
		`POST /api/v2/projects/p/jwks {"branch_id":"b","jwks_url":"https://k","provider_name":"n","role_names":["r"]}`)
}

// A lost answer is looked for among those of the same address that weren't there before. What
// isn't there isn't added again.
func TestAddJWKS_lostAnswers(t *testing.T) {
	const theirs = `{"id":"old","jwks_url":"https://k","provider_name":"n","branch_id":"b"}`
	for name, test := range map[string]struct {
		after  string // what is listed after the lost answer
		wantID string // empty for an error
	}{
		"it had its effect": {`[` + theirs + `,` + aJWKS + `]`, "k"},
		"it had none":       {`[` + theirs + `]`, ""},
		"two are new":       {`[` + theirs + `,` + aJWKS + `,{"id":"l","jwks_url":"https://k","provider_name":"n","branch_id":"b"}]`, ""},
		"another's is new":  {`[` + theirs + `,{"id":"l","jwks_url":"https://k","provider_name":"m","branch_id":"b"}]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				listed, sent := `[`+theirs+`]`, 0
				platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
					if request.Method == http.MethodPost {
						listed = test.after
						sent++
						return respond(request, http.StatusBadGateway, `{}`), nil
					}
					return respond(request, http.StatusOK, `{"operations":[],"jwks":`+listed+`}`), nil
				}}
				added, err := newClient(t, platform).CreateJWKS(t.Context(), "p", jwksToAdd)
				equal(t, "additions", sent, 1)
				var lost *AmbiguousError
				if test.wantID == "" && (!errors.As(err, &lost) || lost.LookupErr == nil) ||
					test.wantID != "" && (err != nil || added.Object.ID != test.wantID) {
					t.Fatalf("got %v, %v", added, err)
				}
			})
		})
	}
}
