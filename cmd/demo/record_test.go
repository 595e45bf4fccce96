package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

const picture = "../../.github/pictures/demo.svg"

// The recording in the README shows the demo as it is now, and nothing of the machine that it was
// made on. `make recording` draws it anew.
func TestPictureIsOfThisDemo(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if len(content) > 300_000 {
		t.Errorf("%d bytes", len(content))
	}
	text := textOf(t, string(content))
	rest := text
	want := []string{"$ make demo"}
	for _, step := range steps {
		want = append(want, "  "+step.title)
	}
	for _, line := range append(want, "$ terraform apply -auto-approve", lastLine) {
		_, after, found := strings.Cut(rest, line)
		if found {
			rest = after
		} else if !strings.Contains(text, line) {
			t.Errorf("the recording doesn't show %q: run make recording", line)
		}
	}
	for _, title := range regexp.MustCompile(`(?m)^\d+/\d+ +(.*)$`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(strings.Join(want, "\n"), title[1]) {
			t.Errorf("the demo has no step %q any more: run make recording", title[1])
		}
	}
	if path := regexp.MustCompile(`/(home|root|Users|tmp|var|usr|work)/|[A-Z]:\\|localhost:\d|@`).FindString(text); path != "" {
		t.Errorf("the recording shows %q of the machine", path)
	}
	if !strings.Contains(string(content), "prefers-reduced-motion:no-preference") {
		t.Error("the recording moves for those who prefer that it doesn't")
	}
	if link := regexp.MustCompile(`(href|src|url\(|@import|<script|<foreignObject)`).FindString(string(content)); link != "" {
		t.Errorf("the recording needs more than itself: %s", link)
	}
}

// textOf is what a picture shows, a line for each text.
func textOf(t *testing.T, picture string) string {
	t.Helper()
	var text strings.Builder
	decoder := xml.NewDecoder(strings.NewReader(picture))
	shown := false
	for {
		token, err := decoder.Token()
		switch token := token.(type) {
		case xml.StartElement:
			shown = token.Name.Local == "text" || token.Name.Local == "tspan"
		case xml.CharData:
			if shown {
				text.Write(token)
			}
		case xml.EndElement:
			if token.Name.Local == "text" {
				shown = false
				text.WriteString("\n")
			}
		}
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		if err != nil {
			t.Fatalf("the recording isn't XML: %v", err)
		}
	}
}
