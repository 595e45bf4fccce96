package client

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"reflect"
)

// DataAPI is a REST interface to one database of a branch.
type DataAPI struct {
	DatabaseName string `json:"-"`
	URL          string `json:"url"`
	// Status is an open set, of which nothing is published.
	Status string `json:"status"`
	// Settings and AvailableSchemas are nil where Neon doesn't say them.
	Settings         *DataAPISettings `json:"settings"`
	AvailableSchemas []string         `json:"available_schemas"`
}

var dataAPIKind = kind[DataAPI]{
	noun: "Data API", route: "/projects/{project_id}/branches/{branch_id}/data-api", one: "/{database_name}", isRead: true,
	isNamed: true, lacks: (*Client).lacksDataAPI,
	id: func(api DataAPI) string { return api.URL },
}

// DataAPISettings are those of a Data API. What is nil isn't sent, or isn't known.
type DataAPISettings struct {
	AggregatesEnabled   *bool    `json:"db_aggregates_enabled,omitempty"`
	AnonRole            *string  `json:"db_anon_role,omitempty"`
	ExtraSearchPath     *string  `json:"db_extra_search_path,omitempty"`
	MaxRows             *int64   `json:"db_max_rows,omitempty"`
	Schemas             []string `json:"db_schemas,omitempty"`
	RoleClaimKey        *string  `json:"jwt_role_claim_key,omitempty"`
	CacheMaxLifetime    *int64   `json:"jwt_cache_max_lifetime,omitempty"`
	OpenAPIMode         *string  `json:"openapi_mode,omitempty"`
	CORSAllowedOrigins  *string  `json:"server_cors_allowed_origins,omitempty"`
	ServerTimingEnabled *bool    `json:"server_timing_enabled,omitempty"`
}

// DataAPICreate describes a Data API to create. Neon says only the settings again. Empty fields aren't sent.
type DataAPICreate struct {
	AuthProvider     string          `json:"auth_provider,omitempty"`
	JWKSURL          string          `json:"jwks_url,omitempty"`
	ProviderName     string          `json:"provider_name,omitempty"`
	JWTAudience      string          `json:"jwt_audience,omitempty"`
	AddDefaultGrants bool            `json:"add_default_grants,omitempty"`
	SkipAuthSchema   bool            `json:"skip_auth_schema,omitempty"`
	Settings         DataAPISettings `json:"settings,omitzero"`
}

// membersOf are those of an object, without those that are null.
func membersOf(object any) map[string]any {
	named, _ := decoded(object).(map[string]any)
	maps.DeleteFunc(named, func(_ string, value any) bool { return value == nil })
	return named
}

// has reports whether settings, where they are known, have each of the wanted members.
func (s *DataAPISettings) has(wanted any) bool {
	if s == nil {
		return true
	}
	actual := membersOf(s)
	for name, value := range membersOf(wanted) {
		if known, isKnown := actual[name]; isKnown && !reflect.DeepEqual(known, value) {
			return false
		}
	}
	return true
}

// CreateDataAPI serves a database of a branch by a Data API, of which there is one at most.
// POST /projects/{project_id}/branches/{branch_id}/data-api/{database_name}: https://api-docs.neon.tech/reference/createprojectbranchdataapi
func (c *Client) CreateDataAPI(
	ctx context.Context, branch BranchRef, database string, create DataAPICreate,
) (*DataAPI, error) {
	request := dataAPIKind.of(http.MethodPost, "", branch.ProjectID, branch.ID, database)
	request.body, request.by = create, named(request.path())
	created, err := creation[DataAPI]{
		kind: dataAPIKind, request: request,
		isAlike: func(present DataAPI) bool { return present.Settings.has(create.Settings) },
	}.object(ctx, c)
	if err == nil {
		created.DatabaseName = database
	}
	return created, err
}

// GetDataAPI reads the Data API of a database. IsAbsent is true for the error about one that has none, or isn't there.
// GET /projects/{project_id}/branches/{branch_id}/data-api/{database_name}: https://api-docs.neon.tech/reference/getprojectbranchdataapi
func (c *Client) GetDataAPI(ctx context.Context, branch BranchRef, database string) (*DataAPI, error) {
	api, err := dataAPIKind.read(ctx, c, branch.ProjectID, branch.ID, database)
	if err == nil {
		api.DatabaseName = database
	}
	return api, err
}

