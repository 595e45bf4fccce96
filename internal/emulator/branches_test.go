package emulator

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBranchCreate(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	made := p.must("POST", "{p}/branches",
		`{"branch":{"name":"b"},"endpoints":[{"type":"read_write"},{"type":"read_only","autoscaling_limit_max_cu":2}],
		"annotation_value":{"made-by":"test"}}`)
	if made.status != 201 || made.str("branch", "current_state") != "init" ||
		made.str("branch", "pending_state") != "ready" ||
		made.str("branch", "parent_id") != p.e.FirstWorld().BranchID || made.at("branch", "default") != false {
		t.Errorf("branch: %s", made.text)
	}
	var got []string
	for i := range made.size("operations") {
		got = append(got, made.str("operations", i, "action")+" "+made.str("operations", i, "status"))
	}
	if diff := cmp.Diff([]string{"create_branch running", protectedConfig + " scheduling", "start_compute scheduling",
		"start_compute scheduling"}, got); diff != "" {
		t.Error(diff)
	}
	if made.size("connection_uris") != 2 || made.size("roles") != 1 || made.size("databases") != 1 ||
		made.at("roles", 0, "password") != nil {
		t.Errorf("answer: %s", made.text)
	}
	if host := made.str("endpoints", 0, "host"); !strings.HasSuffix(host, ".us-east-2.aws.neon.localhost") {
		t.Errorf("host %s", host)
	}
	if _, there := made.object()["branch"].(map[string]any)["expires_at"]; there {
		t.Error("a field without a value isn't left out")
	}
	id := made.str("branch", "id")
	p.clock.advance(time.Second)
	p.want("{p}/branches/"+id, "ready", "branch", "current_state")
	p.want("{p}/endpoints/"+made.str("endpoints", 0, "id"), "init", "endpoint", "current_state")
	p.clock.advance(2 * time.Second)
	p.want("{p}/endpoints/"+made.str("endpoints", 0, "id"), "active", "endpoint", "current_state")
	p.want("{p}/branches/"+id, "test", "annotation", "value", "made-by")
	p.want("{p}/branches/"+id, id, "annotation", "object", "id")
	p.want("{p}/branches", "test", "annotations", id, "value", "made-by")
	unnamed := p.must("POST", "{p}/branches", "")
	if unnamed.str("branch", "name") != unnamed.str("branch", "id") || unnamed.size("endpoints") != 0 ||
		unnamed.at("connection_uris") != nil {
		t.Errorf("without a body: %s", unnamed.text)
	}
}

// want checks a value in the answer to a read.
func (p *platform) want(path, value string, at ...any) {
	p.t.Helper()
	if got := p.must("GET", path, "").str(at...); got != value {
		p.t.Errorf("%s: %v is %q, want %q", path, at, got, value)
	}
}

