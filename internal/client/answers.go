package client

import (
	"context"
	"maps"
	"strings"
	"sync"
	"time"
)

// sharedAnswers has what several ask for at once, or soon after another, so that the same question is sent once.
type sharedAnswers struct {
	mu sync.Mutex
	// answers are by the path and the query of the question.
	answers map[string]*sharedAnswer
}

// sharedAnswer is one, once done is closed.
type sharedAnswer struct {
	done  chan struct{}
	at    time.Time
	value any
	err   error
}

// forget invalidates all answers of a realm, for those who ask from now on.
func (s *sharedAnswers) forget(realm string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.answers, func(question string, _ *sharedAnswer) bool { return strings.HasPrefix(question, realm) })
}

// to returns the present answer to a question; isFirst says that the caller is to find it.
func (s *sharedAnswers) to(question string) (answer *sharedAnswer, isFirst bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer = s.answers[question]; answer != nil && (answer.at.IsZero() || time.Since(answer.at) <= oldestList) {
		return answer, false
	}
	answer = &sharedAnswer{done: make(chan struct{})}
	s.answers[question] = answer
	return answer, true
}

// shareAnswer returns what read returns, once for all who ask the same while it is new and nothing was written that
// may change it. A failure is its reader's own: the others ask for themselves.
func shareAnswer[T any](ctx context.Context, c *Client, request call, read func(context.Context) (T, error)) (T, error) {
	answer, isFirst := c.answers.to(request.path() + "/?" + request.query.Encode())
	if isFirst {
		value, err := read(ctx)
		c.answers.mu.Lock()
		answer.value, answer.err, answer.at = value, err, time.Now()
		c.answers.mu.Unlock()
		close(answer.done)
		return value, err
	}
	if await(ctx, answer.done) != nil || answer.err != nil {
		return read(ctx)
	}
	return answer.value.(T), nil //nolint:forcetypeassert // The question says what the answer is.
}

// GetSharedProject is GetProject, sent once for all who ask at about the same time.
// GET /projects/{project_id}: https://api-docs.neon.tech/reference/getproject
func (c *Client) GetSharedProject(ctx context.Context, projectID string) (*Project, error) {
	return shareAnswer(ctx, c, projectKind.of("", "", projectID), func(ctx context.Context) (*Project, error) { return c.GetProject(ctx, projectID) })
}

// ListSharedRoles is ListRoles, sent once for all who ask at about the same time.
// GET /projects/{project_id}/branches/{branch_id}/roles: https://api-docs.neon.tech/reference/listprojectbranchroles
func (c *Client) ListSharedRoles(ctx context.Context, branch BranchRef) ([]Role, error) {
	return shareAnswer(ctx, c, roleKind.listCall(branch.ProjectID, branch.ID), func(ctx context.Context) ([]Role, error) { return All(c.ListRoles(ctx, branch)) })
}

// ListSharedDatabases is ListDatabases, sent once for all who ask at about the same time.
// GET /projects/{project_id}/branches/{branch_id}/databases: https://api-docs.neon.tech/reference/listprojectbranchdatabases
func (c *Client) ListSharedDatabases(ctx context.Context, branch BranchRef) ([]Database, error) {
	return shareAnswer(ctx, c, databaseKind.listCall(branch.ProjectID, branch.ID), func(ctx context.Context) ([]Database, error) {
		return All(c.ListDatabases(ctx, branch))
	})
}

// GetSharedConnectionURI is GetConnectionURI, sent once for all who ask at about the same time.
// GET /projects/{project_id}/connection_uri: https://api-docs.neon.tech/reference/getconnectionuri
func (c *Client) GetSharedConnectionURI(ctx context.Context, projectID string, query ConnectionURIQuery) (string, error) {
	return shareAnswer(ctx, c, connectionURICall(projectID, query), func(ctx context.Context) (string, error) { return c.GetConnectionURI(ctx, projectID, query) })
}
