package chaos

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// place is what a cycle has to itself: a branch, or what there is one of, such as a member.
type place struct {
	projectID, branchID, orgID, memberID, email, vpcEndpointID string
}

// need is what a noun's lines stand for that each of its resources has to itself.
type need map[string]bool

func needOf(noun nouns.Resource) need {
	of := need{}
	for _, lines := range noun.Versions(slices.Concat(noun.Chaos.Sometimes...)) {
		for _, text := range needed.FindAllString(lines.String(), -1) {
			of[text] = true
		}
	}
	return of
}

// isOne reports whether there is one such resource in a place, which has no name then.
func (n need) isOne() bool { return !n["$n"] && !n["$n$again"] }

// isOnBranch reports whether it is on a branch, or comes from one.
func (n need) isOnBranch() bool {
	return n["$main"] || n["$root"] || n["$branch"] || n["$authed"] || n["$other_branch"]
}

// makePlace makes one for a resource of a name, on a branch of its own if it is on one. Its member is addressed by that
// name.
func (p *platform) makePlace(ctx context.Context, noun nouns.Resource, name string) (at place, err error) {
	var made struct {
		ProjectIDs []string `json:"project_ids"`
		OrgID      string   `json:"org_id"`
		UserID     string   `json:"user_id"`
	}
	add := func(what string, asked any) {
		if err == nil {
			err = p.call(ctx, http.MethodPost, "/_emulator/"+what, asked, &made)
		}
	}
	of := needOf(noun)
	if of["$member"] {
		at.email = addressOf(name)
		if add("members", map[string]string{"email": at.email, "role": "collaborator"}); err == nil {
			at.memberID, err = p.memberOf(ctx, made.UserID)
		}
	}
	if of["$other_org"] {
		add("organizations", map[string]string{"name": "place"})
		at.orgID = made.OrgID
		p.names[noun.Chaos.Objects+" "+at.orgID] = name
	}
	if of["$vpce"] && err == nil {
		at.vpcEndpointID = fmt.Sprintf("vpce-%017x", sha256.Sum256([]byte(name)))[:len("vpce-")+17]
		err = p.call(ctx, http.MethodPost, "/api/v2/organizations/"+p.OrgID+"/vpc/region/"+vpcRegion+"/vpc_endpoints/"+
			at.vpcEndpointID, map[string]string{"label": ""}, nil)
	}
	if of.isOnBranch() || of["$other_project"] {
		if add("projects", map[string]string{"name": "place"}); err != nil {
			return at, err
		}
		at.projectID = made.ProjectIDs[0]
		p.kinds[at.projectID] = noun.Chaos.Objects
	}
	if err != nil || !of.isOnBranch() {
		return at, err
	}
	if at.branchID, err = p.rootOf(ctx, at.projectID); err == nil {
		err = p.furnish(ctx, at.projectID, at.branchID)
	}
	if of["$authed"] && err == nil {
		err = p.call(ctx, http.MethodPost, "/api/v2/projects/"+at.projectID+"/branches/"+at.branchID+"/auth",
			map[string]string{"auth_provider": "better_auth"}, nil)
	}
	if of.isOne() {
		p.names[noun.Chaos.Objects+" "+at.projectID] = name
	}
	return at, err
}

// A branch has a bucket that cycles put objects into, functions that triggers and domains lead to, and a role that
// databases come to belong to: they are there only for them.
const (
	sharedBucket = "media"
	secondOwner  = "somebody"
)

var servedFunctions = []string{"api", "web"}

// furnish makes these on a branch. What the functions are doesn't matter.
func (p *platform) furnish(ctx context.Context, projectID, branchID string) error {
	at := "/api/v2/projects/" + projectID + "/branches/" + branchID
	if err := p.insist(ctx, at+"/roles", map[string]any{"role": map[string]string{"name": secondOwner}}, nil); err != nil {
		return err
	}
	if err := p.insist(ctx, at+"/buckets", map[string]string{"name": sharedBucket}, nil); err != nil {
		return err
	}
	const form = "--b\r\nContent-Disposition: form-data; name=\"zip\"; filename=\"f.zip\"\r\n\r\n\r\n--b--\r\n"
	for _, slug := range servedFunctions {
		response, err := p.send(ctx, http.MethodPost, at+"/functions/"+slug+"/deployments", "multipart/form-data; "+
			"boundary=b", []byte(form))
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusCreated {
			return fmt.Errorf("function %s: %s", slug, response.Status)
		}
	}
	return nil
}

// isBeside reports whether an object is one of these, or of another kind than what is played in its place, or a copy of
// such a one that a restore has made.
func (p *platform) isBeside(o object) bool {
	kind, isPlace := p.kinds[o.ProjectID]
	return slices.Contains(append([]string{sharedBucket}, servedFunctions...), o.Name) || isPlace && kind != o.kind
}

func addressOf(name string) string { return name + "@example.com" }

func (p *platform) memberOf(ctx context.Context, userID string) (string, error) {
	all, err := p.objects(ctx)
	place := slices.IndexFunc(all, func(o object) bool { return o.UserID == userID })
	if err != nil || place < 0 {
		return "", errors.Join(err, fmt.Errorf("there is no member %s", userID))
	}
	return path.Base(all[place].id()), nil
}

// ownBranchAmong cycles, one has a branch of its own, which restores replace, where others share one.
const ownBranchAmong = 3

// makePlaces makes those of all cycles.
func (p *platform) makePlaces(ctx context.Context, cycles []*cycle) (err error) {
	for i, c := range cycles {
		of := needOf(c.of())
		isShared := i%ownBranchAmong > 0 || c.of().Chaos.StaysBehind
		if isShared && of.isOnBranch() && !of.isOne() && !of["$authed"] {
			continue
		}
		if p.places[c.name], err = p.makePlace(ctx, c.of(), c.name); err != nil {
			return err
		}
	}
	return nil
}

// addBystanders creates one of each resource that no cycle has anything to do with, and no cycle may touch.
func (p *platform) addBystanders(ctx context.Context, in project, readings map[string]string) error {
	s, err := newSession(ctx, p, p.APIKey)
	if err != nil {
		return err
	}
	for i, resource := range slices.Sorted(maps.Keys(told())) {
		c := newCycle(2*i, "bystander", resource, in)
		if takesOne(c.of(), readings) { // It would be in the way of others.
			continue
		}
		if c.place, err = p.makePlace(ctx, c.of(), c.name+"-"+resource); err != nil {
			return err
		}
		if err := c.create(ctx, s); err != nil {
			return fmt.Errorf("a bystander, %s: %w", resource, err)
		}
	}
	return nil
}

// touched are those of an attack's beginning that are gone or changed, but for the
// members whose roles cycles set.
func touched(before, after []object, cycles []*cycle) []string {
	var found []string
	for _, o := range before {
		isOwn := func(c *cycle) bool { return strings.Contains(o.Email, c.name) }
		same := func(now object) bool {
			return now.kind == o.kind && now.id() == o.id() && now.settings() == o.settings()
		}
		if !slices.ContainsFunc(cycles, isOwn) && !slices.ContainsFunc(after, same) {
			found = append(found, o.String()+", which was: "+o.settings())
		}
	}
	return found
}
