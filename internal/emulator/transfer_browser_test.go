package emulator

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// transferLink is what a customer gets of a new request.
func (p *platform) transferLink() string {
	p.t.Helper()
	return p.url + "/app/claim?p=" + p.project + "&tr=" + p.must("POST", "{p}/transfer_requests", "").str("id")
}

// A customer opens the link, reads what it is about, chooses an organization and presses the button.
func TestTransferInABrowser(t *testing.T) {
	t.Parallel()
	page := openBrowser(t)
	p := start(t, Config{})
	project := p.must("GET", "{p}", "").str("project", "name")
	p.control("POST", "/organizations", `{"name":"a <b>shop</b>","email":"ann@example.com"}`)
	eve := p.control("POST", "/organizations", `{"name":"eve's","email":"eve@example.com"}`)
	link := p.transferLink()
	page.Do(chromedp.Navigate(link))
	for selector, want := range map[string]string{
		"h1": "Take this project", "#project": project + " (" + p.project + ")", "time": p.ahead(24 * time.Hour),
	} {
		if got := textOf(page, selector); got != want {
			t.Errorf("%s: %q; want %q", selector, got, want)
		}
	}
	if offered := evaluate[string](page,
		`[...document.querySelectorAll("option")].map(o => o.text.split(" (")[0]).join()`); offered != "a <b>shop</b>,eve's" {
		t.Errorf("the organizations are %q", offered)
	}
	page.Do(chromedp.SetValue("select", eve.str("org_id")), chromedp.Click("button", chromedp.NodeVisible),
		chromedp.WaitNotPresent("button"))
	if title := textOf(page, "h1"); title != project+" is eve's's now" {
		t.Errorf("afterwards: %q", title)
	}
	if owner := p.as(eve.str("api_key")).must("GET", "{p}", "").str("project", "org_id"); owner != eve.str("org_id") {
		t.Errorf("the project is %s's", owner)
	}
	page.Do(chromedp.Navigate(link))
	if title := textOf(page, "h1"); title != "This link leads to no project" {
		t.Errorf("opened again: %q", title)
	}
}

// visitor is a browser without a screen: it follows nothing, and keeps no cookie by itself.
var visitor = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// visit sends a request as a browser does, and returns its answer with the text.
func visit(t *testing.T, method, link string, form url.Values, cookies []*http.Cookie) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, link, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, cookie := range cookies {
		request.AddCookie(cookie)
	}
	response, err := visitor.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// formOf is that of a link's page, with the cookies that go with it.
func formOf(t *testing.T, link, org string) (url.Values, []*http.Cookie) {
	t.Helper()
	response, text := visit(t, http.MethodGet, link, nil, nil)
	_, after, _ := strings.Cut(text, `name="csrf_token" value="`)
	token, _, _ := strings.Cut(after, `"`)
	return url.Values{"csrf_token": {token}, "org_id": {org}}, response.Cookies()
}

// The form accepts for the browser that got it alone, and says what is in the way.
func TestTransferPage_refused(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Plan: PlanScale})
	link := p.transferLink()
	if _, text := visit(t, http.MethodGet, link, nil, nil); !strings.Contains(text, "no other organization") ||
		strings.Contains(text, "<form") {
		t.Errorf("with one organization: %s", text)
	}
	poor := p.control("POST", "/organizations", `{"email":"poor@example.com","plan":"free"}`).str("org_id")
	for i := range 10 {
		p.named(fmt.Sprint(i))
	}
	for name, test := range map[string]struct {
		link, org string
		cookies   int
		status    int
		says      string
	}{
		"another browser's": {link, poor, 0, http.StatusForbidden, "out of date"},
		"another link's":    {link + "x", poor, 1, http.StatusForbidden, "out of date"},
		"no organization":   {link, "none", 1, http.StatusNotFound, "not found"},
		"a plan too low":    {link, poor, 1, http.StatusNotAcceptable, "expected 10, got 11"},
	} {
		sent, cookies := formOf(t, link, test.org)
		response, text := visit(t, http.MethodPost, test.link, sent, cookies[:test.cookies])
		if response.StatusCode != test.status || !strings.Contains(text, test.says) {
			t.Errorf("%s: %s %s", name, response.Status, text)
		}
	}
	if owner := p.must("GET", "{p}", "").str("project", "org_id"); owner != p.org {
		t.Errorf("what was refused made the project %s's", owner)
	}
}

// Afterwards a link leads on to an address of https, and to nothing else.
func TestTransferPage_leadsOn(t *testing.T) {
	t.Parallel()
	for next, leads := range map[string]bool{"javascript:alert(1)": false, "http://shop.example.com": false,
		"//shop.example.com": false, "https://shop.example.com/?a=b": true} {
		p := start(t, Config{})
		_, org := p.customer("")
		link := p.transferLink() + "&ru=" + url.QueryEscape(next)
		sent, cookies := formOf(t, link, org)
		response, text := visit(t, http.MethodPost, link, sent, cookies)
		location := response.Header.Get("Location")
		if (location == next) != leads || leads != (response.StatusCode == http.StatusSeeOther) ||
			leads == strings.Contains(text, "s now</h1>") {
			t.Errorf("%s: %s %q, %s", next, response.Status, location, text)
		}
	}
}
