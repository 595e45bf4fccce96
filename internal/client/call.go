package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// api is one of Neon's APIs.
type api int

const (
	controlAPI api = iota
	// claimAPI is the older of the two for databases without an account.
	claimAPI
	// claimableNeonAPI is its successor.
	claimableNeonAPI
)

// prefix is the API's path prefix.
func (a api) prefix() string {
	return [...]string{controlAPI: "/api/v2", claimAPI: "/api/v1", claimableNeonAPI: "/v1"}[a]
}

// call describes a request to one of the APIs.
type call struct {
	api    api
	method string
	// route is the path below the prefix, with {placeholders} for params. The rate
	// limit of a route goes by it, too.
	route  string
	params []string
	query  url.Values // those without a value aren't sent
	body   any
	// subject is what a write creates or changes, for the error about a lost answer.
	subject string
	// noun is Neon's word for the kind of object that the path names. A refusal may say
	// that it wasn't found.
	noun string
	// answersNothing is true where a success has no body by the published description. Else
	// only a deletion may have none, with status 204.
	answersNothing bool
	// token replaces the client's own key; empty for that.
	token string
	// timing, where it is set, receives the times of the last attempt.
	timing *timing

	// once is true of a write that isn't sent again after a lost answer, because it might have
	// its effect twice.
	once bool
	// looks are the pauses before each search for the effect of a lost answer, where these
	// aren't the usual ones.
	looks []time.Duration
	// isMarked is true of a creation that find recognizes by a mark of ours.
	isMarked bool
	// named is the path of what a write creates, changes or deletes, where that is known by a
	// name, which something else may have later.
	named string
	// onlyReads is true of what changes nothing, though its method doesn't say so.
	onlyReads bool
	// ends is true of a write that deletes, though its method doesn't say so.
	ends bool
	// branchID is the branch that a write is about, where the route doesn't say it.
	branchID string
	// nextPage is called before a list's second page and those after it.
	nextPage func() error
	// afterWaiting is called before a write that waited for other work is sent.
	afterWaiting func(context.Context) error
}

// path fills the route's placeholders.
func (r call) path() string {
	segments := strings.Split(r.route, "/")
	next := 0
	for i, segment := range segments {
		if strings.HasPrefix(segment, "{") && next < len(r.params) {
			segments[i] = url.PathEscape(r.params[next])
			next++
		}
	}
	return strings.Join(segments, "/")
}

// shownPath is the path in errors and logs. Whoever knows the id of a claimable
// database can open it, so its route stands for its path.
func (r call) shownPath() string {
	if r.api == claimAPI {
		return r.api.prefix() + r.route
	}
	return r.api.prefix() + r.path()
}

// place is what Neon may hold back other writes about when it refuses this one: a branch, an
// endpoint, or the project.
func (r call) place() string {
	place := r.params[0] + "/" + r.branchID
	if strings.HasPrefix(r.route, "/projects/{project_id}/branches/{") || strings.HasPrefix(r.route, "/projects/{project_id}/endpoints/{") {
		place += r.params[1]
	}
	return place
}

// pauses are those before each search for the effect of a lost answer.
func (r call) pauses() []time.Duration {
	switch {
	case r.looks != nil:
		return r.looks
	case r.once, r.named != "" && r.isDeletion(): // What is seen can't come later.
		return settlingLooks
	}
	return settlingLooks[:1] // It has no second effect.
}

func (r call) isDeletion() bool { return r.method == http.MethodDelete || r.ends }

// queues reports whether the call is a write to a project, which Neon may refuse
// while other work runs there.
func (r call) queues() bool {
	return r.method != http.MethodGet && r.inProject()
}

// inProject reports whether the call is about a project or something in it.
func (r call) inProject() bool {
	return r.api == controlAPI && strings.HasPrefix(r.route, "/projects/{project_id}")
}

// incomplete is the error for a success that lacks a required field.
func (r call) incomplete(field string) error { return r.malformed("it has no " + field) }

// malformed is the error for a success whose content is wrong.
func (r call) malformed(reason string) error {
	return r.unusable(r.badAnswer(http.StatusOK, "", reason))
}

// broken is the error for an object of a list that can't be decoded.
func (r call) broken(noun, id string) error {
	if id == "" {
		return r.malformed("the id of one " + noun + " has an unexpected type")
	}
	return r.malformed(fmt.Sprintf("a field of %s %q has an unexpected type", noun, id))
}

// unusable is the error for a success that can't be used. After a write, that is a
// lost answer: what was created isn't known.
func (r call) unusable(bad *BadAnswerError) error {
	if r.method == http.MethodGet {
		return bad
	}
	return r.lost(bad.RequestID, bad)
}

func (r call) badAnswer(status int, requestID, reason string) *BadAnswerError {
	return &BadAnswerError{Method: r.method, Path: r.shownPath(), StatusCode: status, RequestID: requestID, Reason: reason}
}

func (r call) lost(requestID string, err error) error {
	return &AmbiguousError{Method: r.method, Path: r.shownPath(), Subject: r.subject, RequestID: requestID, Err: err}
}

// endedError is the error for a request that the context ended; last is what the last
// attempt came to, nil if there was none.
func (r call) endedError(last, err error) error {
	return &EndedError{Method: r.method, Path: r.shownPath(), Last: last, Err: err}
}
