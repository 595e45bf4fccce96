package emulator

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
)

// controlReference is the page that describes the control path.
const controlReference = "../../emulator/CONTROL.md"

var update = flag.Bool("update", false, "write the page that describes the control path")

// Each example of the index works, in its order.
func TestControlPath_examples(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Postgres: sharedPostgres(t)})
	ids := strings.NewReplacer("PROJECT_ID", p.project, "BRANCH_ID", p.named("child"), "PARENT_ID", p.named("other"))
	first := p.e.FirstWorld()
	for _, route := range controlPath {
		method, path, _ := strings.Cut(route.pattern, " ")
		path = strings.NewReplacer("{endpoint_id}", first.EndpointID, "{role_name}", first.RoleName, "{database_name}",
			first.DatabaseName).Replace(path)
		switch {
		case strings.Contains(path, "{id}"):
			path = strings.Replace(path, "{id}", p.send("POST", "/api/v1/database", `{"ref":"example"}`).str("id"), 1)
		case strings.Contains(path, "{fault_id}"):
			id := p.control("POST", "/faults", `{"route":"*","kind":"cut_body"}`).at("id")
			path = strings.Replace(path, "{fault_id}", fmt.Sprint(id), 1)
		}
		a := p.send(method, path, ids.Replace(route.example))
		if a.status < 200 || a.status > 299 {
			t.Errorf("%s %s: %d %s", a.request, route.example, a.status, a.text)
		}
		if (route.body == nil) != (route.example == "") {
			t.Errorf("%s has a body without an example, or an example without a body", route.pattern)
		}
	}
}

func TestControlPath_index(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	routes := p.control("GET", "", "")
	if routes.size("routes") != len(controlPath) {
		t.Errorf("the index has %d routes, of %d", routes.size("routes"), len(controlPath))
	}
	for _, want := range []string{
		`"does":"Moves the world's clock ahead`, `"name":"advance","type":"a string","says":"how far`,
		`curl -d '{\"advance\": \"73h\"}' '` + p.url,
		p.project, `curl -X DELETE '` + p.url + `/_emulator/faults'`, `"fault_kinds":{"cut_body":"The connection breaks`,
	} {
		if !strings.Contains(routes.text, want) {
			t.Errorf("%s isn't in the index:\n%s", want, routes.text)
		}
	}
}

func TestControlPath_refusals(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	for _, test := range []struct {
		method, path, body, says string
		status                   int
	}{
		{"POST", "/clock", ``, "advance (field required)", 400},
		{"POST", "/clock", `{"advance":`, "unexpected EOF", 400},
		{"POST", "/clock", `{advance:`, "invalid character 'a' looking for beginning of object key string", 400},
		{"POST", "/clock", `["73h"]`, "must be an object", 400},
		{"POST", "/clock", `{"advance":73}`, "advance (must be a string)", 400},
		{"POST", "/clock", `{"by":"73h"}`, `unknown member "by"; there are advance`, 400},
		{"POST", "/clock", `{"advance":"73h"}}`, "more than one value", 400},
		{"POST", "/clock", `{"advance":"3 days"}`, `advance (must be a duration such as 90m or 73h)`, 400},
		{"POST", "/faults", `{"count":"three"}`, "count (must be an integer)", 400},
		{"POST", "/faults", `{"count":1.5}`, "count (must be an integer)", 400},
		{"POST", "/projects_unavailable", `{"ids":"x"}`, "ids (must be an array)", 400},
		{"POST", "/clock", `{"advance":"-3h"}`, `advance (must be a duration such as 90m or 73h)`, 400},
		{"POST", "/faults", `{"route":"*","kind":"status"}`, "status is 0; with kind status it must be from 200 to 599", 400},
		{"POST", "/faults", `{"route":"*","kind":"cut_body","count":-3}`, "count (must be an integer of at least 0)", 400},
		{"POST", "/faults", `{"route":"*","kind":"cut_body","seed":-3}`, "seed (must be an integer of at least 0)", 400},
		{"POST", "/faults", `{"route":"*","kind":"cut_body","probability":3}`, "probability is 3; it must be from 0 to 1", 400},
		{"POST", "/projects_unavailable", `{"ids":["none"]}`, `there is no project "none"`, 404},
		{"POST", "/members", `{"role":"king"}`, `role (must be one of admin, member, editor, viewer, collaborator)`, 400},
		{"POST", "/members", `{"admin":true,"role":"viewer"}`, `admin is true, and role is "viewer"; leave one of them out`, 400},
		{"POST", "/organizations", `{"plan":"gold"}`, `plan is "gold"; it must be free, launch or scale`, 400},
		{"POST", "/operations", `{"status":"failed"}`, `action (field required)`, 400},
		{"POST", "/operations", `{"action":"create_brunch","status":"failed"}`, `action (must be one of anonymize, apply_config`, 400},
		{"POST", "/operations", `{"action":"start_compute","status":"ended"}`, `status (must be one of scheduling, running`, 400},
		{"POST", "/locks", `{"project_id":"none","duration":"2s"}`, `there is no project "none"`, 404},
		{"POST", "/projects", `{"count":0}`, "count (must be an integer from 1 to 20000)", 400},
		{"POST", "/projects", `{"branches":-1}`, "branches (must be an integer from 0 to 100000)", 400},
		{"DELETE", "/faults/7", "", `there is no fault "7"`, 404},
		{"PUT", "/clock", "", "the control path has no route PUT /_emulator/clock; GET /_emulator lists", 404},
	} {
		p.send(test.method, "/_emulator"+test.path, test.body).refused(test.status, test.says)
	}
}

