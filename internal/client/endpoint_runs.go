package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// StartEndpoint starts the compute of an endpoint; one that runs already is no error.
// POST /projects/{project_id}/endpoints/{endpoint_id}/start: https://api-docs.neon.tech/reference/startprojectendpoint
func (c *Client) StartEndpoint(ctx context.Context, endpoint EndpointRef) (*Answer[Endpoint], error) {
	return c.runEndpoint(ctx, endpoint, "start", "active")
}

// SuspendEndpoint suspends the compute of an endpoint; one that is idle already is no error.
// POST /projects/{project_id}/endpoints/{endpoint_id}/suspend: https://api-docs.neon.tech/reference/suspendprojectendpoint
func (c *Client) SuspendEndpoint(ctx context.Context, endpoint EndpointRef) (*Answer[Endpoint], error) {
	return c.runEndpoint(ctx, endpoint, "suspend", "idle")
}

// runEndpoint starts or suspends an endpoint.
func (c *Client) runEndpoint(ctx context.Context, ref EndpointRef, verb, state string) (*Answer[Endpoint], error) {
	return endpointKind.change(ctx, c, endpointRun(ref, verb), effect[Endpoint]{isDone: func(endpoint *Endpoint) bool {
		return endpoint.State() == state
	}})
}

// RestartEndpoint suspends the compute of an endpoint and starts it, which drops its connections.
// POST /projects/{project_id}/endpoints/{endpoint_id}/restart: https://api-docs.neon.tech/reference/restartprojectendpoint
func (c *Client) RestartEndpoint(ctx context.Context, endpoint EndpointRef) (*Answer[Endpoint], error) {
	request := endpointRun(endpoint, "restart")
	request.by = unrepeatable
	before, err := c.newestOperations(ctx, endpoint.ProjectID)
	if err != nil {
		return nil, err
	}
	var operations []Operation
	return endpointKind.change(ctx, c, request, effect[Endpoint]{
		read: func(ctx context.Context) (_ *Endpoint, err error) {
			operations, err = c.operationsSince(ctx, endpoint.ProjectID, before,
				func(o Operation) bool { return o.EndpointID == endpoint.ID })
			if err != nil || !slices.ContainsFunc(operations, func(o Operation) bool { return o.Action == "start_compute" }) {
				return nil, err
			}
			return c.GetEndpoint(ctx, endpoint)
		},
		operations: func(context.Context) ([]Operation, error) { return operations, nil },
	})
}

func endpointRun(endpoint EndpointRef, verb string) call {
	request := endpointKind.of(http.MethodPost, "/"+verb, endpoint.ProjectID, endpoint.ID)
	request.subject, request.by = fmt.Sprintf("the %s of endpoint %s", verb, endpoint.ID), harmless
	return request
}
