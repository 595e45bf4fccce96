// Package doubts reads DOUBTS.md: what the emulator had to decide because nobody says what Neon does.
package doubts

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

//go:embed DOUBTS.md
var page string

// row is one of the page's tables, whose second cell may have a reading and why nobody can ask Neon about it.
var row = regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` [^|]+ \\| [^|]+?(?:\\. Reading `([^|:]+?)`: ([^|]+?\\.)" +
	`(?: Not asked: ([^|]+?)\.)?)?(?: Asked on [^|]+)? \|$`)

// Reading is something that Neon may do in more than one way, as far as is known. The emulator
// plays any of them, so that nobody's test passes only because of what was decided.
type Reading struct {
	Name string `json:"name"`
	// Alternatives begin with the decision, which is played where nothing else is asked for.
	Alternatives []string `json:"alternatives"`
	Description  string   `json:"description"`
	// Unasked says why no question to Neon can answer it, empty where one can.
	Unasked string `json:"-"`
}

var (
	keys     []string
	readings []Reading
	decided  = map[string]string{}
)

func init() {
	for _, cells := range row.FindAllStringSubmatch(page, -1) {
		keys = append(keys, cells[1])
		if cells[2] != "" {
			alternatives := strings.Split(cells[2], "`, `")
			readings = append(readings, Reading{cells[1], alternatives, cells[3], cells[4]})
			decided[cells[1]] = alternatives[0]
		}
	}
}

// Keys name the rows.
func Keys() []string { return slices.Clone(keys) }

// Readings are those of the rows that have one, in the order of the page.
func Readings() []Reading { return slices.Clone(readings) }

// Decided is what is played of a reading where nothing else is asked for.
func Decided(key string) string { return decided[key] }

// Answer returns the page with what Neon answered to the question about a row, in place of what it did before.
func Answer(page, key, answer string) string {
	of := regexp.MustCompile("(?m)^(\\| `" + regexp.QuoteMeta(key) + "` .*?)\\.?(?: Asked on .*)? \\|$")
	return of.ReplaceAllString(page, "${1}. Asked on "+strings.ReplaceAll(answer, "$", "$$")+" |")
}
