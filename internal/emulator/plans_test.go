package emulator

import (
	"fmt"
	"testing"
)

// Each plan refuses what it doesn't have, with Neon's codes and words as far as
// they are known.
func TestPlansRefuse(t *testing.T) {
	t.Parallel()
	const (
		noSuspend = "modifying the suspend interval is not permitted on this account"
		retention = `requested history retention seconds exceeds allowed maximum; requested_history_retention_seconds:"%d", max:"%d"`
		tooLarge  = "compute size"
	)
	create := `{"project":{"org_id":%q,%s}}`
	for name, test := range map[string]struct {
		method, path, body, message string
		// status is that on the plans Free, Launch and Scale, and on none.
		status [4]int
	}{
		"no history": {"PATCH", "{p}", `{"project":{"history_retention_seconds":0}}`, "", [4]int{200, 200, 200, 200}},
		"history of a day": {
			"PATCH", "{p}", `{"project":{"history_retention_seconds":86400}}`, fmt.Sprintf(retention, 86400, 21600),
			[4]int{400, 200, 200, 200},
		},
		"history of a month": {
			"POST", "/projects", `"history_retention_seconds":2592000`, `requested_history_retention_seconds:"2592000", max:"`,
			[4]int{400, 400, 201, 201},
		},
		"a default timeout":    {"PATCH", "{p}", `{"project":{"default_endpoint_settings":{"suspend_timeout_seconds":300}}}`, noSuspend, [4]int{412, 200, 200, 200}},
		"no timeout":           {"POST", "/projects", `"default_endpoint_settings":{"suspend_timeout_seconds":-1}`, noSuspend, [4]int{412, 201, 201, 201}},
		"the usual timeout":    {"PATCH", "{e}", `{"endpoint":{"suspend_timeout_seconds":0}}`, noSuspend, [4]int{412, 200, 200, 200}},
		"an endpoint's":        {"PATCH", "{e}", `{"endpoint":{"suspend_timeout_seconds":240}}`, "suspend interval", [4]int{412, 412, 200, 200}},
		"a new branch's":       {"POST", "{p}/branches", `{"endpoints":[{"type":"read_write","suspend_timeout_seconds":600}]}`, noSuspend, [4]int{412, 201, 201, 201}},
		"a compute of 4":       {"PATCH", "{e}", `{"endpoint":{"autoscaling_limit_max_cu":4}}`, tooLarge, [4]int{412, 200, 200, 200}},
		"one up to 32":         {"PATCH", "{e}", `{"endpoint":{"autoscaling_limit_max_cu":32}}`, tooLarge, [4]int{412, 412, 412, 412}},
		"one of 56":            {"PATCH", "{e}", `{"endpoint":{"autoscaling_limit_min_cu":56,"autoscaling_limit_max_cu":56}}`, tooLarge, [4]int{412, 412, 200, 200}},
		"computes of 4":        {"PATCH", "{p}", `{"project":{"default_endpoint_settings":{"autoscaling_limit_max_cu":4}}}`, tooLarge, [4]int{412, 200, 200, 200}},
		"a maintenance window": {"PATCH", "{p}", `{"project":{"settings":{"maintenance_window":{"weekdays":[1],"start_time":"01:00","end_time":"02:00"}}}}`, "maintenance window", [4]int{400, 200, 200, 200}},
		"HIPAA":                {"POST", "/projects", `"settings":{"hipaa":true}`, "HIPAA is not allowed", [4]int{400, 400, 201, 201}},
		"a protected branch":   {"PATCH", "{b}", `{"branch":{"protected":true}}`, "protected branches limit exceeded", [4]int{422, 200, 200, 200}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, plan := range []string{PlanFree, PlanLaunch, PlanScale, ""} {
				p := start(t, Config{Plan: plan})
				w := p.e.FirstWorld()
				body, path := test.body, test.path
				switch path {
				case "/projects":
					body = fmt.Sprintf(create, p.org, body)
				case "{e}":
					path = "{p}/endpoints/" + w.EndpointID
				case "{b}":
					path = "{p}/branches/" + w.BranchID
				}
				got := p.api(test.method, path, body)
				if test.status[i] < 300 && got.status == test.status[i] {
					continue
				}
				got.refused(test.status[i], test.message)
			}
		})
	}
}

