package conformance

import (
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// hosts are names that DNS may know: after a scheme, or with one of the endings that platforms have.
var hosts = regexp.MustCompile(
	`(?i)//(?:[^/"@\s]*@)?([a-z0-9][^/":\s\\]*)|\b((?:[a-z0-9_-]+\.)+(?:tech|com|net|org|new|dev|app|io|ai|run|build|cloud))\b`)

// foreignHosts are those of a text that lead away from this machine, without those that were sent before. Names below
// example.com are nobody's (RFC 2606).
func foreignHosts(text, sent string) (foreign []string) {
	for _, found := range hosts.FindAllStringSubmatch(text, -1) {
		host := strings.ToLower(found[1] + found[2])
		isLocal := host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
		if isNobodys := host == "example.com" || strings.HasSuffix(host, ".example.com"); !isLocal && !isNobodys &&
			!strings.Contains(sent, host) {
			foreign = append(foreign, host)
		}
	}
	return foreign
}

// leadsHere complains of addresses in an answer that applications would send data to, away from this machine.
func (c *checker) leadsHere(r *http.Request, body []byte, answer *httptest.ResponseRecorder) {
	c.mu.Lock()
	c.sent += r.URL.String() + "\n" + strings.ToLower(string(body)) + "\n"
	foreign := foreignHosts(answer.Body.String(), c.sent)
	c.mu.Unlock()
	if len(foreign) > 0 {
		c.complain("%s %s answers with hosts that aren't this machine: %v in %s", r.Method, r.URL.Path, foreign, answer.Body)
	}
}

func TestForeignHosts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"url":"https://br-a.storage.aws-us-east-2.neon.tech"}`:                                 "br-a.storage.aws-us-east-2.neon.tech",
		`{"uri":"postgresql://u:p@ep-a.aws.neon.tech:5432/neondb"}`:                              "ep-a.aws.neon.tech",
		`{"host":"ep-a.aws.neon.tech"}`:                                                          "ep-a.aws.neon.tech",
		`{"claim_url":"https://neon.new/claim/1"}`:                                               "neon.new",
		`{"cname_target":"fn.neon.tech"}`:                                                        "fn.neon.tech",
		`{"url":"http://10.0.0.7/x"}`:                                                            "10.0.0.7",
		`{"a":"http://br-a.ai.neon.localhost:8473","b":"http://127.0.0.1:1/","c":"u@localhost"}`: "",
		`{"email":"ada@example.com","sent":"https://auth.acme.dev/keys"}`:                        "",
	} {
		if got := strings.Join(foreignHosts(text, "https://auth.acme.dev/keys"), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// What isn't of the control API leads nowhere else either: the claimable databases, the control path, and the page.
func TestAnswers_leadHere(t *testing.T) {
	t.Parallel()
	e, err := emulator.New(emulator.Config{})
	if err != nil {
		t.Fatal(err)
	}
	e.SetBaseURL("http://127.0.0.1:8473")
	ask := func(method, path, body string) string {
		request := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:8473"+path, strings.NewReader(body))
		request.RemoteAddr = "127.0.0.1:1"
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, request)
		if answer.Code >= http.StatusBadRequest {
			t.Errorf("%s %s: %d %s", method, path, answer.Code, answer.Body)
		}
		return answer.Body.String()
	}
	w := e.FirstWorld()
	for _, path := range []string{
		"/", "/_emulator", "/_emulator/objects", "/_emulator/environment", "/_emulator/requests", "/_emulator/faults",
		"/_emulator/readings",
		"/_emulator/connections/" + w.EndpointID + "/" + w.RoleName + "/" + w.DatabaseName,
	} {
		if foreign := foreignHosts(ask(http.MethodGet, path, ""), ""); len(foreign) > 0 {
			t.Errorf("GET %s has the hosts %v", path, foreign)
		}
	}
	if foreign := foreignHosts(ask(http.MethodPost, "/api/v1/database", `{"ref":"a"}`), ""); len(foreign) > 0 {
		t.Errorf("a claimable database has the hosts %v", foreign)
	}
}
