// Package recording draws what a program writes to a terminal as a picture that moves: an SVG
// that a browser plays by itself, as it does below an img element, where scripts and fonts
// aren't loaded. Who prefers reduced motion sees the last screen.
//
// It knows lines and their colors, and no other movement of the cursor.
package recording

import (
	"bytes"
	"regexp"
	"time"
)

const (
	columns = 104
	rows    = 28

	// Between two lines at least and at most: what takes longer is shortened.
	shortest = 60 * time.Millisecond
	longest  = 600 * time.Millisecond
	// Before a title, to read what is above it, and after it.
	beforeTitle = 1700 * time.Millisecond
	afterTitle  = 900 * time.Millisecond
	// The last screen stays for so long.
	atTheEnd = 10 * time.Second
)

// Recording notes when which line was written. It is an io.Writer.
type Recording struct {
	title *regexp.Regexp
	lines []line
	rest  []byte
	// classes are those of the text that comes next.
	classes []string
	now     func() time.Time
}

// line is one row on the screen.
type line struct {
	written time.Time
	title   bool
	spans   []span
}

// New begins a recording. Lines that match are titles, which get time to be read.
func New(title *regexp.Regexp) *Recording {
	return &Recording{title: title, now: time.Now}
}

// Write notes the lines that are complete.
func (r *Recording) Write(part []byte) (int, error) {
	for _, piece := range bytes.SplitAfter(part, []byte("\n")) {
		r.rest = append(r.rest, piece...)
		if bytes.HasSuffix(piece, []byte("\n")) {
			r.add(string(bytes.TrimRight(r.rest, " \r\n")))
			r.rest = r.rest[:0]
		}
	}
	return len(part), nil
}

// add appends a line, broken where the terminal ends.
func (r *Recording) add(text string) {
	spans, classes := parse(text, r.classes)
	r.classes = classes
	isTitle := r.title.MatchString(plain(spans))
	for _, row := range wrap(spans, columns) {
		r.lines = append(r.lines, line{written: r.now(), title: isTitle, spans: row})
	}
}

// moments returns when each line appears, from the start of the picture, and how long that
// plays.
func (r *Recording) moments() ([]time.Duration, time.Duration) {
	var appear []time.Duration
	at := time.Duration(0)
	for i, line := range r.lines {
		if i > 0 {
			at += min(max(line.written.Sub(r.lines[i-1].written), shortest), longest)
			if line.title {
				at += beforeTitle
			}
			if r.lines[i-1].title {
				at += afterTitle
			}
		}
		appear = append(appear, at)
	}
	return appear, at + atTheEnd
}
