package doubts

import (
	"slices"
	"strings"
	"testing"
)

// Each line of the page's tables is a row with a key of its own, and with a reading where it says so.
func TestPage(t *testing.T) {
	t.Parallel()
	read := 0
	for line := range strings.Lines(page) {
		cells := row.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		switch isRow := strings.HasPrefix(line, "| `"); {
		case isRow != (cells != nil):
			t.Errorf("this is no row: %s", line)
		case !isRow:
			continue
		}
		if has := strings.Contains(line, "Reading `"); has != (cells[2] != "") || has != strings.Contains(cells[2], "`, `") ||
			strings.Contains(line, "Not asked:") != (cells[4] != "") {
			t.Errorf("%s: reading %q, %q, unasked %q", cells[1], cells[2], cells[3], cells[4])
		}
		read++
	}
	if all := slices.Sorted(slices.Values(Keys())); len(slices.Compact(all)) != read || read == 0 {
		t.Errorf("%d of %d rows have a key of their own", len(all), read)
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	page := "| `other` A | b |\n| `key` What | 422. Reading `422`, `400`: The status. Not asked: it takes a day. |\n"
	for _, answer := range []string{"2026-03-01 (free): as decided", "2026-04-01 (free): **differs**: $1"} {
		page = Answer(page, "key", answer)
		if !strings.HasSuffix(page, ": The status. Not asked: it takes a day. Asked on "+answer+" |\n") ||
			!row.MatchString(strings.Split(page, "\n")[1]) {
			t.Errorf("the page is %s", page)
		}
	}
	if got := Answer(page, "other", "a day: 1"); !strings.HasPrefix(got, "| `other` A | b. Asked on a day: 1 |\n") {
		t.Errorf("the page is %s", got)
	}
}
