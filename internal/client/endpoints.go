package client

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The types of endpoints: a branch has at most one that is read-write.
const (
	EndpointReadWrite = "read_write"
	EndpointReadOnly  = "read_only"
)

// EndpointRef says which endpoint is meant.
type EndpointRef = Ref[Endpoint]

// Endpoint is a compute endpoint: what a client connects to.
type Endpoint struct {
	ID        string `json:"id"`
	ProjectID string `json:"project_id"`
	BranchID  string `json:"branch_id"`
	RegionID  string `json:"region_id"`
	Type      string `json:"type"`
	Name      string `json:"name"`
	Host      string `json:"host"`
	// CurrentState is "init", "active" or "idle"; it moves by itself. PendingState is the next one, empty for none.
	CurrentState string `json:"current_state"`
	PendingState string `json:"pending_state"`
	Disabled     bool   `json:"disabled"`
	// The limits are in compute units, each of which is a processor with 4 GB of memory.
	AutoscalingLimitMinCU float64          `json:"autoscaling_limit_min_cu"`
	AutoscalingLimitMaxCU float64          `json:"autoscaling_limit_max_cu"`
	SuspendTimeoutSeconds int64            `json:"suspend_timeout_seconds"`
	Settings              PostgresSettings `json:"settings"`
	CreatedAt             time.Time        `json:"created_at"`
	UpdatedAt             time.Time        `json:"updated_at"`
	LastActive            *time.Time       `json:"last_active"` // nil where it never was
}

// PostgresSettings are what an endpoint starts PostgreSQL with. Neon takes them as a whole.
type PostgresSettings struct {
	// PgSettings are PostgreSQL's own, by name. Neon refuses settings without them.
	PgSettings       map[string]string `json:"pg_settings"`
	PreloadLibraries *PreloadLibraries `json:"preload_libraries,omitempty"`
	// PgBouncerSettings can't be configured here. Neon's description says that they end, and returns them still.
	PgBouncerSettings map[string]string `json:"pgbouncer_settings,omitempty"`
}

// PreloadLibraries are the libraries that PostgreSQL loads at its start.
type PreloadLibraries struct {
	UseDefaults      bool     `json:"use_defaults"` // whether Neon's own are loaded too
	EnabledLibraries []string `json:"enabled_libraries"`
}

// State is what the endpoint becomes, or is where nothing is under way: "init", "active" or "idle".
func (e Endpoint) State() string { return cmp.Or(e.PendingState, e.CurrentState) }

// PoolerHost is the host name of the pooled connection.
func (e Endpoint) PoolerHost() string {
	label, rest, found := strings.Cut(e.Host, ".")
	if !found || strings.HasSuffix(label, poolerSuffix) {
		return e.Host
	}
	return label + poolerSuffix + "." + rest
}

var endpointKind = kind[Endpoint]{
	noun: "endpoint", isSaid: true, route: "/projects/{project_id}/endpoints", one: "/{endpoint_id}", isRead: true,
	few:   1, // The list has no pages.
	field: "endpoints", object: "endpoint", deleted: "endpoint",
	id:      func(endpoint Endpoint) string { return endpoint.ID },
	shareBy: func(endpoint Endpoint) string { return endpoint.BranchID },
	isAbout: func(operation Operation, params []string) bool { return operation.EndpointID == params[1] },
}

// EndpointSettings can be chosen at creation and changed later. Nil leaves Neon's value.
type EndpointSettings struct {
	AutoscalingLimitMinCU *float64 `json:"autoscaling_limit_min_cu,omitempty"`
	AutoscalingLimitMaxCU *float64 `json:"autoscaling_limit_max_cu,omitempty"`
	// SuspendTimeoutSeconds is -1 (never), 0 (Neon's default), or 60 to 604800.
	SuspendTimeoutSeconds *int64            `json:"suspend_timeout_seconds,omitempty"`
	Postgres              *PostgresSettings `json:"settings,omitempty"`
}

// EndpointCreate describes an endpoint to create.
type EndpointCreate struct {
	Type string `json:"type"`
	EndpointSettings
	Name     string `json:"name,omitempty"` // 1 to 64 characters, or empty for none
	Disabled *bool  `json:"disabled,omitempty"`
}

