package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

const (
	previewExample = "examples/preview-environment"
	// pullRequest is the one whose preview environment the demo makes.
	pullRequest   = "pull_request=17"
	previewBranch = "preview/pr-17"
)

// parentData is what the parent branch has before the pull request is opened.
var parentData = sqlscript.Script{Path: "demo", Statements: []sqlscript.Statement{
	{Text: "CREATE TABLE IF NOT EXISTS fruit (name text, color text)", Line: 1},
	{Text: "INSERT INTO fruit VALUES ('apple', 'red'), ('plum', 'blue'), ('pear', 'green')", Line: 2},
}}

// write gives the parent its data, where there is a database behind the emulator.
func (d *demo) write(ctx context.Context) error {
	parent, err := d.parentURI(ctx)
	if err != nil {
		return err
	}
	if !isServed(parent) {
		d.say("Left out: this machine has no PostgreSQL server.")
		return nil
	}
	for _, statement := range parentData.Statements {
		d.say("%s;", statement.Text)
	}
	return parentData.Run(ctx, parent)
}

// openPullRequest makes the environment of a pull request while the network is bad: the
// branch must exist once, and be known to Terraform.
func (d *demo) openPullRequest(ctx context.Context) (err error) {
	if d.preview, err = d.terraform(ctx, previewExample); err != nil {
		return err
	}
	if err := d.emulator.loseAnswer(ctx, "POST /api/v2/projects/{project_id}/branches"); err != nil {
		return err
	}
	if err := d.preview.run(ctx, "apply", "-auto-approve", "-var", pullRequest); err != nil {
		return err
	}
	lost, err := d.emulator.lostAnswers(ctx)
	if err != nil {
		return err
	}
	world, err := d.emulator.objects(ctx)
	if err != nil {
		return err
	}
	branches := world.named("branches", previewBranch)
	d.say("Neon created the branch, and the connection broke before its answer (answers lost: %d). The provider", lost)
	d.say("looked for the branch instead of creating another (branches named %s: %d).", previewBranch, branches)
	if lost != 1 || branches != 1 {
		return errors.New("each should be 1")
	}
	return nil
}

func (d *demo) closePullRequest(ctx context.Context) error {
	return d.preview.run(ctx, "destroy", "-auto-approve", "-var", pullRequest)
}

// parentURI returns the connection string of the project's default branch.
func (d *demo) parentURI(ctx context.Context) (string, error) {
	api, err := d.client()
	if err != nil {
		return "", err
	}
	return api.ConnectionURI(ctx, d.emulator.variables["NEON_PROJECT_ID"], client.ConnectionURIQuery{DatabaseName: "neondb", RoleName: "neondb_owner"})
}

// isServed reports whether there is a database behind a connection string: only then
// does the emulator's name a port.
func isServed(uri string) bool {
	parsed, err := url.Parse(uri)
	return err == nil && parsed.Port() != ""
}

// read shows what an application sees through the preview's connection string.
func (d *demo) read(ctx context.Context) error {
	const statement = "SELECT name, color FROM fruit ORDER BY name"
	uri, err := d.preview.output(ctx, "database_url")
	if err != nil {
		return err
	}
	if !isServed(uri) {
		d.say("Left out: this machine has no PostgreSQL server.")
		return nil
	}
	conn, err := sqlscript.Connect(ctx, strings.TrimSpace(uri))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // The rows are here.
	rows, err := conn.Query(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	d.say("%s;", statement)
	seen := 0
	for rows.Next() {
		var name, color string
		if err := rows.Scan(&name, &color); err != nil {
			return err
		}
		d.say("  %-8s %s", name, color)
		seen++
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	if seen == 0 {
		return errors.New("the branch has no rows, and its parent has")
	}
	return nil
}
