package emulator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.etcd.io/bbolt"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// parts are all objects of one kind, of the world or of a project. The state file keeps each under a key of its own, so
// that a change writes only what has changed.
type parts interface {
	// each calls note with each part and its id. Where there are ids, others may be left out.
	each(ids map[string]bool, note func(id string, part any))
	// put makes the part of an id what the text says; nil removes it.
	put(id string, text []byte) error
}

// kind is parts with the name of the bucket that has them in the file.
type kind struct {
	name string
	parts
}

const (
	worldPart   = "world"
	keyPart     = "key"
	projectPart = "project"
	deletedPart = "deleted"
)

// kindNames are those of all kinds, in the order in which parts are read: a project before what belongs to it.
var kindNames = []string{
	worldPart, "user", "organization", keyPart, "claimable", "registration", projectPart, deletedPart,
	"branch", "endpoint", "operation",
}

func (w *world) kinds() []kind {
	return []kind{
		{worldPart, w}, {"user", keptIn[user](w.Users)}, {"organization", keptIn[organization](w.Orgs)},
		{keyPart, keptKeys(w.Keys)}, {"claimable", keptIn[claimable](w.Claimables)},
		{"registration", keptIn[registration](w.Registrations)}, {projectPart, keptProjects{w.Projects, w}},
		{deletedPart, keptProjects{w.Deleted, w}},
	}
}

func (p *project) kinds() []kind {
	return []kind{
		{"branch", keptIn[branch](p.Branches)}, {"endpoint", keptIn[endpoint](p.Endpoints)},
		{"operation", (*keptOperations)(&p.Operations)},
	}
}

// each notes the world as one part, without the objects in its maps, which are parts of their own.
func (w *world) each(_ map[string]bool, note func(id string, part any)) { note(worldPart, w) }

func (w *world) put(_ string, text []byte) error { return json.Unmarshal(text, w) }

// keptIn keeps the values of a map, by their keys.
type keptIn[T any] map[string]*T

func (in keptIn[T]) each(ids map[string]bool, note func(id string, part any)) {
	if ids == nil {
		for id, part := range in {
			note(id, part)
		}
	}
	for id := range ids {
		if part := in[id]; part != nil {
			note(id, part)
		}
	}
}

func (in keptIn[T]) put(id string, text []byte) error { return putIn(in, id, text) }

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

// keptKeys does the same for API keys, whose ids are numbers.
type keptKeys map[int64]*apiKey

func (in keptKeys) each(_ map[string]bool, note func(id string, part any)) {
	for id, key := range in {
		note(strconv.FormatInt(id, 10), key)
	}
}

func (in keptKeys) put(id string, text []byte) error {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return err
	}
	return putIn(in, number, text)
}

// keptProjects does the same for projects, without the objects that are parts of their own.
type keptProjects struct {
	keptIn[project]

	of *world
}

// put leaves a project its branches, endpoints and operations.
func (in keptProjects) put(id string, text []byte) error {
	before := project{Branches: map[string]*branch{}, Endpoints: map[string]*endpoint{}}
	if p := in.of.project(id); p != nil {
		before = *p
	}
	if err := in.keptIn.put(id, text); err != nil || text == nil {
		return err
	}
	p := in.keptIn[id]
	p.Branches, p.Endpoints, p.Operations = before.Branches, before.Endpoints, before.Operations
	return nil
}

// project is one that exists, or a deleted one; nil for none.
func (w *world) project(id string) *project { return cmp.Or(w.Projects[id], w.Deleted[id]) }

// keptOperations keeps a list of operations.
type keptOperations []*operation

func (in *keptOperations) each(_ map[string]bool, note func(id string, part any)) {
	for _, o := range *in {
		note(o.ID, o)
	}
}

// put leaves the list without order; world.connect brings it into that of the operations' times.
func (in *keptOperations) put(id string, text []byte) error {
	byID := map[string]*operation{}
	if at := slices.IndexFunc(*in, func(o *operation) bool { return o.ID == id }); at >= 0 {
		byID[id], *in = (*in)[at], slices.Delete(*in, at, at+1)
	}
	err := putIn(byID, id, text)
	if o := byID[id]; o != nil {
		*in = append(*in, o)
	}
	return err
}

