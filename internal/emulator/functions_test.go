package emulator

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

// zipOf is an archive with one file.
func zipOf(t *testing.T, name string) []byte {
	t.Helper()
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	file, err := archive.Create(name)
	if err == nil {
		_, err = file.Write([]byte("export default {}"))
	}
	if err == nil {
		err = archive.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// functionWorld is an emulator whose builds take a second.
type functionWorld struct {
	t     *testing.T
	e     *Emulator
	clock *stillClock
	at    string
}

// newFunctionWorld is one at the first branch, with the address of all of its project's branches.
func newFunctionWorld(t *testing.T) (w functionWorld, branches string) {
	t.Helper()
	clock := &stillClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	e, err := New(Config{OperationDuration: time.Second, Conflicts: ConflictsNone, Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	branches = "http://localhost/api/v2/projects/" + e.FirstWorld().ProjectID + "/branches"
	return functionWorld{t, e, clock, branches + "/" + e.FirstWorld().BranchID}, branches
}

// send sends a body, a form where it has a zip or variables, and decodes the answer.
func (w functionWorld) send(want int, method, path string, body any) map[string]any {
	w.t.Helper()
	var data bytes.Buffer
	kind := "application/json"
	if form, is := body.(map[string][]byte); is {
		parts := multipart.NewWriter(&data)
		for name, value := range form {
			part, err := parts.CreateFormField(name)
			if name == "zip" {
				part, err = parts.CreateFormFile(name, "function.zip")
			}
			if err == nil {
				_, err = part.Write(value)
			}
			if err != nil {
				w.t.Fatal(err)
			}
		}
		kind = parts.FormDataContentType()
		_ = parts.Close()
	} else if body != nil {
		_, _ = fmt.Fprint(&data, body)
	}
	request := httptest.NewRequest(method, w.at+path, &data)
	request.Header.Set("Authorization", "Bearer "+w.e.FirstWorld().APIKey)
	request.Header.Set("Content-Type", kind)
	answer := httptest.NewRecorder()
	w.e.ServeHTTP(answer, request)
	if answer.Code != want {
		w.t.Fatalf("%s %s: status %d, want %d: %s", method, path, answer.Code, want, answer.Body)
	}
	said := map[string]any{}
	_ = json.Unmarshal(answer.Body.Bytes(), &said)
	return said
}

// Deployments are recorded: their bundles, variables and states; a failed one leaves the one before. Triggers and
// domains lead to functions, and a branch of the branch has what it should.
func TestFunctions(t *testing.T) {
	t.Parallel()
	w, project := newFunctionWorld(t)
	e, clock, first := w.e, w.clock, w.e.FirstWorld()
	current := func(of string) string {
		said, _ := w.send(200, "GET", "/functions/api", nil)["function"].(map[string]any)
		deployment, _ := said[of].(map[string]any)
		return fmt.Sprint(deployment["id"], deployment["status"], deployment["environment"])
	}
	w.send(400, "POST", "/functions/api/deployments", map[string][]byte{"runtime": []byte("nodejs24")})
	w.send(201, "POST", "/functions/api/deployments", map[string][]byte{"zip": zipOf(t, "index.mjs"),
		"environment": []byte(`{"A":"1","B":"2"}`)})
	if got := current("current_deployment"); got != "1 building [A B]" && got != "1building[A B]" {
		t.Errorf("at first: %s", got)
	}
	clock.advance(2 * time.Second)
	w.send(400, "PATCH", "/functions/api", `{"name":"  "}`)
	w.send(201, "POST", "/functions/api/deployments", map[string][]byte{"zip": zipOf(t, "main.js"),
		"environment": []byte(`{"A":""}`)})
	clock.advance(2 * time.Second)
	if failed, active := current("current_deployment"), current("active_deployment"); !strings.Contains(failed,
		"failed") || !strings.Contains(failed, "[B]") ||
		!strings.Contains(active, "completed") || !strings.HasPrefix(active, "1") {
		t.Errorf("after a failed one: %s and %s", failed, active)
	}
	w.send(201, "POST", "/triggers",
		`{"type":"schedule","function_slug":"api","name":"nightly","schedule":{"cron":"0 3 * * *"}}`)
	w.send(409, "POST", "/triggers",
		`{"type":"schedule","function_slug":"api","name":"nightly","schedule":{"cron":"0 3 * * *"}}`)
	w.send(201, "POST", "/custom-domains", `{"domain":"API.example.com","entity_type":"function","entity_id":"api"}`)
	for _, name := range []string{"..", ".", "a b.example.com", "http://example.com", "*.example.com", "127.0.0.1",
		"localhost", "a\\u0000.example.com", "-a.example.com"} {
		w.send(400, "POST", "/custom-domains", `{"domain":"`+name+`","entity_type":"function","entity_id":"api"}`)
	}
	w.send(201, "POST", "/custom-domains", `{"domain":"dotted.example.com.","entity_type":"function","entity_id":"api"}`)
	w.send(204, "DELETE", "/custom-domains/dotted.example.com.", nil)
	w.send(201, "POST", "/custom-domains", `{"domain":"api.example.com","entity_type":"function","entity_id":"api"}`)
	made, _ := functionWorld{t, e, clock, project}.send(201, "POST", "",
		`{"branch":{"parent_id":"`+first.BranchID+`"}}`)["branch"].(map[string]any)
	child := functionWorld{t, e, clock, project + "/" + fmt.Sprint(made["id"])}
	if said := fmt.Sprint(child.send(200, "GET", "/triggers", nil)); !strings.Contains(said, "inherited:true") ||
		!strings.Contains(said, "enabled:false") {
		t.Errorf("the child's triggers: %s", said)
	}
	child.send(404, "PATCH", "/functions/api", `{"name":"n"}`)
	child.send(409, "POST", "/custom-domains", `{"domain":"api.example.com","entity_type":"function","entity_id":"api"}`)
	child.send(204, "DELETE", "/functions/api", nil)
	w.send(200, "PATCH", "/functions/api", `{"name":"n"}`)
	w.send(204, "DELETE", "/functions/api", nil)
	if said := fmt.Sprint(w.send(200, "GET", "/custom-domains", nil)); !strings.Contains(said, "api.example.com") {
		t.Errorf("its domain went with it: %s", said)
	}
	w.send(204, "DELETE", "/custom-domains/api.example.com", nil)
}

// A file comes as it was sent, whole or in part, to who has its address. No script of a page in it reaches the
// emulator. An address that was signed for files of a type takes no others.
func TestBuckets_files(t *testing.T) {
	t.Parallel()
	w, _ := newFunctionWorld(t)
	w.send(201, "POST", "/buckets", `{"name":"b"}`)
	at := func(key, wanted string) string {
		signed, _ := w.send(200, "POST", "/buckets/b/objects/"+key+"/presign", `{"operation":`+wanted+`}`)["url"].(string)
		return signed
	}
	ask := func(method, address, body string, header http.Header) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, address, strings.NewReader(body))
		r.Header = header
		answer := httptest.NewRecorder()
		w.e.ServeHTTP(answer, r)
		return answer
	}
	const content = "<p>hello</p>"
	sent := ask("PUT", at("a.html", `"upload"`), content, http.Header{"Content-Type": {"text/html"}})
	tag := sent.Header().Get("ETag")
	if sent.Code != 200 || !regexp.MustCompile(`^"[0-9a-f]{32}"$`).MatchString(tag) {
		t.Errorf("sent: %d %v", sent.Code, sent.Header())
	}
	for name, test := range map[string]struct {
		header http.Header
		status int
		body   string
	}{
		"whole":   {http.Header{}, 200, content},
		"a part":  {http.Header{"Range": {"bytes=3-7"}}, 206, "hello"},
		"beyond":  {http.Header{"Range": {"bytes=99-"}}, 416, ""},
		"known":   {http.Header{"If-None-Match": {tag}}, 304, ""},
		"changed": {http.Header{"If-None-Match": {`"other"`}}, 200, content},
	} {
		got := ask("GET", at("a.html", `"download"`), "", test.header)
		if got.Code != test.status || test.body != "" && got.Body.String() != test.body {
			t.Errorf("%s: %d %q", name, got.Code, got.Body)
		}
		if got.Code < 300 && (got.Header().Get("Content-Type") != "text/html" || got.Header().Get("ETag") != tag ||
			got.Header().Get("Content-Security-Policy") != "sandbox") {
			t.Errorf("%s: %v", name, got.Header())
		}
	}
	for _, test := range []struct {
		wanted, kind string
		status       int
	}{
		{`"upload","content_type":"text/css"`, "text/css", 200},
		{`"upload","content_type":"text/css"`, "text/html", 403},
		{`"upload","content_type":"text/css"`, "", 403},
		{`"upload"`, "text/html", 200},
	} {
		if got := ask("PUT", at("typed", test.wanted), content, http.Header{"Content-Type": {test.kind}}); got.Code != test.status {
			t.Errorf("%s with %q: %d %s", test.wanted, test.kind, got.Code, got.Body)
		}
	}
}

// Neon's limits count to the last character, or byte of a trigger's prefix; a trigger's body has what a trigger has,
// and its path is a path alone.
func TestServices_limits(t *testing.T) {
	t.Parallel()
	w, _ := newFunctionWorld(t)
	w.send(201, "POST", "/functions/api/deployments", map[string][]byte{"zip": zipOf(t, "index.mjs")})
	w.send(201, "POST", "/buckets", `{"name":"b"}`)
	hosts := strings.Repeat(strings.Repeat("a", 59)+".", 4)
	trigger := func(name, members string) string {
		return `{"type":"schedule","function_slug":"api","name":"` + name + `","schedule":{"cron":"0 3 * * *"}` + members + `}`
	}
	on := func(prefix string) string {
		return `{"type":"storage_object_created","function_slug":"api","name":"` + fmt.Sprint(len(prefix)) +
			`","storage_object_created":{"bucket_name":"b","prefix":"` + prefix + `"}}`
	}
	domain := func(name string) string {
		return `{"domain":"` + name + `","entity_type":"function","entity_id":"api"}`
	}
	key := func(length int) string { return "/buckets/b/objects/" + strings.Repeat("%C3%A9", length) }
	prefix := func(length int) string {
		return "/buckets/b/objects-by-prefix?prefix=" + strings.Repeat("%C3%A9", length-1) + "/"
	}
	for _, test := range []struct {
		want               int
		method, path, body string
	}{
		{200, "POST", key(1024) + "/presign", `{"operation":"upload"}`},
		{400, "POST", key(1025) + "/presign", `{"operation":"upload"}`},
		{404, "DELETE", key(1024), ""},
		{400, "DELETE", key(1025), ""},
		{200, "DELETE", prefix(1024), ""},
		{400, "DELETE", prefix(1025), ""},
		{201, "POST", "/custom-domains", domain(hosts + "example.com.au")},
		{400, "POST", "/custom-domains", domain(hosts + "example.comm.au")},
		{201, "POST", "/triggers", on(strings.Repeat("é", 512))},
		{400, "POST", "/triggers", on(strings.Repeat("é", 512) + "a")},
		{201, "POST", "/triggers", trigger("fits", `,"function_path":"/jobs/a"`)},
		{400, "POST", "/triggers", trigger("query", `,"function_path":"/jobs?a=b"`)},
		{400, "POST", "/triggers", trigger("fragment", `,"function_path":"/jobs#a"`)},
		{400, "POST", "/triggers", trigger("host", `,"function_path":"//example.com"`)},
		{400, "POST", "/triggers", trigger("other", `,"other":1`)},
	} {
		w.send(test.want, test.method, test.path, test.body)
	}
	made, _ := w.send(201, "POST", "/triggers", trigger("changes", ""))["trigger"].(map[string]any)
	at := "/triggers/" + fmt.Sprint(made["trigger_id"])
	w.send(400, "PATCH", at, `{"type":"schedule"}`)
	w.send(400, "PATCH", at, `{"type":"schedule","enabled":false,"other":1}`)
	w.send(200, "PATCH", at, `{"type":"schedule","enabled":false}`)
}

// A schedule's next run is the world's next minute that it names, in UTC, and a disabled one has none. What isn't five
// fields of numbers, or names no time at all, is refused or never comes.
func TestTrigger_nextRun(t *testing.T) {
	t.Parallel()
	w, _ := newFunctionWorld(t)
	w.send(201, "POST", "/functions/api/deployments", map[string][]byte{"zip": zipOf(t, "index.mjs")})
	body := func(cron string) string {
		return `{"type":"schedule","function_slug":"api","name":"` + cron + `","schedule":{"cron":"` + cron + `"}}`
	}
	for cron, want := range map[string]any{
		"* * * * *": "2026-03-01T12:01:00.000000Z", "0 0 * * *": "2026-03-02T00:00:00.000000Z",
		"0 0 1 1 *": "2027-01-01T00:00:00.000000Z", "0 0 * * 7": "2026-03-08T00:00:00.000000Z",
		"0 0 13 * 5": "2026-03-06T00:00:00.000000Z", "0 0 30 2 *": nil,
	} {
		made, _ := w.send(201, "POST", "/triggers", body(cron))["trigger"].(map[string]any)
		if made["next_run_at"] != want {
			t.Errorf("%s runs next at %v, want %v", cron, made["next_run_at"], want)
		}
		at := "/triggers/" + fmt.Sprint(made["trigger_id"])
		changed := w.send(200, "PATCH", at, `{"type":"schedule","enabled":false}`)
		if trigger, _ := changed["trigger"].(map[string]any); trigger["next_run_at"] != nil {
			t.Errorf("%s is disabled, and runs next at %v", cron, trigger["next_run_at"])
		}
	}
	w.send(201, "POST", "/triggers", body("5/15,0-3 0-7/2 1,15 */6 7"))
	for _, cron := range []string{"0 3 * *", "0 3 * * * *", "0 3 * * MON", "@daily", "0 25 * * *", "61 * * * *",
		"*/0 * * * *", ",,, - * * *", "0 0 0 * *", "0 0 * 1-13 *", "0 0 L * *",
		"0 0 ? * *", "0 0 * * 5-1", "0 0 * * 8"} {
		w.send(400, "POST", "/triggers", body(cron))
	}
}
