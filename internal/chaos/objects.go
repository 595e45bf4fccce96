package chaos

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// object is one thing that exists on the platform.
type object struct {
	kind      string
	ID        any    `json:"id"`
	Name      string `json:"name"`
	Ref       string `json:"ref"`
	OrgID     string `json:"org_id"`
	ProjectID string `json:"project_id"`
	BranchID  string `json:"branch_id"`
	Type      string `json:"type"`
	State     string `json:"current_state"`
	// Working is true of a branch on which operations go on.
	Working   bool    `json:"working"`
	Protected bool    `json:"protected"`
	ExpiresAt string  `json:"expires_at"`
	Suspend   int64   `json:"suspend_timeout_seconds"`
	NoLogin   bool    `json:"no_login"`
	Owner     string  `json:"owner_name"`
	Email     string  `json:"email"`
	RegionID  string  `json:"region_id"`
	UserID    string  `json:"user_id"`
	MemberID  string  `json:"member_id"`
	Role      string  `json:"role"`
	URL       string  `json:"jwks_url"`
	Cents     int64   `json:"spending_limit_cents"`
	Schedule  entries `json:"schedule"`
	// Anonymization is that of an anonymized branch, and MaskedColumns how many its last run has masked.
	Anonymization string `json:"anonymization"`
	MaskedColumns int    `json:"masked_columns"`
	// AllowLocalhost, ProviderName, ClientID and Domain are of Neon Auth.
	AllowLocalhost bool   `json:"allow_localhost"`
	ProviderName   string `json:"provider_name"`
	ClientID       string `json:"client_id"`
	Domain         string `json:"domain"`
	// Scopes and Rotations are a credential's, the others those of buckets, functions, triggers and domains.
	Scopes       printed `json:"scopes"`
	Rotations    int     `json:"rotations"`
	Access       string  `json:"access_level"`
	Bucket       string  `json:"bucket_name"`
	SHA256       string  `json:"sha256"`
	Title        string  `json:"title"`
	Bundle       string  `json:"bundle"`
	Environment  printed `json:"environment"`
	FunctionSlug string  `json:"function_slug"`
	Enabled      bool    `json:"enabled"`
	Entity       string  `json:"entity_id"`
	Settings     struct {
		MaxRows int64 `json:"db_max_rows"`
	} `json:"settings"`
}

// entries are those of a schedule, more than cycles configure. They can be compared.
type entries [4]struct {
	Frequency string `json:"frequency"`
	Hour      int64  `json:"hour"`
}

// settings are what only its owner changes.
func (o object) settings() string {
	return strings.TrimSpace(fmt.Sprintln(o.Name, o.Email, o.Role, o.URL, o.Cents, o.Schedule, o.Settings, o.Anonymization, o.MaskedColumns, o.AllowLocalhost, o.ClientID, o.Protected, o.ExpiresAt, o.Suspend, o.NoLogin, o.Owner,
		o.Scopes, o.Rotations, o.Access, o.SHA256, o.Title, o.Bundle, o.Environment, o.FunctionSlug, o.Enabled, o.Entity))
}

// hours are those of a schedule's snapshots.
func (o object) hours() []int64 {
	var hours []int64
	for _, entry := range o.Schedule {
		if entry.Frequency != "" {
			hours = append(hours, entry.Hour)
		}
	}
	slices.Sort(hours)
	return hours
}

func (o object) id() string {
	if number, ok := o.ID.(float64); ok {
		return fmt.Sprintf("%.0f", number)
	}
	return fmt.Sprint(o.ID)
}

func (o object) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", o.kind, o.id(), o.Name))
}

// kinds are those that resources make or set. A claimable database's project goes with it.
const (
	projects    = "projects"
	branches    = "branches"
	endpoints   = "endpoints"
	roles       = "roles"
	databases   = "databases"
	permissions = "permissions"
	assignments = "vpc_endpoints"
	restricted  = "vpc_restrictions"
	snapshots   = "snapshots"
	jwksURLs    = "jwks"
	schedules   = "backup_schedules"
	dataAPIs    = "data_apis"
	auths       = "auths"
	oauths      = "auth_oauth_providers"
	domains     = "auth_trusted_domains"
	members     = "members"
	memberRoles = "member_roles"
	invitations = "invitations"
	limits      = "spending_limits"
	keys        = "api_keys"
	claimables  = "claimable_databases"
)

// comesAlong reports whether the platform creates an object with another: all that is on a
// branch, a project's default branch, and a claimable database's project.
func (o object) comesAlong() bool {
	return o.isOnBranch() || o.kind == branches && o.Name == "main" || o.kind == projects && strings.HasPrefix(o.Name, "claimable-")
}

