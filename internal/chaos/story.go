package chaos

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
)

// advice is what an error of the provider says in one form or another, so that
// a person knows what to do.
var advice = regexp.MustCompile(`(?i)apply again|next apply|import|revoke|raise|check|look in|look for|` +
	`(run it|invoke the action|invoke this) again|untaint|-replace=|interrupted|set [a-z_]+ = |set a|` +
	`remove [a-z_]+_[a-z]+\.|is wrong`)

// own is how a warning of others of the same name begins: with the one that isn't meant.
var own = regexp.MustCompile(`of the same name as \S+|(API key|Endpoint|Service credential) \S+ was created\. `)

// story is what happened to one resource.
type story struct {
	lines []string
	// steps failed, and of those, failures that an apply afterwards made good.
	failures, repaired int
	// taken counts what was taken in with the import block of an error.
	taken int
	// surprises are what must never happen, besides things left behind.
	surprises []string
	// helpless are errors that don't say what to do.
	helpless []string
	words    strings.Builder
}

func (s *story) tell(format string, values ...any) {
	line := time.Now().Format("15:04:05.000 ") + fmt.Sprintf(format, values...)
	s.lines = append(s.lines, strings.TrimSpace(line))
}

// heard keeps what the provider said about a step.
func (s *story) heard(step, words string, err error) {
	if words != "" || err != nil {
		s.words.WriteString(own.ReplaceAllString(words, ""))
		s.tell("%s: %s", step, words)
	}
	var refused *failure
	if err != nil && !errors.As(err, &refused) {
		s.surprise("%s: %v", step, err)
	}
}

func (s *story) failed(step string, err error) {
	s.failures++
	s.tell("%s failed", step)
	if !advice.MatchString(err.Error()) {
		s.helpless = append(s.helpless, err.Error())
	}
}

func (s *story) recovered(failures int) { s.repaired += failures }

func (s *story) surprise(format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	s.surprises = append(s.surprises, text)
	s.tell("SURPRISE: %s", text)
}

// names reports whether the provider spoke of an object: by its id, or by its name
// where the answer to its creation was lost.
func (s *story) names(o object) bool {
	return s.losses(o) > 0 || s.speaksOf(o)
}

// speaksOf reports whether the provider said an object's id.
func (s *story) speaksOf(o object) bool {
	id := o.id()
	if !o.noun().IsNamed() { // It is told of by what Neon calls it.
		id = path.Base(id)
	}
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(id) + `\b`).MatchString(s.words.String())
}

// losses is how often the provider said that the answer to the creation of such an object was lost.
func (s *story) losses(o object) int { return o.lossesIn(s.words.String()) }

func (o object) lossesIn(said string) int {
	return strings.Count(strings.ToLower(said), strings.ToLower(o.lostAs()+" may have taken effect"))
}

func (s *story) String() string {
	return "    " + strings.ReplaceAll(strings.Join(s.lines, "\n"), "\n", "\n    ")
}
