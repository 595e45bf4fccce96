package emulator

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// unclaimedProject is one of Claimable Neon's, with the identity that it was made for.
type unclaimedProject struct {
	*platform
	id, projectID, assertion string
}

func registered(t *testing.T) *unclaimedProject {
	t.Helper()
	p := start(t, Config{})
	made := p.send("POST", "/v1/agent/identity", `{"type":"anonymous"}`).success()
	return &unclaimedProject{p, made.str("registration_id"), made.str("project", "id"), made.str("identity_assertion")}
}

// form sends a form, and fails the test where the answer isn't whole.
func (u *unclaimedProject) form(path string, values url.Values) (status int, text string) {
	u.t.Helper()
	response, err := u.client.PostForm(u.url+path, values)
	if err != nil {
		u.t.Fatalf("POST %s: %v", path, err)
	}
	defer func() { _ = response.Body.Close() }()
	var said strings.Builder
	if err := response.Write(&said); err != nil {
		u.t.Fatalf("POST %s: %v", path, err)
	}
	return response.StatusCode, said.String()
}

func (u *unclaimedProject) path(suffix string) string { return "/v1/projects/" + u.projectID + suffix }

// bearer is who acts for the project, with a new token.
func (u *unclaimedProject) bearer() *platform {
	u.t.Helper()
	_, text := u.form("/v1/oauth2/token", url.Values{"grant_type": {assertionGrant}, "assertion": {u.assertion}})
	_, token, _ := strings.Cut(text, `"access_token":"`)
	token, _, _ = strings.Cut(token, `"`)
	return u.as(token)
}

// code is a new one for a person.
func (u *unclaimedProject) code() string {
	u.t.Helper()
	return u.bearer().send("POST", u.path("/claim"), "").success().str("user_code")
}

// begin enters a code, and returns the transfer that begins with it.
func (u *unclaimedProject) begin(code string) (transfer string) {
	u.t.Helper()
	_, page := u.form("/claim", url.Values{"user_code": {code}})
	_, transfer, found := strings.Cut(page, `name="transfer" value="`)
	if !found {
		u.t.Fatalf("the code begins no transfer: %s", page)
	}
	transfer, _, _ = strings.Cut(transfer, `"`)
	return transfer
}

func (u *unclaimedProject) exists() bool {
	return strings.Contains(u.control("GET", "/objects", "").text, `"id":"`+u.projectID+`"`)
}

// almostOver is shortly before an unclaimed project expires, when its code and its transfer still outlive it.
const almostOver = unclaimedLife - 5*time.Minute

// A code that wasn't used leads nowhere once its project has expired.
func TestClaimableNeon_codeOutlivesProject(t *testing.T) {
	t.Parallel()
	u := registered(t)
	u.clock.advance(almostOver)
	code := u.code()
	u.clock.advance(6 * time.Minute)
	if status, page := u.form("/claim", url.Values{"user_code": {code}}); status != http.StatusBadRequest ||
		!strings.Contains(page, "has expired") {
		t.Errorf("%d %s", status, page)
	}
}

// Whoever has begun to take a project over gets it, also where it would have expired meanwhile.
func TestClaimableNeon_claimBegunInTime(t *testing.T) {
	t.Parallel()
	u := registered(t)
	u.clock.advance(almostOver)
	transfer := u.begin(u.code())
	u.clock.advance(6 * time.Minute)
	if status, page := u.form("/claim", url.Values{"transfer": {transfer}}); status != http.StatusOK {
		t.Errorf("%d %s", status, page)
	}
	if got := u.must("GET", "/projects/"+u.projectID, "").str("project", "org_id"); got != u.org {
		t.Errorf("the project is %s's", got)
	}
}

// A claim that nobody ends keeps a project for its own time alone.
func TestClaimableNeon_claimGivenUp(t *testing.T) {
	t.Parallel()
	u := registered(t)
	u.clock.advance(almostOver)
	u.begin(u.code())
	u.clock.advance(claimCodeLife - time.Minute)
	if !u.exists() {
		t.Error("the project is gone while it can be claimed")
	}
	u.clock.advance(2 * time.Minute)
	if u.exists() {
		t.Error("the project is left")
	}
}

// A claim that a person has begun ends all other access, also where it is given up: another code is all that is left.
func TestClaimableNeon_begunClaimCloses(t *testing.T) {
	t.Parallel()
	u := registered(t)
	u.bearer().send("GET", u.path("/credentials"), "").success()
	u.begin(u.code())
	for _, pause := range []time.Duration{0, claimCodeLife, time.Hour} {
		u.clock.advance(pause)
		u.bearer().send("GET", u.path("/credentials"), "").refused(codeClaimRuns.status, codeClaimRuns.name)
		u.bearer().send("DELETE", u.path(""), "").refused(codeClaimRuns.status, codeClaimRuns.name)
	}
	if state := u.bearer().send("GET", u.path("/claim"), "").success().str("state"); state != "expired" {
		t.Errorf("the claim is %s", state)
	}
	if status := u.control("GET", "/objects", "").str("claimable_databases", 0, "status"); status != claiming {
		t.Errorf("the status is %s", status)
	}
	u.begin(u.code())
	u.bearer().send("POST", u.path("/claim"), "").refused(codeClaimRuns.status, codeClaimRuns.name)
}

