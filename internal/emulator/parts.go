package emulator

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// Kinds of the parts in which a world is kept, so that a change writes only what it has changed.
const (
	worldPart        = "world"
	userPart         = "user"
	organizationPart = "organization"
	keyPart          = "key"
	claimablePart    = "claimable"
	registrationPart = "registration"
	projectPart      = "project"
	deletedPart      = "deleted"
	branchPart       = "branch"
	endpointPart     = "endpoint"
	operationPart    = "operation"
)

// partKinds are in the order in which parts are read: a project before what belongs to it.
var partKinds = []string{
	worldPart, userPart, organizationPart, keyPart, claimablePart, registrationPart, projectPart, deletedPart, branchPart,
	endpointPart, operationPart,
}

// group is all parts of a kind; of a kind that belongs to projects, those of one project.
type group struct{ kind, projectID string }

// partID names a part of a world.
type partID struct {
	group
	id string
}

// key is the part's among those of its kind.
func (i partID) key() string {
	if i.projectID == "" {
		return i.id
	}
	return i.projectID + "/" + i.id
}

func partAt(kind, key string) partID {
	if projectID, id, belongs := strings.Cut(key, "/"); belongs {
		return partID{group{kind, projectID}, id}
	}
	return partID{group{kind: kind}, key}
}

// listing is what the world has of a group.
type listing struct {
	group
	parts iter.Seq2[string, any]
	// ids are those that may have changed, nil for all.
	ids map[string]bool
}

// listings are the groups in which something may have changed.
func (w *world) listings(c changes, kept partHashes) []listing {
	all := []listing{{group: group{kind: worldPart}, parts: one(worldPart, &w.worldHead)}}
	if c.anywhere || c.accounts {
		all = append(all,
			listing{group: group{kind: userPart}, parts: each(maps.All(w.Users), whole)},
			listing{group: group{kind: organizationPart}, parts: each(maps.All(w.Orgs), whole)},
			listing{group: group{kind: keyPart}, parts: each(maps.All(w.Keys), numbered)},
			listing{group: group{kind: claimablePart}, parts: each(maps.All(w.Claimables), whole)},
			listing{group: group{kind: registrationPart}, parts: each(maps.All(w.Registrations), whole)},
			listing{group: group{kind: projectPart}, parts: each(maps.All(w.Projects), headOf)},
			listing{group: group{kind: deletedPart}, parts: each(maps.All(w.Deleted), headOf)})
	}
	for p := range w.allProjects() {
		ids := c.projects[p.ID]
		if isNew := kept[group{branchPart, p.ID}] == nil; c.anywhere || isNew {
			all = append(all, w.projectListings(p, nil)...)
		} else if ids != nil {
			all = append(all, w.projectListings(p, ids)...)
		}
	}
	for g := range kept {
		if g.projectID != "" && w.Projects[g.projectID] == nil && w.Deleted[g.projectID] == nil {
			all = append(all, listing{group: g, parts: func(func(string, any) bool) {}})
		}
	}
	return all
}

// projectListings are the groups of a project's objects, of which these may have changed; nil for all.
func (w *world) projectListings(p *project, ids map[string]bool) []listing {
	all := []listing{
		{group{branchPart, p.ID}, some(p.Branches, ids), ids}, {group{endpointPart, p.ID}, some(p.Endpoints, ids), ids},
		{group{operationPart, p.ID}, each(slices.All(p.Operations), byID), ids},
	}
	if w.Projects[p.ID] == p {
		all = append(all, listing{group{kind: projectPart}, one(p.ID, &p.projectHead), map[string]bool{p.ID: true}})
	}
	return all
}

func one(id string, part any) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) { yield(id, part) }
}

// each are the parts of a kind, each with its key and what is kept of it.
func each[K, T any](parts iter.Seq2[K, T], kept func(K, T) (string, any)) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for id, part := range parts {
			if !yield(kept(id, part)) {
				return
			}
		}
	}
}

func whole[T any](id string, part *T) (string, any) { return id, part }

func headOf(id string, p *project) (string, any) { return id, &p.projectHead }

func some[T any](parts map[string]*T, ids map[string]bool) iter.Seq2[string, any] {
	if ids == nil {
		return each(maps.All(parts), whole)
	}
	return func(yield func(string, any) bool) {
		for id := range ids {
			if part := parts[id]; part != nil && !yield(id, part) {
				return
			}
		}
	}
}

func numbered(id int64, key *apiKey) (string, any) { return strconv.FormatInt(id, 10), key }

func byID(_ int, o *operation) (string, any) { return o.ID, o }

// partHashes are those of the parts that are kept.
type partHashes map[group]map[string]uint64

