package emulator

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The page can be read in the light, in the dark and on a narrow screen, where nothing has to
// be scrolled sideways; also before anything has happened. The guide has pictures of it.
func TestPage_looks(t *testing.T) {
	t.Parallel()
	_ = prepareInstallation() // Where there is no PostgreSQL, the page says that no database is served.
	busy, empty := start(t, Config{Postgres: installation}), start(t, Config{})
	illustrate(&served{busy})
	long := start(t, Config{})
	key := long.must("POST", "/api_keys", `{"key_name":"`+strings.Repeat("W", 64)+`"}`).str("key")
	long.as(key).api("POST", "/projects", `{"project":{"org_id":"`+long.org+`","region_id":"`+
		strings.Repeat("W", 200)+`"}}`)
	for _, look := range []struct {
		name          string
		width, height int64
		scheme        string
	}{{"light", 1280, 1200, "1"}, {"dark", 1280, 1200, "0"}, {"narrow", 390, 1300, "1"}} {
		t.Run(look.name, func(t *testing.T) {
			t.Parallel()
			page := openBrowser(t, chromedp.Flag("blink-settings", "preferredColorScheme="+look.scheme))
			page.Do(chromedp.EmulateViewport(look.width, look.height))
			for _, p := range []*platform{empty, long, busy} {
				lookAt(page, p)
				page.Await(`document.documentElement.scrollWidth <= innerWidth`)
				page.Await(`[...document.querySelectorAll(".scroll")].every((all) => all.scrollWidth <= all.clientWidth)`)
				if pale := evaluate[string](page, paleTexts); pale != "" {
					t.Errorf("these differ too little from their ground:\n%s", pale)
				}
			}
			if dark := evaluate[bool](page, `matchMedia("(prefers-color-scheme: dark)").matches`); dark != (look.scheme == "0") {
				t.Errorf("the browser's colors are dark: %t", dark)
			}
			keepPicture(t, page, look.name)
		})
	}
}

// Faults and clock are within reach whatever the world has.
func TestPage_crowded(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.control("POST", "/projects", `{"name":"large","branches":1000}`)
	page := openBrowser(t)
	page.Do(chromedp.EmulateViewport(1280, 1000))
	lookAt(page, p)
	page.Await(`document.querySelectorAll("#world details").length > 100`)
	page.Await(`document.querySelector("#move-clock").getBoundingClientRect().bottom < 2 * innerHeight`)
}

// The pictures were taken of the page as it is now.
func TestPage_picturesAreNew(t *testing.T) {
	t.Parallel()
	sum := sha256.New()
	for _, name := range []string{"page.css", "page.html", "page.js"} {
		text, err := os.ReadFile(filepath.Join("page", name))
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(text)
	}
	now, folder := hex.EncodeToString(sum.Sum(nil))+"\n", filepath.Join("..", "..", ".github", "pictures")
	if *pictures != "" {
		if err := os.WriteFile(filepath.Join(*pictures, "page.sha256"), []byte(now), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if taken, err := os.ReadFile(filepath.Join(cmp.Or(*pictures, folder), "page.sha256")); err != nil ||
		string(taken) != now {
		t.Errorf("the page has changed since its pictures were taken (%v): run make pictures, and look at them", err)
	}
}

// paleTexts has what can't be read well: the guidelines for accessible pages want a contrast
// of 4.5.
const paleTexts = `(() => {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = channels(color).map((c) => c / 255)
      .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return channels(color)[3] === 0 && element.parentElement ? ground(element.parentElement) : color;
  };
  const pale = [];
  for (const element of document.querySelectorAll("body *:not(option)")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.data.trim()).join("");
    if (!text || !element.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) pale.push(text + ": " + contrast.toFixed(2));
  }
  return pale.join("\n");
})()`

// illustrate lets happen what pictures are to show.
func illustrate(p *served) {
	p.t.Helper()
	if p.e.databases != nil {
		main := p.must("GET", "{p}/connection_uri?database_name=neondb&role_name=neondb_owner", "").str("uri")
		if _, err := query(p.t, main, "CREATE TABLE fruit (name text)"); err != nil {
			p.t.Fatal(err)
		}
	}
	staging := p.must("POST", "{p}/branches",
		`{"branch":{"name":"staging"},"endpoints":[{"type":"read_write"},{"type":"read_only"}]}`)
	p.api("POST", "{p}/branches", `{"branch":{"name":"early"}}`)
	p.clock.advance(4 * time.Second)
	id := staging.str("branch", "id")
	p.must("PATCH", "{p}/branches/"+id, `{"branch":{"protected":true}}`)
	main := "{p}/branches/" + p.e.FirstWorld().BranchID
	p.must("POST", main+"/buckets", `{"name":"uploads"}`)
	p.must("POST", main+"/credentials",
		`{"name":"worker","principal_type":"user","scopes":["storage:read","storage:write"]}`)
	p.must("POST", "{p}/branches", `{"branch":{"name":"preview-17","parent_id":"`+id+
		`","expires_at":"2026-03-02T18:00:00Z"},`+
		`"endpoints":[{"type":"read_write","autoscaling_limit_min_cu":0.25,"autoscaling_limit_max_cu":2}]}`)
	p.clock.advance(1200 * time.Millisecond)
	p.api("GET", "{p}/branches/br-none-1", "")
	p.control("POST", "/faults", `{"route":"GET /api/v2/projects/{project_id}/operations/{operation_id}","kind":"lost_after","count":2}`)
	p.control("POST", "/clock", `{"advance":"90m"}`)
	if p.e.databases != nil {
		p.e.databases.Sweep() // It looks at the sizes, too.
	}
}

// pictures are written for the guide where this is given.
var pictures = flag.String("pictures", "", "`folder` to write pictures of the page to")

// keepPicture writes what a browser shows, where pictures are wanted.
func keepPicture(t *testing.T, page browser, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	shot, err := smaller(page.Screenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictures, "emulator-"+name+".png"), shot, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// smaller keeps the most common colors of a picture.
func smaller(shot []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return nil, err
	}
	counts, area := map[color.Color]int{}, full.Bounds()
	for y := range area.Max.Y {
		for x := range area.Max.X {
			counts[full.At(x, y)]++
		}
	}
	common := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int { return cmp.Compare(counts[b], counts[a]) })
	few := image.NewPaletted(area, common[:min(len(common), 256)])
	draw.Draw(few, area, full, image.Point{}, draw.Src)
	var text bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&text, few)
	return text.Bytes(), err
}
