package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// The documented statuses of operations, and "error", which the published description
// adds. The set is open: another value is passed on.
const (
	StatusScheduling = "scheduling"
	StatusRunning    = "running"
	StatusFinished   = "finished"
	StatusFailed     = "failed"
	StatusError      = "error"
	StatusCancelling = "cancelling"
	StatusCancelled  = "cancelled"
	StatusSkipped    = "skipped"
)

// actionCreateBranch is the operation that creates a branch.
const actionCreateBranch = "create_branch"

// Operation is one piece of asynchronous work (API document, section 2.2).
type Operation struct {
	ID         string `json:"id"`
	ProjectID  string `json:"project_id"`
	BranchID   string `json:"branch_id"`
	EndpointID string `json:"endpoint_id"`
	// Action is an open set: create_branch, start_compute, ...
	Action          string    `json:"action"`
	Status          string    `json:"status"`
	FailuresCount   int64     `json:"failures_count"`
	Error           string    `json:"error"`
	CreatedAt       time.Time `json:"created_at"`
	UpdatedAt       time.Time `json:"updated_at"`
	TotalDurationMS int64     `json:"total_duration_ms"`

	// unchanged is how long the operation had not changed when it was read, by Neon's
	// clock; 0 where that isn't known.
	unchanged time.Duration
}

// failing reports whether the operation has failed. Neon may still retry it (API
// document, section 3.1).
func (o Operation) failing() bool {
	return o.Status == StatusFailed || o.Status == StatusError
}

// GivenUp reports whether the operation had failed for the grace period, without
// recovering, when it was read.
func (o Operation) GivenUp(grace time.Duration) bool {
	return o.failing() && o.unchanged >= grace
}

// Terminal reports whether the operation has ended for good (API document, section
// 3.1). "failed" isn't terminal: Neon may still retry.
func (o Operation) Terminal() bool {
	return o.Status == StatusFinished || o.Status == StatusSkipped || o.Status == StatusCancelled
}

// Operations lists a project's operations, newest first. Neon may have removed those
// older than six months.
func (c *Client) Operations(ctx context.Context, projectID string) iter.Seq2[Operation, error] {
	return pages(ctx, c, operationsCall(projectID, 1000), func(operation Operation) string { return operation.ID }, operationsOf)
}

func operationsOf(answer *operationsPage) (page[Operation], error) {
	return page[Operation]{answer.Operations, answer.Pagination.Cursor}, nil
}

// newestOperations reads the first page of a project's operations, which has those
// under way. From finished ones it learns how long their actions take.
func (c *Client) newestOperations(ctx context.Context, projectID string) ([]Operation, error) {
	var read timing
	request := operationsCall(projectID, 100)
	request.timing = &read
	first, err := readPage(ctx, c, request, operationsOf)
	newest := first.items
	for i, operation := range slices.Backward(newest) { // The newest is learned from last.
		newest[i].unchanged = read.since(operation.UpdatedAt)
		c.waits.learn(projectID, operation)
	}
	return newest, err
}

type operationsPage struct {
	Operations listField[Operation] `json:"operations"`
	Pagination struct {
		Cursor string `json:"cursor"`
	} `json:"pagination"`
}

func operationsCall(projectID string, limit int) call {
	return call{
		method: http.MethodGet, route: "/projects/{project_id}/operations", params: []string{projectID},
		query: url.Values{"limit": {strconv.Itoa(limit)}},
	}
}

// Operation reads one operation. IsAbsent is true for the error about one that Neon
// doesn't know.
func (c *Client) Operation(ctx context.Context, projectID, operationID string) (*Operation, error) {
	var read timing
	request := call{
		method: http.MethodGet, route: "/projects/{project_id}/operations/{operation_id}",
		params: []string{projectID, operationID}, noun: "operation", timing: &read,
	}
	type operationAnswer struct {
		Operation Operation `json:"operation"`
	}
	answer, err := receive(ctx, c, request, "operation.id", func(a *operationAnswer) bool { return a.Operation.ID != "" })
	if err != nil {
		return nil, err
	}
	answer.Operation.unchanged = read.since(answer.Operation.UpdatedAt)
	c.waits.learn(projectID, answer.Operation)
	return &answer.Operation, nil
}
