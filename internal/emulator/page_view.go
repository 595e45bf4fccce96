package emulator

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
)

// addPage serves the page that shows the world to this machine, and what keeps it up to date.
func (e *Emulator) addPage() {
	for pattern, handle := range page.Handlers(e.pageView, e.pagesOver) {
		e.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := e.checkPeer(r); err != nil {
				control.SendError(w, err)
				return
			}
			control.Hide(w)
			handle(w, r)
		})
	}
}

func (e *Emulator) pageView(r *http.Request) page.View {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	e.expire(now)
	view := page.View{
		Now: now, Advanced: e.world.Advanced, Work: e.pageWork(now), Faults: e.faults.List(), FaultRoutes: faultRoutes(),
		Requests: e.journal.Newest(), BaseURL: cmp.Or(e.baseURL, "http://"+r.Host),
		Wanted: strings.TrimSpace(r.FormValue("find")),
	}
	if e.databases != nil {
		view.Databases = e.databases.Port()
	}
	view.Owners, view.MoreProjects = e.shownOwners(view.Wanted, now)
	return view
}

// pageWork is what the projects worked on.
func (e *Emulator) pageWork(now time.Time) (all []page.Work) {
	for _, p := range e.world.sortedProjects() {
		operations := p.retained(now)
		if len(all) == page.MostProjects || len(operations) == 0 {
			continue
		}
		operations = operations[max(0, len(operations)-page.MostOperations):]
		work := page.Work{ProjectID: p.ID, Name: p.Name}
		for i, o := range operations {
			work.Operations = append(work.Operations, p.pageOperation(o, operations[:i], now))
		}
		all = append(all, work)
	}
	return all
}

func (p *project) pageOperation(o *operation, before []*operation, now time.Time) page.Operation {
	ended, _ := o.settled()
	shown := page.Operation{
		ID: o.ID, Action: o.Action, Target: p.target(o), Status: o.status(now), IsScheduled: o.status(now) == scheduling,
		CreatedAt: o.CreatedAt, RunsAt: o.RunsAt, EndsAt: ended, WaitsFor: o.waitedFor(before),
	}
	if !now.Before(o.EndsAt) {
		shown.Error = o.Error
	}
	return shown
}

// target names what an operation concerns.
func (p *project) target(o *operation) string {
	name := o.BranchID
	if b := p.Branches[o.BranchID]; b != nil {
		name = b.Name
	}
	if name == "" {
		return ""
	}
	if o.EndpointID != "" {
		name += ", " + o.EndpointID
	}
	return " of " + name
}

// waitedFor are the actions of the operations that one had to wait for.
func (o *operation) waitedFor(before []*operation) (names []string) {
	for _, earlier := range before {
		if ended, _ := earlier.settled(); o.waitsFor(earlier) && ended.After(o.CreatedAt) &&
			!slices.Contains(names, earlier.Action) {
			names = append(names, earlier.Action)
		}
	}
	return names
}

// shownOwners are the organizations, and what belongs to none: the newest projects, of those that are wanted.
func (e *Emulator) shownOwners(wanted string, now time.Time) (owners []page.Owner, more int) {
	byOrg := map[string][]page.Project{}
	shown := 0
	for _, p := range slices.Backward(e.world.sortedProjects()) {
		switch {
		case !p.isWanted(wanted):
		case shown < page.MostProjects:
			byOrg[p.OrgID] = append(byOrg[p.OrgID], e.shownProject(p, wanted, now))
			shown++
		default:
			more++
		}
	}
	for _, org := range e.world.sortedOrgs() {
		owners = append(owners, page.Owner{ID: org.ID, Name: org.Name, Plan: cmp.Or(org.Plan, e.config.Plan),
			Projects: byOrg[org.ID]})
		delete(byOrg, org.ID)
	}
	for _, unowned := range byOrg {
		owners = append(owners, page.Owner{Name: "Unclaimed", Projects: unowned})
	}
	return owners, more
}

