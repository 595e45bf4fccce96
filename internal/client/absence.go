package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
)

// AbsentError is proof that an object doesn't exist: Neon says so of this very kind
// of object, or the list of its parent lacks it.
type AbsentError struct {
	// Err is the proof.
	Err error
}

// Error gives the proof.
func (e *AbsentError) Error() string { return e.Err.Error() }

// Unwrap gives the proof.
func (e *AbsentError) Unwrap() error { return e.Err }

// IsAbsent reports whether err proves that the object that was asked for doesn't
// exist. A 404 alone proves nothing: it may come from a wrong address, a proxy, or a
// key that isn't allowed to see the object.
func IsAbsent(err error) bool {
	var absent *AbsentError
	return errors.As(err, &absent)
}

// UnseenProjectError is a project that Neon says it can't find, though nothing proves
// that it was deleted: Neon also says so of the projects of other organizations.
type UnseenProjectError struct {
	ProjectID string
	// Err is what Neon said.
	Err error
	// Look is why the list of deleted projects can't be read; nil where that list
	// lacks the project.
	Look error
}

// Error says what may have become of the project.
func (e *UnseenProjectError) Error() string {
	text := fmt.Sprintf("project %s can't be seen with this API key (%v): it was deleted more than a week ago, or it belongs to another organization",
		e.ProjectID, e.Err)
	if e.Look != nil {
		text += fmt.Sprintf(". It may also have been deleted since: the list of deleted projects can't be read (%v)", e.Look)
	}
	return text
}

// Unwrap gives what Neon said.
func (e *UnseenProjectError) Unwrap() error { return e.Err }

// judgeAbsence replaces a refusal by what it proves. Neon names the kind of object
// that it doesn't find; the claimable API says so with 400 too (API document,
// section 7).
func (c *Client) judgeAbsence(ctx context.Context, request call, err error) error {
	var answer *Error
	if !errors.As(err, &answer) {
		return err
	}
	said := strings.ToLower(answer.Message)
	notFound := answer.StatusCode == http.StatusNotFound || request.api == claimAPI && answer.StatusCode == http.StatusBadRequest
	switch {
	case !notFound:
		return err
	case request.noun != "" && strings.HasPrefix(said, request.noun+" not found"):
		return &AbsentError{answer}
	case request.inProject() && strings.HasPrefix(said, "project not found"):
		return c.judgeProject(ctx, request.params[0], answer)
	}
	return err
}

// judgeProject says what has become of a project that Neon says it can't find. All
// that belonged to a deleted project is gone with it.
func (c *Client) judgeProject(ctx context.Context, projectID string, answer *Error) error {
	deleted, err := c.wasDeleted(ctx, projectID)
	if deleted {
		return &AbsentError{fmt.Errorf("project %s was deleted: %w", projectID, answer)}
	}
	return &UnseenProjectError{ProjectID: projectID, Err: answer, Look: err}
}

// wasDeleted reports whether the project is in the list of deleted projects that can
// be recovered, which has those of the last seven days.
func (c *Client) wasDeleted(ctx context.Context, projectID string) (bool, error) {
	organizations, err := c.organizationIDs(ctx)
	switch {
	case HasStatus(err, http.StatusNotFound): // An organization's key, which knows its organization.
		organizations = []string{""}
	case err != nil:
		return false, err
	}
	var unread error
	for _, organization := range organizations {
		for project, err := range c.Projects(ctx, ProjectQuery{OrgID: organization, Recoverable: true}) {
			if err != nil {
				unread = err
			} else if project.ID == projectID {
				return true, nil
			}
		}
	}
	return false, unread
}

// organizationIDs are those of the user whose personal key the client has.
func (c *Client) organizationIDs(ctx context.Context) ([]string, error) {
	var answer struct {
		Organizations []struct {
			ID string `json:"id"`
		} `json:"organizations"`
	}
	if err := c.do(ctx, call{method: http.MethodGet, route: "/users/me/organizations"}, &answer); err != nil {
		return nil, err
	}
	var ids []string
	for _, organization := range answer.Organizations {
		ids = append(ids, organization.ID)
	}
	return ids, nil
}

// provesNothing reports whether err is a 404 that says neither that the object is
// gone nor that its project can't be seen.
func provesNothing(err error) bool {
	var unseen *UnseenProjectError
	return HasStatus(err, http.StatusNotFound) && !IsAbsent(err) && !errors.As(err, &unseen)
}

// findInList settles a 404 that proves nothing by the list of the parent. Where that
// has the object, it is what a read returns; where it lacks it, that is the proof;
// where it can't be read either, nothing is proved.
func findInList[T any](refusal error, list iter.Seq2[T, error], is func(T) bool) (*T, error) {
	for object, err := range list {
		switch {
		case provesNothing(err):
			return nil, refusal
		case err != nil:
			return nil, err
		case is(object):
			return &object, nil
		}
	}
	return nil, &AbsentError{fmt.Errorf("%w; and the list lacks it", refusal)}
}
