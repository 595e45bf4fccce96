package emulator

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var databaseRoutes = []route{
	{"GET " + branchPath + "/databases", forProject,
		tells("databases", func(_ *Emulator, c *call) []object { return c.branch.databaseViews() })},
	{"POST " + branchPath + "/databases", forProject,
		withBody((*Emulator).createDatabase, "database.name", "database.owner_name")},
	{"GET " + branchPath + "/databases/{database_name}", forProject,
		tellsOf((*Emulator).databaseOfPath, "database",
			func(_ *Emulator, c *call, d *database) object { return d.view(c.branch) })},
	{"PATCH " + branchPath + "/databases/{database_name}", forProject,
		aboutWithBody((*Emulator).databaseOfPath, (*Emulator).updateDatabase)},
	{"DELETE " + branchPath + "/databases/{database_name}", forProject,
		unlessGone((*Emulator).databaseOfPath, whenFree((*Emulator).deleteDatabase))},
}

func (e *Emulator) addDatabase(b *branch, name, owner string, now time.Time) *database {
	e.world.LastDatabaseID++
	d := &database{ID: e.world.LastDatabaseID, Name: name, OwnerName: owner, CreatedAt: now, UpdatedAt: now}
	b.Databases = append(b.Databases, d)
	return d
}

func (d *database) view(b *branch) object {
	return object{
		"id": d.ID, "branch_id": b.ID, "name": d.Name, "owner_name": d.OwnerName, "created_at": wire.Seconds(d.CreatedAt),
		"updated_at": wire.Seconds(d.UpdatedAt),
	}
}

func (b *branch) databaseViews() []object {
	return viewsOf(b.Databases, func(d *database) object { return d.view(b) })
}

type databaseBody struct {
	Database struct {
		Name      string `json:"name" fits:"1.."`
		OwnerName string `json:"owner_name" fits:"1.."`
	} `json:"database" fits:"required"`
}

// check refuses names that can't be a database's on the branch. It is for a new
// one, or for a change of the one given.
func (body databaseBody) check(e *Emulator, b *branch, changed *database) error {
	name, owner := body.Database.Name, body.Database.OwnerName
	if err := e.checkDatabaseName(name); err != nil {
		return err
	}
	if owner != "" && b.role(owner) == nil {
		return errNoRole(b, owner)
	}
	if other := b.database(name); other != nil && other != changed {
		return wire.Conflict("database already exists")
	}
	return nil
}

func (e *Emulator) checkDatabaseName(name string) error {
	if slices.Contains([]string{"postgres", "template0", "template1"}, name) {
		return e.doubtful(doubts.DatabaseNames, wire.BadRequest("database name is reserved; database_name:%q", name))
	}
	return checkName("database", name)
}

func (e *Emulator) createDatabase(c *call, body databaseBody) (reply, error) {
	b := c.branch
	if err := cmp.Or(body.check(e, b, nil),
		e.planOfProject(c.project).checkAnother("databases", len(b.Databases), mostOnBranch), e.isFree(c)); err != nil {
		return reply{}, err
	}
	operations := e.applyConfig(c)
	d := e.addDatabase(b, body.Database.Name, body.Database.OwnerName, c.now)
	e.configures(c, operations, postgres.Change{})
	return created(map[string]any{"database": d.view(b), "operations": operationViews(operations, c.now)})
}

func (e *Emulator) databaseOfPath(c *call) (*database, error) {
	return named(c, c.branch.Databases, "database_name", func(d *database) string { return d.Name }, "database not found")
}

func (e *Emulator) updateDatabase(c *call, d *database, body databaseBody) (reply, error) {
	b := c.branch
	if err := cmp.Or(body.check(e, b, d), e.isFree(c)); err != nil {
		return reply{}, err
	}
	operations := e.applyConfig(c)
	var change postgres.Change
	if name := body.Database.Name; name != "" && name != d.Name {
		change.Renamed = map[string]string{d.Name: name}
	}
	d.Name, d.OwnerName, d.UpdatedAt = cmp.Or(body.Database.Name, d.Name),
		cmp.Or(body.Database.OwnerName, d.OwnerName), c.now
	e.configures(c, operations, change)
	if e.plays(doubts.PatchDatabase, "untold") {
		operations = nil
	}
	return ok(map[string]any{"database": d.view(b), "operations": operationViews(operations, c.now)})
}

func (e *Emulator) deleteDatabase(c *call, d *database) (reply, error) {
	b := c.branch
	operations := e.applyConfig(c)
	b.Databases = without(b.Databases, d)
	e.configures(c, operations, postgres.Change{Dropped: []string{d.Name}})
	return ok(map[string]any{"database": d.view(b), "operations": operationViews(operations, c.now)})
}

var shownDatabases = shown{list: "databases", ofBranch: func(b *branch) []object {
	return objectsOf(b.Databases, func(d *database) object {
		return object{"id": d.ID, "name": d.Name, "owner_name": d.OwnerName}
	})
}}
