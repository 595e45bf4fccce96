package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// The published statuses of operations. The set is open: another value is passed on.
const (
	statusScheduling = "scheduling"
	StatusRunning    = "running"
	StatusFinished   = "finished"
	StatusFailed     = "failed"
	statusError      = "error"
	statusCancelling = "cancelling"
	StatusCancelled  = "cancelled"
	StatusSkipped    = "skipped"
)

// actionCreateBranch is the operation that creates a branch.
const actionCreateBranch = "create_branch"

// Operation is one piece of asynchronous work.
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

	// unchanged is how long it had not changed when it was read, by Neon's clock; 0 where that isn't known.
	unchanged time.Duration
}

var operationKind = kind[Operation]{
	noun: "operation", isSaid: true, route: "/projects/{project_id}/operations", one: "/{operation_id}", isRead: true,
	isPaged: true,
	query:   url.Values{"limit": {"1000"}}, field: "operations", object: "operation",
	id: func(operation Operation) string { return operation.ID },
}

// ofBranch reports whether an operation is about the branch that the second parameter names.
func ofBranch(operation Operation, params []string) bool { return operation.BranchID == params[1] }

// failing reports whether the operation has failed. Neon may still retry it.
func (o Operation) failing() bool {
	return o.Status == StatusFailed || o.Status == statusError
}

// GivenUp reports whether the operation had failed for the grace period, without recovering, when it was read.
func (o Operation) GivenUp(grace time.Duration) bool {
	return o.failing() && o.unchanged >= grace
}

// Terminal reports whether the operation has ended for good. "failed" isn't terminal: Neon may still retry.
func (o Operation) Terminal() bool {
	return o.hasEffect() || o.Status == StatusCancelled
}

// hasEffect reports whether the operation has had its effect. What a cancelled one works on isn't whole.
func (o Operation) hasEffect() bool { return o.Status == StatusFinished || o.Status == StatusSkipped }

// ListOperations lists a project's operations, newest first. Neon may have removed those older than six months.
// GET /projects/{project_id}/operations: https://api-docs.neon.tech/reference/listprojectoperations
func (c *Client) ListOperations(ctx context.Context, projectID string) iter.Seq2[Operation, error] {
	return operationKind.list(ctx, c, projectID)
}

// newestOperations reads the first page of a project's operations, and learns how long their actions take.
func (c *Client) newestOperations(ctx context.Context, projectID string) ([]Operation, error) {
	request := operationKind.listCall(projectID)
	request.query.Set("limit", "100")
	first, _, err := operationKind.page(ctx, c, request)
	newest := make([]Operation, len(first))
	for i, found := range slices.Backward(first) { // The newest is learned from last.
		if found.isBroken {
			return nil, request.broken("operation", found.object.ID)
		}
		newest[i] = found.object
		newest[i].unchanged = c.clock.since(found.object.UpdatedAt)
		c.waits.learn(projectID, found.object)
	}
	if err == nil {
		c.waits.know(projectID)
	}
	return newest, err
}

// GetOperation reads one operation.
// GET /projects/{project_id}/operations/{operation_id}: https://api-docs.neon.tech/reference/getprojectoperation
func (c *Client) GetOperation(ctx context.Context, ref Ref[Operation]) (*Operation, error) {
	answer, err := operationKind.receive(ctx, c, operationKind.of(http.MethodGet, "", ref.ProjectID, ref.ID))
	if err != nil {
		return nil, err
	}
	operation := &answer.Object
	operation.unchanged = c.clock.since(operation.UpdatedAt)
	c.waits.learn(ref.ProjectID, *operation)
	return operation, nil
}

// operationsWhere returns those of the project's newest operations that are wanted, as a lost answer would have.
func (c *Client) operationsWhere(
	ctx context.Context, projectID string, isWanted func(Operation) bool,
) ([]Operation, error) {
	newest, err := c.newestOperations(ctx, projectID)
	return where(newest, isWanted), err
}

func where(operations []Operation, isWanted func(Operation) bool) []Operation {
	return slices.DeleteFunc(slices.Clone(operations), func(o Operation) bool { return !isWanted(o) })
}

// isUnfinished reports whether an operation has not ended. One that was cancelled or given up may be of an earlier
// change, but a failed creation of a branch still means that there is no branch.
func (c *Client) isUnfinished(o Operation) bool {
	return !o.Terminal() && (o.Action == actionCreateBranch || !o.GivenUp(c.grace))
}

// operationsSince returns the matching operations of the project's newest that weren't there before a write.
func (c *Client) operationsSince(
	ctx context.Context, projectID string, before []Operation, matches func(Operation) bool,
) ([]Operation, error) {
	return c.operationsWhere(ctx, projectID, func(o Operation) bool {
		return matches(o) && !slices.ContainsFunc(before, func(known Operation) bool { return known.ID == o.ID })
	})
}

// ListEndpointOperations returns the operations of an endpoint that have not ended. Where it
// has never started, it returns all since its creation, however many came after it: one
// that was cancelled or given up has kept it from starting.
// GET /projects/{project_id}/operations: https://api-docs.neon.tech/reference/listprojectoperations
func (c *Client) ListEndpointOperations(ctx context.Context, endpoint Endpoint) ([]Operation, error) {
	if endpoint.CurrentState != "init" {
		return endpointKind.unfinished(ctx, c, []string{endpoint.ProjectID, endpoint.ID})
	}
	var operations []Operation
	for operation, err := range c.ListOperations(ctx, endpoint.ProjectID) {
		if err != nil || operation.CreatedAt.Before(endpoint.CreatedAt.Add(-time.Minute)) {
			return operations, err
		}
		if operation.EndpointID == endpoint.ID {
			operations = append(operations, operation)
		}
	}
	return operations, nil
}
