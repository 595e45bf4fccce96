package client

import (
	"context"
	"fmt"
	"iter"
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

// DatabaseUpdate is a change of a database; nil leaves a field as it is.
type DatabaseUpdate struct {
	Name      *string `json:"name,omitempty"`
	OwnerName *string `json:"owner_name,omitempty"`
}

type databaseAnswer struct {
	Database   Database    `json:"database"`
	Operations []Operation `json:"operations"`
}

// CreateDatabase creates a database that belongs to a role of the branch. It can be
// connected to when the returned operations have finished.
func (c *Client) CreateDatabase(ctx context.Context, projectID, branchID, name, ownerName string) (*Database, []Operation, error) {
	request := databaseCall(http.MethodPost, "", projectID, branchID)
	request.subject = fmt.Sprintf("database %q on branch %s", name, branchID)
	request.body = map[string]any{"database": DatabaseUpdate{Name: &name, OwnerName: &ownerName}}
	before, err := present(c.databaseNow(ctx, projectID, branchID, name))
	if err != nil {
		return nil, nil, err
	}
	return c.writeDatabase(ctx, request, name, func(*Database) bool { return before == nil })
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
	}
	return c.writeDatabase(ctx, request, name, func(database *Database) bool {
		return database.ID == id && unsetOr(update.OwnerName, database.OwnerName)
	})
}

// writeDatabase sends a write after which a database has the name. After a lost answer,
// isDone reports whether the database that has it is what the write came to. A repeated
// renaming that doesn't find the old name any more was done late by an earlier attempt.
func (c *Client) writeDatabase(
	ctx context.Context, request call, name string, isDone func(*Database) bool,
) (*Database, []Operation, error) {
	projectID, branchID := request.params[0], request.params[1]
	look := func() (*databaseAnswer, error) {
		database, err := present(c.databaseNow(ctx, projectID, branchID, name))
		if database == nil || !isDone(database) {
			return nil, err
		}
		operations, err := c.branchOperations(ctx, projectID, branchID)
		return &databaseAnswer{*database, operations}, err
	}
	answer, _, err := writeOnce(ctx, c, oneLook, func() (*databaseAnswer, error) {
		answer, err := c.databaseCall(ctx, request)
		if IsAbsent(err) {
			if done, lookErr := look(); done != nil {
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

// Database reads one database. A database is found by its id, whatever its name is now;
// where none has the id, as after a restore of the branch, or where id is 0, by its name.
// IsAbsent is true for the error about one that doesn't exist. Reads that come close
// together share one list.
func (c *Client) Database(ctx context.Context, projectID, branchID, name string, id int64) (*Database, error) {
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
	return c.databaseNow(ctx, projectID, branchID, name)
}

// databaseNow reads a database by its name, by a request of its own.
func (c *Client) databaseNow(ctx context.Context, projectID, branchID, name string) (*Database, error) {
	request := databaseCall(http.MethodGet, "/{database_name}", projectID, branchID, name)
	answer, err := c.databaseCall(ctx, request)
	if provesNothing(err) {
		databases, listErr := c.Databases(ctx, projectID, branchID)
		return findInList(request, err, databases, listErr, func(database Database) bool { return database.Name == name })
	}
	if err != nil {
		return nil, err
	}
	return &answer.Database, nil
}

// Databases lists the databases of a branch, which Neon sends in one answer.
func (c *Client) Databases(ctx context.Context, projectID, branchID string) ([]Database, error) {
	return allOf(c.EachDatabase(ctx, projectID, branchID))
}

// EachDatabase is Databases, but that a database that can't be decoded comes with an error
// of its own.
func (c *Client) EachDatabase(ctx context.Context, projectID, branchID string) iter.Seq2[Database, error] {
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
	return c.delete(ctx, request,
		func() error { _, err := c.databaseNow(ctx, projectID, branchID, name); return err },
		func() ([]Operation, error) { return c.branchOperations(ctx, projectID, branchID) })
}

func (c *Client) databaseCall(ctx context.Context, request call) (*databaseAnswer, error) {
	return receive(ctx, c, request, "database.id", func(answer *databaseAnswer) bool { return answer.Database.ID != 0 })
}

func databaseCall(method, suffix string, params ...string) call {
	return call{
		method: method, route: "/projects/{project_id}/branches/{branch_id}/databases" + suffix, params: params, noun: "database",
	}
}

func databasesCall(scope string) call {
	return databaseCall(http.MethodGet, "", strings.Split(scope, "/")...)
}
