package questions

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// secret is what must not be told: keys, passwords, addresses of databases and of people.
var secret = regexp.MustCompile(`napi_\w+|npg_\w+|n(?:t|sk)_live_\w+|postgres(?:ql)?://[^\s"]+|[\w.+-]+@[\w-]+\.[\w.]+`)

// mask hides secrets, and whose organization and project it is.
func (s *session) mask(text string) string {
	for name, known := range map[string]string{"NEON_API_KEY": s.config.APIKey, "NEON_ORG_ID": s.org,
		"the project": s.project} {
		if known != "" {
			text = strings.ReplaceAll(text, known, "<"+name+">")
		}
	}
	return secret.ReplaceAllString(text, "<masked>")
}

// Line tells a result in one line.
func (r Result) Line() string {
	line := fmt.Sprintf("%-20s %-27s %s", r.Verdict, r.Doubt.Key, r.Answer)
	if r.Verdict == Differs {
		line += " (decided: " + r.Decided + ")"
	}
	if len(r.Said) > 0 {
		line += ". It said: " + strings.Join(r.Said, "; ")
	}
	return line
}

// WriteList writes the questions with what they cost.
func WriteList(w io.Writer, all []Question) {
	computes, seconds := 1, 0
	for _, q := range all {
		_, _ = fmt.Fprintf(w, "%-27s %s\n%27s decided: %s; %s\n", q.Doubt.Key, q.Asks, "", q.Decided, q.cost())
		computes, seconds = computes+q.Computes, seconds+q.Seconds
	}
	_, _ = fmt.Fprintf(w, "\n%d questions. All together they need %d computes of 0.25 CU, one of them for as long as "+
		"the run takes, and the others\none after the other for %d seconds. On a paid plan, what costs is asked with -paid "+
		"alone.\n", len(all), computes, seconds)
}

// cost says what a question needs.
func (q Question) cost() string {
	cost := "needs the shared project"
	switch {
	case q.NoProject:
		cost = "costs nothing"
	case q.Computes > 0:
		cost = fmt.Sprintf("needs %d more computes of 0.25 CU for %d seconds", q.Computes, q.Seconds)
	case q.Seconds > 0:
		cost = fmt.Sprintf("takes %d seconds", q.Seconds)
	}
	if len(q.Plans) > 0 {
		cost += "; only on " + strings.Join(q.Plans, " or ")
	}
	return cost
}

// Differs says whether an answer isn't what was decided.
func (o *Outcome) Differs() bool {
	return slices.ContainsFunc(o.Results, func(r Result) bool { return r.Verdict == Differs })
}

// WriteSummary writes what can be pasted into an issue.
func (o *Outcome) WriteSummary(w io.Writer, day string) {
	counts := map[Verdict]int{}
	for _, r := range o.Results {
		counts[r.Verdict]++
	}
	_, _ = fmt.Fprintf(w, "Neon was asked on %s, on the plan %s: %d rows as decided, %d differ, %d can't be asked "+
		"there.\n",
		day, o.Plan, counts[AsDecided], counts[Differs], counts[NotHere])
	if counts[Differs] > 0 {
		_, _ = fmt.Fprintln(w, "\n| Row | Decided | Answered | Refusals on the way |\n|---|---|---|---|")
	}
	for _, r := range o.Results {
		if r.Verdict == Differs {
			_, _ = fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", r.Doubt.Key, r.Decided, cell(r.Answer),
				cell(strings.Join(r.Said, "; ")))
		}
	}
}

// Answers are what DOUBTS.md says of the doubts that Neon was asked about, by their keys.
func (o *Outcome) Answers(day string) map[string]string {
	answers := map[string]string{}
	for _, r := range o.Results {
		switch r.Verdict {
		case AsDecided:
			answers[r.Doubt.Key] = fmt.Sprintf("%s (%s): %s", day, o.Plan, r.Verdict)
		case Differs:
			answers[r.Doubt.Key] = fmt.Sprintf("%s (%s): **differs**: %s", day, o.Plan, cell(r.Answer))
		case NotHere:
		}
	}
	return answers
}

// cell is a text that fits into a table.
func cell(text string) string {
	return strings.NewReplacer("|", "/", "\n", " ").Replace(text)
}