// limitOf counts what can be created until the plan's limit refuses more.
func limitOf(t *testing.T, create func(i int) answer, code, words string) int {
	t.Helper()
	for i := range 200 {
		if made := create(i); made.status != 201 {
			if made.refused(422, words); made.str("code") != code {
				t.Errorf("code %s, want %s", made.str("code"), code)
			}
			return i
		}
	}
	t.Errorf("%s refuses nothing", code)
	return 0
}

func TestPlansLimitNumbers(t *testing.T) {
	t.Parallel()
	for plan, want := range map[string]struct{ roots, protected, branches int }{
		PlanFree: {roots: 2, branches: 9}, PlanLaunch: {roots: 4, protected: 2}, PlanScale: {roots: 24, protected: 5}, "": {roots: 24},
	} {
		branch := func(p *platform, rest string) func(int) answer {
			return func(i int) answer {
				return p.api("POST", "{p}/branches", fmt.Sprintf(`{"branch":{"name":"b%d"%s}}`, i, rest))
			}
		}
		config := Config{Plan: plan, Conflicts: ConflictsNone}
		roots := limitOf(t, branch(start(t, config), `,"init_source":"schema-only"`), "ROOT_BRANCHES_LIMIT_EXCEEDED",
			"root branches limit exceeded")
		if roots != want.roots {
			t.Errorf("%q: %d more roots, want %d", plan, roots, want.roots)
		}
		if plan == "" {
			continue
		}
		protected := limitOf(t, branch(start(t, config), `,"protected":true`), "BRANCHES_PROTECTED_LIMIT_EXCEEDED",
			"protected branches limit exceeded")
		if protected != want.protected {
			t.Errorf("%q: %d protected branches, want %d", plan, protected, want.protected)
		}
		if want.branches > 0 {
			p := start(t, config)
			if more := limitOf(t, branch(p, ""), "BRANCHES_LIMIT_EXCEEDED", "branches limit exceeded"); more != want.branches {
				t.Errorf("%q: %d more branches, want %d", plan, more, want.branches)
			}
			body := fmt.Sprintf(`{"source_branch_id":%q,"source_lsn":"0/1","preserve_under_name":"old"}`,
				p.e.FirstWorld().BranchID)
			p.api("POST", "{p}/branches/"+p.e.FirstWorld().BranchID+"/restore", body).refused(422, "branches limit exceeded")
		}
	}
}

// Projects are limited where they are created, recovered and transferred.
func TestPlansLimitProjects(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Plan: PlanFree})
	if got := p.must("GET", "{o}", ""); got.str("plan") != "free" || got.at("allow_hipaa_projects") != false {
		t.Errorf("the organization is %s", got.text)
	}
	if me := p.must("GET", "/users/me", ""); me.str("plan") != "free" ||
		me.at("projects_limit") != 100.0 || me.at("branches_limit") != 10.0 {
		t.Errorf("the user is %s", me.text)
	}
	if first := p.must("GET", "{p}", ""); first.at("project", "history_retention_seconds") != 21600.0 {
		t.Errorf("the project is %s", first.text)
	}
	p.must("DELETE", "{p}", "")
	p.control("POST", "/projects", `{"name":"many","count":100}`)
	full := p.api("POST", "/projects", `{"project":{"org_id":"`+p.org+`"}}`)
	if full.refused(422, "projects limit exceeded"); full.str("code") != "PROJECTS_LIMIT_EXCEEDED" {
		t.Errorf("code %s", full.str("code"))
	}
	p.api("POST", "{p}/recover", "").refused(422, "projects limit exceeded")

	paid := p.control("POST", "/organizations", `{"plan":"launch"}`).str("org_id")
	moved := p.must("POST", "/projects", `{"project":{"org_id":"`+paid+`"}}`).str("project", "id")
	back := p.api("POST", "/organizations/"+paid+"/projects/transfer",
		`{"destination_org_id":"`+p.org+`","project_ids":["`+moved+`"]}`)
	if back.status != 406 || back.size("limits") != 2 || back.str("limits", 0, "name") != "subscription_type" ||
		back.str("limits", 0, "expected") != "launch" || back.str("limits", 0, "actual") != "free" ||
		back.str("limits", 1, "name") != "projects_count" || back.str("limits", 1, "expected") != "100" ||
		back.str("limits", 1, "actual") != "101" {
		t.Errorf("transferred: %d %s", back.status, back.text)
	}
}
