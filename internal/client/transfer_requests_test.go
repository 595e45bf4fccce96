package client

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// A request can be accepted once, so what was sent again is refused where the first comes late. That isn't an error.
func TestAcceptTransferRequest_lateEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent, owner := 0, "somebody"
		platform := roundTrip(func(request *http.Request) (*http.Response, error) {
			switch {
			case request.Method == http.MethodPut && sent == 0:
				sent++
				return respond(request, http.StatusGatewayTimeout, `{}`), nil
			case request.Method == http.MethodPut:
				sent++
				owner = "o"
				return respond(request, http.StatusNotFound, `{"message":"transfer request not found"}`), nil
			case request.URL.Path == "/api/v2/projects/p" && owner != "o":
				return respond(request, http.StatusNotFound, `{"message":"project not found"}`), nil
			case request.URL.Path == "/api/v2/projects/p":
				return respond(request, http.StatusOK, `{"project":{"id":"p","org_id":"`+owner+`"}}`), nil
			}
			return respond(request, http.StatusOK, `{"organizations":[],"projects":[]}`), nil
		})
		if err := newClient(t, platform).AcceptTransferRequest(t.Context(), Ref[TransferRequest]{"p", "r"},
			"o"); err != nil || sent != 2 {
			t.Errorf("got %v after %d", err, sent)
		}
	})
}

// Why a plan doesn't suffice is said.
func TestAcceptTransferRequest_plan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := newClient(t, always(http.StatusNotAcceptable,
			`{"reasons":[{"code":"projects_count","message":"no room for a project"},{"code":"other"}]}`))
		err := api.AcceptTransferRequest(t.Context(), Ref[TransferRequest]{"p", "r"}, "o")
		if !HasStatus(err, http.StatusNotAcceptable) || !IsRefused(err) {
			t.Errorf("got %v", err)
		}
		contains(t, err.Error(), "no room for a project; other")
	})
}

// The link is the web console's, but for an emulator on this machine.
func TestClaimURL(t *testing.T) {
	request := TransferRequest{ID: "r", ProjectID: "p", ExpiresAt: time.Now()}
	for base, want := range map[string]string{
		"":                                   "https://console.neon.tech/app/claim?p=p&tr=r",
		"https://proxy.example/neon/api/v2":  "https://console.neon.tech/app/claim?p=p&tr=r",
		"http://127.0.0.1:8080":              "http://127.0.0.1:8080/app/claim?p=p&tr=r",
		"http://neon.localhost:8080/api/v2/": "http://neon.localhost:8080/app/claim?p=p&tr=r",
	} {
		c, err := New(Config{BaseURL: base})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, base, c.ClaimURL(request, ""), want)
		equal(t, base, c.ClaimURL(request, "https://a.example/x?y=1&z"), want+"&ru=https%3A%2F%2Fa.example%2Fx%3Fy%3D1%26z")
	}
}