// Matches reports whether an endpoint has the type and the name of the creation. Its settings may have changed since.
func (e EndpointCreate) Matches(endpoint Endpoint) bool {
	return endpoint.Type == e.Type && endpoint.Name == e.Name
}

// made reports whether an endpoint is as the creation has just asked for.
func (e EndpointCreate) made(endpoint Endpoint) bool {
	isAsAsked := func(asked *float64, actual float64) bool { return asked == nil || *asked == actual }
	return e.Matches(endpoint) && isAsAsked(e.AutoscalingLimitMinCU, endpoint.AutoscalingLimitMinCU) &&
		isAsAsked(e.AutoscalingLimitMaxCU, endpoint.AutoscalingLimitMaxCU) &&
		(e.Disabled == nil || *e.Disabled == endpoint.Disabled)
}

// EndpointUpdate says what to change. Nil leaves a field as it is.
type EndpointUpdate struct {
	EndpointSettings
	Name     *string `json:"name,omitempty"`
	Disabled *bool   `json:"disabled,omitempty"`
}

// CreateEndpoint creates an endpoint on a branch.
// POST /projects/{project_id}/endpoints: https://api-docs.neon.tech/reference/createprojectendpoint
func (c *Client) CreateEndpoint(
	ctx context.Context, branch BranchRef, create EndpointCreate,
) (*Answer[Endpoint], error) {
	called, by := "", unrepeatable
	if create.Name != "" {
		called = fmt.Sprintf(" named %q", create.Name)
	}
	if create.Type == EndpointReadWrite {
		by = harmless // A branch has one.
	}
	return creation[Endpoint]{
		kind: endpointKind,
		request: call{
			method: http.MethodPost, route: endpointKind.route, params: []string{branch.ProjectID}, branchID: branch.ID, by: by,
			subject: fmt.Sprintf("a %s endpoint%s on branch %s", create.Type, called, branch.ID),
			body: map[string]any{"endpoint": struct {
				BranchID string `json:"branch_id"`
				EndpointCreate
			}{branch.ID, create}},
		},
		place:   strings.Join([]string{branch.ID, create.Type, create.Name}, " "),
		listing: branchKind.of(http.MethodGet, "/endpoints", branch.ProjectID, branch.ID),
		isAlike: create.made,
		operations: func(ctx context.Context, endpoint Endpoint) ([]Operation, error) {
			endpoint.ProjectID = branch.ProjectID
			return c.ListEndpointOperations(ctx, endpoint)
		},
	}.run(ctx, c)
}

// GetSharedEndpoint reads one endpoint.
// GET /projects/{project_id}/endpoints/{endpoint_id}: https://api-docs.neon.tech/reference/getprojectendpoint
// GET /projects/{project_id}/endpoints: https://api-docs.neon.tech/reference/listprojectendpoints
func (c *Client) GetSharedEndpoint(ctx context.Context, ref EndpointRef) (*Endpoint, error) {
	isIt := func(endpoint Endpoint) bool { return endpoint.ID == ref.ID }
	read := func() (*Endpoint, error) { return c.GetEndpoint(ctx, ref) }
	return endpointKind.sharedOr(ctx, c, ref.ID, isIt, read, ref.ProjectID)
}

// GetEndpoint is GetSharedEndpoint by a request of its own.
// GET /projects/{project_id}/endpoints/{endpoint_id}: https://api-docs.neon.tech/reference/getprojectendpoint
func (c *Client) GetEndpoint(ctx context.Context, endpoint EndpointRef) (*Endpoint, error) {
	return endpointKind.read(ctx, c, endpoint.ProjectID, endpoint.ID)
}