// lacksDataAPI makes a 404 of Neon's own the proof that a database has none, where the key sees the branch's databases.
func (c *Client) lacksDataAPI(ctx context.Context, request call, err error) error {
	branch, database := BranchRef{ProjectID: request.params[0], ID: request.params[1]}, request.params[2]
	return provedAbsent(err, fmt.Sprintf("database %q of branch %s has no Data API", database, branch.ID), func() error {
		_, err := All(c.ListDatabases(ctx, branch))
		return err
	})
}

// ListDataAPIs yields the Data APIs of a branch. It asks for each database, as no list says which have one.
// GET /projects/{project_id}/branches/{branch_id}/databases: https://api-docs.neon.tech/reference/listprojectbranchdatabases
// GET /projects/{project_id}/branches/{branch_id}/data-api/{database_name}: https://api-docs.neon.tech/reference/getprojectbranchdataapi
func (c *Client) ListDataAPIs(ctx context.Context, branch BranchRef) iter.Seq2[DataAPI, error] {
	return func(yield func(DataAPI, error) bool) {
		for database, err := range c.ListDatabases(ctx, branch) {
			found := &DataAPI{DatabaseName: database.Name}
			if err == nil {
				if found, err = c.GetDataAPI(ctx, branch, database.Name); IsAbsent(err) {
					continue
				}
			}
			if found == nil {
				found = &DataAPI{DatabaseName: database.Name}
			}
			if !yield(*found, err) {
				return
			}
		}
	}
}

// UpdateDataAPI changes settings and keeps the others. Neon's call resets settings that it isn't sent, so those that
// Neon doesn't return are sent as known. Settings in unset go back to Neon's defaults.
// PATCH /projects/{project_id}/branches/{branch_id}/data-api/{database_name}: https://api-docs.neon.tech/reference/updateprojectbranchdataapi
func (c *Client) UpdateDataAPI(
	ctx context.Context, branch BranchRef, database string, changed, known DataAPISettings, unset ...string,
) error {
	type present struct {
		Settings map[string]any `json:"settings"` // also those that this client doesn't know
	}
	read := dataAPIKind.of(http.MethodGet, "", branch.ProjectID, branch.ID, database)
	actual, err := receive[present](ctx, c, read, "url")
	if err != nil {
		return err
	}
	merged := membersOf(known)
	maps.Copy(merged, membersOf(actual.Settings))
	for _, name := range unset {
		delete(merged, name)
	}
	maps.Copy(merged, membersOf(changed))
	isDone := func(ctx context.Context) (bool, error) {
		actual, err := receive[present](ctx, c, read, "url")
		shows := err == nil && len(unset) == 0 && len(membersOf(changed)) > 0 // What Neon's defaults are isn't known.
		return shows && includes(actual.Settings, decoded(changed), 1), err
	}
	return c.patchDataAPI(ctx, branch, database, map[string]any{"settings": merged}, isDone)
}

// RefreshDataAPISchema has a Data API read the database's schema anew.
// PATCH /projects/{project_id}/branches/{branch_id}/data-api/{database_name}: https://api-docs.neon.tech/reference/updateprojectbranchdataapi
func (c *Client) RefreshDataAPISchema(ctx context.Context, branch BranchRef, database string) error {
	return c.patchDataAPI(ctx, branch, database, nil, nil)
}

// patchDataAPI sends a change. If its answer isn't the empty object that Neon publishes, isDone looks for its effect.
func (c *Client) patchDataAPI(
	ctx context.Context, branch BranchRef, database string, body any, isDone func(context.Context) (bool, error),
) error {
	request := dataAPIKind.of(http.MethodPatch, "", branch.ProjectID, branch.ID, database)
	request.body = body
	return c.settle(ctx, request, "", isDone)
}

// DeleteDataAPI ends the Data API of a database.
// DELETE /projects/{project_id}/branches/{branch_id}/data-api/{database_name}: https://api-docs.neon.tech/reference/deleteprojectbranchdataapi
func (c *Client) DeleteDataAPI(ctx context.Context, branch BranchRef, database string) error {
	return dataAPIKind.end(ctx, c, branch.ProjectID, branch.ID, database)
}
