package emulator

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// shownObjects are lists of what exists, by what it is.
type shownObjects map[string][]any

func (all shownObjects) add(kind string, object map[string]any) {
	all[kind] = append(all[kind], object)
}

// showObjects lists all that exists.
func (e *Emulator) showObjects(c *call) (reply, error) {
	all := shownObjects{
		"projects": {}, "branches": {}, "endpoints": {}, "roles": {}, "databases": {}, "permissions": {}, "jwks": {}, "snapshots": {}, "data_apis": {},
		"auths": {}, "auth_oauth_providers": {}, "auth_trusted_domains": {},
		"service_credentials": {}, "buckets": {}, "bucket_objects": {}, "functions": {}, "triggers": {}, "custom_domains": {},
		"backup_schedules": {}, "vpc_endpoints": {}, "vpc_restrictions": {}, "spending_limits": {},
		"members": {}, "member_roles": {}, "invitations": {},
		"api_keys": {}, "claimable_databases": {},
	}
	for _, p := range sorted(e.world.Projects, func(p *project) (time.Time, string) { return p.CreatedAt, p.ID }) {
		all.addProject(p, c.now)
		e.addMemberRoles(all, p)
	}
	for _, org := range sorted(e.world.Orgs, func(o *organization) (time.Time, string) { return o.CreatedAt, o.ID }) {
		all.addOrganization(org)
		e.addMembers(all, org)
	}
	for _, key := range sorted(e.world.Keys, func(k *apiKey) (time.Time, string) { return k.CreatedAt, fmt.Sprint(k.ID) }) {
		all.add("api_keys", map[string]any{
			"id": key.ID, "name": key.Name, "kind": key.Kind, "org_id": key.OrgID, "project_id": key.ProjectID,
			"created_by": key.UserID, "created_at": wire.Seconds(key.CreatedAt), "last_used_at": key.lastUsed(),
		})
	}
	for _, d := range sorted(e.world.Claimables, func(d *claimable) (time.Time, string) { return d.CreatedAt, d.ID }) {
		all.add("claimable_databases", map[string]any{
			"id": d.ID, "status": d.Status, "ref": d.Referrer, "neon_project_id": d.ProjectID,
			"created_at": wire.Milliseconds(d.CreatedAt), "expires_at": wire.Milliseconds(d.ExpiresAt),
		})
	}
	for _, r := range sorted(e.world.Registrations, func(r *registration) (time.Time, string) { return r.CreatedAt, r.ID }) {
		if !r.Revoked && (r.isFrozen(c.now) || c.now.Before(r.ExpiresAt)) {
			all.add("claimable_databases", map[string]any{
				"claim_links": r.Links, "id": r.ID, "status": r.status(c.now), "ref": r.Source, "neon_project_id": r.ProjectID,
				"created_at": wire.Milliseconds(r.CreatedAt), "expires_at": wire.Milliseconds(r.ExpiresAt),
			})
		}
	}
	return ok(all)
}

// addOrganization lists what an organization has besides projects and keys.
func (all shownObjects) addOrganization(org *organization) {
	for _, v := range org.vpcEndpoints("") {
		all.add("vpc_endpoints", map[string]any{"id": v.ID, "name": v.Label, "org_id": org.ID, "region_id": v.RegionID})
	}
	if org.SpendingLimit > 0 {
		all.add("spending_limits", map[string]any{"id": org.ID, "org_id": org.ID, "spending_limit_cents": org.SpendingLimit})
	}
}

// addMembers lists who is in an organization, and who was invited.
func (e *Emulator) addMembers(all shownObjects, org *organization) {
	for _, m := range sorted(org.Members, func(m *member) (time.Time, string) { return m.JoinedAt, m.ID }) {
		all.add("members", map[string]any{
			"id": m.ID, "org_id": org.ID, "user_id": m.UserID, "email": e.world.Users[m.UserID].Email, "role": m.Role,
		})
	}
	for _, i := range org.Invitations {
		all.add("invitations", map[string]any{"id": i.ID, "org_id": org.ID, "email": i.Email, "role": i.Role})
	}
}

