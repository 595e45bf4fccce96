package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strconv"
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

type databaseAnswer struct {
	Database   Database    `json:"database"`
	Operations []Operation `json:"operations"`
}

// CreateDatabase creates a database, which belongs to a role of the branch. It can be
// connected to when the returned operations have finished.
func (c *Client) CreateDatabase(ctx context.Context, projectID, branchID string, create DatabaseCreate) (*Database, []Operation, error) {
	request := databaseCall(http.MethodPost, "", projectID, branchID)
	request.named = databasePath(projectID, branchID, create.Name)
	request.subject = fmt.Sprintf("database %q on branch %s", create.Name, branchID)
	request.body = map[string]any{"database": create}
	answer, _, err := creation[Database, databaseAnswer]{
		request: request,
		place:   request.named,
		list: func(ctx context.Context) ([]Database, error) {
			return oneOrNone(c.database(ctx, projectID, branchID, create.Name))
		},
		id:      func(database Database) string { return strconv.FormatInt(database.ID, 10) },
		isAlike: func(Database) bool { return true },
		send:    func(request call) (*databaseAnswer, error) { return c.databaseCall(ctx, request) },
		object:  func(answer *databaseAnswer) Database { return answer.Database },
		adopt: func(ctx context.Context, database Database) (*databaseAnswer, error) {
			operations, err := c.branchOperations(ctx, projectID, branchID)
			return &databaseAnswer{database, operations}, err
		},
	}.run(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	return &answer.Database, answer.Operations, nil
}

// UpdateDatabase renames a database, or gives it another owner, in place. Its present name
// and its id say which one.
func (c *Client) UpdateDatabase(
	ctx context.Context, projectID, branchID, name string, id int64, update DatabaseUpdate,
) (*Database, []Operation, error) {
	request := databaseCall(http.MethodPatch, "/{database_name}", projectID, branchID, name)
	request.subject = fmt.Sprintf("the change of database %q on branch %s", name, branchID)
	request.body = map[string]any{"database": update}
	if update.Name != nil {
		name = *update.Name
		request.named = databasePath(projectID, branchID, name)
	}
	look := func(ctx context.Context) (*databaseAnswer, error) {
		database, err := present(c.database(ctx, projectID, branchID, name))
		if database == nil || database.ID != id || !unsetOr(update.OwnerName, database.OwnerName) {
			return nil, err
		}
		operations, err := c.branchOperations(ctx, projectID, branchID)
		return &databaseAnswer{*database, operations}, err
	}
	answer, err := writeOnce(ctx, c, request, func() (*databaseAnswer, error) {
		answer, err := c.databaseCall(ctx, request)
		if IsAbsent(err) { // An earlier attempt may have renamed it late.
			if done, lookErr := look(ctx); done != nil {
				return done, lookErr
			}
		}
		return answer, err
	}, look)
	if err != nil {
		return nil, nil, err
	}
	return &answer.Database, answer.Operations, nil
}

// SharedDatabase reads one database. A database is found by its id, whatever its name is now;
// where none has the id, as after a restore of the branch, or where id is 0, by its name.
// IsAbsent is true for the error about one that doesn't exist. Reads that come close
// together share one list.
func (c *Client) SharedDatabase(ctx context.Context, projectID, branchID, name string, id int64) (*Database, error) {
	databases, err := c.reads.databases.share(ctx, branchScope(projectID, branchID))
	if err != nil {
		return nil, err
	}
	for _, database := range databases {
		if id != 0 && database.object.ID == id && !database.isBroken {
			return &database.object, nil
		}
	}
	if database, found := databases[name]; found && !database.isBroken {
		return &database.object, nil
	}
	return c.database(ctx, projectID, branchID, name)
}

// database reads a database by its name, by a request of its own.
func (c *Client) database(ctx context.Context, projectID, branchID, name string) (*Database, error) {
	request := databaseCall(http.MethodGet, "/{database_name}", projectID, branchID, name)
	answer, err := c.databaseCall(ctx, request)
	if provesNothing(err) {
		databases, listErr := All(c.Databases(ctx, projectID, branchID))
		return findInList(request, err, databases, listErr, func(database Database) bool { return database.Name == name })
	}
	if err != nil {
		return nil, err
	}
	return &answer.Database, nil
}

// Databases: a database that can't be decoded comes with an error
// of its own.
func (c *Client) Databases(ctx context.Context, projectID, branchID string) iter.Seq2[Database, error] {
	return eachOf(ctx, c, databasesCall(branchScope(projectID, branchID)), "databases", "database", func(d Database) string { return d.Name })
}

// listDatabases returns the databases of a branch by name.
func (c *Client) listDatabases(ctx context.Context, request call) (map[string]element[Database], error) {
	return listByName(ctx, c, request, "databases", func(database Database) string { return database.Name })
}

// DeleteDatabase deletes a database and its data, for good. One that is gone already is no
// error.
func (c *Client) DeleteDatabase(ctx context.Context, projectID, branchID, name string) ([]Operation, error) {
	request := databaseCall(http.MethodDelete, "/{database_name}", projectID, branchID, name)
	request.subject = fmt.Sprintf("the deletion of database %q on branch %s", name, branchID)
	request.named = request.path()
	return c.delete(ctx, request,
		func(ctx context.Context) error { _, err := c.database(ctx, projectID, branchID, name); return err },
		func(ctx context.Context) ([]Operation, error) { return c.branchOperations(ctx, projectID, branchID) })
}

func (c *Client) databaseCall(ctx context.Context, request call) (*databaseAnswer, error) {
	return receive(ctx, c, request, "database.id", func(answer *databaseAnswer) bool { return answer.Database.ID != 0 })
}

func databaseCall(method, suffix string, params ...string) call {
	return call{
		method: method, route: "/projects/{project_id}/branches/{branch_id}/databases" + suffix, params: params, noun: "database",
	}
}

// databasePath is the path of a database, as its deletion has it.
func databasePath(projectID, branchID, name string) string {
	return databaseCall(http.MethodDelete, "/{database_name}", projectID, branchID, name).path()
}

func databasesCall(scope string) call {
	return databaseCall(http.MethodGet, "", strings.Split(scope, "/")...)
}
