package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The page shows every row with the bound that it is judged by.
func TestPageShowsTheBounds(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../PERFORMANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range benchmarks {
		for _, row := range each.rows {
			at := ""
			for line := range strings.Lines(string(page)) {
				if strings.HasPrefix(line, "| "+row.measured+": ") && strings.Contains(line, "| "+row.bound+": ") {
					at = line
				}
			}
			if at == "" || !strings.Contains(at, fmt.Sprintf("| %.2f |", row.most)) {
				t.Errorf("%s: want a row with a bound of %.2f, got %q", row.measured, row.most, at)
			}
		}
	}
}
