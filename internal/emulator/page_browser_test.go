package emulator

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// openPage is a browser that looks at the emulator's page.
type openPage struct {
	t       *testing.T
	browser context.Context
}

func openPageOf(t *testing.T, p *platform) openPage {
	t.Helper()
	page := openPage{t, openBrowser(t)}
	page.do(chromedp.Navigate(p.url + "/"))
	page.await(`document.querySelector("#live.on") !== null`)
	return page
}

func (page openPage) do(steps ...chromedp.Action[chromedp.Void]) {
	page.t.Helper()
	if err := chromedp.Do(page.browser, steps...); err != nil {
		page.t.Fatal(err)
	}
}

func (page openPage) text(expression string) string {
	page.t.Helper()
	text, err := chromedp.Run(page.browser, chromedp.Evaluate[string](expression))
	if err != nil {
		page.t.Fatalf("%s: %v", expression, err)
	}
	return text
}

// await waits until an expression is true, and returns how long that took.
func (page openPage) await(expression string) time.Duration {
	page.t.Helper()
	began := time.Now()
	for {
		yes, err := chromedp.Run(page.browser, chromedp.Evaluate[bool](expression))
		switch {
		case err != nil:
			page.t.Fatalf("%s: %v", expression, err)
		case yes:
			return time.Since(began)
		case time.Since(began) > 15*time.Second:
			page.t.Fatalf("%s isn't so; the page:\n%s", expression, page.text("document.body.innerText"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func has(id, text string) string {
	return fmt.Sprintf("document.getElementById(%q).textContent.includes(%q)", id, text)
}

// What happens beside an open page is seen there, without a reload.
func TestPage_live(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	page := openPageOf(t, p)
	page.text(`window.loaded = "once"`)
	p.must("POST", "{p}/branches", `{"branch":{"name":"<i>staging</i>"},"endpoints":[{"type":"read_write"}]}`)
	page.await(has("world", "<i>staging</i>"))
	p.api("POST", "{p}/branches", `{"branch":{"name":"second"}}`).refused(http.StatusLocked, "running conflicting operations")
	page.await(has("operations", "create_branch of <i>staging</i>"))
	page.await(has("operations", "create_branch in the way"))
	page.await(has("operations", "for create_branch"))
	page.await(has("requests", "project already has running conflicting operations"))
	page.await(has("requests", "first (personal)"))
	p.clock.advance(time.Minute)
	page.await(has("operations", "finished"))
	p.as("napi_wrong").api("GET", "{p}", "")
	page.await(has("requests", "unknown"))
	if page.text("window.loaded") != "once" {
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
	page.await(`document.querySelectorAll("#requests tr").length === 2`)
	page.do(chromedp.KeyEvent("/"), chromedp.KeyEvent("branch not found"))
	page.await(`document.querySelectorAll("#requests tr:not([hidden])").length === 1`)

	page.text(`document.querySelector("#add-fault [name=count]").focus(), ""`)
	page.do(chromedp.KeyEvent("\r"))
	page.await(has("faults", "status 503"))
	p.api("GET", "{p}", "").refused(http.StatusServiceUnavailable, "Service Unavailable")
	page.await(has("faults", "1 of 1 hit"))
	page.text(`document.querySelector("#faults button").focus(), ""`)
	page.do(chromedp.KeyEvent("\r"))
	page.await(has("faults", "None"))
	if left := p.control("GET", "/faults", "").size("faults"); left != 0 {
		t.Errorf("%d faults are left", left)
	}

	before := p.control("POST", "/clock", `{"advance":"0s"}`).str("now")
	page.text(`document.querySelector("#move-clock input").focus(), ""`)
	page.do(chromedp.KeyEvent("\r"))
	page.await(has("clock", "1h0m0s ahead"))
	if after := p.control("POST", "/clock", `{"advance":"0s"}`).str("now"); after == before {
		t.Error("the clock didn't move")
	}
}

// No token and no password is on the page until somebody asks for one.
func TestPage_secrets(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	page := openPageOf(t, p)
	p.must("GET", "{p}/connection_uri?database_name=neondb&role_name=neondb_owner", "")
	page.await(has("requests", "connection_uri"))
	secrets := append(p.e.Secrets(), p.key)
	if len(secrets) < 3 {
		t.Fatalf("only %d secrets are known", len(secrets))
	}
	shown := page.text("document.documentElement.outerHTML")
	for _, secret := range secrets {
		if strings.Contains(shown, secret) {
			t.Errorf("%s is on the page", secret)
		}
	}
	page.do(chromedp.Click("button[data-show]", chromedp.NodeVisible))
	page.await(`document.querySelector(".database code").textContent.startsWith("PGHOSTADDR=127.0.0.1 psql 'postgresql://neondb_owner:npg_")`)
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
	page := openPage{t, openBrowser(t)}
	before := p.control("GET", "/objects", "").text
	// The first is of the same site, in a browser's eyes, and the second of another.
	for _, address := range []string{foreign.URL, strings.Replace(foreign.URL, "127.0.0.1", "localhost", 1)} {
		page.do(chromedp.Navigate(address))
		page.await(`document.title === "done"`)
		if got := page.text("document.body.dataset.got || ''"); got != "" {
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
const read = async (what, response) => { const text = await response.text(); if (text) got.push(what + ": " + text.slice(0, 80)); };
const fault = JSON.stringify({ route: "*", kind: "hang" });
async function attack() {
  for (const path of ["/", "/_emulator", "/_emulator/objects", "/_emulator/environment", "/_emulator/page", "/api/v2/projects"]) {
    for (const mode of ["cors", "no-cors"]) {
      await fetch(base + path, { mode, credentials: "include" }).then((r) => read("GET " + path, r)).catch(() => {});
    }
  }
  for (const [path, body] of [["faults", fault], ["clock", '{"advance":"9h"}'], ["organizations", "{}"], ["projects", "{}"]]) {
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

// On a narrow screen nothing has to be scrolled sideways. The pictures of the guide show
// the page in the light, in the dark and on a narrow screen.
func TestPage_widths(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	illustrate(p)
	for name, width := range map[string]int64{"narrow": 390, "light": 1280} {
		page := openPageOf(t, p)
		page.do(chromedp.EmulateViewport(width, 900))
		page.await(`document.documentElement.scrollWidth <= innerWidth`)
		page.picture(name)
	}
}

func TestPage_inTheDark(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	illustrate(p)
	page := openPage{t, openBrowser(t, chromedp.Flag("blink-settings", "preferredColorScheme=0"))}
	page.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(p.url+"/"))
	page.await(has("live", "Live"))
	if ground := page.text("getComputedStyle(document.body).backgroundColor"); ground != "rgb(14, 19, 17)" {
		t.Errorf("the page is %s in the dark", ground)
	}
	page.picture("dark")
}

// illustrate lets happen what pictures are to show.
func illustrate(p *platform) {
	p.t.Helper()
	staging := p.must("POST", "{p}/branches", `{"branch":{"name":"staging"},"endpoints":[{"type":"read_write"},{"type":"read_only"}]}`)
	p.api("POST", "{p}/branches", `{"branch":{"name":"early"}}`)
	p.clock.advance(4 * time.Second)
	id := staging.str("branch", "id")
	p.must("PATCH", "{p}/branches/"+id, `{"branch":{"protected":true}}`)
	p.must("POST", "{p}/branches", `{"branch":{"name":"preview-17","parent_id":"`+id+`","expires_at":"2026-03-02T18:00:00Z"},"endpoints":[{"type":"read_write","autoscaling_limit_min_cu":0.25,"autoscaling_limit_max_cu":2}]}`)
	p.clock.advance(1200 * time.Millisecond)
	p.api("GET", "{p}/branches/br-none-1", "")
	p.control("POST", "/faults", `{"route":"GET /api/v2/projects/{project_id}/operations/{operation_id}","kind":"lost_after","count":2}`)
	p.control("POST", "/clock", `{"advance":"90m"}`)
}