// putPart makes a part what the text says; nil removes it.
func (w *world) putPart(part partID, text []byte) error {
	of, id := w.kinds(), part.key
	if projectID, within, belongs := strings.Cut(part.key, "/"); belongs {
		p := w.project(projectID)
		if p == nil {
			return nil // It is removed with its project.
		}
		of, id = p.kinds(), within
	}
	return of[slices.IndexFunc(of, func(k kind) bool { return k.name == part.kind })].put(id, text)
}

// partID names a part by its kind and its key in the file. The key is the part's id; that of a project's part begins
// with the project's id and a slash.
type partID struct{ kind, key string }

// keptText is a part as the file has it, nil where it hasn't.
func keptText(file *bbolt.Tx, part partID) []byte {
	if bucket := file.Bucket([]byte(part.kind)); bucket != nil {
		return bucket.Get([]byte(part.key))
	}
	return nil
}

// keptIDs are those of the parts of a kind that the file has, whose keys begin with a prefix.
func keptIDs(file *bbolt.Tx, kind, prefix string) iter.Seq[string] {
	return func(yield func(string) bool) {
		bucket := file.Bucket([]byte(kind))
		if bucket == nil {
			return
		}
		cursor := bucket.Cursor()
		for key, _ := cursor.Seek([]byte(prefix)); key != nil; key, _ = cursor.Next() {
			id, isOne := strings.CutPrefix(string(key), prefix)
			if !isOne || !yield(id) {
				return
			}
		}
	}
}

// difference is what has to be written, by its parts; nil stands for what is gone.
type difference map[partID][]byte

// difference compares the parts that may have changed with those in the file.
func (w *world) difference(c changes, file *bbolt.Tx) (found difference, err error) {
	found = difference{}
	for _, of := range w.kinds() {
		if of.name == worldPart || c.anywhere || c.accounts {
			err = errors.Join(err, found.add(file, of, "", nil))
		}
	}
	for id, ids := range w.changedProjects(c, file) {
		err = errors.Join(err, found.add(file, kind{projectPart, keptProjects{w.Projects, w}}, "", map[string]bool{id: true}))
		for _, of := range cmp.Or(w.project(id), &project{}).kinds() {
			err = errors.Join(err, found.add(file, of, id+"/", ids))
		}
	}
	return found, err
}

// changedProjects are the projects that may have changed, each with the ids of those of its objects; nil for all.
func (w *world) changedProjects(c changes, file *bbolt.Tx) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	maps.Copy(all, c.projects)
	if !c.anywhere && !c.accounts {
		return all
	}
	known := map[string]bool{}
	for _, name := range []string{projectPart, deletedPart} {
		for id := range keptIDs(file, name, "") {
			if known[id] = true; w.project(id) == nil {
				all[id] = nil
			}
		}
	}
	for p := range w.allProjects() {
		if c.anywhere || !known[p.ID] {
			all[p.ID] = nil
		}
	}
	return all
}

// add adds those parts of a kind that differ from what the file has, of these ids or all for nil.
func (d difference) add(file *bbolt.Tx, of kind, prefix string, ids map[string]bool) (err error) {
	present := map[string]bool{}
	of.each(ids, func(id string, part any) {
		if ids != nil && !ids[id] {
			return
		}
		present[id] = true
		text, failure := json.Marshal(part)
		if failure != nil {
			err = fmt.Errorf("unable to encode the %s %s: %w", of.name, id, failure)
		}
		if named := (partID{of.name, prefix + id}); !bytes.Equal(keptText(file, named), text) {
			d[named] = text
		}
	})
	gone := keptIDs(file, of.name, prefix)
	if ids != nil {
		gone = maps.Keys(ids)
	}
	for id := range gone {
		if named := (partID{of.name, prefix + id}); !present[id] && keptText(file, named) != nil {
			d[named] = nil
		}
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
