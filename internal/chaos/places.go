package chaos

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
)

// place is where a cycle has a setting of its own: a setting has no name, and there is one of it
// on a branch, on a member or in an organization.
type place struct {
	projectID, branchID, orgID, memberID string
}

// makePlace makes one for a resource of a name. Its member is addressed by that name.
func (p *platform) makePlace(ctx context.Context, resource, name string) (at place, err error) {
	var made struct {
		ProjectIDs []string `json:"project_ids"`
		OrgID      string   `json:"org_id"`
		UserID     string   `json:"user_id"`
	}
	add := func(what string, asked any) error {
		return p.call(ctx, http.MethodPost, "/_emulator/"+what, asked, &made)
	}
	switch resource {
	case role, database, endpoint, snapshot, jwksURL, branch, bucket, bucketObject, function, trigger:
		if err = add("projects", map[string]string{"name": "place"}); err == nil {
			at.projectID = made.ProjectIDs[0]
			at.branchID, err = p.rootOf(ctx, at.projectID)
		}
		if resource == database && err == nil {
			err = p.call(ctx, http.MethodPost, object{kind: branches, ProjectID: at.projectID, ID: at.branchID}.path()+"/roles",
				map[string]any{"role": map[string]string{"name": owners[1]}}, nil)
		}
		if err == nil && (resource == bucketObject || resource == trigger) {
			err = p.serve(ctx, at.projectID, at.branchID)
		}
	case schedule, dataAPI, auth, oauthProvider, trustedDomain:
		if err = add("projects", map[string]string{"name": "place"}); err == nil {
			at.projectID = made.ProjectIDs[0]
			at.branchID, err = p.rootOf(ctx, at.projectID)
			if resource != oauthProvider && resource != trustedDomain {
				p.names[at.projectID] = name
			} else if p.names["beside "+at.projectID] = name; err == nil { // Both are beside Neon Auth.
				err = p.call(ctx, http.MethodPost, object{kind: auths, ProjectID: at.projectID, BranchID: at.branchID}.path(), map[string]string{"auth_provider": "better_auth"}, nil)
			}
		}
	case anonymizedBranch: // Others restrict their projects to VPC endpoints.
		if err = add("projects", map[string]string{"name": "place"}); err == nil {
			at.projectID = made.ProjectIDs[0]
		}
	case spendingLimit:
		err = add("organizations", map[string]string{"name": "place"})
		at.orgID = made.OrgID
		p.names[at.orgID] = name
	case organizationRole, projectRole:
		if err = add("members", map[string]string{"email": addressOf(name), "role": "collaborator"}); err == nil {
			at.orgID = p.OrgID
			at.memberID, err = p.memberOf(ctx, made.UserID)
		}
	}
	return at, err
}

func addressOf(name string) string { return name + "@example.com" }

func (p *platform) memberOf(ctx context.Context, userID string) (string, error) {
	all, err := p.objects(ctx)
	place := slices.IndexFunc(all, func(o object) bool { return o.kind == members && o.UserID == userID })
	if err != nil || place < 0 {
		return "", errors.Join(err, fmt.Errorf("there is no member %s", userID))
	}
	return path.Base(all[place].id()), nil
}

// ownBranchAmong cycles, one has a branch of its own, which restores replace, where others share one.
const ownBranchAmong = 3

// makePlaces makes those of all cycles.
func (p *platform) makePlaces(ctx context.Context, cycles []*cycle) error {
	for i, c := range cycles {
		if isShared := i%ownBranchAmong > 0 || c.resource == credential || c.resource == customDomain; isShared && !c.isSetting() && c.resource != anonymizedBranch {
			continue
		}
		at, err := p.makePlace(ctx, c.resource, c.name)
		if err != nil {
			return err
		}
		p.places[c.name] = at
	}
	return nil
}

// addBystanders sets what no cycle has anything to do with, and no cycle may touch.
func (p *platform) addBystanders(ctx context.Context, projects []project) error {
	at := map[string]place{}
	for _, resource := range []string{schedule, spendingLimit, projectRole} {
		var err error
		if at[resource], err = p.makePlace(ctx, resource, "bystander-"+resource); err != nil {
			return err
		}
	}
	settings := []object{
		{kind: schedules, ProjectID: at[schedule].projectID, BranchID: at[schedule].branchID},
		{kind: limits, OrgID: at[spendingLimit].orgID},
	}
	for _, in := range projects {
		settings = append(settings, object{kind: memberRoles, ProjectID: in.id, MemberID: at[projectRole].memberID})
	}
	bodies := map[string]any{
		schedules:   map[string]any{"schedule": []any{map[string]any{"frequency": "monthly", "day": 7}}},
		limits:      map[string]int{"spending_limit_cents": 777},
		memberRoles: map[string]string{"role": "viewer"},
	}
	for _, o := range settings {
		if err := p.call(ctx, http.MethodPut, o.path(), bodies[o.kind], nil); err != nil {
			return err
		}
	}
	return p.call(ctx, http.MethodPost, "/api/v2/organizations/"+p.OrgID+"/invitations",
		map[string]any{"invitations": []any{map[string]string{"email": addressOf("bystander"), "role": "viewer"}}}, nil)
}

// touched are those of an attack's beginning that are gone or changed, but for the
// members whose roles cycles set.
func touched(before, after []object, cycles []*cycle) []string {
	var found []string
	for _, o := range before {
		isOwn := func(c *cycle) bool { return strings.HasPrefix(o.Email, c.name) }
		same := func(now object) bool {
			return now.kind == o.kind && now.id() == o.id() && now.settings() == o.settings()
		}
		if !slices.ContainsFunc(cycles, isOwn) && !slices.ContainsFunc(after, same) {
			found = append(found, o.String()+", which was: "+o.settings())
		}
	}
	return found
}
