package client

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// sharedAnswers has what several ask for at once, or soon after another, so that the same question is sent once.
type sharedAnswers struct {
	mu      sync.Mutex
	answers map[string]*sharedAnswer
	// longest is how old an answer may be that is asked for again and again, as by a plan with many data sources of one
	// object on a slow machine.
	longest time.Duration
}

func newSharedAnswers(longest time.Duration) sharedAnswers {
	return sharedAnswers{answers: map[string]*sharedAnswer{}, longest: longest}
}

// sharedAnswer is one, once done is closed. Added is what was created since it was asked for.
type sharedAnswer struct {
	done chan struct{}
	// at is when it came, and asked when it was last asked for.
	at, asked time.Time
	value     any
	err       error
	added     []any
}

// isOpen reports whether an answer may serve another who asks.
func (a *sharedAnswer) isOpen(oldest, longest time.Duration) bool {
	age := time.Since(a.at)
	return a.at.IsZero() || age <= oldest || age <= longest && time.Since(a.asked) <= oldest
}

// forget invalidates all answers of a realm, for those who ask from now on.
func (s *sharedAnswers) forget(realm string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.answers, func(question string, _ *sharedAnswer) bool { return strings.HasPrefix(question, realm) })
}

// to returns the answer to a question, if there is one that is new enough (see isOpen) or still being found. Else
// isFirst is true, and the caller has to find it.
func (s *sharedAnswers) to(question string, oldest time.Duration) (answer *sharedAnswer, isFirst bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer = s.answers[question]; answer != nil && answer.isOpen(oldest, s.longest) {
		answer.asked = time.Now()
		return answer, false
	}
	answer = &sharedAnswer{done: make(chan struct{})}
	s.answers[question] = answer
	return answer, true
}

// add adds an object that was created to the list that answers a question.
func (s *sharedAnswers) add(question string, created any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer := s.answers[question]; answer != nil {
		answer.added = append(answer.added, created)
	}
}

// addedTo returns what was added to an answer.
func (s *sharedAnswers) addedTo(answer *sharedAnswer) []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(answer.added)
}

// shareAnswer returns what read returns, once for all who ask the same while it is new and nothing was written that
// may change it. A failure is its reader's own: the others ask for themselves.
func shareAnswer[T any](
	ctx context.Context, c *Client, request call, read func(context.Context) (T, error),
) (T, error) {
	value, _, err := shareAmong(ctx, &c.answers, request.question(), oldestList, read)
	return value, err
}

// question is what a request asks, for those who ask the same. It begins with the realm of a project's own answers,
// too, whose paths have no slash at the end.
func (r call) question() string { return r.path() + "/?" + r.query.Encode() }

// shareAmong is shareAnswer among those answers, and returns what was added to the answer, too.
func shareAmong[T any](
	ctx context.Context, s *sharedAnswers, question string, oldest time.Duration, read func(context.Context) (T, error),
) (value T, added []any, err error) {
	answer, isFirst := s.to(question, oldest)
	if isFirst {
		value, err = read(ctx)
		s.mu.Lock()
		answer.value, answer.err, answer.at = value, err, time.Now()
		s.mu.Unlock()
		close(answer.done)
		return value, s.addedTo(answer), err
	}
	if await(ctx, answer.done) != nil || answer.err != nil {
		value, err = read(ctx)
		return value, nil, err
	}
	return answer.value.(T), s.addedTo(answer), nil //nolint:forcetypeassert // The question says what the answer is.
}

// GetSharedProject is GetProject, sent once for all who ask at about the same time.
// GET /projects/{project_id}: https://api-docs.neon.tech/reference/getproject
func (c *Client) GetSharedProject(ctx context.Context, projectID string) (*Project, error) {
	return shareAnswer(ctx, c, projectKind.of("", "", projectID),
		func(ctx context.Context) (*Project, error) { return c.GetProject(ctx, projectID) })
}

// AnsweredProject is a project that GetSharedProject has just read, if any, since when nothing was written to it. It
// sends no request.
// GET /projects/{project_id}: https://api-docs.neon.tech/reference/getproject
func (c *Client) AnsweredProject(projectID string) (project *Project, isAnswered bool) {
	request := projectKind.of("", "", projectID)
	c.answers.mu.Lock()
	defer c.answers.mu.Unlock()
	answer := c.answers.answers[request.question()]
	if answer == nil || answer.at.IsZero() || answer.err != nil || time.Since(answer.at) > closeToPlan {
		return nil, false
	}
	project, isAnswered = answer.value.(*Project)
	return project, isAnswered
}

// ListSharedRoles is ListRoles, sent once for all who ask at about the same time.
// GET /projects/{project_id}/branches/{branch_id}/roles: https://api-docs.neon.tech/reference/listprojectbranchroles
func (c *Client) ListSharedRoles(ctx context.Context, branch BranchRef) ([]Role, error) {
	return shareAnswer(ctx, c, roleKind.listCall(branch.ProjectID, branch.ID),
		func(ctx context.Context) ([]Role, error) { return All(c.ListRoles(ctx, branch)) })
}

// ListSharedDatabases is ListDatabases, sent once for all who ask at about the same time.
// GET /projects/{project_id}/branches/{branch_id}/databases: https://api-docs.neon.tech/reference/listprojectbranchdatabases
func (c *Client) ListSharedDatabases(ctx context.Context, branch BranchRef) ([]Database, error) {
	return shareAnswer(ctx, c, databaseKind.listCall(branch.ProjectID, branch.ID),
		func(ctx context.Context) ([]Database, error) {
			return All(c.ListDatabases(ctx, branch))
		})
}

// GetSharedConnectionURI is GetConnectionURI, sent once for all who ask at about the same time.
// GET /projects/{project_id}/connection_uri: https://api-docs.neon.tech/reference/getconnectionuri
func (c *Client) GetSharedConnectionURI(
	ctx context.Context, projectID string, query ConnectionURIQuery,
) (string, error) {
	return shareAnswer(ctx, c, connectionURICall(projectID, query),
		func(ctx context.Context) (string, error) { return c.GetConnectionURI(ctx, projectID, query) })
}
