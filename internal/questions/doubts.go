package questions

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	rowKey = regexp.MustCompile("^\\| `([a-z0-9-]+)` ")
	// asked is what an earlier run wrote at the end of a row's second cell.
	asked = regexp.MustCompile(` Asked on [^|]*$`)
	// unasked says in a row why it has no question.
	unasked = regexp.MustCompile(`Not asked: ([^|]+?)\.? \|`)
)

// Row is one of DOUBTS.md.
type Row struct {
	Key string
	// Unasked says why no request can answer it, where none can.
	Unasked string
}

// Rows are those of DOUBTS.md.
func Rows(doubts string) []Row {
	var rows []Row
	for line := range strings.Lines(doubts) {
		if key := rowKey.FindStringSubmatch(line); key != nil {
			row := Row{Key: key[1]}
			if why := unasked.FindStringSubmatch(line); why != nil {
				row.Unasked = why[1]
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// WriteAnswers returns DOUBTS.md with the answers as the sources of its rows, in place of
// those of an earlier day.
func (o *Outcome) WriteAnswers(doubts, day string) string {
	results := map[string]Result{}
	for _, r := range o.Results {
		results[r.Key] = r
	}
	var written strings.Builder
	for line := range strings.Lines(doubts) {
		key := rowKey.FindStringSubmatch(line)
		if key != nil {
			if r, has := results[key[1]]; has && r.Verdict != NotHere {
				line = r.answered(line, o.Plan, day)
			}
		}
		written.WriteString(line)
	}
	return written.String()
}

// answered adds a result to its row, at the end of the second cell.
func (r Result) answered(line, plan, day string) string {
	cells := strings.Split(line, " |")
	if len(cells) < 3 {
		return line
	}
	answer := string(r.Verdict)
	if r.Verdict == Differs {
		answer = "**differs**: " + cell(r.Answer)
	}
	before := strings.TrimSuffix(asked.ReplaceAllString(cells[1], ""), ".")
	cells[1] = fmt.Sprintf("%s. Asked on %s (%s): %s", before, day, plan, answer)
	return strings.Join(cells, " |")
}