func TestBranchCreateRefusals(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.named("taken")
	expiring := p.branch(`{"branch":{"name":"expiring","expires_at":"` + p.ahead(time.Hour) + `"}}`)
	branch := func(fields string) string { return `{"branch":{` + fields + `}}` }
	endpoint := func(fields string) string { return `{"endpoints":[{"type":"read_write"` + fields + `}]}` }
	many := make([]string, 51)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%d":"v"`, i)
	}
	for body, want := range map[string]struct {
		status  int
		message string
	}{
		`{"branch":`:                     {400, "decode application/json"},
		`[]`:                             {400, "must be an object"},
		branch(`"name":""`):              {400, "branch.name (must have 1 to 256 characters)"},
		branch(`"name":null`):            {400, "branch.name (must be a string)"},
		branch(`"name":7`):               {400, "branch.name (must be a string)"},
		branch(`"parent_id":"Main One"`): {400, "branch.parent_id"},
		branch(`"name":"` + strings.Repeat("x", 257) + `"`): {400, "branch.name"},
		branch(`"parent_id":"br-not-there-12345678"`):       {404, "parent branch not found"},
		branch(`"name":"taken"`): {409,
			`branch already exists; branch_name:"taken"`},
		branch(`"parent_lsn":"here"`):                                          {400, "branch.parent_lsn"},
		branch(`"parent_lsn":"0/1","parent_timestamp":"2026-01-01T00:00:00Z"`): {400, "cannot be specified together"},
		branch(`"parent_timestamp":"` + p.ahead(time.Minute) + `"`):            {400, "in the future"},
		branch(`"parent_timestamp":"2026-03-01T10:59:59Z"`):                    {400, "before the project was created"},
		branch(`"parent_timestamp":"yesterday"`):                               {400, "RFC 3339"},
		branch(`"parent_timestamp":"0001-01-01T00:00:00Z"`):                    {400, "RFC 3339"},
		branch(`"expires_at":"0001-01-01T00:00:00Z"`):                          {400, "RFC 3339"},
		branch(`"init_source":"thin-air"`):                                     {400, "branch.init_source"},
		branch(`"protected":"yes"`):                                            {400, "branch.protected (must be a boolean)"},
		branch(`"expires_at":"` + p.ahead(-time.Minute) + `"`):                 {400, "must be in the future"},
		branch(`"expires_at":"` + p.ahead(31*24*time.Hour) + `"`):              {400, "at most 30 days"},
		branch(`"expires_at":null`):                                            {400, "branch.expires_at"},
		branch(`"protected":true,"expires_at":"` + p.ahead(time.Hour) + `"`):   {422, "protected branch"},
		branch(`"parent_id":"` + expiring + `"`):                               {422, "a branch that expires"},
		endpoint(`},{"type":"read_write"`):                                     {409, "read_write endpoint already exists"},
		`{"endpoints":[{"autoscaling_limit_min_cu":1}]}`:                       {400, "endpoints[0].type (field required)"},
		`{"endpoints":[{"type":"write_only"}]}`:                                {400, "endpoints[0].type (must be one of read_only, read_write)"},
		endpoint(`,"autoscaling_limit_min_cu":0.1`):                            {400, "at least 0.25"},
		endpoint(`,"autoscaling_limit_min_cu":2,"autoscaling_limit_max_cu":1`): {400, "must not be greater"},
		endpoint(`,"suspend_timeout_seconds":-2`):                              {400, "from -1 to 604800"},
		endpoint(`,"suspend_timeout_seconds":604801`):                          {400, "from -1 to 604800"},
		endpoint(`,"suspend_timeout_seconds":1.5`):                             {400, "must be an integer"},
		endpoint(`,"suspend_timeout_seconds":59`):                              {400, "at least 60"},
		endpoint(`,"settings":{"pg_settings":{"work_mem":4}}`): {400,
			"pg_settings.work_mem (must be a string)"},
		`{"annotation_value":{"a":1}}`:                           {400, "annotation_value.a (must be a string)"},
		`{"annotation_value":{` + strings.Join(many, ",") + `}}`: {400, "at most 50 properties"},
	} {
		p.api("POST", "{p}/branches", body).refused(want.status, want.message)
	}
	if got := p.must("GET", "{p}/branches/count", "").at("count"); got != 3.0 {
		t.Errorf("%v branches, want 3: a refusal made one", got)
	}
	if got := p.must("GET", "{p}/branches/count?search=EXPIR", "").at("count"); got != 1.0 {
		t.Errorf("%v branches of a name, want 1", got)
	}
}

func TestBranchNotReady(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsNone})
	id := p.must("POST", "{p}/branches", `{"branch":{"name":"b"}}`).str("branch", "id")
	p.api("POST", "{p}/branches", `{"branch":{"parent_id":"`+id+`"}}`).refused(422, "branch not ready yet")
	p.clock.advance(time.Second)
	p.must("POST", "{p}/branches", `{"branch":{"parent_id":"`+id+`"}}`)
}

