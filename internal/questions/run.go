package questions

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Verdict is what came of a question.
type Verdict string

// Verdicts.
const (
	AsDecided Verdict = "as decided"
	Differs   Verdict = "differs"
	NotHere   Verdict = "can't be asked here"
)

// Result is an answered question.
type Result struct {
	Question
	Verdict Verdict
	// Answer is Neon's, or what is in the question's way.
	Answer string
	// Said are the refusals that the question met, in Neon's words.
	Said []string
}

// Outcome is that of a run.
type Outcome struct {
	// Plan is that of the organization.
	Plan    string
	Results []Result
	// Left are the paths of what could not be deleted.
	Left []string
}

// cleanupTime is how long a run that was interrupted takes to clean up.
const cleanupTime = 2 * time.Minute

// Run asks questions, one after the other, tells each result, and deletes all that it made.
func Run(ctx context.Context, config Config, questions []Question, tell func(Result)) (*Outcome, error) {
	s, err := newSession(ctx, config)
	if err != nil {
		return nil, err
	}
	outcome := &Outcome{Plan: s.plan}
	for _, q := range questions {
		if ctx.Err() != nil {
			break
		}
		result := s.answer(q)
		outcome.Results = append(outcome.Results, result)
		tell(result)
		s.tidy(ctx)
	}
	s.cleanUp(ctx, 0)
	for _, path := range s.left {
		outcome.Left = append(outcome.Left, apiRoot+path)
	}
	return outcome, context.Cause(ctx)
}

// answer asks one question.
func (s *session) answer(q Question) Result {
	s.said, s.touched = nil, false
	result := Result{Question: q, Verdict: NotHere}
	switch {
	case len(q.Plans) > 0 && !slices.Contains(q.Plans, s.plan):
		result.Answer = "the plan is " + s.plan + ", not " + strings.Join(q.Plans, " or ")
		return result
	case !q.NoProject && s.plan != free && !s.config.Paid:
		result.Answer = "it costs money on the plan " + s.plan
		return result
	}
	if reason := s.attempt(func(a *asker) { result.Answer = q.ask(a) }); reason != "" {
		result.Answer = s.mask(reason)
		return result
	}
	result.Answer = s.mask(result.Answer)
	if result.Verdict = Differs; result.Answer == q.Decided {
		result.Verdict = AsDecided
	}
	for _, said := range s.said {
		result.Said = append(result.Said, s.mask(said))
	}
	return result
}

// keep remembers that something is to be deleted in the end.
func (s *session) keep(path string) {
	s.left = append(s.left, path)
	s.tellKept()
}

func (s *session) forget(path string) {
	s.left = slices.DeleteFunc(s.left, func(kept string) bool { return kept == path })
	if path == "/projects/"+s.project {
		s.project = ""
	}
	s.tellKept()
}

func (s *session) tellKept() {
	if err := s.config.Kept(s.left); err != nil {
		giveUp("unable to remember what must be deleted: %v", err)
	}
}

// tidy leaves nothing of a question but the project that questions share, as it was.
func (s *session) tidy(ctx context.Context) {
	shared := "/projects/" + s.project
	s.cleanUp(ctx, slices.Index(s.left, shared)+1)
	if s.project == "" || !s.touched {
		return
	}
	if failure := s.attempt((*asker).emptyProject); failure != "" {
		s.cleanUp(ctx, slices.Index(s.left, shared)) // A new one is made when it is needed.
		s.project = ""
	}
}

// emptyProject deletes all in the shared project but its first branch.
func (a *asker) emptyProject() {
	snapshots := a.get("/projects/{p}/snapshots")
	for _, id := range snapshots.texts("snapshots", "id") {
		a.must(http.MethodDelete, "/projects/{p}/snapshots/"+id, nil)
	}
	for range 5 {
		branches := a.get("/projects/{p}/branches?limit=100")
		ids := branches.texts("branches", "id")
		if len(ids) == 1 && ids[0] == a.branch {
			return
		}
		for i, id := range ids {
			switch path := "/projects/{p}/branches/" + id; {
			case id == a.branch && branches.text("branches", i, "default") != "true":
				a.must(http.MethodPost, path+"/set_as_default", nil)
			case id == a.branch:
			case branches.text("branches", i, "protected") == "true":
				a.must(http.MethodPatch, path, object{"branch": object{"protected": false}})
			default:
				a.send(http.MethodDelete, path, nil)
			}
		}
	}
	giveUp("the project isn't empty")
}

// cleanUp deletes what is to be deleted, the newest first, but for the first ones.
func (s *session) cleanUp(ctx context.Context, but int) { //nolint:contextcheck // The session's context is replaced meanwhile.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTime)
	defer cancel()
	asking := s.ctx
	s.ctx = ctx
	defer func() { s.ctx = asking }()
	for _, path := range slices.Backward(slices.Clone(s.left[but:])) {
		_ = s.attempt(func(a *asker) { a.remove(path) }) // What fails stays in the list.
	}
}

// remove deletes something; a project with protected branches once none of them is.
func (a *asker) remove(path string) {
	r := a.send(http.MethodDelete, path, nil)
	if r.status >= 300 && r.status != http.StatusNotFound && strings.HasPrefix(path, "/projects/") {
		for _, id := range a.get(path+"/branches?limit=100").texts("branches", "id") {
			a.send(http.MethodPatch, path+"/branches/"+id, object{"branch": object{"protected": false}})
		}
		r = a.must(http.MethodDelete, path, nil)
	}
	if r.status == http.StatusNotFound {
		a.forget(path)
	}
}

// Remove deletes what a run had to leave, and returns what is left even so.
func Remove(ctx context.Context, config Config, paths []string) ([]string, error) {
	s, err := newSession(ctx, config)
	if err != nil {
		return paths, err
	}
	for _, path := range paths {
		s.left = append(s.left, strings.TrimPrefix(path, apiRoot))
	}
	s.cleanUp(ctx, 0)
	return s.left, nil
}
