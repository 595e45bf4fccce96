package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
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
	noun: "database", isSaid: true, route: "/projects/{project_id}/branches/{branch_id}/databases", one: "/{database_name}",
	field: "databases", object: "database", deleted: "database",
	id: func(database Database) string { return database.Name },
}

// CreateDatabase creates a database, which belongs to a role of the branch. It can be
// connected to when the returned operations have finished.
func (c *Client) CreateDatabase(ctx context.Context, projectID, branchID string, create DatabaseCreate) (*Database, []Operation, error) {
	return databaseKind.create(ctx, c, projectID, branchID, create.Name, create)
}

// UpdateDatabase renames a database, or gives it another owner, in place. Its present name
// and its id say which one.
func (c *Client) UpdateDatabase(
	ctx context.Context, projectID, branchID, name string, id int64, update DatabaseUpdate,
) (*Database, []Operation, error) {
	request := databaseKind.call(http.MethodPatch, databaseKind.one, projectID, branchID, name)
	request.subject = fmt.Sprintf("the change of database %q on branch %s", name, branchID)
	request.body = map[string]any{"database": update}
	if update.Name != nil {
		name = *update.Name
		request.named = databaseKind.call(http.MethodDelete, databaseKind.one, projectID, branchID, name).path()
	}
	by := effect[Database]{
		read: func(ctx context.Context) (*Database, error) {
			return present(databaseKind.read(ctx, c, name, projectID, branchID))
		},
		isDone: func(database *Database) bool {
			return database.ID == id && unsetOr(update.OwnerName, database.OwnerName)
		},
		operations: func(ctx context.Context) ([]Operation, error) { return c.branchOperations(ctx, projectID, branchID) },
	}
	send := func() (*change[Database], error) {
		answer, err := databaseKind.receive(ctx, c, request)
		if IsAbsent(err) { // An earlier attempt may have renamed it late.
			if database, _ := by.read(ctx); database != nil && by.isDone(database) {
				operations, err := by.operations(ctx)
				return &change[Database]{*database, operations}, err
			}
		}
		return answer, err
	}
	return databaseKind.write(ctx, c, request, send, by)
}

// SharedDatabase reads one database. A database is found by its id, whatever its name is now;
// where none has the id, as after a restore of the branch, or where id is 0, by its name.
// IsAbsent is true for the error about one that doesn't exist. Reads that come close
// together share one list.
func (c *Client) SharedDatabase(ctx context.Context, projectID, branchID, name string, id int64) (*Database, error) {
	databases, err := databaseKind.share(ctx, c, projectID, branchID)
	if err != nil {
		return nil, err
	}
	if id != 0 {
		for _, named := range databases {
			if database := readable(named, func(database Database) bool { return database.ID == id }); database != nil {
				return database, nil
			}
		}
	}
	if database := readable(databases[name], func(Database) bool { return true }); database != nil {
		return database, nil
	}
	return databaseKind.read(ctx, c, name, projectID, branchID)
}

// Databases lists the databases of a branch. One that can't be decoded comes with an error of
// its own.
func (c *Client) Databases(ctx context.Context, projectID, branchID string) iter.Seq2[Database, error] {
	return databaseKind.list(ctx, c, projectID, branchID)
}

// DeleteDatabase deletes a database and its data, for good. One that is gone already is no
// error.
func (c *Client) DeleteDatabase(ctx context.Context, projectID, branchID, name string) ([]Operation, error) {
	return databaseKind.deleteNamed(ctx, c, projectID, branchID, name)
}
