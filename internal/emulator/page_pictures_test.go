package emulator

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/chromedp/chromedp"
)

// pictures are written for the guide where this is given.
var pictures = flag.String("pictures", "", "`folder` to write pictures of the page to")

// picture writes what the browser shows, where pictures are wanted.
func (page openPage) picture(name string) {
	page.t.Helper()
	if *pictures == "" {
		return
	}
	shot, err := chromedp.Run(page.browser, chromedp.CaptureScreenshot())
	if err == nil {
		shot, err = smaller(shot)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictures, "emulator-"+name+".png"), shot, 0o644)
	}
	if err != nil {
		page.t.Fatal(err)
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
	few := image.NewPaletted(area, common[:min(len(common), 200)])
	draw.Draw(few, area, full, image.Point{}, draw.Src)
	var text bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&text, few)
	return text.Bytes(), err
}
