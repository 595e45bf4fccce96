package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

const (
	previewExample = "examples/preview-environment"
	// pullRequest is the one whose preview environment the demo makes.
	pullRequest   = "pull_request=17"
	previewBranch = "preview/pr-17"

	// parentData is what the parent branch has before the pull request is opened.
	parentData = "CREATE TABLE fruit (name text, color text); INSERT INTO fruit VALUES ('apple', 'red'), ('plum', 'blue'), ('pear', 'green')"
	query      = "SELECT name || ', ' || color FROM fruit ORDER BY name"
)

// write gives the parent its data, where there is a database behind the emulator.
func (d *demo) write(ctx context.Context) error {
	parent, err := d.api.GetConnectionURI(ctx, d.projectID, client.ConnectionURIQuery{DatabaseName: "neondb", RoleName: "neondb_owner"})
	if err != nil {
		return err
	}
	_, err = d.ask(ctx, parent, parentData)
	return err
}

// openPullRequest makes the environment of a pull request while the network is bad: the
// branch must exist once, and be known to Terraform.
func (d *demo) openPullRequest(ctx context.Context) (err error) {
	if d.preview, err = d.terraform(ctx, previewExample); err != nil {
		return err
	}
	if err := d.loseAnswer(ctx, "POST /api/v2/projects/{project_id}/branches"); err != nil {
		return err
	}
	if _, err := d.preview.run(ctx, "apply", "-auto-approve", "-var", pullRequest); err != nil {
		return err
	}
	lost, err := d.faults(ctx, http.MethodGet, "")
	if err != nil {
		return err
	}
	found, err := client.All(d.api.ListBranches(ctx, d.projectID, client.BranchQuery{}))
	if err != nil {
		return err
	}
	branches := len(slices.DeleteFunc(found, func(b client.Branch) bool { return b.Name != previewBranch }))
	d.say("Neon created the branch, and the connection broke before its answer (answers lost: %d). The provider", lost)
	d.say("looked for the branch instead of creating another (branches named %s: %d).", previewBranch, branches)
	if lost != 1 || branches != 1 {
		return errors.New("each should be 1")
	}
	return nil
}

func (d *demo) closePullRequest(ctx context.Context) error {
	_, err := d.preview.run(ctx, "destroy", "-auto-approve", "-var", pullRequest)
	return err
}

// read shows what an application sees through the preview's connection string.
func (d *demo) read(ctx context.Context) error {
	uri, err := d.preview.output(ctx, "database_url")
	if err != nil {
		return err
	}
	rows, err := d.ask(ctx, strings.TrimSpace(uri), query)
	if err == nil && d.databases && len(rows) == 0 {
		return errors.New("the branch has no rows, and its parent has")
	}
	for _, row := range rows {
		d.say("  %s", row)
	}
	return err
}

// ask runs statements, and returns the rows of a query. Without PostgreSQL, there is nothing to ask.
func (d *demo) ask(ctx context.Context, uri, statements string) ([]string, error) {
	if !d.databases {
		d.say("Left out: this machine has no PostgreSQL server.")
		return nil, nil
	}
	d.say("%s;", strings.ReplaceAll(statements, "; ", ";\n"+indent))
	conn, err := sqlscript.Connect(ctx, uri)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // The rows are here.
	rows, err := conn.Query(ctx, statements, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// loseAnswer has the connection break after the next request to a route, when that has had
// its effect.
func (d *demo) loseAnswer(ctx context.Context, route string) error {
	_, err := d.faults(ctx, http.MethodPost, fmt.Sprintf(`{"route": %q, "kind": "lost_after", "count": 1}`, route))
	return err
}

// faults calls the emulator's control path, and returns how often faults have happened.
func (d *demo) faults(ctx context.Context, method, body string) (hits int, err error) {
	request, err := http.NewRequestWithContext(ctx, method, d.address+"/_emulator/faults", strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }() // It was read.
	if response.StatusCode >= http.StatusMultipleChoices {
		return 0, fmt.Errorf("%s answers with %s", request.URL, response.Status)
	}
	var found struct {
		Faults []struct {
			Hits int `json:"hits"`
		} `json:"faults"`
	}
	err = json.NewDecoder(response.Body).Decode(&found)
	for _, fault := range found.Faults {
		hits += fault.Hits
	}
	return hits, err
}
