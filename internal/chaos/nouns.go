package chaos

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// The resources that are more to an attack than others: restores and locks are of branches and projects.
const (
	ownProject = "neon_project"
	branch     = "neon_branch"
	endpoint   = "neon_endpoint"
)

// told is what the nouns say of their resources, by the resources' names.
var told = sync.OnceValue(func() map[string]nouns.Resource {
	all, err := nouns.Read(nouns.Repository())
	if err != nil {
		panic(err) // Each program and test of chaos runs in the repository, which holds them to that.
	}
	return nouns.Resources(all)
})

// resources are those of the cycles, one after the other: those that have the most to go wrong more often. Their number
// is prime, so that each has numbers of all kinds.
var resources = sync.OnceValue(func() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(told())) {
		for range max(1, told()[name].Chaos.Often) {
			names = append(names, name)
		}
	}
	for most := slices.Clone(names); !big.NewInt(int64(len(names))).ProbablyPrime(0); { // Which is sure below 2^64.
		slices.SortStableFunc(most, func(a, b string) int { return told()[b].Chaos.Often - told()[a].Chaos.Often })
		names = append(names, most[0])
	}
	rand.New(rand.NewPCG(0, 0)).Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
	return names
})

// of is what the noun of a cycle's resource says.
func (c *cycle) of() nouns.Resource { return told()[c.resource] }

// isAccountable reports whether each object of a cycle's resource is told from others of its
// name: all but keys and claimable databases.
func (c *cycle) isAccountable() bool { return !c.of().Chaos.Alike }

// isOnlyForgotten reports whether destroying the resource leaves all as it is, which a warning says. What is in state
// decides that: another service, whose databases can be deleted, may have stood in for the one that was asked first.
func (c *cycle) isOnlyForgotten() bool {
	return c.of().Chaos.Stays && (!c.of().Chaos.SometimesGoes || !slices.ContainsFunc(c.of().Chaos.Sometimes[0], c.hasIn))
}

// hasIn reports whether the state has what a line says.
func (c *cycle) hasIn(line nouns.Line) bool {
	return line.Value == strconv.Quote(textIn(c.current.value, line.Name))
}

// hasTwins reports whether two runs can want the same: nobody takes an invitation back, and a member's role in the
// organization is adopted by whoever sets it.
func (c *cycle) hasTwins() bool { return !c.of().Chaos.Twinless && !c.isOnlyForgotten() }

// hasSiblings reports whether a configuration may have two of the resource that nothing tells apart.
func (c *cycle) hasSiblings() bool { return c.of().Chaos.Siblings }

// hasUniqueName reports whether only one of two twins can have the resource.
func (c *cycle) hasUniqueName() bool { return c.of().Chaos.Unique || c.isKnownByName() }

// isUnmarked reports whether nothing on Neon says which run created the resource. Two
// that create the same at the very same time can't be told apart after a lost answer,
// so twins take turns.
func (c *cycle) isUnmarked() bool { return c.isAccountable() && !c.of().Chaos.Marked }

// isKnownByName reports whether the id of the resource is made of its name, or of its place.
func (c *cycle) isKnownByName() bool { return c.of().IsNamed() }

// kinds are the lists of the emulator's objects that resources make or set, in the order of their names.
var kinds = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(byKind())) })

// byKind are the resources of each list of objects.
var byKind = sync.OnceValue(func() map[string][]nouns.Resource {
	all := map[string][]nouns.Resource{}
	for _, name := range slices.Sorted(maps.Keys(told())) {
		kind := told()[name].Chaos.Objects
		all[kind] = append(all[kind], told()[name])
	}
	return all
})

// noun is what the noun of an object says. Where two have such objects, it is the one of whose identity the object has
// more.
func (o object) noun() (found nouns.Resource) {
	most := -1
	for _, noun := range byKind()[o.kind] {
		has := 0
		for _, part := range noun.Identity {
			if o.field(part) != "" {
				has++
			}
		}
		if has > most {
			found, most = noun, has
		}
	}
	return found
}

// field is one of what the emulator says of an object; empty where it says nothing of it.
func (o object) field(name string) string {
	if name == "id" {
		return o.id()
	}
	fields := map[string]any{}
	if o.fields != nil {
		fields = *o.fields
	} else if encoded, err := json.Marshal(o); err == nil { // It is a test's.
		_ = json.Unmarshal(encoded, &fields)
	}
	if fields[name] == nil {
		return ""
	}
	return fmt.Sprint(fields[name])
}

// UnmarshalJSON keeps all fields besides.
func (o *object) UnmarshalJSON(data []byte) error {
	type known object
	o.fields = &map[string]any{}
	return errors.Join(json.Unmarshal(data, (*known)(o)), json.Unmarshal(data, o.fields))
}

// stateID is the id that a state has: Neon's, or the parts of the identity, of which what the emulator calls otherwise
// is its id.
func (o object) stateID() any {
	noun := o.noun()
	if slices.Contains(noun.Identity, "id") || len(noun.Identity) == 0 {
		return o.ID
	}
	var parts []string
	for _, part := range noun.Identity {
		parts = append(parts, cmp.Or(o.field(part), o.id()))
	}
	return strings.Join(parts, "/")
}

// takesOne reports whether Neon has one of such resources in a project, by what it plays.
func takesOne(noun nouns.Resource, readings map[string]string) bool {
	name, alternative, _ := strings.Cut(noun.Chaos.Single, "=")
	return alternative != "" && readings[name] == alternative
}

// lostAs is what the provider calls an object whose id it can't know.
func (o object) lostAs() string { return o.filled(o.noun().Chaos.Called) }

// path is where the API has an object.
func (o object) path() string {
	return o.filled("/api/v2" + cmp.Or(o.noun().Chaos.Path, "/projects/{project_id}/"+o.kind+"/{id}"))
}

var inBraces = regexp.MustCompile(`\{[a-z_]+\}`)

// filled puts what the object is into a text, where {key} is the last part of its id.
func (o object) filled(text string) string {
	return inBraces.ReplaceAllStringFunc(text, func(name string) string {
		if name == "{key}" {
			return path.Base(o.id())
		}
		return o.field(strings.Trim(name, "{}"))
	})
}

// deletion is the body of an object's deletion; nil for none.
func (o object) deletion() (any, error) {
	value, problems := o.noun().Chaos.Body.Value(nil)
	if problems.HasErrors() || value.IsNull() {
		return nil, nil
	}
	encoded, err := ctyjson.Marshal(value, value.Type())
	return json.RawMessage(o.filled(string(encoded))), err
}
