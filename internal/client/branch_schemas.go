package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// SchemaMoment is a moment of a branch's history, by LSN or Timestamp; without either it is the present.
type SchemaMoment struct {
	LSN       string
	Timestamp *time.Time
}

// addTo puts the moment into a query, with a prefix before the names.
func (m SchemaMoment) addTo(query url.Values, prefix string) {
	query.Set(prefix+"lsn", m.LSN)
	if m.Timestamp != nil {
		query.Set(prefix+"timestamp", m.Timestamp.UTC().Format(time.RFC3339))
	}
}

// GetBranchSchemaSQL reads the statements that create what a database has, but for its rows.
// GET /projects/{project_id}/branches/{branch_id}/schema: https://api-docs.neon.tech/reference/getprojectbranchschema
func (c *Client) GetBranchSchemaSQL(
	ctx context.Context, branch BranchRef, database string, at SchemaMoment,
) (string, error) {
	return c.schemaText(ctx, schemaCall("schema", branch, database, at), "sql")
}

// GetBranchSchemaJSON reads the tables of a database with their columns and constraints, as one JSON object.
// GET /projects/{project_id}/branches/{branch_id}/schema: https://api-docs.neon.tech/reference/getprojectbranchschema
func (c *Client) GetBranchSchemaJSON(
	ctx context.Context, branch BranchRef, database string, at SchemaMoment,
) (json.RawMessage, error) {
	request := schemaCall("schema", branch, database, at)
	request.query.Set("format", "json")
	return receiveField[json.RawMessage](ctx, c, request, "json")
}

// SchemaComparison is a database on a branch at a moment, and what it is compared with.
type SchemaComparison struct {
	BranchID, Database string
	At                 SchemaMoment
	BaseBranchID       string
	BaseAt             SchemaMoment
}

// GetSchemaDiff returns the changes from the base's schema to the branch's in the format of diff -u, or "" if there are
// none. The base may be the same branch at another time.
// GET /projects/{project_id}/branches/{branch_id}/compare_schema: https://api-docs.neon.tech/reference/getprojectbranchschemacomparison
func (c *Client) GetSchemaDiff(ctx context.Context, projectID string, of SchemaComparison) (string, error) {
	request := schemaCall("compare_schema", BranchRef{ProjectID: projectID, ID: of.BranchID}, of.Database, of.At)
	request.query.Set("base_branch_id", of.BaseBranchID)
	of.BaseAt.addTo(request.query, "base_")
	diff, err := c.schemaText(ctx, request, "diff")
	absent, isAbsent := errors.AsType[*AbsentError](err)
	if isAbsent && absent.Noun == "database" && of.BaseBranchID != of.BranchID {
		absent.What = fmt.Sprintf("branch %s or its base %s has no database %q", of.BranchID, of.BaseBranchID, of.Database)
	}
	return diff, err
}

// schemaText returns the text that an answer has in a field, which may be empty.
func (c *Client) schemaText(ctx context.Context, request call, field string) (text string, err error) {
	answer, err := c.receiveAny(ctx, request, field)
	if err == nil {
		err = answer.decode(request, field, &text)
	}
	return text, err
}

func schemaCall(name string, branch BranchRef, database string, at SchemaMoment) call {
	request := call{
		method: http.MethodGet, route: "/projects/{project_id}/branches/{branch_id}/" + name,
		params: []string{branch.ProjectID, branch.ID},
		query:  url.Values{"db_name": {database}}, noun: "database",
	}
	at.addTo(request.query, "")
	return request
}