// addMemberRoles lists the roles that members have in a project in place of the organization's.
func (e *Emulator) addMemberRoles(all shownObjects, p *project) {
	org := e.world.Orgs[p.OrgID]
	if org == nil {
		return
	}
	for _, m := range sorted(org.Members, func(m *member) (time.Time, string) { return m.JoinedAt, m.ID }) {
		if role := p.Roles[m.ID]; role != "" {
			all.add("member_roles", map[string]any{
				"project_id": p.ID, "member_id": m.ID, "email": e.world.Users[m.UserID].Email, "role": role,
			})
		}
	}
}

// addProject lists a project and all of it.
func (all shownObjects) addProject(p *project, now time.Time) {
	all.add("projects", map[string]any{"id": p.ID, "name": p.Name, "org_id": p.OrgID, "created_at": wire.Seconds(p.CreatedAt)})
	for _, b := range sorted(p.Branches, func(b *branch) (time.Time, string) { return b.CreatedAt, b.ID }) {
		all.add("branches", map[string]any{
			"anonymization": b.Masking.state(p, b, now), "masked_columns": b.Masking.columns(), "id": b.ID, "name": b.Name, "project_id": p.ID, "parent_id": b.ParentID, "annotation": b.annotationView().Value,
			"created_at": wire.Seconds(b.CreatedAt), "expires_at": wire.OptionalSeconds(b.ExpiresAt), "protected": b.Protected,
			"current_state": b.States.current(now), "working": p.worksOn(b.ID, now),
		})
		for _, r := range b.Roles {
			all.add("roles", map[string]any{"name": r.Name, "project_id": p.ID, "branch_id": b.ID, "no_login": r.NoLogin})
		}
		if len(b.Schedule) > 0 {
			all.add("backup_schedules", map[string]any{"project_id": p.ID, "branch_id": b.ID, "schedule": b.Schedule})
		}
		auths, providers, domains := b.authViews(p.ID)
		all["auths"], all["auth_oauth_providers"] = append(all["auths"], auths...), append(all["auth_oauth_providers"], providers...)
		all["auth_trusted_domains"] = append(all["auth_trusted_domains"], domains...)
		all["service_credentials"] = append(all["service_credentials"], b.credentialViews(p.ID)...)
		buckets, objects := b.bucketViews(p.ID)
		all["buckets"], all["bucket_objects"] = append(all["buckets"], buckets...), append(all["bucket_objects"], objects...)
		functions, triggers, custom := b.functionViews(p.ID)
		all["functions"], all["triggers"] = append(all["functions"], functions...), append(all["triggers"], triggers...)
		all["custom_domains"] = append(all["custom_domains"], custom...)
		all["data_apis"] = append(all["data_apis"], b.dataAPIViews(p.ID)...)
		for _, d := range b.Databases {
			all.add("databases", map[string]any{
				"id": d.ID, "name": d.Name, "owner_name": d.OwnerName, "project_id": p.ID, "branch_id": b.ID,
			})
		}
	}
	for _, endpoint := range p.endpointsOf("") {
		all.add("endpoints", map[string]any{
			"id": endpoint.ID, "name": endpoint.Name, "project_id": p.ID, "branch_id": endpoint.BranchID,
			"type": endpoint.Type, "created_at": wire.Seconds(endpoint.CreatedAt), "current_state": endpoint.States.current(now),
			"suspend_timeout_seconds": endpoint.SuspendTimeout,
		})
	}
	for _, s := range p.Snapshots {
		all.add("snapshots", map[string]any{"id": s.Content.ID, "name": s.Name, "project_id": p.ID, "branch_id": s.SourceID, "expires_at": wire.OptionalSeconds(s.ExpiresAt)})
	}
	for _, r := range p.VPCRestrictions {
		all.add("vpc_restrictions", map[string]any{"id": r.ID, "name": r.Label, "project_id": p.ID})
	}
	for _, granted := range p.Permissions {
		if granted.RevokedAt.IsZero() {
			all.add("permissions", map[string]any{"id": granted.ID, "project_id": p.ID, "email": granted.Email})
		}
	}
	for _, k := range p.JWKS {
		all.add("jwks", map[string]any{"id": k.ID, "project_id": p.ID, "branch_id": k.BranchID, "name": k.Provider, "jwks_url": k.URL})
	}
}

// worksOn reports whether an operation on the branch has not ended. One that has failed on a compute that
// is gone may be tried again, and matters to nobody.
func (p *project) worksOn(branchID string, now time.Time) bool {
	return slices.ContainsFunc(p.busy, func(o *operation) bool {
		at, _ := o.settled()
		isOfNone := o.EndpointID != "" && p.Endpoints[o.EndpointID] == nil && o.status(now) == failed
		return o.BranchID == branchID && now.Before(at) && !isOfNone
	})
}

