package client

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
)

// The statuses of a claimable database.
const (
	ClaimableUnclaimed = "UNCLAIMED"
	ClaimableClaiming  = "CLAIMING"
	ClaimableClaimed   = "CLAIMED"
)

// ClaimableService is a service of Neon's that creates databases without an account.
type ClaimableService string

// The services. Neon removes the instant one between November 2026 and January 2027
// (https://neon.com/docs/reference/claimable-neon).
const (
	ClaimableInstant ClaimableService = "instant"
	ClaimableNeon    ClaimableService = "claimable_neon"
)

// claimableServices are the services that a creation may use, in the order in which it tries them. If only one address
// is configured, nothing is sent to the default address of the other service.
func (c Config) claimableServices() []ClaimableService {
	switch {
	case c.ClaimBaseURL != "" && c.ClaimableNeonBaseURL == "":
		return []ClaimableService{ClaimableInstant}
	case c.ClaimBaseURL == "" && c.ClaimableNeonBaseURL != "":
		return []ClaimableService{ClaimableNeon}
	}
	return []ClaimableService{ClaimableInstant, ClaimableNeon}
}

// ClaimableServices returns the services that may be used, in the order in which a creation tries them.
func (c *Client) ClaimableServices() []ClaimableService { return c.claimable }

// IsServiceGone reports whether the instant service answered that it isn't there any more: 404 or 410 to a call that
// it has always had, without a word about a database. A creation that it answers so has created nothing.
func IsServiceGone(err error) bool {
	answer, isAnswer := errors.AsType[*Error](err)
	if IsAbsent(err) || !isAnswer || !strings.HasPrefix(answer.Path, claimAPI.prefix()) {
		return false
	}
	isRead := answer.Method == http.MethodGet // A proxy's page in place of a database says nothing of the service.
	return (!isRead || !answer.Foreign) && (answer.StatusCode == http.StatusNotFound ||
		answer.StatusCode == http.StatusGone)
}

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
// POST /api/v1/database: https://neon.com/docs/reference/claimable-neon
func (c *Client) CreateClaimableDatabase(
	ctx context.Context, create ClaimableDatabaseCreate,
) (*ClaimableDatabase, error) {
	return c.claimableDatabase(ctx, call{
		api: claimAPI, method: http.MethodPost, route: "/database", body: create, by: unrepeatable,
		subject: "a claimable database (it expires by itself within 72 hours)",
	})
}

// GetClaimableDatabase reads a database.
// GET /api/v1/database/{id}: https://neon.com/docs/reference/claimable-neon
func (c *Client) GetClaimableDatabase(ctx context.Context, id string) (*ClaimableDatabase, error) {
	return c.claimableDatabase(ctx, call{
		api: claimAPI, method: http.MethodGet, route: "/database/{id}", params: []string{id}, noun: "database",
	})
}

func (c *Client) claimableDatabase(ctx context.Context, request call) (*ClaimableDatabase, error) {
	database, err := receive[ClaimableDatabase](ctx, c, request, "id")
	if err != nil {
		return nil, err
	}
	if request.method == http.MethodGet && database.ID != request.params[0] {
		return nil, request.malformed("it is about another database")
	}
	database.ProjectID = cmp.Or(database.ProjectID, database.ServiceProjectID)
	return database, nil
}
