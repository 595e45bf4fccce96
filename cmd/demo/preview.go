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
	pullRequest = "pull_request=17"
)

// parentData is what the parent branch has before the pull request is opened.
var parentData = sqlscript.Script{Path: "demo", Statements: []sqlscript.Statement{
	{Text: "CREATE TABLE IF NOT EXISTS fruit (name text, color text)", Line: 1},
	{Text: "INSERT INTO fruit VALUES ('apple', 'red'), ('plum', 'blue'), ('pear', 'green')", Line: 2},
}}

// preview makes the environment of a pull request, lets an application query the
// branch that it gets, and takes the environment away again.
func (d *demo) preview(ctx context.Context) error {
	parent, err := d.parentURI(ctx)
	if err != nil {
		return err
	}
	served := isServed(parent)
	if served {
		d.step("Write rows into the project's main branch")
		if err := parentData.Run(ctx, parent); err != nil {
			return err
		}
	}
	d.step("Open pull request 17: apply " + previewExample)
	preview, err := newTerraform(ctx, d.terraform.program, d.folder, previewExample, d.out, d.emulator.variables)
	if err != nil {
		return err
	}
	if err := preview.run(ctx, "apply", "-auto-approve", "-compact-warnings", "-var", pullRequest); err != nil {
		return err
	}
	if served {
		err = d.query(ctx, preview)
	} else {
		d.say("No PostgreSQL server was found on this machine, so there are no rows to read through the branch.")
	}
	if err != nil {
		return err
	}
	d.step("Close pull request 17: destroy")
	return preview.run(ctx, "destroy", "-auto-approve", "-compact-warnings", "-var", pullRequest)
}

// parentURI asks for the connection string of the project's default branch.
func (d *demo) parentURI(ctx context.Context) (string, error) {
	api, err := d.client()
	if err != nil {
		return "", err
	}
	return api.ConnectionURI(ctx, d.emulator.variables["NEON_PROJECT_ID"], client.ConnectionURIQuery{DatabaseName: "neondb", RoleName: "neondb_owner"})
}

// isServed tells whether there is a database behind a connection string: only then
// does the emulator's name a port.
func isServed(uri string) bool {
	parsed, err := url.Parse(uri)
	return err == nil && parsed.Port() != ""
}

// query shows what an application sees through the preview's connection string.
func (d *demo) query(ctx context.Context, preview *terraform) error {
	const statement = "SELECT name, color FROM fruit ORDER BY name"
	d.step("Query the pull request's branch through its connection string: " + statement)
	uri, err := preview.output(ctx, "database_url")
	if err != nil {
		return err
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
	seen := 0
	for rows.Next() {
		var name, color string
		if err := rows.Scan(&name, &color); err != nil {
			return err
		}
		d.say("%-8s %s", name, color)
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
