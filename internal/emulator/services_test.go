package emulator

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Applications send files, passwords and queries to these addresses: they lead to the emulator, which says what it
// isn't.
func TestServices(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	at := "{p}/branches/" + p.e.FirstWorld().BranchID
	base, _ := url.Parse(p.url)
	addresses := []string{
		p.must("GET", at+"/storage", "").str("s3_endpoint"), p.must("GET", at+"/ai_gateway", "").str("base_url"),
		p.must("POST", at+"/data-api/neondb", "").str("url"),
	}
	p.clock.advance(10 * 1e9)
	auth := p.must("POST", at+"/auth", `{"auth_provider":"better_auth"}`)
	addresses = append(addresses, auth.str("base_url"), auth.str("jwks_url"))
	for _, address := range addresses {
		asked, err := url.Parse(address)
		if err != nil || !strings.HasSuffix(asked.Hostname(), ".us-east-2.aws.neon.localhost") ||
			asked.Port() != base.Port() || asked.Scheme != "http" {
			t.Errorf("%s isn't here, %v", address, err)
		}
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("secret"))
		request.RemoteAddr = "127.0.0.1:1"
		answer := httptest.NewRecorder()
		p.e.ServeHTTP(answer, request)
		if answer.Code != http.StatusNotImplemented || !strings.Contains(answer.Body.String(), "the emulator ") {
			t.Errorf("%s: %d %s", address, answer.Code, answer.Body)
		}
	}
	if shown := p.control("GET", "/objects", "").text; strings.Contains(shown, "neon.tech") {
		t.Error("the control path has a host of Neon's")
	}
}
