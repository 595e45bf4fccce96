package emulator

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pmezard/go-difflib/difflib"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var branchSchemaRoutes = []route{
	{"GET " + branchPath + "/schema", forProject, (*Emulator).getSchema},
	{"GET " + branchPath + "/compare_schema", forProject, (*Emulator).compareSchema},
}

// What a database without tables has, where there are no real databases.
const (
	emptySchemaSQL  = "--\n-- PostgreSQL database dump\n--\n"
	emptySchemaJSON = `{"tables":[]}`
)

// schemaReader reads the schema of a database, which takes PostgreSQL its time: it is called
// once the call has let others use the world.
type schemaReader func(ctx context.Context, asJSON bool) (string, error)

// schemaReader finds the database that the query names on a branch, at the moment that these parameters of it say.
func (e *Emulator) schemaReader(c *call, b *branch, lsn, timestamp string) (schemaReader, error) {
	d := b.database(c.requireQuery("db_name"))
	position, at := c.queryMatching(lsn, wire.LSNPattern), c.queryTime(timestamp)
	err := c.project.checkMoment(strings.TrimSuffix(lsn, "lsn"), position, &at, c.now)
	if err == nil && d == nil {
		err = wire.NotFound("database not found")
	}
	if err := cmp.Or(err, b.checkReady(c.now), e.checkPast(b, position, &at)); err != nil {
		return nil, err
	}
	wanted := e.wanted(c.project, b, d.Name)
	return func(ctx context.Context, asJSON bool) (string, error) { return e.readSchema(ctx, b.ID, wanted, asJSON) }, nil
}

func (e *Emulator) readSchema(ctx context.Context, branchID string, wanted data.Wanted, asJSON bool) (string, error) {
	switch {
	case e.databases == nil && asJSON:
		return emptySchemaJSON, nil
	case e.databases == nil:
		return emptySchemaSQL, nil
	}
	place, err := e.databases.Place(ctx, branchID, wanted)
	if err != nil {
		return "", err
	}
	defer place.Release()
	if asJSON {
		return place.Cluster.SchemaJSON(ctx, place.Database)
	}
	return place.Cluster.SchemaSQL(ctx, place.Database)
}

func (e *Emulator) getSchema(c *call) (reply, error) {
	format := c.queryOneOf("format", "sql", "sql", "json")
	read, err := e.schemaReader(c, c.branch, "lsn", "timestamp")
	if err != nil {
		return reply{}, err
	}
	c.finish = func(ctx context.Context) (any, error) {
		text, err := read(ctx, format == "json")
		if format == "json" {
			return map[string]any{"json": json.RawMessage(text)}, err
		}
		return map[string]any{"sql": text}, err
	}
	return ok(nil)
}

// compareSchema answers what must be done to the base to come to the branch.
func (e *Emulator) compareSchema(c *call) (reply, error) {
	b := c.branch
	base := b
	if baseID := cmp.Or(c.queryMatching("base_branch_id", wire.IDPattern), b.ParentID); baseID != "" {
		base = c.project.Branches[baseID]
	}
	if base == nil {
		return reply{}, wire.NotFound("base branch not found")
	}
	before, baseErr := e.schemaReader(c, base, "base_lsn", "base_timestamp")
	after, err := e.schemaReader(c, b, "lsn", "timestamp")
	if err := cmp.Or(baseErr, err); err != nil {
		return reply{}, err
	}
	name := c.query("db_name")
	c.finish = func(ctx context.Context) (any, error) {
		old, err := before(ctx, false)
		if err != nil {
			return nil, err
		}
		now, err := after(ctx, false)
		if err != nil {
			return nil, err
		}
		diff, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
			A: slices.Collect(strings.Lines(old)), B: slices.Collect(strings.Lines(now)), FromFile: "a/" + name,
			ToFile: "b/" + name, Context: 3,
		})
		return map[string]any{"diff": diff}, err
	}
	return ok(nil)
}
