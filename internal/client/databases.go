package client

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// Database is a database of a branch.
type Database struct {
	// ID stays when the database is renamed.
	ID        int64     `json:"id"`
	BranchID  string    `json:"branch_id"`
	Name      string    `json:"name"`
	OwnerName string    `json:"owner_name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Databases lists the databases of a branch, which Neon sends in one answer.
func (c *Client) Databases(ctx context.Context, projectID, branchID string) ([]Database, error) {
	return listOf[Database](ctx, c, databasesCall(branchScope(projectID, branchID)), "databases")
}

func databaseCall(method, suffix string, params ...string) call {
	return call{
		method: method, route: "/projects/{project_id}/branches/{branch_id}/databases" + suffix, params: params, noun: "database",
	}
}

func databasesCall(scope string) call {
	return databaseCall(http.MethodGet, "", strings.Split(scope, "/")...)
}
