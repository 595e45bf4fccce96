package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
)

var (
	// colors are the sequences by which terraform colors its output.
	colors = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	// underway are lines that say that terraform begins something, or has read it.
	underway = regexp.MustCompile(`: (Creating|Modifying|Destroying|Reading|Refreshing state|Still \S+)\.\.\.|^data\.`)

	preamble = "Terraform used the selected providers"
	outputs  = regexp.MustCompile(`^(Outputs|Changes to Outputs):`)

	// Where what is left out ends.
	firstResource = regexp.MustCompile(`^  # `)
	summary       = regexp.MustCompile(`^Plan: `)
	notIndented   = regexp.MustCompile(`^neon_|^\S+ complete!`)
)

// condensed passes on the lines of terraform's output that say what happens. It leaves
// out the attributes of what is planned, outputs, blank lines, and that something begins.
type condensed struct {
	out  io.Writer
	line []byte
	// plans says that plans are shown with their attributes.
	plans bool
	// until is the line that ends what is left out now.
	until *regexp.Regexp
}

// Write takes any part of the output.
func (c *condensed) Write(part []byte) (int, error) {
	for _, piece := range bytes.SplitAfter(part, []byte("\n")) {
		c.line = append(c.line, piece...)
		if !bytes.HasSuffix(piece, []byte("\n")) {
			continue
		}
		c.line = bytes.TrimRight(c.line, "\n")
		text := colors.ReplaceAllString(string(c.line), "")
		if text == "" {
			continue // Its colors are those of the next line.
		}
		if c.shows(text) {
			c.show(text)
		}
		c.line = c.line[:0]
	}
	return len(part), nil
}

// show passes on the line, whose colors end with it.
func (c *condensed) show(text string) {
	line := string(c.line)
	if line != text {
		line += "\x1b[0m"
	}
	_, _ = fmt.Fprintln(c.out, indent+line)
}

// shows reports whether a line, without its colors, is passed on.
func (c *condensed) shows(line string) bool {
	if c.until != nil && c.until.MatchString(line) {
		c.until = nil
	}
	switch {
	case c.until != nil || underway.MatchString(line):
		return false
	case strings.HasPrefix(line, preamble) && c.plans:
		c.until = firstResource
	case strings.HasPrefix(line, preamble):
		c.until = summary
	case outputs.MatchString(line):
		c.until = notIndented
	}
	return c.until == nil
}
