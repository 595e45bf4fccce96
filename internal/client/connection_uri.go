package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// ConnectionURIQuery selects a connection.
type ConnectionURIQuery struct {
	// BranchID is the branch; empty means the project's default one.
	BranchID string
	// EndpointID is the compute endpoint; empty means the branch's read-write one.
	EndpointID   string
	DatabaseName string
	RoleName     string
	// Pooled asks for the host name of the connection pooler.
	Pooled bool
}

// GetConnectionURI returns the URL with which a role connects to a database. It contains the role's password.
// GET /projects/{project_id}/connection_uri: https://api-docs.neon.tech/reference/getconnectionuri
func (c *Client) GetConnectionURI(ctx context.Context, projectID string, query ConnectionURIQuery) (string, error) {
	return receiveField[string](ctx, c, connectionURICall(projectID, query), "uri")
}

func connectionURICall(projectID string, query ConnectionURIQuery) call {
	return call{
		method: http.MethodGet, route: "/projects/{project_id}/connection_uri", params: []string{projectID},
		query: url.Values{
			"branch_id": {query.BranchID}, "endpoint_id": {query.EndpointID}, "database_name": {query.DatabaseName},
			"role_name": {query.RoleName}, "pooled": {strconv.FormatBool(query.Pooled)},
		},
	}
}
