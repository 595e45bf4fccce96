package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// AbsentError is proof that an object doesn't exist: Neon says so of its very kind, or the list of its parent lacks it.
type AbsentError struct {
	// What describes the missing object, such as `branch br-1 has no role "app"`; empty if Noun does.
	What string
	// Noun is the kind of object, such as "role"; empty if What is set.
	Noun string
	// Err is the proof; nil where What is all that there is to say.
	Err error
	// Project is the id of the project that was deleted; empty for anything else.
	Project string
}

func (e *AbsentError) Error() string {
	switch {
	case e.Err == nil:
		return e.What
	case e.What == "":
		return e.Err.Error()
	}
	return e.What + ": " + e.Err.Error()
}

func (e *AbsentError) Unwrap() error { return e.Err }

// IsAbsent reports whether err proves that the object that was asked for doesn't exist. A 404 alone proves nothing:
// it may come from a wrong address, a proxy, or a key that isn't allowed to see the object.
func IsAbsent(err error) bool {
	return is[*AbsentError](err)
}

// UnseenProjectError is a project that Neon doesn't find, without proof that it was
// deleted: Neon answers the same for projects of other organizations.
type UnseenProjectError struct {
	ProjectID string
	// Err is what Neon said.
	Err error
	// LookupErr is why the list of deleted projects can't be read; nil where that list lacks the project.
	LookupErr error
}

func (e *UnseenProjectError) Error() string {
	text := fmt.Sprintf("project %s can't be seen with this API key (%v): its id is wrong, it was deleted more than a "+
		"week ago, or it belongs to another organization",
		e.ProjectID, e.Err)
	if e.LookupErr != nil {
		text += fmt.Sprintf(". It may also have been deleted since: the list of deleted projects can't be read (%v)",
			e.LookupErr)
	}
	return text
}

func (e *UnseenProjectError) Unwrap() error { return e.Err }

// judgeAbsence replaces a refusal with the absence that it proves. Neon names the kind of object that it doesn't find,
// in the claimable API also with status 400. A refusal of another key than the client's proves nothing.
func (c *Client) judgeAbsence(ctx context.Context, request call, err error) error {
	answer, isAnswer := errors.AsType[*Error](err)
	if !isAnswer || request.token != "" {
		return err
	}
	said := strings.ToLower(answer.Message)
	notFound := answer.StatusCode == http.StatusNotFound ||
		request.api == claimAPI && (answer.StatusCode == http.StatusBadRequest || answer.StatusCode == http.StatusGone)
	switch {
	case !notFound:
		return err
	case request.noun != "" && strings.HasPrefix(said, request.noun+" not found"):
		return request.absent(request.noun, answer)
	case strings.Contains(request.route, "/{branch_id}/") &&
		(strings.HasPrefix(said, "branch not found") || answer.Reason == "branch_not_found"):
		return request.absent("branch", answer) // What belongs to a branch is gone with it.
	case request.inProject() && strings.HasPrefix(said, "project not found"):
		return c.judgeProject(ctx, request.params[0], answer)
	}
	return err
}

// kindNames makes the kind of object of a placeholder.
var kindNames = strings.NewReplacer("_id", "", "_name", "", "org_id", "organization", "_", " ")

// absent is the proof that there is no object of a kind that the call names.
func (r call) absent(noun string, proof error) *AbsentError {
	if r.api == claimAPI { // The id of a claimable database is a secret.
		return &AbsentError{Err: proof}
	}
	owner, value := r.ownerOf(noun)
	if name := r.query.Get("db_name"); value == "" && name != "" {
		value = strconv.Quote(name)
	}
	if value == "" {
		return &AbsentError{Err: proof}
	}
	return &AbsentError{What: owner + " has no " + noun + " " + value, Noun: noun, Err: proof}
}

// owner is what the path names last, such as "project p-1".
func (r call) owner() string {
	owner, _ := r.ownerOf("")
	return owner
}

// ownerOf returns what the path names before an object of that kind, and its id; without one, what it names last.
func (r call) ownerOf(noun string) (owner, value string) {
	owner = "the API key's account"
	next := 0
	for segment := range strings.SplitSeq(r.route, "/") {
		placeholder := strings.Trim(segment, "{}")
		if placeholder == segment || next == len(r.params) {
			continue
		}
		kind, value := kindNames.Replace(placeholder), r.params[next]
		if strings.HasSuffix(placeholder, "_name") {
			value = strconv.Quote(value)
		}
		if strings.EqualFold(kind, noun) {
			return owner, value
		}
		owner = kind + " " + value
		next++
	}
	return owner, ""
}

// judgeProject finds out, once for all that belonged to a project which Neon doesn't find, whether that was deleted.
func (c *Client) judgeProject(ctx context.Context, projectID string, answer *Error) error {
	deleted, err := shareAnswer(ctx, c, projectKind.of("", "/recover", projectID),
		func(ctx context.Context) (bool, error) { return c.wasDeleted(ctx, projectID) })
	if deleted {
		return &AbsentError{Err: fmt.Errorf("project %s was deleted: %w", projectID, answer), Project: projectID}
	}
	return &UnseenProjectError{ProjectID: projectID, Err: answer, LookupErr: err}
}

// wasDeleted reports whether the project was deleted in the last seven days, by the list of recoverable ones.
func (c *Client) wasDeleted(ctx context.Context, projectID string) (bool, error) {
	organizations, err := All(c.ListOrganizations(ctx))
	switch {
	case HasStatus(err, http.StatusNotFound): // An organization's key, which knows its organization.
		organizations = []Organization{{}}
	case err != nil:
		return false, err
	}
	var unread error
	for _, organization := range organizations {
		for project, err := range c.ListProjects(ctx, ProjectQuery{OrgID: organization.ID, Recoverable: true}) {
			if err != nil {
				unread = err
			} else if project.ID == projectID && (project.DeletedAt != nil || project.RecoverableUntil != nil) {
				return true, nil // Where the filter isn't known, the list has those that live.
			}
		}
	}
	return false, unread
}

// unlessAbsent is the error, but for the proof that an object is absent.
func unlessAbsent(err error) error {
	if IsAbsent(err) {
		return nil
	}
	return err
}

// present returns an object that was read, or nil where it is proved to be absent.
func present[T any](object *T, err error) (*T, error) {
	if IsAbsent(err) {
		return nil, nil
	}
	return object, err
}

// foundBefore is present for what is about to be created. Any 404 of Neon's own counts as absence: if it means
// something else, Neon refuses the creation, too.
func foundBefore[T any](object *T, err error) (*T, error) {
	if provesNothing(err) && neons(err) != nil {
		err = &AbsentError{Err: err}
	}
	return present(object, err)
}

// provesNothing reports whether err is a 404 that says neither that an object is gone nor that its project is unseen.
func provesNothing(err error) bool {
	answer, isAnswer := errors.AsType[*Error](err)
	return isAnswer && answer.StatusCode == http.StatusNotFound && (!answer.Foreign || !IsLost(err)) &&
		!IsAbsent(err) && !is[*UnseenProjectError](err)
}

// provedAbsent takes Neon's own 404 as proof of absence, of what Neon has no list of, if the key can see the owner.
func provedAbsent(err error, what string, seeOwner func() error) error {
	if !provesNothing(err) || neons(err) == nil {
		return err
	}
	switch ownerErr := seeOwner(); {
	case provesNothing(ownerErr):
		return err
	case ownerErr != nil:
		return ownerErr
	}
	return &AbsentError{What: what, Err: err}
}