// The reference is what the table says that serves the routes.
func TestControlPath_reference(t *testing.T) {
	t.Parallel()
	text := controlReferenceText()
	if *update {
		if err := os.WriteFile(controlReference, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(controlReference)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != text {
		t.Errorf("%s isn't what the table of the control path says; go test ./internal/emulator -run ControlPath_reference -update writes it", controlReference)
	}
}

func controlReferenceText() string {
	var page strings.Builder
	page.WriteString(`# The emulator's control path

Besides Neon's APIs, the emulator has HTTP routes of its own, by which tests and people control it. They
need no API key. Only programs on this machine and the emulator's own page can use them; ` +
		"where the emulator was started with\n" + `NEON_EMULATOR_TOKEN, only who sends that, as a bearer token or as the password of basic authentication.
` + "`GET /_emulator`" + ` lists the same routes; its examples have the ids of the emulator's first project.

Bodies and answers are JSON. A body with an unknown field or a wrong value is refused with status
400 and a message that says what is wrong.

`)
	for _, entry := range index("$NEON_BASE_URL", strings.NewReplacer()) {
		page.WriteString("## " + entry.Method + " " + entry.Path + "\n\n" + entry.Does + "\n\n")
		if len(entry.Body) > 0 {
			page.WriteString("| Field | Type | |\n|---|---|---|\n")
			for _, field := range entry.Body {
				page.WriteString("| `" + field.Name + "` | " + field.Type + " | " + field.Says + " |\n")
			}
			page.WriteString("\n")
		}
		if entry.Method+" "+entry.Path == "POST /_emulator/faults" {
			page.WriteString("| Kind | What happens to the request |\n|---|---|\n")
			for _, kind := range control.FaultKinds() {
				page.WriteString("| `" + kind + "` | " + control.FaultEffects()[kind] + " |\n")
			}
			page.WriteString("\n")
		}
		page.WriteString("```shell\n" + strings.Replace(entry.Example, "'$NEON_BASE_URL"+entry.Path+"'",
			`"$NEON_BASE_URL`+entry.Path+`"`, 1) + "\n```\n\n")
	}
	return strings.TrimSuffix(page.String(), "\n")
}

// What an organization has besides projects is listed, too.
func TestObjects_ofAnOrganization(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/members", `{"email":"max@example.com","role":"viewer"}`)
	p.must("POST", "{o}/invitations", `{"invitations":[{"email":"new@example.com","role":"member"}]}`)
	branchID := p.must("GET", "{p}/branches", "").str("branches", 0, "id")
	p.must("PUT", "{p}/branches/"+branchID+"/backup_schedule", `{"schedule":[{"frequency":"daily","hour":3}]}`)
	member := p.control("GET", "/objects", "").str("members", 1, "id")
	p.must("PUT", "{p}/members/"+member+"/role", `{"role":"editor"}`)
	all := p.control("GET", "/objects", "")
	for want, place := range map[string][]any{
		"max@example.com": {"members", 1, "email"}, "viewer": {"members", 1, "role"}, "new@example.com": {"invitations", 0, "email"},
		branchID: {"backup_schedules", 0, "branch_id"}, "daily": {"backup_schedules", 0, "schedule", 0, "frequency"},
		member: {"member_roles", 0, "member_id"}, "editor": {"member_roles", 0, "role"},
	} {
		if got := all.str(place...); got != want {
			t.Errorf("%v is %q, want %q", place, got, want)
		}
	}
}

// What the control path answers is nobody's else to embed.
func TestControlPath_isHidden(t *testing.T) {
	t.Parallel()
	a := start(t, Config{}).control("GET", "/objects", "")
	for name, want := range map[string]string{
		"Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A shell that takes over the environment reaches other databases as before: libpq obeys its own variables before any
// host.
func TestEnvironment_isNeonsAlone(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	for line := range strings.Lines(p.e.Environment(p.url)) {
		if strings.HasPrefix(line, "export PG") {
			t.Errorf("the environment has %s", line)
		}
	}
}

// Without databases the environment empties the address of one, so that an application's tests don't reach the
// shell's own.
func TestEnvironment_withoutDatabases(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	if lines := p.e.Environment(p.url); !strings.Contains(lines, "\nexport DATABASE_URL=\n") {
		t.Errorf("the environment is\n%s", lines)
	}
}
