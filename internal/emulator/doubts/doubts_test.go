package doubts

import (
	"strings"
	"testing"
)

// Each doubt can be written as a row of its own.
func TestAll(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, d := range All() {
		if seen[d.Key] {
			t.Errorf("there are two doubts %s", d.Key)
		}
		seen[d.Key] = true
		if d.Key == "" || d.What == "" || d.Decided == "" || strings.ContainsAny(d.What+d.cell(""), "|\n") {
			t.Errorf("%+v is no row", d)
		}
		if hasReading := d.Reading != ""; hasReading != (len(d.Alternatives) > 1) || !hasReading && d.Unasked != "" ||
			hasReading && !strings.HasSuffix(d.Reading, ".") {
			t.Errorf("%s: reading %q, alternatives %q, unasked %q", d.Key, d.Reading, d.Alternatives, d.Unasked)
		}
	}
}

func TestCell(t *testing.T) {
	t.Parallel()
	d := &Doubt{Decided: "added", Reading: "Whether it is added.", Alternatives: []string{"added", "refused"},
		Unasked: "it takes a day"}
	want := "added. Reading: `added`, `refused`. Not asked: it takes a day. Asked on 2026-03-01 (free): as decided"
	if got := d.cell("2026-03-01 (free): as decided"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
