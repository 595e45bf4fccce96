package emulator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/seed"
)

// WorldIsNew reports whether the world isn't one that was kept from an earlier run.
func (e *Emulator) WorldIsNew() bool { return e.worldIsNew }

// SeedWorld builds in a new world what a YAML file describes: organizations, projects,
// branches and SQL. A world that was kept from an earlier run stays as it is. Nothing else
// may use the emulator meanwhile.
//
// Everything is asked for as through the API, so an error says what Neon would refuse.
func (e *Emulator) SeedWorld(ctx context.Context, file io.Reader) error {
	wanted, err := seed.Read(file)
	if err != nil || !e.worldIsNew {
		return err
	}
	duration, conflicts, limits := e.behave(time.Microsecond, ConflictsNone, LimitsOff)
	defer e.behave(duration, conflicts, limits)
	return wanted.Build(ctx, e.platformToSeed())
}

func (e *Emulator) platformToSeed() seed.Platform {
	first := e.world.First
	return seed.Platform{
		API: e.mux, Key: first.APIKey, OrgID: first.OrgID, OrgName: e.world.Orgs[first.OrgID].Name,
		ProjectID:   first.ProjectID,
		ProjectName: e.world.Projects[first.ProjectID].Name,
		SetPlan:     e.setPlan, Branch: e.branchToSeed, Address: e.addressToSeed, Now: e.now, Working: e.works,
	}
}

// setPlan gives the organization that there is a plan.
func (e *Emulator) setPlan(plan string) error {
	if err := checkPlan(plan); err != nil {
		return err
	}
	e.mu.Lock()
	e.world.Orgs[e.world.First.OrgID].Plan = plan
	version := e.changedAnywhere()
	e.mu.Unlock()
	return e.keep(version)
}

// branchToSeed finds a branch by its name, with its first role.
func (e *Emulator) branchToSeed(projectID, name string) (id, owner string) {
	b := e.world.Projects[projectID].branchNamed(name)
	if b == nil {
		return "", ""
	}
	return b.ID, b.Roles[0].Name
}

// addressToSeed is where statements for a database are run.
func (e *Emulator) addressToSeed(branchID, databaseName, roleName string) (string, error) {
	p, b := e.world.branch(branchID)
	endpoint, d := p.readWriteEndpoint(b.ID), b.database(databaseName)
	switch {
	case e.databases == nil:
		return "", errors.New("no database is served, as there is no PostgreSQL")
	case endpoint == nil:
		return "", errors.New("the branch has no read_write endpoint")
	case d == nil:
		return "", errors.New("the branch has no such database")
	}
	r := b.role(cmp.Or(roleName, d.OwnerName))
	if r == nil {
		return "", fmt.Errorf("the branch has no role %s", roleName)
	}
	// What the environment could say is said here: it is about other servers.
	return e.address(endpoint.Host, r, d, "sslmode=require&sslcertmode=disable&sslrootcert=&sslsni=1&"+
		"sslnegotiation=postgres&channel_binding=prefer&require_auth=&target_session_attrs=any&connect_timeout=0&"+
		"min_protocol_version=3.0&max_protocol_version=3.0"), nil
}

// behave changes what slows a client down, and returns how that was before.
func (e *Emulator) behave(duration time.Duration, conflicts, limits string) (time.Duration, string, string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.config
	e.config.OperationDuration, e.config.Conflicts, e.config.Limits = duration, conflicts, limits
	return before.OperationDuration, before.Conflicts, before.Limits
}

func (e *Emulator) works() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	isInTheWay := func(o *operation) bool { return o.inTheWay(now) }
	return findIn(e.world.Projects, func(p *project) bool { return find(p.busy, isInTheWay) != nil }) != nil
}
