package emulator

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// browserPatience is how long a browser may take for what a test waits for: on a machine that is busy with all other
// tests,
// it gets a tenth of a core.
const browserPatience = 2 * time.Minute

// browser is a headless Chromium with one page.
type browser struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // It is how chromedp names a browser.
}

// openBrowser starts one, or skips the test where there is none. CI must have one.
func openBrowser(t *testing.T, more ...chromedp.ExecAllocatorOption) browser {
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
		chromedp.Flag("disable-quic", true), chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(browserPatience))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), append(options, more...)...)
	t.Cleanup(stop)
	tab, end := chromedp.NewContext(allocator)
	t.Cleanup(end)
	b := browser{t, tab}
	if err := chromedp.Do(tab); err != nil { // It lives as long as the context of its first call.
		t.Fatal(err)
	}
	return b
}

// within limits a step.
func (b browser) within() (context.Context, context.CancelFunc) {
	return context.WithTimeout(b.ctx, browserPatience)
}

// Do takes steps, all of which must succeed.
func (b browser) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := b.within()
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// evaluate returns what an expression of JavaScript is.
func evaluate[T any](b browser, expression string) T {
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
func (b browser) Await(expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(browserPatience); !evaluate[bool](b, expression); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("%s isn't so; the page:\n%s", expression, evaluate[string](b, "document.body.innerText"))
		}
	}
}

// Screenshot is a PNG of what is to be seen.
func (b browser) Screenshot() []byte {
	b.t.Helper()
	ctx, cancel := b.within()
	defer cancel()
	shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	return shot
}
