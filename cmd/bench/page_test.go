package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The page shows every row with the bounds that it is judged by, and none besides.
func TestPageShowsTheBounds(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../PERFORMANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| measured |")
	table, _, _ = strings.Cut(table, "\n\n")
	if lines := strings.Count(table, "\n| "); lines != len(rows) {
		t.Errorf("the page has %d rows, want %d", lines, len(rows))
	}
	for _, row := range rows {
		at := ""
		for line := range strings.Lines(table) {
			if strings.HasPrefix(line, "| "+row.name+": ") {
				at = line
			}
		}
		for _, bound := range []string{fmt.Sprintf(" of %.2f |", row.most), fmt.Sprintf(" of %d |", row.mostRequests)} {
			if !strings.HasPrefix(bound, " of 0") && !strings.Contains(at, bound) {
				t.Errorf("%s: want a row with %q, got %q", row.name, bound, at)
			}
		}
	}
}

// A row that is beyond its bounds says by what, and one within them is met.
func TestVerdict(t *testing.T) {
	t.Parallel()
	limited := row{most: 1.5, mostRequests: 10}
	for want, result := range map[string]result{
		met: {3, 2, observed{Total: 10}}, "**missed**: ratio": {3.1, 2, observed{Total: 10}},
		"**missed**: requests": {3, 2, observed{Total: 11}}, "**missed**: ratio and requests": {4, 2, observed{Total: 11}},
	} {
		if limited.result = result; limited.verdict() != want {
			t.Errorf("%v: got %q, want %q", result, limited.verdict(), want)
		}
	}
}