var partSeed = maphash.MakeSeed()

func (h partHashes) note(part partID, text []byte) {
	switch {
	case text == nil:
		delete(h[part.group], part.id)
		if len(h[part.group]) == 0 {
			delete(h, part.group)
		}
	case h[part.group] == nil:
		h[part.group] = map[string]uint64{part.id: maphash.Bytes(partSeed, text)}
	default:
		h[part.group][part.id] = maphash.Bytes(partSeed, text)
	}
}

// difference is what has to be written, by its parts; nil stands for what is gone.
type difference map[partID][]byte

// difference compares the parts that may have changed with those that are kept.
func (w *world) difference(c changes, kept partHashes) (difference, error) {
	found := difference{}
	for _, l := range w.listings(c, kept) {
		if err := found.add(l, kept[l.group]); err != nil {
			return found, err
		}
	}
	return found, nil
}

func (d difference) add(l listing, kept map[string]uint64) error {
	present := map[string]bool{}
	for id, part := range l.parts {
		if l.ids != nil && !l.ids[id] {
			continue
		}
		present[id] = true
		hash, isKept := kept[id]
		text, err := json.Marshal(part)
		if err != nil {
			return fmt.Errorf("unable to encode the %s %s: %w", l.kind, id, err)
		}
		if !isKept || hash != maphash.Bytes(partSeed, text) {
			d[partID{l.group, id}] = text
		}
	}
	gone := maps.Keys(kept)
	if l.ids != nil {
		gone = maps.Keys(l.ids)
	}
	for id := range gone {
		if _, isKept := kept[id]; isKept && !present[id] {
			d[partID{l.group, id}] = nil
		}
	}
	return nil
}

// put makes a part of the world what the text says; nil removes it.
func (w *world) put(part partID, text []byte) error {
	switch part.kind {
	case worldPart:
		return json.Unmarshal(text, &w.worldHead)
	case userPart:
		return putIn(w.Users, part.id, text)
	case organizationPart:
		return putIn(w.Orgs, part.id, text)
	case keyPart:
		id, err := strconv.ParseInt(part.id, 10, 64)
		if err != nil {
			return err
		}
		return putIn(w.Keys, id, text)
	case claimablePart:
		return putIn(w.Claimables, part.id, text)
	case registrationPart:
		return putIn(w.Registrations, part.id, text)
	case projectPart:
		return w.putProject(w.Projects, part.id, text)
	case deletedPart:
		return w.putProject(w.Deleted, part.id, text)
	}
	p := cmp.Or(w.Projects[part.projectID], w.Deleted[part.projectID])
	switch {
	case p == nil:
		return nil // It is removed with its project.
	case part.kind == branchPart:
		return putIn(p.Branches, part.id, text)
	case part.kind == endpointPart:
		return putIn(p.Endpoints, part.id, text)
	default:
		return p.putOperation(part.id, text)
	}
}

func putIn[K comparable, T any](into map[K]*T, id K, text []byte) error {
	if text == nil {
		delete(into, id)
		return nil
	}
	read := new(T)
	if err := wire.UnmarshalExactly(text, read); err != nil {
		return err
	}
	if into[id] == nil {
		into[id] = read
	} else {
		*into[id] = *read // Others may hold it.
	}
	return nil
}

// putProject leaves a project the objects that are parts of their own.
func (w *world) putProject(into map[string]*project, id string, text []byte) error {
	before := project{Branches: map[string]*branch{}, Endpoints: map[string]*endpoint{}}
	if p := cmp.Or(w.Projects[id], w.Deleted[id]); p != nil {
		before = *p
	}
	if err := putIn(into, id, text); err != nil || text == nil {
		return err
	}
	p := into[id]
	p.Branches, p.Endpoints, p.Operations = before.Branches, before.Endpoints, before.Operations
	return nil
}

// putOperation leaves it to connect to order the operations.
func (p *project) putOperation(id string, text []byte) error {
	byID := map[string]*operation{}
	if at := slices.IndexFunc(p.Operations, func(o *operation) bool { return o.ID == id }); at >= 0 {
		byID[id], p.Operations = p.Operations[at], slices.Delete(p.Operations, at, at+1)
	}
	err := putIn(byID, id, text)
	if o := byID[id]; o != nil {
		p.Operations = append(p.Operations, o)
	}
	return err
}

// changes say where the world may have changed since it was last kept.
type changes struct {
	// anywhere stands for every part, accounts for those that belong to no project.
	anywhere, accounts bool
	// projects have the ids of the branches, endpoints and operations that may have changed, by their own.
	projects map[string]map[string]bool
}