// Bounds of what the control path makes at once.
const (
	mostProjects  = 20_000
	mostBranches  = 100_000
	mostEndpoints = 100
	// mostAtOnce are branches and endpoints together, some 250 MB of memory.
	mostAtOnce = 500_000
)

type sizedProjects struct {
	Name               string `json:"name" says:"the name; several are numbered"`
	Count              int    `json:"count" says:"how many projects; 1 by default"`
	Branches           int    `json:"branches" says:"how many branches each has beside its default one"`
	EndpointsPerBranch int    `json:"endpoints_per_branch" says:"how many endpoints each of these branches has, the first read-write"`
}

// check refuses sizes that would take too long or too much memory.
func (s sizedProjects) check() error {
	switch {
	case s.Count < 1 || s.Count > mostProjects:
		return wire.BadRequest("count is %d; it must be from 1 to %d", s.Count, mostProjects)
	case s.Branches < 0 || s.Branches > mostBranches:
		return wire.BadRequest("branches is %d; it must be from 0 to %d", s.Branches, mostBranches)
	case s.EndpointsPerBranch < 0 || s.EndpointsPerBranch > mostEndpoints:
		return wire.BadRequest("endpoints_per_branch is %d; it must be from 0 to %d", s.EndpointsPerBranch, mostEndpoints)
	}
	if all := s.Count * (1 + s.Branches) * (1 + s.EndpointsPerBranch); all > mostAtOnce {
		return wire.BadRequest("these are %d branches and endpoints; one request creates at most %d", all, mostAtOnce)
	}
	return nil
}

// addSizedProjects creates projects of a size, each with its default branch besides the
// branches that the body asks for. No operation is left to wait for.
func (e *Emulator) addSizedProjects(c *call) (reply, error) {
	body := sizedProjects{Count: 1}
	if err := control.Decode(c.body, &body); err != nil {
		return reply{}, err
	}
	if err := body.check(); err != nil {
		return reply{}, err
	}
	projectIDs, branchIDs, endpointIDs := []string{}, []string{}, []string{}
	var first *project
	for i := range body.Count {
		name := body.Name
		if body.Count > 1 {
			name = fmt.Sprintf("%s-%d", cmp.Or(body.Name, "project"), i+1)
		}
		p, branches, endpoints := e.addSizedProject(name, body, c.now)
		first = cmp.Or(first, p)
		projectIDs = append(projectIDs, p.ID)
		branchIDs, endpointIDs = append(branchIDs, branches...), append(endpointIDs, endpoints...)
	}
	return created(map[string]any{
		"project": e.projectView(first), "default_branch_id": first.DefaultBranchID,
		"project_ids": projectIDs, "branch_ids": branchIDs, "endpoint_ids": endpointIDs,
	})
}

// addSizedProject creates one of them, and returns it with the ids of the branches that it has
// besides the default one, and of their endpoints.
func (e *Emulator) addSizedProject(name string, size sizedProjects, now time.Time) (p *project, branchIDs, endpointIDs []string) {
	p = e.addProject(projectSpec{Name: name, OrgID: e.world.First.OrgID, RegionID: firstRegion}, now)
	root := p.Branches[p.DefaultBranchID]
	e.addReadyEndpoint(p, root, readWrite, now)
	for i := range size.Branches {
		b := newBranch(p, fmt.Sprintf("branch-%d", i+1), now.Add(time.Duration(i)*time.Microsecond))
		e.inherit(b, root)
		b.ParentLSN, b.States = fakeLSN(now), states{{At: now, State: "ready"}}
		branchIDs = append(branchIDs, b.ID)
		kind := readWrite
		for range size.EndpointsPerBranch {
			endpointIDs = append(endpointIDs, e.addReadyEndpoint(p, b, kind, now).ID)
			kind = readOnly
		}
	}
	return p, branchIDs, endpointIDs
}

func (e *Emulator) addReadyEndpoint(p *project, b *branch, kind string, now time.Time) *endpoint {
	made := e.addEndpoint(p, b, endpointSpec{Type: kind}, now)
	made.States = states{{At: now, State: "active"}}
	return made
}