func TestBranchUpdate(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	main := p.e.FirstWorld().BranchID
	id := p.named("b")
	p.named("taken")
	p.api("PATCH", "{p}/branches/"+id, `{"branch":{"name":"taken"}}`).refused(409, "branch already exists")
	p.api("PATCH", "{p}/branches/"+id, `{}`).refused(400,
		"invalid request: decode application/json: invalid: branch (field required)")
	p.api("PATCH", "{p}/branches/"+id, ``).refused(400, "decode application/json")
	p.api("PATCH", "{p}/branches/br-not-there-12345678", `{"branch":{}}`).refused(404, "branch not found")
	p.api("PATCH", "{p}/branches/"+main, `{"branch":{"expires_at":"`+p.ahead(time.Hour)+`"}}`).refused(422,
		"default branch")
	changed := p.must("PATCH", "{p}/branches/"+id, `{"branch":{"name":"c","expires_at":"`+p.ahead(time.Hour)+`"}}`)
	if changed.str("branch", "name") != "c" || changed.str("branch", "expires_at") != p.ahead(time.Hour) ||
		changed.at("branch", "ttl_interval_seconds") != 3600.0 || changed.size("operations") != 0 {
		t.Errorf("changed: %s", changed.text)
	}
	p.api("PATCH", "{p}/branches/"+id, `{"branch":{"protected":true}}`).refused(422, "protected branch")
	p.api("POST", "{p}/branches/"+id+"/set_as_default", "").refused(422, "expires")
	// A change of something else leaves the expiry; null ends it.
	if kept := p.must("PATCH", "{p}/branches/"+id, `{"branch":{"name":"d"}}`); kept.at("branch", "expires_at") == nil {
		t.Errorf("the expiry is lost: %s", kept.text)
	}
	if ended := p.must("PATCH", "{p}/branches/"+id, `{"branch":{"expires_at":null}}`); ended.at("branch",
		"expires_at") != nil {
		t.Errorf("the expiry stays: %s", ended.text)
	}
	p.branch(`{"branch":{"parent_id":"` + id + `"}}`)
	p.api("PATCH", "{p}/branches/"+id, `{"branch":{"expires_at":"`+p.ahead(time.Hour)+`"}}`).refused(422, "has children")
	p.must("POST", "{p}/branches/"+id+"/set_as_default", "")
	if p.must("GET", "{p}/branches/"+main, "").at("branch", "default") != false {
		t.Error("two branches are default")
	}
}

func TestBranchDelete(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	id := p.branch(`{"branch":{"name":"b"},"endpoints":[{"type":"read_write"}]}`)
	child := p.branch(`{"branch":{"parent_id":"` + id + `"}}`)
	p.api("DELETE", "{p}/branches/"+p.e.FirstWorld().BranchID, "").refused(422, "default branch")
	p.api("DELETE", "{p}/branches/"+id, "").refused(422, "cannot delete branch that has children")
	p.must("PATCH", "{p}/branches/"+child, `{"branch":{"protected":true}}`)
	p.api("DELETE", "{p}/branches/"+child, "").refused(422, "protected")
	p.must("PATCH", "{p}/branches/"+child, `{"branch":{"protected":false}}`)
	p.must("DELETE", "{p}/branches/"+child, "")
	p.clock.advance(time.Minute)
	deleted := p.must("DELETE", "{p}/branches/"+id, "")
	if deleted.size("operations") != 2 || deleted.str("operations", 0, "action") != "suspend_compute" ||
		deleted.str("operations", 1, "action") != "delete_timeline" || deleted.at("operations", 1, "endpoint_id") != nil {
		t.Errorf("deleted: %s", deleted.text)
	}
	if again := p.must("DELETE", "{p}/branches/"+id, ""); again.status != 204 || again.text != "" {
		t.Errorf("again: %d %q", again.status, again.text)
	}
	p.api("GET", "{p}/branches/"+id, "").refused(404, "branch not found")
	if left := p.must("GET", "{p}/endpoints", "").size("endpoints"); left != 1 {
		t.Errorf("%d endpoints are left, want main's alone", left)
	}
}

