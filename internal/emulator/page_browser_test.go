package emulator

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// openPageOf opens the emulator's page.
func openPageOf(t *testing.T, p *platform) browser {
	t.Helper()
	page := openBrowser(t)
	lookAt(page, p)
	return page
}

// lookAt goes to the emulator's page, and waits until that follows what happens.
func lookAt(page browser, p *platform) {
	p.t.Helper()
	page.Do(chromedp.Navigate(p.url + "/"))
	page.Await(`document.querySelector("#live.on") !== null`)
}

func has(id, text string) string {
	return fmt.Sprintf("document.getElementById(%q).textContent.includes(%q)", id, text)
}

// What happens beside an open page is seen there, without a reload.
func TestPage_live(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	page := openPageOf(t, p)
	evaluate[string](page, `window.loaded = "once"`)
	p.must("POST", "{p}/branches", `{"branch":{"name":"<i>staging</i>"},"endpoints":[{"type":"read_write"}]}`)
	page.Await(has("world", "<i>staging</i>"))
	p.api("POST", "{p}/branches", `{"branch":{"name":"second"}}`).refused(http.StatusLocked,
		"running conflicting operations")
	page.Await(has("operations", "create_branch of <i>staging</i>"))
	page.Await(has("operations", "create_branch in the way"))
	page.Await(has("operations", "for create_branch"))
	page.Await(has("requests", "project already has running conflicting operations"))
	page.Await(has("requests", "first (personal)"))
	p.clock.advance(time.Minute)
	page.Await(has("operations", "finished"))
	p.as("napi_wrong").api("GET", "{p}", "")
	page.Await(has("requests", "unknown"))
	if evaluate[string](page, "window.loaded") != "once" {
		t.Error("the page was loaded anew")
	}
}

// Filter, faults and clock are used with the keyboard alone.
func TestPage_keyboard(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	page := openPageOf(t, p)
	p.must("GET", "{p}", "")
	p.api("GET", "{p}/branches/br-none-1", "")
	page.Await(`document.querySelectorAll("#requests tr").length === 2`)
	page.Do(chromedp.KeyEvent("/"), chromedp.KeyEvent("branch not found"))
	page.Await(`document.querySelectorAll("#requests tr:not([hidden])").length === 1`)

	evaluate[string](page, `document.querySelector("#add-fault [name=count]").focus(), ""`)
	page.Do(chromedp.KeyEvent("\r"))
	page.Await(has("faults", "status 503"))
	p.api("GET", "{p}", "").refused(http.StatusServiceUnavailable, "Service Unavailable")
	page.Await(has("faults", "1 of 1 hit"))
	evaluate[string](page, `document.querySelector("#faults button").focus(), ""`)
	page.Do(chromedp.KeyEvent("\r"))
	page.Await(has("faults", "None"))
	if left := p.control("GET", "/faults", "").size("faults"); left != 0 {
		t.Errorf("%d faults are left", left)
	}

	before := p.control("POST", "/clock", `{"advance":"0s"}`).str("now")
	evaluate[string](page, `document.querySelector("#move-clock input").focus(), ""`)
	page.Do(chromedp.KeyEvent("\r"))
	page.Await(has("clock", "1h0m0s ahead"))
	if after := p.control("POST", "/clock", `{"advance":"0s"}`).str("now"); after == before {
		t.Error("the clock didn't move")
	}
}

// No token and no password is on the page until somebody asks for one.
func TestPage_secrets(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Postgres: sharedPostgres(t)})
	page := openPageOf(t, p)
	p.must("GET", "{p}/connection_uri?database_name=neondb&role_name=neondb_owner", "")
	page.Await(has("requests", "connection_uri"))
	claimable := p.send("POST", "/api/v1/database", `{"ref":"r"}`).str("id")
	page.Await(has("world", "Unclaimed"))
	secrets := append(p.e.Secrets(), p.key, claimable)
	if len(secrets) < 3 {
		t.Fatalf("only %d secrets are known", len(secrets))
	}
	shown := evaluate[string](page, "document.documentElement.outerHTML")
	for _, secret := range secrets {
		if strings.Contains(shown, secret) {
			t.Errorf("%s is on the page", secret)
		}
	}
	page.Do(chromedp.Click("button[data-show]", chromedp.NodeVisible))
	page.Await(`document.querySelector(".database code").textContent.startsWith("PGHOSTADDR=127.0.0.1 psql 'postgresql://neondb_owner:npg_")`)
	page.Await(`document.querySelector("button[data-show]").textContent === "Hide password"`)
	page.Do(chromedp.Click("button[data-show]", chromedp.NodeVisible))
	page.Await(`!document.querySelector(".database code").textContent.includes("npg_")`)
	page.Await(`document.querySelector("button[data-show]").getAttribute("aria-label") === "Show password of neondb_owner"`)
}

// Names with all that an address gives a meaning to.
func TestPage_oddNames(t *testing.T) {
	t.Parallel()
	p := serveDatabases(t)
	p.must("POST", "{p}/branches/"+p.e.FirstWorld().BranchID+"/roles", `{"role":{"name":"r/o?l#e"}}`)
	p.must("POST", "{p}/branches/"+p.e.FirstWorld().BranchID+"/databases",
		`{"database":{"name":"a/b?c#d","owner_name":"r/o?l#e"}}`)
	p.must("PATCH", "{p}", `{"project":{"name":"`+strings.Repeat("x", 250)+`"}}`)
	page := openPageOf(t, p.platform)
	page.Await(`document.documentElement.scrollWidth <= innerWidth`)
	page.Do(chromedp.Click(`button[aria-label="Show password of r/o?l#e"]`, chromedp.NodeVisible))
	page.Await(has("world", ":npg_"))
}

