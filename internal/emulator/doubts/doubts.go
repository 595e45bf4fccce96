// Package doubts lists what the emulator had to decide because nobody says what Neon does: a
// Doubt each, in a file for each noun. DOUBTS.md is written from it (make generate).
//
// To add one, write it into its noun's file, where the page is to have it: its key, what isn't known, and what was
// decided. Where the provider could depend on that, give it a variable with a reading and its alternatives, each of
// which the emulator then plays. EachReading of internal/acctest runs a test under all of them.
package doubts

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Doubt is something that Neon may do in another way than the emulator does.
type Doubt struct {
	// Key names the doubt, and its reading where it has one.
	Key string
	// What isn't known, and Decided is what the emulator does.
	What, Decided string
	// Reading says what the alternatives are, where the emulator can play each of several. They begin with
	// the decision, which is played where nothing else is asked for.
	Reading      string
	Alternatives []string
	// Unasked says why no question to Neon can answer a doubt that has a reading.
	Unasked string
}

// section is one of the page.
type section struct {
	title, intro string
	doubts       []*Doubt
}

// reading is what a doubt is read as.
type reading struct {
	says, unasked string
	alternatives  []string
}

func reads(says string, alternatives ...string) reading {
	return reading{says: says, alternatives: alternatives}
}

// because says why nobody can ask Neon.
func (r reading) because(unasked string) reading {
	r.unasked = unasked
	return r
}

// add declares a doubt, with a reading if it has one: the page has those of a section in the order of their
// declarations.
func (s *section) add(key, what, decided string, read ...reading) *Doubt {
	d := &Doubt{Key: key, What: what, Decided: decided}
	for _, r := range read {
		d.Reading, d.Alternatives, d.Unasked = r.says, r.alternatives, r.unasked
	}
	s.doubts = append(s.doubts, d)
	return d
}

var sections = []*section{
	projects, transferRequests, jwks, dataAPI, neonAuth, storage, functions, plans, branches, snapshots, schemas, computes, roles, data,
	keys, members, networks, money, operations, claimable,
}

// All are the doubts, in the order of the page.
func All() []*Doubt {
	var all []*Doubt
	for _, s := range sections {
		all = append(all, s.doubts...)
	}
	return all
}

// WithReadings are those of which the emulator can play several alternatives.
func WithReadings() []*Doubt {
	return slices.DeleteFunc(All(), func(d *Doubt) bool { return d.Reading == "" })
}

//go:embed answers.json
var answers []byte

const head = `# What the emulator decided without a source

Where neither Neon's API documentation, nor the published description, recorded traffic, nor the
official clients say what Neon does, the emulator had to decide. Each decision is a place
where Neon may differ, so that a passing test proves less than it seems.

Each row begins with its key. A row with a *reading* is one where the emulator can play each of the
alternatives: the first is the decision, and ` + "`-readings key=alternative`" + `, the control path and
` + "`emulator.Options`" + ` choose another. Where a test of the provider could depend on a decision, it runs under each
alternative.

` + "`make ask`" + ` asks Neon for each row with a reading, unless the row says why not, and for some others.
What Neon has answered follows "Asked on".

Statuses and words count as two things: "words" says that the status has a source, and that
only the message is the emulator's own. The provider decides by status, never by words.

The page is written from the Go package ` + "[`doubts`](doubts)" + ` by ` + "`make generate`" + `.
`

// Page is DOUBTS.md.
func Page() (string, error) {
	asked := map[string]string{}
	if err := json.Unmarshal(answers, &asked); err != nil {
		return "", fmt.Errorf("answers.json: %w", err)
	}
	var page strings.Builder
	page.WriteString(head)
	for _, s := range sections {
		fmt.Fprintf(&page, "\n## %s\n\n", s.title)
		if s.intro != "" {
			page.WriteString(s.intro + "\n\n")
		}
		page.WriteString("| What isn't known | Decided |\n|---|---|\n")
		for _, d := range s.doubts {
			fmt.Fprintf(&page, "| `%s` %s | %s |\n", d.Key, d.What, d.cell(asked[d.Key]))
		}
	}
	return page.String(), nil
}

// cell is what was decided, with all that is known about it.
func (d *Doubt) cell(answer string) string {
	parts := []string{d.Decided}
	if d.Reading != "" {
		parts = append(parts, "Reading: `"+strings.Join(d.Alternatives, "`, `")+"`")
	}
	if d.Unasked != "" {
		parts = append(parts, "Not asked: "+d.Unasked)
	}
	if answer != "" {
		parts = append(parts, "Asked on "+answer)
	}
	return strings.Join(parts, ". ")
}
