package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
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
	// route is the path below the prefix, with {placeholders} for params. The rate limit of a route goes by it, too.
	route  string
	params []string
	query  url.Values // those without a value aren't sent
	body   any
	// subject is what a write creates or changes, for the error about a lost answer.
	subject string
	// noun is Neon's word for the kind of object that the path names. A refusal may say that it wasn't found.
	noun string
	// answersNothing is true where a success has no body. Else only a deletion may have none, with status 204.
	answersNothing bool
	// token replaces the client's own key; empty for that.
	token string
	// times, where it is set, receives when the last attempt was sent and answered.
	times *times

	// by says how the effect of a write is recognized.
	by identity
	// branchID is the branch that a write is about, where the route doesn't say it.
	branchID string
	// afterWaiting is called before a write that waited for other work is sent.
	afterWaiting func(context.Context) error
	// carriesOn is true of a creation that adds its object to the lists that creations share, which then stay valid.
	carriesOn bool
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

// shownPath is the path in errors and logs, without ids that are secrets; of a claimable database the route.
func (r call) shownPath() string {
	if r.api == claimAPI {
		return r.api.prefix() + r.route
	}
	return r.api.prefix() + r.hideID(r.path())
}

// place is what writes wait in one line for after a 423: a branch, an endpoint, or the project.
func (r call) place() string {
	place := r.params[0] + "/" + r.branchID
	if strings.HasPrefix(r.route, "/projects/{project_id}/branches/{") ||
		strings.HasPrefix(r.route, "/projects/{project_id}/endpoints/{") {
		place += r.params[1]
	}
	return place
}

// queues reports whether the call is a write to a project, which Neon may refuse while other work runs there.
func (r call) queues() bool {
	return r.method != http.MethodGet && r.inProject()
}

// inProject reports whether the call is about a project or something in it.
func (r call) inProject() bool {
	return r.api == controlAPI && strings.HasPrefix(r.route, "/projects/{project_id}")
}

// incomplete is the error for a success that lacks a required field.
func (r call) incomplete(field string) error { return r.malformed("it has no " + field) }

// malformed is the error for a success whose content is wrong, which for a write is a lost answer.
func (r call) malformed(reason string) error {
	bad := r.badAnswer(http.StatusOK, "", reason)
	if r.method == http.MethodGet {
		return bad
	}
	return r.lost("", bad)
}

// broken is the error for an object of a list that can't be decoded.
func (r call) broken(noun, id string) error {
	if id == "" {
		return r.malformed("one " + noun + " has no id that can be read")
	}
	return r.malformed(fmt.Sprintf("a field of %s %q has an unexpected type", noun, id))
}

func (r call) badAnswer(status int, requestID, reason string) *BadAnswerError {
	return &BadAnswerError{Method: r.method, Path: r.shownPath(), StatusCode: status, RequestID: requestID, Reason: reason}
}

func (r call) lost(requestID string, err error) error {
	return &AmbiguousError{Method: r.method, Path: r.shownPath(), Subject: r.subject, RequestID: requestID, Err: err}
}

// endedError is the error for a request that the context ended; last is the last attempt's error, nil for none.
func (r call) endedError(last, err error) error {
	return &EndedError{Method: r.method, Path: r.shownPath(), Last: last, Err: err}
}

// identified sets the identity of a request that changes or removes the object in its path. If the path has a name,
// another object may have that name later. The body of a POST identifies what it creates.
func (r call) identified(isNamed bool) call {
	switch {
	case r.method == http.MethodGet, r.method == http.MethodPost:
	case !isNamed:
		r.by = harmless
	case r.method == http.MethodDelete:
		r.by = removal(r.path())
	default:
		r.by = named(r.path())
	}
	return r
}