// Neon Auth and the Data API can be had later than the project, which was asked for without them.
func TestClaimableNeon_servicesLater(t *testing.T) {
	t.Parallel()
	u := registered(t)
	branch := u.path("/branches/" + u.bearer().send("GET", u.path("/branches"), "").success().str("branches", 0, "id"))
	u.bearer().send("POST", branch+"/auth", `{"auth_provider":"better_auth"}`).success()
	u.bearer().send("POST", branch+"/data-api/neondb", `{"auth_provider":"neon_auth"}`).success()
	services := u.bearer().send("GET", u.path("/credentials"), "").success()
	if services.str("services", "auth", "base_url") == "" || services.str("services", "data_api", "url") == "" {
		t.Error(services.text)
	}
}

// Whoever has a token of a project that was claimed learns how the claim ended, and nothing else.
func TestClaimableNeon_afterTheClaim(t *testing.T) {
	t.Parallel()
	u := registered(t)
	u.control("POST", "/claimable_databases/"+u.id+"/claim", `{"status":"CLAIMING"}`)
	watching := u.bearer()
	u.control("POST", "/claimable_databases/"+u.id+"/claim", "")
	u.clock.advance(time.Minute)
	if state := watching.send("GET", u.path("/claim"), "").success().str("state"); state != "reconciled" {
		t.Errorf("the claim is %s", state)
	}
	watching.send("GET", u.path("/credentials"), "").refused(codeUnauthorized.status, codeUnauthorized.name)
}

// A project expires, whether its assertion was revoked or not.
func TestClaimableNeon_revokedExpires(t *testing.T) {
	t.Parallel()
	u := registered(t)
	u.form("/v1/oauth2/revoke", url.Values{"token": {u.assertion}})
	u.clock.advance(unclaimedLife)
	if u.exists() {
		t.Error("the project is left")
	}
}

// An identity whose project has expired is told so for a while, and forgotten then, however it ended. One whose project
// somebody has claimed stays, as it says where the project went.
func TestClaimableNeon_forgotten(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ends func(*unclaimedProject)
		left int
	}{
		"unclaimed": {func(*unclaimedProject) {}, 0},
		"given up":  {func(u *unclaimedProject) { u.begin(u.code()) }, 0},
		"deleted":   {func(u *unclaimedProject) { u.bearer().send("DELETE", u.path(""), "").success() }, 0},
		"claimed": {func(u *unclaimedProject) {
			u.control("POST", "/claimable_databases/"+u.id+"/claim", "")
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := registered(t)
			test.ends(u)
			for _, step := range []struct {
				by   time.Duration
				left int
			}{{unclaimedLife, 1}, {recoveryPeriod, test.left}} {
				u.clock.advance(step.by)
				u.control("GET", "/objects", "")
				if got := len(u.e.world.Registrations); got != step.left {
					t.Errorf("%s later there are %d", step.by, got)
				}
			}
		})
	}
}

// The control path claims what there is, once.
func TestClaimableNeon_claimedByControlPath(t *testing.T) {
	t.Parallel()
	u := registered(t)
	claim := func() answer { return u.send("POST", "/_emulator/claimable_databases/"+u.id+"/claim", "") }
	claim().success()
	other := u.control("POST", "/organizations", `{"name":"other"}`).str("org_id")
	u.must("POST", "{o}/projects/transfer", `{"destination_org_id":"`+other+`","project_ids":["`+u.projectID+`"]}`)
	claim().success()
	u.api("GET", "/projects/"+u.projectID, "").success()
	if got := u.control("GET", "/objects", "").text; !strings.Contains(got, `"org_id":"`+other+`"`) {
		t.Errorf("a second claim gives the project to another organization: %s", got)
	}
	expired := registered(t)
	expired.clock.advance(unclaimedLife)
	expired.send("POST", "/_emulator/claimable_databases/"+expired.id+"/claim", "").refused(404, "Database not found")
}

// An unclaimed database that its owner has dropped has no address.
func TestClaimable_withoutDatabase(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	made := s.send("POST", "/api/v1/database", `{"ref":"friend"}`)
	address, err := url.Parse(made.str("connection_string"))
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(address.Path, "/")
	address.Path = "/postgres"
	if _, err := query(t, address.String(), `DROP DATABASE "`+name+`"`); err != nil {
		t.Fatal(err)
	}
	if read := s.send("GET", "/api/v1/database/"+made.str("id"), ""); read.err != nil || read.status != 200 ||
		read.at("connection_string") != nil {
		t.Errorf("%d %s %v", read.status, read.text, read.err)
	}
}
