package client

import (
	"cmp"
	"context"
	"net/http"
	"time"
)

// The statuses of a claimable database.
const (
	ClaimableUnclaimed = "UNCLAIMED"
	ClaimableClaiming  = "CLAIMING"
	ClaimableClaimed   = "CLAIMED"
)

// ClaimableDatabase is a temporary PostgreSQL that needs no account.
type ClaimableDatabase struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	// ConnectionString is the pooled URL, a secret; nil once claimed.
	ConnectionString *string    `json:"connection_string"`
	ClaimURL         string     `json:"claim_url"`
	ExpiresAt        *time.Time `json:"expires_at"`
	CreatedAt        time.Time  `json:"created_at"`
	UpdatedAt        time.Time  `json:"updated_at"`
	// ProjectID is the database's project.
	ProjectID string `json:"neon_project_id"`
	// ServiceProjectID is the same under the name that some deployments use.
	ServiceProjectID string `json:"service_project_id"`
}

// ClaimableDatabaseCreate describes a claimable database to create.
type ClaimableDatabaseCreate struct {
	// Ref names who referred the user; it must not be empty.
	Ref                      string `json:"ref"`
	EnableLogicalReplication bool   `json:"enable_logical_replication"`
}

// CreateClaimableDatabase creates a claimable database. The API reads them by id only,
// so the error about a lost answer says that one may exist; it expires by itself.
func (c *Client) CreateClaimableDatabase(ctx context.Context, create ClaimableDatabaseCreate) (*ClaimableDatabase, error) {
	return c.claimableDatabase(ctx, call{
		api: claimAPI, method: http.MethodPost, route: "/database", body: create,
		subject: "a claimable database (it expires by itself within 72 hours)",
	})
}

// ClaimableDatabase reads a database.
func (c *Client) ClaimableDatabase(ctx context.Context, id string) (*ClaimableDatabase, error) {
	return c.claimableDatabase(ctx, call{
		api: claimAPI, method: http.MethodGet, route: "/database/{id}", params: []string{id}, noun: "database",
	})
}

func (c *Client) claimableDatabase(ctx context.Context, request call) (*ClaimableDatabase, error) {
	database, err := receive(ctx, c, request, "id", func(d *ClaimableDatabase) bool { return d.ID != "" })
	if err != nil {
		return nil, err
	}
	database.ProjectID = cmp.Or(database.ProjectID, database.ServiceProjectID)
	return database, nil
}
