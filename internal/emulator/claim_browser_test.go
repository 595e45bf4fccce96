package emulator

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// openBrowser starts a headless one, or skips the test where there is none. CI must
// have one.
func openBrowser(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	switch {
	case program != "":
	case os.Getenv("CI") != "":
		t.Fatal("CI must have Chromium (Debian's package chromium)")
	default:
		t.Skip("this needs Chromium (Debian's package chromium) on PATH")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.Flag("disable-quic", true), chromedp.UserDataDir(t.TempDir()))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), append(options, more...)...)
	t.Cleanup(stop)
	browser, end := chromedp.NewContext(allocator)
	t.Cleanup(end)
	limited, cancel := context.WithTimeout(browser, 2*time.Minute)
	t.Cleanup(cancel)
	return limited
}

// Somebody opens the claim URL, reads what it is about, and presses the button.
func TestClaimInABrowser(t *testing.T) {
	t.Parallel()
	browser := openBrowser(t)
	p := start(t, Config{})
	made := p.send("POST", "/api/v1/database", `{"ref":"a <b>friend</b>"}`)
	id := made.str("id")
	if err := chromedp.Do(browser, chromedp.Navigate(made.str("claim_url"))); err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string]string{
		"h1": "Claim this database", "#database": id, "#referrer": "a <b>friend</b>", "time": made.str("expires_at"),
	} {
		if got, err := chromedp.Run(browser, chromedp.Text(selector)); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", selector, got, err, want)
		}
	}
	if err := chromedp.Do(browser, chromedp.Click("button", chromedp.NodeVisible), chromedp.WaitNotPresent("button")); err != nil {
		t.Fatal(err)
	}
	read := p.send("GET", "/api/v1/database/"+id, "")
	if read.str("status") != "CLAIMED" || read.at("connection_string") != nil {
		t.Errorf("after the claim: %s", read.text)
	}
	// The address that other clients hand out shows the same.
	for _, address := range []string{made.str("claim_url"), p.url + "/database/" + id} {
		if err := chromedp.Do(browser, chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
		if title, err := chromedp.Run(browser, chromedp.Text("h1")); err != nil || title != "This database has been claimed" {
			t.Errorf("%s: %q, %v", address, title, err)
		}
		if forms, err := chromedp.Run(browser, chromedp.Evaluate[int]("document.forms.length")); err != nil || forms != 0 {
			t.Errorf("%s: it can be claimed again: %d, %v", address, forms, err)
		}
	}
}
