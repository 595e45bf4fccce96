// Package browser lets tests look at pages with Chromium.
package browser

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long a browser may take for what a test waits for: on a machine that is busy with all other tests,
// it gets a tenth of a core.
const patience = 2 * time.Minute

// Browser is a headless Chromium with one page.
type Browser struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // It is how chromedp names a browser.
}

// Open starts one, or skips the test where there is none. CI must have one.
func Open(t *testing.T, more ...chromedp.ExecAllocatorOption) Browser {
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
		chromedp.Flag("disable-quic", true), chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(patience))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), append(options, more...)...)
	t.Cleanup(stop)
	browser, end := chromedp.NewContext(allocator)
	t.Cleanup(end)
	b := Browser{t, browser}
	if err := chromedp.Do(browser); err != nil { // It lives as long as the context of its first call.
		t.Fatal(err)
	}
	return b
}

// within limits a step.
func (b Browser) within() (context.Context, context.CancelFunc) {
	return context.WithTimeout(b.ctx, patience)
}

// Do takes steps, all of which must succeed.
func (b Browser) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := b.within()
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// Evaluate returns what an expression of JavaScript is.
func Evaluate[T any](b Browser, expression string) T {
	b.t.Helper()
	ctx, cancel := b.within()
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// Await waits until an expression is true.
func (b Browser) Await(expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(patience); !Evaluate[bool](b, expression); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("%s isn't so; the page:\n%s", expression, Evaluate[string](b, "document.body.innerText"))
		}
	}
}

// Screenshot is a PNG of what is to be seen.
func (b Browser) Screenshot() []byte {
	b.t.Helper()
	ctx, cancel := b.within()
	defer cancel()
	shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	return shot
}