// isWanted reports whether the project, or a branch of it, has the text in its name or id.
func (p *project) isWanted(text string) bool {
	return contains(text, p.Name, p.ID) ||
		findIn(p.Branches, func(b *branch) bool { return contains(text, b.Name, b.ID) }) != nil
}

// shownProject has the newest of those branches that are wanted: all where the project is. A branch whose parent
// isn't shown is a root.
func (e *Emulator) shownProject(p *project, wanted string, now time.Time) page.Project {
	view := page.Project{Runs: e.runs(p), ID: p.ID, Name: p.Name, Region: p.RegionID, Version: p.PostgresVersion,
		Branches: len(p.Branches)}
	all := p.sortedBranches()
	slices.Reverse(all) // The newest first.
	if !contains(wanted, p.Name, p.ID) {
		all = slices.DeleteFunc(all, func(b *branch) bool { return !contains(wanted, b.Name, b.ID) })
	}
	view.More = max(0, len(all)-page.MostBranches)
	all = all[:len(all)-view.More]
	endpoints := map[string][]*endpoint{}
	for _, endpoint := range p.endpointsOf("") {
		endpoints[endpoint.BranchID] = append(endpoints[endpoint.BranchID], endpoint)
	}
	shown := map[string]*page.Branch{}
	for _, b := range all {
		shown[b.ID] = e.shownBranch(p, b, endpoints[b.ID], now)
	}
	for _, b := range all {
		if parent := shown[b.ParentID]; parent != nil {
			parent.Children = append(parent.Children, shown[b.ID])
		} else {
			view.Roots = append(view.Roots, shown[b.ID])
		}
	}
	return view
}

// shownSize is that of a branch's data, empty where no databases are served.
func (e *Emulator) shownSize(b *branch) string {
	size := e.databases.Size(b.ID)
	switch {
	case e.databases == nil:
		return ""
	case size == 0:
		return "no data"
	}
	return fmt.Sprintf("%.0f MB", float64(size)/1e6)
}

func (e *Emulator) shownBranch(p *project, b *branch, endpoints []*endpoint, now time.Time) *page.Branch {
	view := &page.Branch{
		ID: b.ID, Name: b.Name, State: b.States.current(now), Default: b.ID == p.DefaultBranchID, Protected: b.Protected,
		CreatedAt: b.CreatedAt, ExpiresAt: b.ExpiresAt, Left: b.ExpiresAt.Sub(now), Size: e.shownSize(b),
	}
	if parent := p.Branches[b.ParentID]; parent != nil {
		view.Parent, view.ParentAt = parent.Name, b.ParentTimestamp
	}
	view.Endpoints = viewsOf(endpoints, func(e *endpoint) page.Endpoint {
		return page.Endpoint{ID: e.ID, Type: e.Type, State: e.States.current(now), MinCU: e.MinCU, MaxCU: e.MaxCU,
			Disabled: e.Disabled}
	})
	view.Databases = viewsOf(b.Databases, func(d *database) page.Database { return e.shownDatabase(endpoints, d) })
	for _, kind := range shownKinds {
		if kind.items != nil {
			view.Belong(kind.heading, kind.items(p, b, now)...)
		}
	}
	return view
}

func (e *Emulator) shownDatabase(endpoints []*endpoint, d *database) page.Database {
	view := page.Database{Name: d.Name, Owner: d.OwnerName}
	if len(endpoints) > 0 && e.databases != nil {
		endpoint := endpoints[max(0, slices.IndexFunc(endpoints, func(e *endpoint) bool { return e.Type == readWrite }))]
		view.Connection = connectionPath(endpoint.ID, d.OwnerName, d.Name)
		view.Command = psql(fmt.Sprintf("postgresql://%s:•••@%s/%s?%s", url.PathEscape(d.OwnerName),
			e.databases.At(endpoint.Host), url.PathEscape(d.Name), controlParameters))
	}
	return view
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