func TestBranchExpires(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	id := p.branch(`{"branch":{"name":"short","expires_at":"` + p.ahead(time.Hour) +
		`"},"endpoints":[{"type":"read_write"}]}`)
	later := p.branch(`{"branch":{"name":"long","expires_at":"` + p.ahead(3*time.Hour) + `"}}`)
	p.control("POST", "/clock", `{"advance":"2h"}`)
	p.api("GET", "{p}/branches/"+id, "").refused(404, "branch not found")
	p.must("GET", "{p}/branches/"+later, "")
	if left := p.must("GET", "{p}/endpoints", "").size("endpoints"); left != 1 {
		t.Errorf("%d endpoints are left, want main's alone", left)
	}
	// The platform's own work for it is over.
	p.want("{p}/operations", "delete_timeline", "operations", 0, "action")
	p.named("short")
	p.control("POST", "/clock", `{"advance":"2h"}`)
	p.api("GET", "{p}/branches/"+later, "").refused(404, "branch not found")
}

func TestBranchPages(t *testing.T) {
	t.Parallel()
	p := start(t, Config{BranchPage: 3})
	p.project = p.control("POST", "/projects", `{"branches":9}`).str("project", "id")
	for _, test := range []struct {
		query string
		sizes []int
	}{
		{"", []int{3, 3, 3, 1}},
		{"?limit=10000", []int{3, 3, 3, 1}},
		{"?limit=2", []int{2, 2, 2, 2, 2}},
		{"?sort_by=name&sort_order=asc", []int{3, 3, 3, 1}},
		{"?sort_by=created_at", []int{3, 3, 3, 1}},
		{"?search=branch-", []int{3, 3, 3}},
		{"?search=nothing", []int{0}},
	} {
		var sizes []int
		seen := map[string]bool{}
		query := test.query
		for {
			page := p.must("GET", "{p}/branches"+query, "")
			sizes = append(sizes, page.size("branches"))
			for i := range page.size("branches") {
				seen[page.str("branches", i, "name")] = true
			}
			next := page.at("pagination", "next")
			if next == nil {
				break
			}
			query = "?cursor=" + url.QueryEscape(next.(string)) + strings.Replace(test.query, "?", "&", 1)
		}
		total := 0
		for _, size := range sizes {
			total += size
		}
		if diff := cmp.Diff(test.sizes, sizes); diff != "" || total != len(seen) {
			t.Errorf("%q: %s, %d of %d seen", test.query, diff, len(seen), total)
		}
	}
	p.want("{p}/branches?sort_by=name&sort_order=asc", "branch-1", "branches", 0, "name")
	p.want("{p}/branches?sort_by=name", "main", "branches", 0, "name")
	for _, query := range []string{"limit=0", "limit=10001", "limit=x", "sort_by=size", "sort_order=up", "cursor=x",
		"include_deleted=2"} {
		p.api("GET", "{p}/branches?"+query, "").refused(400, "invalid request: decode params: query: ")
	}
}

// A branch of a branch with Neon Auth, or with what one has left, has users of its own.
func TestBranch_ownAuthUsers(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsNone, Readings: map[string]string{"auth-schema-left": "enabled"}})
	main := p.e.FirstWorld().BranchID
	auth := "{p}/branches/" + main + "/auth"
	p.must("POST", auth, `{"auth_provider":"better_auth"}`)
	a := p.must("POST", auth+"/users", `{"email":"a@example.com"}`).str("id")
	b := p.must("POST", auth+"/users", `{"email":"b@example.com"}`).str("id")
	child := "{p}/branches/" + p.named("child") + "/auth"
	p.must("PUT", child+"/users/"+b+"/role", `{"roles":["admin"]}`)
	if users := p.e.world.Projects[p.project].Branches[main].Auth.Users; users[1]["roles"] != nil {
		t.Errorf("the parent's user has the roles of the child's: %v", users)
	}
	p.must("DELETE", auth, `{}`)
	heir := "{p}/branches/" + p.named("heir") + "/auth"
	p.must("POST", heir, `{"auth_provider":"better_auth"}`)
	p.must("DELETE", heir+"/users/"+a, "")
	if left := p.e.world.Projects[p.project].Branches[main].LeftUsers; left[0]["id"] != a || left[1]["id"] != b {
		t.Errorf("the deletion of the child's user has changed what the parent has left: %v", left)
	}
}
