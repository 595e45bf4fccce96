package emulator

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// Somebody opens the claim URL, reads what it is about, and presses the button.
func TestClaimInABrowser(t *testing.T) {
	t.Parallel()
	page := openBrowser(t)
	p := start(t, Config{})
	made := p.send("POST", "/api/v1/database", `{"ref":"a <b>friend</b>"}`)
	id := made.str("id")
	page.Do(chromedp.Navigate(made.str("claim_url")))
	for selector, want := range map[string]string{
		"h1": "Claim this database", "#database": id, "#referrer": "a <b>friend</b>", "time": made.str("expires_at"),
	} {
		if got := textOf(page, selector); got != want {
			t.Errorf("%s: %q; want %q", selector, got, want)
		}
	}
	page.Do(chromedp.Click("button", chromedp.NodeVisible), chromedp.WaitNotPresent("button"))
	read := p.send("GET", "/api/v1/database/"+id, "")
	if read.str("status") != "CLAIMED" || read.at("connection_string") != nil {
		t.Errorf("after the claim: %s", read.text)
	}
	// The address that other clients hand out shows the same.
	for _, address := range []string{made.str("claim_url"), p.url + "/database/" + id} {
		page.Do(chromedp.Navigate(address))
		if title := textOf(page, "h1"); title != "This database has been claimed" {
			t.Errorf("%s: %q", address, title)
		}
		if forms := evaluate[int](page, "document.forms.length"); forms != 0 {
			t.Errorf("%s: it can be claimed again: %d", address, forms)
		}
	}
}

// textOf is what an element shows.
func textOf(page browser, selector string) string {
	return evaluate[string](page, fmt.Sprintf("document.querySelector(%q).innerText", selector))
}
