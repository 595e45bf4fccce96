package client

import (
	"context"
	"iter"
	"net/http"
	"strconv"
	"time"
)

// Database is a database of a branch.
type Database struct {
	// ID stays when the database is renamed.
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	OwnerName string    `json:"owner_name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// DatabaseCreate describes a database to create.
type DatabaseCreate struct {
	Name      string `json:"name"`
	OwnerName string `json:"owner_name"`
}

// DatabaseUpdate is a change of a database; nil leaves a field as it is.
type DatabaseUpdate struct {
	Name      *string `json:"name,omitempty"`
	OwnerName *string `json:"owner_name,omitempty"`
}

var databaseKind = kind[Database]{
	noun: "database", isSaid: true, route: "/projects/{project_id}/branches/{branch_id}/databases",
	one: "/{database_name}", isRead: true, isNamed: true,
	field: "databases", object: "database", deleted: "database",
	id: func(database Database) string { return database.Name }, isAbout: ofBranch,
	madeAt: func(database Database) time.Time { return database.CreatedAt },
}

// CreateDatabase creates a database, which belongs to a role of the branch.
// POST /projects/{project_id}/branches/{branch_id}/databases: https://api-docs.neon.tech/reference/createprojectbranchdatabase
func (c *Client) CreateDatabase(
	ctx context.Context, branch BranchRef, create DatabaseCreate,
) (*Answer[Database], error) {
	return databaseKind.creation(branch, create.Name, map[string]any{"database": create}).run(ctx, c)
}

// UpdateDatabase renames a database, or gives it another owner, in place. Its present name and its id say which one.
// PATCH /projects/{project_id}/branches/{branch_id}/databases/{database_name}: https://api-docs.neon.tech/reference/updateprojectbranchdatabase
func (c *Client) UpdateDatabase(
	ctx context.Context, branch BranchRef, name string, id int64, update DatabaseUpdate,
) (*Answer[Database], error) {
	request := databaseKind.of(http.MethodPatch, "", branch.ProjectID, branch.ID, name)
	request.body = map[string]any{"database": update}
	if update.Name != nil {
		name = *update.Name
		request.by = databaseKind.named(branch.ProjectID, branch.ID, name)
	}
	return databaseKind.change(ctx, c, request, effect[Database]{
		read: func(ctx context.Context) (*Database, error) {
			return present(databaseKind.read(ctx, c, branch.ProjectID, branch.ID, name))
		},
		isDone: func(database *Database) bool {
			return database.ID == id && (update.OwnerName == nil || *update.OwnerName == database.OwnerName)
		},
	})
}

// GetSharedDatabase finds a database by its id, whatever its name is now. If id is 0, or no database has it, as after a
// restore of the branch, it finds the database by name.
// GET /projects/{project_id}/branches/{branch_id}/databases/{database_name}: https://api-docs.neon.tech/reference/getprojectbranchdatabase
// GET /projects/{project_id}/branches/{branch_id}/databases: https://api-docs.neon.tech/reference/listprojectbranchdatabases
func (c *Client) GetSharedDatabase(ctx context.Context, branch BranchRef, name string, id int64) (*Database, error) {
	byName := func() (*Database, error) { return databaseKind.shared(ctx, c, branch.ProjectID, branch.ID, name) }
	if id == 0 {
		return byName()
	}
	sought := "id " + strconv.FormatInt(id, 10) + " " + name
	return databaseKind.sharedOr(ctx, c, sought, hasID(id), byName, branch.ProjectID, branch.ID)
}

// GetDatabase is GetSharedDatabase by requests of its own.
// GET /projects/{project_id}/branches/{branch_id}/databases/{database_name}: https://api-docs.neon.tech/reference/getprojectbranchdatabase
// GET /projects/{project_id}/branches/{branch_id}/databases: https://api-docs.neon.tech/reference/listprojectbranchdatabases
func (c *Client) GetDatabase(ctx context.Context, branch BranchRef, name string, id int64) (*Database, error) {
	named, err := databaseKind.read(ctx, c, branch.ProjectID, branch.ID, name)
	if err != nil && !IsAbsent(err) || id == 0 || err == nil && named.ID == id {
		return named, err
	}
	database, listErr := databaseKind.first(ctx, c, databaseKind.listCall(branch.ProjectID, branch.ID), hasID(id))
	if database != nil || listErr != nil {
		return database, listErr
	}
	return named, err
}

func hasID(id int64) func(Database) bool {
	return func(database Database) bool { return id != 0 && database.ID == id }
}

// ListDatabases lists the databases of a branch.
// GET /projects/{project_id}/branches/{branch_id}/databases: https://api-docs.neon.tech/reference/listprojectbranchdatabases
func (c *Client) ListDatabases(ctx context.Context, branch BranchRef) iter.Seq2[Database, error] {
	return databaseKind.list(ctx, c, branch.ProjectID, branch.ID)
}

// DeleteDatabase deletes a database and its data, for good.
// DELETE /projects/{project_id}/branches/{branch_id}/databases/{database_name}: https://api-docs.neon.tech/reference/deleteprojectbranchdatabase
func (c *Client) DeleteDatabase(ctx context.Context, branch BranchRef, name string) ([]Operation, error) {
	return databaseKind.delete(ctx, c, branch.ProjectID, branch.ID, name)
}
