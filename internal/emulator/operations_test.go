package emulator

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// course reads the statuses of a branch's operations, oldest first.
func (p *platform) course(branchID string) []string {
	p.t.Helper()
	var course []string
	a := p.must("GET", "{p}/operations", "")
	for i := range a.size("operations") {
		if a.at("operations", i, "branch_id") == branchID {
			course = append([]string{a.str("operations", i, "status")}, course...)
		}
	}
	return course
}

// plainCreation has the creation of a branch be a single operation.
var plainCreation = map[string]string{"creation-operations": "plain"}

func TestOperationsOverTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ending string
		// want are the statuses after each second, of create_branch and start_compute.
		want  [][]string
		state string
	}{
		"as usual": {"", [][]string{{"running", "scheduling"}, {"finished", "running"}, {"finished", "finished"}}, "ready"},
		"failed": {
			`{"action":"create_branch","status":"failed","error":"no room"}`,
			[][]string{{"running", "scheduling"}, {"failed", "cancelled"}, {"failed", "cancelled"}}, "init",
		},
		"failed, then finished": {
			`{"action":"create_branch","status":"failed","then":"finished","after":"1s"}`,
			[][]string{{"running", "scheduling"}, {"failed", "scheduling"}, {"finished", "running"}, {"finished", "finished"}},
			"ready",
		},
		"the second cancelled": {
			`{"action":"start_compute","status":"cancelled"}`,
			[][]string{{"running", "scheduling"}, {"finished", "running"}, {"finished", "cancelled"}}, "ready",
		},
		"stuck": {
			`{"action":"create_branch","status":"running"}`,
			[][]string{{"running", "scheduling"}, {"running", "scheduling"}, {"running", "scheduling"}}, "init",
		},
		"another action": {
			`{"action":"apply_config","status":"failed"}`,
			[][]string{{"running", "scheduling"}, {"finished", "running"}, {"finished", "finished"}}, "ready",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, Config{Readings: plainCreation})
			if test.ending != "" {
				p.control("POST", "/operations", test.ending)
			}
			id := p.must("POST", "{p}/branches", `{"endpoints":[{"type":"read_write"}]}`).str("branch", "id")
			for i, want := range test.want {
				if diff := cmp.Diff(want, p.course(id)); diff != "" {
					t.Errorf("after %d seconds: %s", i, diff)
				}
				p.clock.advance(time.Second)
			}
			p.want("{p}/branches/"+id, test.state, "branch", "current_state")
		})
	}
}

func TestOperationFields(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/operations",
		`{"action":"create_branch","status":"failed","error":"no room","then":"finished","after":"5s"}`)
	made := p.must("POST", "{p}/branches", "")
	began := p.ahead(0)
	path := "{p}/operations/" + made.str("operations", 0, "id")
	p.clock.advance(2 * time.Second)
	got, _ := p.must("GET", path, "").at("operation").(map[string]any)
	want := map[string]any{
		"id": made.str("operations", 0, "id"), "project_id": p.project, "branch_id": made.str("branch", "id"),
		"action": "create_branch", "status": "failed", "error": "no room", "failures_count": 1.0,
		"retry_at": p.ahead(4 * time.Second), "created_at": began, "updated_at": p.ahead(-time.Second),
		"total_duration_ms": 2000.0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	p.clock.advance(10 * time.Second)
	over := p.must("GET", path, "")
	if over.str("operation", "status") != "finished" || over.at("operation", "error") != nil ||
		over.at("operation", "total_duration_ms") != 6000.0 {
		t.Errorf("over: %s", over.text)
	}
	p.api("GET", "{p}/operations/5d3f7a3e-0000-4000-8000-000000000000", "").refused(404, "operation not found")
	p.api("GET", "{p}/operations/first", "").refused(400, "operation_id")
}