type historySpec struct {
	ProjectID string `json:"project_id" says:"the project"`
	Count     int    `json:"count" says:"how many operations"`
}

// addHistory adds finished operations to the history of a project.
func (e *Emulator) addHistory(c *call) (reply, error) {
	var body historySpec
	if err := control.Decode(c.body, &body); err != nil {
		return reply{}, err
	}
	p := e.world.Projects[body.ProjectID]
	switch {
	case p == nil:
		return reply{}, errNoProject(body.ProjectID)
	case body.Count < 1 || body.Count > mostOperations:
		return reply{}, wire.BadRequest("count is %d; it must be from 1 to %d", body.Count, mostOperations)
	}
	oldest := c.now
	if len(p.Operations) > 0 {
		oldest = p.Operations[0].CreatedAt
	}
	// All of them are recent enough to be kept.
	step := min(time.Minute, retention/2/time.Duration(body.Count)).Truncate(time.Microsecond)
	history := make([]*operation, body.Count)
	for i := range history {
		at := oldest.Add(-time.Duration(body.Count-i) * step).Truncate(time.Microsecond)
		history[i] = &operation{
			ID: wire.NewUUID(), ProjectID: p.ID, BranchID: p.DefaultBranchID, Action: "check_availability",
			CreatedAt: at, RunsAt: at, EndsAt: at.Add(time.Second), End: finished,
		}
	}
	p.Operations = slices.Concat(history, p.Operations)
	return created(map[string]int{"count": body.Count})
}

type lockSpec struct {
	ProjectID string `json:"project_id" says:"the project"`
	BranchID  string `json:"branch_id,omitempty" says:"the branch; the whole project by default"`
	Duration  string `json:"duration" says:"how long, a duration such as 2s"`
}

// addLock starts work that the platform does of itself, such as maintenance or a
// check of availability, and that is in the way of all other.
func (e *Emulator) addLock(c *call) (reply, error) {
	var body lockSpec
	if err := control.Decode(c.body, &body); err != nil {
		return reply{}, err
	}
	p := e.world.Projects[body.ProjectID]
	if p == nil {
		return reply{}, errNoProject(body.ProjectID)
	}
	duration, err := time.ParseDuration(body.Duration)
	if err != nil || duration <= 0 {
		return reply{}, wire.BadRequest("duration is %q; it must be a duration such as 2s", body.Duration)
	}
	if body.BranchID != "" && p.Branches[body.BranchID] == nil {
		return reply{}, wire.NotFound("there is no branch %q in project %s", body.BranchID, p.ID)
	}
	o := &operation{
		ID: wire.NewUUID(), ProjectID: p.ID, BranchID: body.BranchID, Action: "check_availability", CreatedAt: p.nextOperationTime(c.now),
		RunsAt: c.now, EndsAt: c.now.Add(duration), End: finished,
	}
	p.Operations, p.busy = append(p.Operations, o), append(p.busy, o)
	return created(map[string]any{"operation": o.view(c.now)})
}

type parentSpec struct {
	BranchID string `json:"branch_id" says:"the branch"`
	ParentID string `json:"parent_id" says:"its new parent, a branch of the same project that doesn't come from it"`
}

// setParent moves a branch to another parent, as a restore of its parent does to
// all children of it.
func (e *Emulator) setParent(c *call) (reply, error) {
	var body parentSpec
	if err := control.Decode(c.body, &body); err != nil {
		return reply{}, err
	}
	for _, p := range e.world.Projects {
		b, parent := p.Branches[body.BranchID], p.Branches[body.ParentID]
		if b == nil || parent == nil || p.descends(parent, b) {
			continue
		}
		b.ParentID, b.ParentLSN, b.ParentTimestamp, b.UpdatedAt = parent.ID, fakeLSN(c.now), time.Time{}, c.now
		return ok(map[string]any{"branch": p.branchView(b, c.now, e)})
	}
	return reply{}, wire.BadRequest("branch_id and parent_id must name two branches of a project, the second no descendant of the first")
}

// descends reports whether a branch is another one or comes from it.
func (p *project) descends(b, from *branch) bool {
	for ; b != nil; b = p.Branches[b.ParentID] {
		if b == from {
			return true
		}
	}
	return false
}

func errNoProject(id string) error {
	return wire.NotFound("there is no project %q; GET /_emulator/objects lists those that there are", id)
}
