package emulator

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Bounds of what the page shows, whatever the world has.
const (
	shownProjects = 30
	shownBranches = 150
)

// ownerView is an organization with its projects, as the page shows them. What belongs to
// none has no id.
type ownerView struct {
	ID, Name, Plan string
	Projects       []shownProject
}

// shownProject is a project with its branches.
type shownProject struct {
	ID, Name, Region string
	Version          int
	// Runs is the version that runs, where it is another one; zero for none.
	Runs     int
	Branches int
	// Roots are the branches that come from no other that exists.
	Roots []*shownBranch
	// More is how many branches there are that aren't shown.
	More int
}

// shownBranch is a branch with what comes from it.
type shownBranch struct {
	ID, Name, State, Born, Expires, Size string
	Default, Protected                   bool
	Endpoints                            []shownEndpoint
	Databases                            []shownDatabase
	Children                             []*shownBranch
}

type shownEndpoint struct {
	ID, Type, State, Size string
	Disabled              bool
}

// shownDatabase is a database with the command that connects to it, but for the password.
type shownDatabase struct {
	Name, Owner string
	// Command connects, and Connection is where the control path has it with the password. Both are empty where the
	// branch has no endpoint.
	Command, Connection string
}

// shownOwners are the organizations, and what belongs to none: the newest projects, of those that are wanted.
func (e *Emulator) shownOwners(wanted string, now time.Time) (owners []ownerView, more int) {
	byOrg := map[string][]shownProject{}
	shown := 0
	for _, p := range newestFirst(e.world.Projects, func(p *project) (time.Time, string) { return p.CreatedAt, p.ID }) {
		switch {
		case !p.isWanted(wanted):
		case shown < shownProjects:
			byOrg[p.OrgID] = append(byOrg[p.OrgID], e.shownProject(p, wanted, now))
			shown++
		default:
			more++
		}
	}
	for _, org := range sorted(e.world.Orgs, func(o *organization) (time.Time, string) { return o.CreatedAt, o.ID }) {
		owners = append(owners, ownerView{org.ID, org.Name, cmp.Or(org.Plan, e.config.Plan), byOrg[org.ID]})
		delete(byOrg, org.ID)
	}
	for _, unowned := range byOrg {
		owners = append(owners, ownerView{Name: "Unclaimed", Projects: unowned})
	}
	return owners, more
}

// isWanted reports whether the project, or a branch of it, has the text in its name or id.
func (p *project) isWanted(text string) bool {
	if contains(text, p.Name, p.ID) {
		return true
	}
	for _, b := range p.Branches {
		if contains(text, b.Name, b.ID) {
			return true
		}
	}
	return false
}

// shownProject has the newest of those branches that are wanted: all where the project is. A branch whose parent
// isn't shown is a root.
func (e *Emulator) shownProject(p *project, wanted string, now time.Time) shownProject {
	v := shownProject{Runs: e.runs(p), ID: p.ID, Name: p.Name, Region: p.RegionID, Version: p.PostgresVersion, Branches: len(p.Branches)}
	all := newestFirst(p.Branches, func(b *branch) (time.Time, string) { return b.CreatedAt, b.ID })
	if !contains(wanted, p.Name, p.ID) {
		all = slices.DeleteFunc(all, func(b *branch) bool { return !contains(wanted, b.Name, b.ID) })
	}
	v.More = max(0, len(all)-shownBranches)
	all = all[:len(all)-v.More]
	endpoints := map[string][]*endpoint{}
	for _, endpoint := range p.endpointsOf("") {
		endpoints[endpoint.BranchID] = append(endpoints[endpoint.BranchID], endpoint)
	}
	shown := map[string]*shownBranch{}
	for _, b := range all {
		shown[b.ID] = e.shownBranch(p, b, endpoints[b.ID], now)
	}
	for _, b := range all {
		if parent := shown[b.ParentID]; parent != nil {
			parent.Children = append(parent.Children, shown[b.ID])
		} else {
			v.Roots = append(v.Roots, shown[b.ID])
		}
	}
	return v
}

func newestFirst[T any](all map[string]T, age func(T) (time.Time, string)) []T {
	found := sorted(all, age)
	slices.Reverse(found)
	return found
}

func (e *Emulator) shownBranch(p *project, b *branch, endpoints []*endpoint, now time.Time) *shownBranch {
	v := &shownBranch{
		ID: b.ID, Name: b.Name, State: b.States.current(now), Default: b.ID == p.DefaultBranchID, Protected: b.Protected,
		Born: "born " + moment(b.CreatedAt), Size: e.databases.Size(b.ID),
	}
	if parent := p.Branches[b.ParentID]; parent != nil {
		v.Born += " from " + parent.Name
		if !b.ParentTimestamp.IsZero() {
			v.Born += " as of " + moment(b.ParentTimestamp)
		}
	}
	if !b.ExpiresAt.IsZero() {
		v.Born += ", expires " + moment(b.ExpiresAt)
		v.Expires = "expires in " + roughly(b.ExpiresAt.Sub(now))
	}
	for _, endpoint := range endpoints {
		v.Endpoints = append(v.Endpoints, shownEndpoint{
			endpoint.ID, endpoint.Type, endpoint.States.current(now), computeSize(endpoint), endpoint.Disabled,
		})
	}
	for _, d := range b.Databases {
		v.Databases = append(v.Databases, e.shownDatabase(endpoints, d))
	}
	return v
}

func computeSize(endpoint *endpoint) string {
	if endpoint.MinCU == endpoint.MaxCU {
		return fmt.Sprintf("%g CU", endpoint.MinCU)
	}
	return fmt.Sprintf("%g–%g CU", endpoint.MinCU, endpoint.MaxCU)
}

func (e *Emulator) shownDatabase(endpoints []*endpoint, d *database) shownDatabase {
	v := shownDatabase{Name: d.Name, Owner: d.OwnerName}
	if len(endpoints) > 0 {
		endpoint := endpoints[max(0, slices.IndexFunc(endpoints, func(e *endpoint) bool { return e.Type == readWrite }))]
		v.Connection = connectionPath(endpoint.ID, d.OwnerName, d.Name)
		v.Command = psql(fmt.Sprintf("postgresql://%s:•••@%s/%s?%s", d.OwnerName, e.databases.At(endpoint.Host), d.Name, controlParameters))
	}
	return v
}

// runs is the version of PostgreSQL behind a project that asks for another one, zero otherwise.
func (e *Emulator) runs(p *project) int {
	if e.config.Postgres == nil {
		return 0
	}
	if major := e.config.Postgres.Major(p.PostgresVersion); major != p.PostgresVersion {
		return major
	}
	return 0
}

// moment is a time as the page shows it.
func moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05") }

// roughly leaves out what changes all the time.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	default:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
}

// newest returns the last of a list, the newest first.
func newest[T any](all []T, most int) []T {
	last := slices.Clone(all[max(0, len(all)-most):])
	slices.Reverse(last)
	return last
}