func TestConflicts(t *testing.T) {
	t.Parallel()
	const locked = "project already has running conflicting operations, scheduling of new ones is prohibited"
	for mode, want := range map[string]struct{ same, other int }{
		"":               {423, 423},
		ConflictsProject: {423, 423},
		ConflictsBranch:  {423, 201},
		ConflictsNone:    {201, 201},
	} {
		t.Run("mode "+mode, func(t *testing.T) {
			t.Parallel()
			p := start(t, Config{Conflicts: mode})
			main, b := p.e.FirstWorld().BranchID, p.named("b")
			endpoint := func(branchID string) answer {
				return p.api("POST", "{p}/endpoints", `{"endpoint":{"type":"read_only","branch_id":"`+branchID+`"}}`)
			}
			if a := endpoint(b); a.status != 201 {
				t.Fatal(a.text)
			}
			same, other := endpoint(b), endpoint(main)
			if same.status != want.same || other.status != want.other {
				t.Errorf("same branch %d, another %d", same.status, other.status)
			}
			if want.same == 423 {
				same.refused(423, locked)
			}
			// What schedules nothing is never refused.
			p.must("PATCH", "{p}", `{"project":{"name":"renamed"}}`)
			p.must("PATCH", "{p}/branches/"+b, `{"branch":{"name":"c"}}`)
			p.must("POST", "{o}/api_keys", `{"key_name":"k"}`)
			p.must("GET", "{p}/branches/"+b, "")
			p.clock.advance(time.Second)
			if a := endpoint(b); a.status != 201 {
				t.Errorf("afterwards %d %s", a.status, a.text)
			}
			p.must("DELETE", "{p}", "")
		})
	}
}

func TestLockedByThePlatform(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsBranch})
	p.control("POST", "/locks", `{"project_id":"`+p.project+`","duration":"30s"}`)
	p.want("{p}/operations", "check_availability", "operations", 0, "action")
	p.api("POST", "{p}/branches", "").refused(423, "running conflicting operations")
	p.clock.advance(30 * time.Second)
	p.must("POST", "{p}/branches", "")
}

// Work on a branch alone is in nobody else's way.
func TestLockedByThePlatform_branch(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsBranch})
	branch := p.must("POST", "{p}/branches", "").str("branch", "id")
	p.clock.advance(time.Minute)
	p.control("POST", "/locks", `{"project_id":"`+p.project+`","branch_id":"`+branch+`","duration":"30s"}`)
	role := func(branchID string) answer {
		return p.api("POST", "{p}/branches/"+branchID+"/roles", `{"role":{"name":"r"}}`)
	}
	role(branch).refused(423, "running conflicting operations")
	if a := role(p.e.FirstWorld().BranchID); a.status != 201 {
		t.Errorf("on another branch: %d %s", a.status, a.text)
	}
	p.clock.advance(30 * time.Second)
	if a := role(branch); a.status != 201 {
		t.Errorf("afterwards: %d %s", a.status, a.text)
	}
	p.send("POST", "/_emulator/locks", `{"project_id":"`+p.project+`","branch_id":"none","duration":"1s"}`).refused(404,
		`there is no branch "none"`)
}

func TestOperationPages(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Readings: plainCreation})
	p.control("POST", "/operations/bulk", `{"project_id":"`+p.project+`","count":2500}`)
	p.must("POST", "{p}/branches", `{"endpoints":[{"type":"read_write"}]}`)
	seen := map[string]bool{}
	var sizes []int
	last, query := "9", "limit=1000"
	for {
		page := p.must("GET", "{p}/operations?"+query, "")
		sizes = append(sizes, page.size("operations"))
		if page.size("operations") == 0 {
			if page.at("pagination") != nil {
				t.Error("an empty page has a cursor")
			}
			break
		}
		operations, _ := page.at("operations").([]any)
		for _, one := range operations {
			operation, _ := one.(map[string]any)
			seen[fmt.Sprint(operation["id"])] = true
			at := fmt.Sprint(operation["created_at"])
			if at > last {
				t.Fatalf("%s after %s", at, last)
			}
			last = at
		}
		query = "limit=1000&cursor=" + url.QueryEscape(page.str("pagination", "cursor"))
	}
	if diff := cmp.Diff([]int{1000, 1000, 504, 0}, sizes); diff != "" || len(seen) != 2504 {
		t.Errorf("%s, %d seen", diff, len(seen))
	}
	p.want("{p}/operations", "start_compute", "operations", 0, "action")
	p.want("{p}/operations", "create_branch", "operations", 1, "action")
	for _, query := range []string{"limit=0", "limit=1001", "cursor=x"} {
		p.api("GET", "{p}/operations?"+query, "").refused(400, "invalid request")
	}
	// Operations older than six months are gone.
	p.control("POST", "/clock", `{"advance":"4400h"}`)
	if left := p.must("GET", "{p}/operations", "").size("operations"); left != 0 {
		t.Errorf("%d operations are left", left)
	}
}