// isOnBranch reports whether a kind goes with its branch.
func (o object) isOnBranch() bool {
	return o.kind == endpoints || o.kind == roles || o.kind == databases
}

func (p *platform) objects(ctx context.Context) ([]object, error) {
	var found map[string][]object
	if err := p.call(ctx, http.MethodGet, "/_emulator/objects", nil, &found); err != nil {
		return nil, err
	}
	var all []object
	for _, kind := range []string{
		projects, branches, endpoints, roles, databases, permissions, snapshots, jwksURLs, schedules, dataAPIs, auths, oauths, domains,
		members, memberRoles, invitations, limits, assignments, restricted, keys, claimables,
		credentials, buckets, bucketObjects, functions, triggers, customDomains,
	} {
		for _, o := range found[kind] {
			o.kind = kind
			o.ID = o.stateID()
			if kind == databases && p.names[o.ProjectID] != "" {
				continue // The Data API of a place's database has the same id.
			}
			switch kind {
			case oauths, domains:
				o.Name = p.names["beside "+o.ProjectID]
			case schedules, limits, dataAPIs, auths:
				o.Name = p.names[o.ProjectID+o.OrgID]
			}
			all = append(all, o)
		}
	}
	return all, nil
}

// stateID is the id that a state has, which for some is made of names.
func (o object) stateID() any {
	switch o.kind {
	case roles, databases:
		return o.ProjectID + "/" + o.BranchID + "/" + o.Name
	case assignments:
		return o.OrgID + "/" + o.RegionID + "/" + o.id()
	case restricted:
		return o.ProjectID + "/" + o.id()
	case schedules, auths:
		return o.ProjectID + "/" + o.BranchID
	case oauths, domains:
		return o.ProjectID + "/" + o.BranchID + "/" + o.ProviderName + o.Domain
	case dataAPIs:
		return o.ProjectID + "/" + o.BranchID + "/" + servedDatabase
	case bucketObjects:
		return o.ProjectID + "/" + o.BranchID + "/" + o.Bucket + "/" + o.Name
	case credentials, buckets, functions, triggers, customDomains:
		return o.ProjectID + "/" + o.BranchID + "/" + o.id()
	case members:
		return o.OrgID + "/" + o.id()
	case memberRoles:
		return o.ProjectID + "/" + o.MemberID
	}
	return o.ID
}

// named are the objects that bear a name or begin with it, and the endpoints on
// branches of that name. Members are there whether or not a resource sets their roles.
func named(all []object, name string) []object {
	var found []object
	replaced := replacedIn(all)
	for _, o := range all {
		if o.kind == members || o.isLeft(replaced) {
			continue
		}
		if strings.HasPrefix(o.Name, name) || strings.HasPrefix(o.Ref, name) || strings.HasPrefix(o.Email, name) ||
			o.kind == functions && o.Name == slugOf(name) {
			found = append(found, o)
		}
	}
	for _, o := range all {
		onOwn := func(b object) bool { return b.kind == branches && b.id() == o.BranchID }
		if o.kind == endpoints && !slices.Contains(found, o) && slices.ContainsFunc(found, onOwn) {
			found = append(found, o)
		}
	}
	return found
}

// replacedIn are the branches that others have replaced, as a restore names them, and those that were only
// made to be the default ones.
func replacedIn(all []object) []string {
	var ids []string
	for _, o := range all {
		if o.kind == branches && (strings.Contains(o.Name, " (old") || strings.HasPrefix(o.Name, defaultPrefix)) {
			ids = append(ids, o.id())
		}
	}
	return ids
}

// isLeft reports whether an object is a branch that was replaced, or stays on one.
func (o object) isLeft(replaced []string) bool {
	return slices.Contains(replaced, o.BranchID) && o.kind != snapshots || o.kind == branches && slices.Contains(replaced, o.id())
}

// inState are the ids of all that the state holds. An endpoint that an interrupted
// creation didn't come to has none.
func (c *cycle) inState() []string {
	if !c.current.exists() {
		return nil
	}
	ids := []string{c.current.id()}
	if id := textIn(elements(c.current.value)["endpoint"], "id"); id != "" {
		ids = append(ids, id)
	}
	for _, endpoint := range elements(elements(c.current.value)["endpoints"]) {
		if id := textIn(endpoint, "id"); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// account compares what exists with what a cycle's state holds: extra is in no
// state, missing is in state and doesn't exist.
func (c *cycle) account(all []object) (extra []object, missing []string) {
	held := c.inState()
	for _, o := range named(all, c.name) {
		if !slices.Contains(held, o.id()) && !c.twin.holds(o.id()) {
			extra = append(extra, o)
		}
	}
	return c.withoutStaying(alone(extra)), without(held, all)
}

// without are the ids of nothing that exists.
func without(ids []string, all []object) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(all, func(o object) bool { return o.id() == id })
	})
}

