package chaos

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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
	Working   bool   `json:"working"`
	Protected bool   `json:"protected"`
	ExpiresAt string `json:"expires_at"`
	Suspend   int64  `json:"suspend_timeout_seconds"`
	Email     string `json:"email"`
	Domain    string `json:"domain"`
	UserID    string `json:"user_id"`
}

// ofItself are fields that nobody needs to change. A restore moves the computes of the branch that it replaces.
var ofItself = []string{"current_state", "working", "status", "last_used_at", "parent_id", "branch_id"}

// settings are what only its owner changes.
func (o object) settings() string {
	if o.fields == nil {
		return ""
	}
	settings := maps.Clone(*o.fields)
	maps.DeleteFunc(settings, func(name string, _ any) bool { return slices.Contains(ofItself, name) })
	return fmt.Sprint(settings)
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

// Kinds that are more to an attack than objects of some noun: what is in what, and what a restore replaces.
const (
	projects  = "projects"
	branches  = "branches"
	endpoints = "endpoints"
	roles     = "roles"
	databases = "databases"
	snapshots = "snapshots"
)

// comesAlong reports whether the platform creates an object with another: all that is on a
// branch, a project's default branch, and a claimable database's project.
func (o object) comesAlong() bool {
	return o.isOnBranch() || o.kind == branches && o.Name == "main" || o.kind == projects &&
		strings.HasPrefix(o.Name, "claimable-")
}

// isOnBranch reports whether a kind goes with its branch.
func (o object) isOnBranch() bool {
	return o.kind == endpoints || o.kind == roles || o.kind == databases
}

// goesAlong reports whether a restore copies an object to the branch that it puts in the place of the object's own.
func (o object) goesAlong() bool {
	noun := o.noun()
	of := needOf(noun)
	return slices.Contains(noun.Identity, "branch_id") && !noun.Chaos.StaysBehind && !of.isOne() && !of["$authed"]
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
			if o.isOnBranch() && p.names[p.kinds[o.ProjectID]+" "+o.ProjectID] != "" {
				continue // The Data API of a place's database has the same id.
			}
			o.Name = cmp.Or(p.names[kind+" "+o.ProjectID+o.OrgID], o.Name)
			all = append(all, o)
		}
	}
	return all, nil
}

// named are the objects that bear a name, and the endpoints on
// branches of that name. Members are there whether or not a resource sets their roles.
func named(all []object, name string) []object {
	var found []object
	replaced := replacedIn(all)
	for _, o := range all {
		noun := o.noun()
		if isThereAnyway := noun.Chaos.Stays && noun.IsNamed(); isThereAnyway || o.isLeft(replaced) {
			continue
		}
		if slices.ContainsFunc([]string{o.Name, o.Ref, o.Email, o.Domain},
			func(text string) bool { return strings.Contains(text, name) }) {
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
	return slices.Contains(replaced, o.BranchID) && o.kind != snapshots || o.kind == branches &&
		slices.Contains(replaced, o.id())
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
		if !slices.Contains(held, o.id()) && !c.twin.holds(o.id()) && !c.leaves(o) {
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
		if !o.isUnclaimed() {
			return false
		}
		lost--
		return lost >= 0
	})
}

// stays reports whether the platform has no call that deletes one.
func (o object) stays() bool { return o.noun().Chaos.Stays }

// isUnclaimed reports whether an object is nobody's, and goes by itself.
func (o object) isUnclaimed() bool { return o.noun().Chaos.SometimesGoes }

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

// delete sends one request.
func (p *platform) delete(ctx context.Context, o object) error {
	body, err := o.deletion()
	if err != nil {
		return err
	}
	method := http.MethodDelete
	if o.noun().Chaos.IsEmptied {
		method = http.MethodPut
	}
	return p.call(ctx, method, o.path(), body, nil)
}