// ListSharedEndpoints lists the endpoints of a branch. Concurrent reads share one list of the project's endpoints. If
// an expected id is missing there, it reads the branch's own list.
// GET /projects/{project_id}/branches/{branch_id}/endpoints: https://api-docs.neon.tech/reference/listprojectbranchendpoints
// GET /projects/{project_id}/endpoints: https://api-docs.neon.tech/reference/listprojectendpoints
func (c *Client) ListSharedEndpoints(ctx context.Context, branch BranchRef, expected ...string) ([]Endpoint, error) {
	branches, err := endpointKind.wholeShared(ctx, c, "those of "+branch.ID, branch.ProjectID)
	if err != nil {
		return nil, err
	}
	return c.endpointsIn(ctx, branches, branch, expected)
}

// ListEndpointsByBranch returns a function that returns the endpoints of a branch from one list of the project's
// endpoints. If an endpoint of the branch can't be decoded, it reads the branch's own list.
// GET /projects/{project_id}/endpoints: https://api-docs.neon.tech/reference/listprojectendpoints
func (c *Client) ListEndpointsByBranch(
	ctx context.Context, projectID string,
) (func(branchID string) ([]Endpoint, error), error) {
	branches := map[string][]element[Endpoint]{}
	for found, err := range endpointKind.walk(ctx, c, endpointKind.listCall(projectID)) {
		if err != nil {
			return nil, err
		}
		branches[found.object.BranchID] = append(branches[found.object.BranchID], found)
	}
	return func(branchID string) ([]Endpoint, error) {
		return c.endpointsIn(ctx, branches, BranchRef{ProjectID: projectID, ID: branchID}, nil)
	}, nil
}

// endpointsIn returns the endpoints of a branch from those of a project, as long as these say all.
func (c *Client) endpointsIn(
	ctx context.Context, branches map[string][]element[Endpoint], branch BranchRef, expected []string,
) ([]Endpoint, error) {
	isBroken := func(found element[Endpoint]) bool { return found.isBroken }
	isComplete := branches != nil && !slices.ContainsFunc(branches[branch.ID], isBroken) &&
		!slices.ContainsFunc(branches[""], isBroken)
	var endpoints []Endpoint
	for _, found := range branches[branch.ID] {
		endpoints = append(endpoints, found.object)
	}
	for _, id := range expected {
		isComplete = isComplete && slices.ContainsFunc(endpoints, func(endpoint Endpoint) bool { return endpoint.ID == id })
	}
	if !isComplete {
		return All(c.ListEndpoints(ctx, branch))
	}
	return endpoints, nil
}

// ListEndpoints lists the endpoints of a branch, or of the whole project where branchID is empty.
// GET /projects/{project_id}/endpoints: https://api-docs.neon.tech/reference/listprojectendpoints
// GET /projects/{project_id}/branches/{branch_id}/endpoints: https://api-docs.neon.tech/reference/listprojectbranchendpoints
func (c *Client) ListEndpoints(ctx context.Context, branch BranchRef) iter.Seq2[Endpoint, error] {
	request := endpointKind.listCall(branch.ProjectID)
	if branch.ID != "" {
		request = branchKind.of(http.MethodGet, "/endpoints", branch.ProjectID, branch.ID)
	}
	return endpointKind.each(ctx, c, request)
}

// UpdateEndpoint changes an endpoint in place.
// PATCH /projects/{project_id}/endpoints/{endpoint_id}: https://api-docs.neon.tech/reference/updateprojectendpoint
func (c *Client) UpdateEndpoint(
	ctx context.Context, endpoint EndpointRef, update EndpointUpdate,
) (*Answer[Endpoint], error) {
	return endpointKind.update(ctx, c, update, 1, endpoint.ProjectID, endpoint.ID)
}

// DeleteEndpoint deletes an endpoint.
// DELETE /projects/{project_id}/endpoints/{endpoint_id}: https://api-docs.neon.tech/reference/deleteprojectendpoint
func (c *Client) DeleteEndpoint(ctx context.Context, endpoint EndpointRef) ([]Operation, error) {
	return endpointKind.delete(ctx, c, endpoint.ProjectID, endpoint.ID)
}

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
	request.by = replacing(request.by.path)
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
	request.subject = fmt.Sprintf("the %s of endpoint %s", verb, endpoint.ID)
	request.by = switched(endpointKind.named(request.params...).path + "/state")
	return request
}
