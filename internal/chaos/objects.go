package chaos

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// object is one thing that exists on the platform.
type object struct {
	kind string
	// fields are all that the emulator says of it.
	fields    *map[string]any
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
	for _, kind := range kinds() {
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
	body, err := o.deletion()
	if err != nil {
		return err
	}
	return p.call(ctx, http.MethodDelete, o.path(), body, nil)
}