func TestEndpointWork(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	w := p.e.FirstWorld()
	at := "{p}/endpoints/" + w.EndpointID
	p.api("POST", "{p}/endpoints", `{"endpoint":{"type":"read_write","branch_id":"`+w.BranchID+`"}}`).refused(409,
		"read_write endpoint already exists")
	p.api("POST", "{p}/endpoints", `{"endpoint":{"type":"read_only"}}`).refused(400, "endpoint.branch_id (field required)")
	p.api("POST", "{p}/endpoints", `{"endpoint":{"type":"read_only","branch_id":"br-no-one-12345678"}}`).refused(404,
		"branch not found")
	p.api("POST", "{p}/endpoints", `{"endpoint":{"type":"read_only","branch_id":"`+w.BranchID+
		`","region_id":"aws-eu-west-2"}}`).refused(400, "region_id")
	p.api("PATCH", at, `{"endpoint":{"autoscaling_limit_min_cu":2}}`).refused(400, "must not be greater")
	p.api("PATCH", at, `{"endpoint":{"name":""}}`).refused(400, "endpoint.name")
	for _, step := range []struct {
		method, path, body, actions, before, after string
	}{
		{"PATCH", "", `{"endpoint":{"name":"app"}}`, "[]", "active", "active"},
		{"PATCH", "", `{"endpoint":{"autoscaling_limit_max_cu":4}}`, "[apply_config suspend_compute]", "active", "idle"},
		{"PATCH", "", `{"endpoint":{"suspend_timeout_seconds":-1}}`, "[]", "idle", "idle"},
		{"POST", "/suspend", "", "[]", "idle", "idle"},
		{"POST", "/start", "", "[start_compute]", "idle", "active"},
		{"POST", "/start", "", "[]", "active", "active"},
		{"POST", "/restart", "", "[suspend_compute start_compute]", "active", "active"},
		{"POST", "/suspend", "", "[suspend_compute]", "active", "idle"},
		{"PATCH", "", `{"endpoint":{"disabled":true}}`, "[]", "idle", "idle"},
	} {
		a := p.must(step.method, at+step.path, step.body)
		actions := []string{}
		for i := range a.size("operations") {
			actions = append(actions, a.str("operations", i, "action"))
		}
		if fmt.Sprint(actions) != step.actions || a.str("endpoint", "current_state") != step.before {
			t.Errorf("%v: %s", step, a.text)
		}
		p.clock.advance(2 * time.Second)
		p.want(at, step.after, "endpoint", "current_state")
	}
	p.api("POST", at+"/start", "").refused(422, "disabled")
	p.api("POST", at+"/restart", "").refused(422, "disabled")
	p.must("PATCH", at, `{"endpoint":{"disabled":false}}`)
	p.clock.advance(time.Minute)
	p.must("POST", at+"/start", "")
	p.api("POST", at+"/suspend", "").refused(423, "endpoint is in some transitive state, could not suspend")
	p.clock.advance(time.Minute)
	if a := p.must("DELETE", at, ""); a.str("operations", 0, "action") != "suspend_compute" {
		t.Errorf("deleted: %s", a.text)
	}
	if a := p.must("DELETE", at, ""); a.status != 204 {
		t.Errorf("again: %d", a.status)
	}
	p.clock.advance(time.Minute)
	idle := p.must("POST", "{p}/endpoints", `{"endpoint":{"type":"read_write","branch_id":"`+w.BranchID+
		`","disabled":true}}`)
	if idle.size("operations") != 0 || idle.str("endpoint", "current_state") != "idle" {
		t.Errorf("disabled: %s", idle.text)
	}
}
