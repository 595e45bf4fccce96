package chaos

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// advice is what an error of the provider says in one form or another, so that
// a person knows what to do.
var advice = regexp.MustCompile(`(?i)apply again|import|revoke|raise|check|look in|look for|run it again|untaint|interrupted|set [a-z_]+ = |set a|is wrong`)

// ownKey is how a warning of other keys begins: with the key that isn't meant.
var ownKey = regexp.MustCompile(`API key \d+ was made\. `)

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
		s.words.WriteString(ownKey.ReplaceAllString(words, ""))
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
	named := fmt.Sprintf("branch named %q in project %s", o.Name, o.ProjectID)
	if o.kind == keys {
		named = fmt.Sprintf("API key named %q", o.Name)
	}
	if strings.Contains(s.words.String(), named+" may have taken effect") {
		return true
	}
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(o.id()) + `\b`).MatchString(s.words.String())
}

func (s *story) String() string {
	return "    " + strings.ReplaceAll(strings.Join(s.lines, "\n"), "\n", "\n    ")
}