// withoutStaying leaves out what the platform can't delete: what a destroy spoke of, and
// as many claimable databases as errors said may exist.
func (c *cycle) withoutStaying(extra []object) []object {
	lost := c.lost
	return slices.DeleteFunc(extra, func(o object) bool {
		if slices.Contains(c.forgotten, o.id()) {
			return true
		}
		if o.kind != claimables {
			return false
		}
		lost--
		return lost >= 0
	})
}

// stays reports whether the platform has no call that deletes one.
func (o object) stays() bool { return o.kind == claimables || o.kind == invitations }

// alone leaves out what goes with a branch in the list.
func alone(list []object) []object {
	return slices.DeleteFunc(slices.Clone(list), func(o object) bool {
		return o.isOnBranch() && slices.ContainsFunc(list, func(b object) bool { return b.id() == o.BranchID })
	})
}

const (
	ofProject = "/api/v2/projects/{project}/"
	ofBranch  = ofProject + "branches/{branch}/"
)

// pathOf is where the API has the objects of a kind. Any other kind stands in the project, under its name.
var pathOf = map[string]string{
	projects:      "/api/v2/projects/{id}",
	roles:         ofBranch + "roles/{name}",
	databases:     ofBranch + "databases/{name}",
	buckets:       ofBranch + "buckets/{key}",
	bucketObjects: ofBranch + "buckets/{bucket}/objects/{name}",
	functions:     ofBranch + "functions/{key}",
	triggers:      ofBranch + "triggers/{key}",
	credentials:   ofBranch + "credentials/{key}",
	customDomains: ofBranch + "custom-domains/{name}",
	assignments:   "/api/v2/organizations/{organization}/vpc/region/{region}/vpc_endpoints/{key}",
	restricted:    ofProject + "vpc_endpoints/{key}",
	schedules:     ofBranch + "backup_schedule",
	dataAPIs:      ofBranch + "data-api/" + servedDatabase,
	oauths:        ofBranch + "auth/oauth_providers/{provider}",
	domains:       ofBranch + "auth/domains",
	auths:         ofBranch + "auth",
	memberRoles:   ofProject + "members/{member}/role",
	limits:        "/api/v2/organizations/{organization}/billing/spending_limit",
	keys:          "/api/v2/api_keys/{id}",
}

// path is where the API has an object.
func (o object) path() string {
	if o.kind == keys && o.OrgID != "" {
		return o.filled("/api/v2/organizations/{organization}/api_keys/{id}")
	}
	return o.filled(cmp.Or(pathOf[o.kind], ofProject+o.kind+"/{id}"))
}

// filled puts what the object is into a text, where {key} is the last part of its id.
func (o object) filled(text string) string {
	return strings.NewReplacer(
		"{id}", o.id(), "{key}", path.Base(o.id()), "{name}", o.Name, "{email}", o.Email, "{url}", o.URL,
		"{organization}", o.OrgID, "{region}", o.RegionID, "{member}", o.MemberID, "{role}", o.Role,
		"{project}", o.ProjectID, "{branch}", o.BranchID, "{bucket}", o.Bucket, "{provider}", o.ProviderName, "{domain}", o.Domain,
	).Replace(text)
}

// remove deletes what the provider has named, as a person would.
func (p *platform) remove(ctx context.Context, o object) error {
	for again := 0; ; again++ {
		if o.Protected {
			_ = p.call(ctx, http.MethodPatch, o.path(), map[string]any{"branch": map[string]bool{"protected": false}}, nil)
		}
		err := p.delete(ctx, o)
		if err == nil || again == mostAttempts {
			return err
		}
		// Other work may be running on the project.
		time.Sleep(10 * operationDuration)
	}
}

// delete sends one request. A schedule without entries is none.
func (p *platform) delete(ctx context.Context, o object) error {
	if o.kind == schedules {
		return p.call(ctx, http.MethodPut, o.path(), map[string][]any{"schedule": {}}, nil)
	}
	var body any
	switch o.kind {
	case auths:
		body = map[string]bool{"delete_data": true}
	case domains:
		body = map[string]any{"auth_provider": "better_auth", "domains": []map[string]string{{"domain": o.Domain}}}
	}
	return p.call(ctx, http.MethodDelete, o.path(), body, nil)
}