// Whatever there is, what was created last is shown, and the rest is found.
func TestPage_findsAmongMany(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsNone})
	p.control("POST", "/projects", `{"name":"large","branches":5000,"endpoints_per_branch":1}`)
	p.clock.advance(time.Minute)
	large := p.must("GET", "/projects?search=large&org_id="+p.org, "").str("projects", 0, "id")
	p.must("POST", "/projects/"+large+"/branches", `{"branch":{"name":"brand-new"}}`)
	page := openPageOf(t, p)
	page.Await(has("world", "brand-new"))
	page.Do(chromedp.SendKeys("#find", "branch-77", chromedp.NodeVisible))
	page.Await(`[...document.querySelectorAll("#world summary b")].map((name) => name.textContent).includes("branch-77")`)
	page.Await(`[...document.querySelectorAll("#world summary b")].every((name) => name.textContent.startsWith("branch-77"))`)
	page.Do(chromedp.SendKeys("#find", "x", chromedp.NodeVisible))
	page.Await(has("world", "Nothing here has “branch-77x” in its name or id."))
}

// The page of another server on this machine: it can't read anything, nor change it.
func TestPage_ofAnotherOrigin(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, attack, p.url, p.e.FirstWorld().APIKey)
	}))
	t.Cleanup(foreign.Close)
	page := openBrowser(t)
	before := p.control("GET", "/objects", "").text
	// The first is of the same site, in a browser's eyes, and the second of another.
	for _, address := range []string{foreign.URL, strings.Replace(foreign.URL, "127.0.0.1", "localhost", 1)} {
		page.Do(chromedp.Navigate(address))
		page.Await(`document.title === "done"`)
		if got := evaluate[string](page, "document.body.dataset.got || ''"); got != "" {
			t.Errorf("the page of %s reads %s", address, got)
		}
	}
	if after := p.control("GET", "/objects", "").text; after != before {
		t.Errorf("the world was changed:\n%s\n%s", before, after)
	}
	if faults := p.control("GET", "/faults", "").size("faults"); faults != 0 {
		t.Errorf("%d faults were added", faults)
	}
	if now := p.control("POST", "/clock", `{"advance":"0s"}`).str("now"); !strings.HasPrefix(now, "2026-03-01T12:00") {
		t.Errorf("the clock was moved to %s", now)
	}
}

// attack tries what a page can: it is given the emulator's address, and even a key.
const attack = `<!DOCTYPE html><title>trying</title><body><iframe name="sink"></iframe><script>
const base = %q, key = %q, got = [];
const read = async (what, response) => { const text = await response.text();
	if (text) got.push(what + ": " + text.slice(0, 80)); };
const fault = JSON.stringify({ route: "*", kind: "hang" });
async function attack() {
  for (const path of ["/", "/_emulator", "/_emulator/objects", "/_emulator/environment", "/_emulator/page",
    "/api/v2/projects"]) {
    for (const mode of ["cors", "no-cors"]) {
      await fetch(base + path, { mode, credentials: "include" }).then((r) => read("GET " + path, r)).catch(() => {});
    }
  }
  for (const [path, body] of [["faults", fault], ["clock", '{"advance":"9h"}'], ["organizations", "{}"], ["projects",
    "{}"]]) {
    for (const mode of ["cors", "no-cors"]) {
      await fetch(base + "/_emulator/" + path, { method: "POST", mode, body }).then((r) => read("POST " + path, r)).catch(() => {});
    }
    navigator.sendBeacon(base + "/_emulator/" + path, body);
    const form = document.createElement("form");
    Object.assign(form, { action: base + "/_emulator/" + path, method: "POST", enctype: "text/plain", target: "sink" });
    const field = document.createElement("input");
    const [name, ...value] = body.split(":");
    Object.assign(field, { name, value: value.join(":") });
    form.append(field);
    document.body.append(form);
    form.submit();
    await new Promise((done) => setTimeout(done, 50));
  }
  await fetch(base + "/api/v2/projects", { headers: { Authorization: "Bearer " + key } }).then((r) => read("with a key", r)).catch(() => {});
  await new Promise((done) => {
    const stream = new EventSource(base + "/_emulator/page");
    stream.onmessage = (event) => { got.push("stream: " + event.data.slice(0, 80)); stream.close(); done(); };
    stream.onerror = () => { stream.close(); done(); };
  });
  await new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.src = base + "/";
    frame.onload = () => { try { got.push("frame: " + frame.contentDocument.body.innerText.slice(0, 80) || ""); } catch {} done(); };
    document.body.append(frame);
  });
  await new Promise((done) => {
    const script = document.createElement("script");
    script.src = base + "/_emulator/page.js";
    script.onload = () => { got.push("script"); done(); };
    script.onerror = done;
    document.body.append(script);
  });
}
attack().finally(() => { document.body.dataset.got = got.join("; "); document.title = "done"; });
</script>`
