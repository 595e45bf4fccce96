package client

import (
	"net/http"
	"testing"
	"testing/synctest"
)

const aJWKS = `{"id":"k","project_id":"p","jwks_url":"https://k","provider_name":"n","branch_id":"b","role_names":["r"]}`

var jwksToAdd = JWKSAdd{URL: "https://k", ProviderName: "n", BranchID: "b", RoleNames: []string{"r"}}

func TestAddJWKS(t *testing.T) {
	platform := inTurn(`{"jwks":[]}`, `{"jwks":`+aJWKS+`,"operations":[{"id":"o","status":"running"}]}`)
	added, err := newClient(t, platform).AddJWKS(t.Context(), "p", jwksToAdd)
	if err != nil || added.JWKS.RoleNames[0] != "r" || added.Operations[0].ID != "o" {
		t.Errorf("got %v, %v", added, err)
	}
	sent := platform.all()[1]
	equal(t, "request", sent.method+" "+sent.uri+" "+unmarked(t, sent.body),
		`POST /api/v2/projects/p/jwks {"branch_id":"b","jwks_url":"https://k","provider_name":"n","role_names":["r"]}`)
}

// A lost answer is looked for among those of the same address that weren't there before. What
// an earlier attempt added late is named.
func TestAddJWKS_lostAnswers(t *testing.T) {
	const theirs = `{"id":"old","jwks_url":"https://k","provider_name":"n","branch_id":"b"}`
	for name, test := range map[string]struct {
		after, late     string // what is listed after the lost answer, and after the next one
		wantID, surplus string
	}{
		"it had its effect": {`[` + theirs + `,` + aJWKS + `]`, "", "k", ""},
		"it had none":       {`[` + theirs + `]`, `[` + theirs + `,` + aJWKS + `]`, "k", ""},
		"it has it later":   {`[` + theirs + `]`, `[{"id":"late","jwks_url":"https://k","provider_name":"n","branch_id":"b"},` + aJWKS + `]`, "k", "late"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				listed, sent := `[`+theirs+`]`, 0
				platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
					switch {
					case request.Method == http.MethodPost && sent == 0:
						listed, sent = test.after, 1
						return respond(request, http.StatusBadGateway, `{}`), nil
					case request.Method == http.MethodPost:
						listed, sent = test.late, 2
						return respond(request, http.StatusCreated, `{"jwks":`+aJWKS+`}`), nil
					}
					return respond(request, http.StatusOK, `{"operations":[],"jwks":`+listed+`}`), nil
				}}
				added, err := newClient(t, platform).AddJWKS(t.Context(), "p", jwksToAdd)
				if err != nil || added.JWKS.ID != test.wantID {
					t.Fatalf("got %v, %v", added, err)
				}
				surplus := ""
				for _, jwks := range added.Surplus.Objects {
					surplus += jwks.ID
				}
				equal(t, "surplus", surplus, test.surplus)
			})
		})
	}
}
