package recording

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// In pixels of the picture.
const (
	characterWidth = 8
	lineHeight     = 18
	margin         = 16
	bar            = 34
	width          = columns*characterWidth + 2*margin
	height         = rows*lineHeight + bar + 2*margin
)

// One set of colors, on a window of its own, is legible on a light page and on a dark one.
const style = `text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#e6edf3;white-space:pre}
.b{font-weight:700}.u{text-decoration:underline}.dim,.name{fill:#9198a1}
.red{fill:#ff8e86}.green{fill:#56d364}.yellow{fill:#e3b341}.blue{fill:#79c0ff}.magenta{fill:#d2a8ff}.cyan{fill:#56d4dd}
`

// WriteSVG draws the recording. The name stands above the window, and the description is what a
// screen reader says.
func (r *Recording) WriteSVG(out io.Writer, name, description string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="name description" xml:space="preserve">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<title id=\"name\">%s</title>\n<desc id=\"description\">%s</desc>\n<style>\n%s%s</style>\n",
		escape(name), escape(description), style, r.animation())
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%d" height="%d" rx="8" fill="#0d1117" stroke="#6e7681"/>`+"\n", width-1, height-1)
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="18" r="5.5" fill="%s"/>`+"\n", 20+18*i, color)
	}
	fmt.Fprintf(&b, `<text class="name" x="%d" y="22" text-anchor="middle">%s</text>`+"\n", width/2, escape(name))
	// An svg in the svg shows nothing beyond its edges.
	fmt.Fprintf(&b, `<svg x="%d" y="%d" width="%d" height="%d">`+"\n<g class=\"screen\">\n", margin, bar+margin/2, width-2*margin, rows*lineHeight)
	for i, line := range r.lines {
		if len(line.spans) > 0 {
			fmt.Fprintf(&b, "<text y=\"%d\">%s</text>\n", i*lineHeight+13, tspans(line.spans))
		}
	}
	fmt.Fprintf(&b, `<rect class="unwritten" y="%d" width="100%%" height="%d" fill="#0d1117"/>`+"\n", len(r.lines)*lineHeight, rows*lineHeight)
	b.WriteString("</g>\n</svg>\n</svg>\n")
	_, err := out.Write(b.Bytes())
	return err
}

func tspans(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		if len(s.classes) == 0 {
			b.WriteString(escape(s.text))
		} else {
			fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, strings.Join(s.classes, " "), escape(s.text))
		}
	}
	return b.String()
}

// animation moves the screen up as lines are added, and down what hides those to come. At rest,
// both are where they are at the end.
func (r *Recording) animation() string {
	appear, duration := r.moments()
	var screen, unwritten strings.Builder
	for i, at := range appear {
		percent := 100 * at.Seconds() / duration.Seconds()
		fmt.Fprintf(&screen, "%.2f%%{transform:translateY(%dpx)}", percent, -scrolled(i+1))
		fmt.Fprintf(&unwritten, "%.2f%%{transform:translateY(%dpx)}", percent, (i+1-len(r.lines))*lineHeight)
	}
	return fmt.Sprintf(`.screen{transform:translateY(%dpx)}
@media (prefers-reduced-motion:no-preference){
.screen{animation:screen %[2]s step-end infinite}
.unwritten{animation:unwritten %[2]s step-end infinite}
}
@keyframes screen{%s}
@keyframes unwritten{%s}
`, -scrolled(len(r.lines)), seconds(duration), &screen, &unwritten)
}

// scrolled is how far up the screen is once so many lines are written.
func scrolled(written int) int { return max(0, written-rows) * lineHeight }

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // A Builder takes everything.
	return b.String()
}
