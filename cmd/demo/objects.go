package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// claimable is the one kind that the platform's API can't delete.
const claimable = "claimable_databases"

// object is one thing in the emulator's world, as far as the demo looks at it.
type object struct {
	ID        any    `json:"id"`
	Name      string `json:"name"`
	ProjectID string `json:"project_id"`
	BranchID  string `json:"branch_id"`
	// The project below a claimable database, which goes by another name.
	NeonProjectID string `json:"neon_project_id"`
}

// key tells objects of one kind apart: roles have no id.
func (o object) key() string {
	if o.ID == nil {
		return o.ProjectID + "/" + o.BranchID + "/" + o.Name
	}
	return fmt.Sprint(o.ID)
}

// objects are all things in the world, by kind.
type objects map[string][]object

// named counts the objects of a kind that have this name.
func (o objects) named(kind, name string) int {
	count := 0
	for _, object := range o[kind] {
		if object.Name == name {
			count++
		}
	}
	return count
}

// report shows how many of each kind there were, and fails unless the world is
// what it was before, claimable databases aside.
func report(out io.Writer, before, during, after objects) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, indent+"\tat first\tapplied\tdestroyed")
	for _, kind := range kinds(before, during, after) {
		if len(before[kind])+len(during[kind])+len(after[kind]) > 0 {
			_, _ = fmt.Fprintf(table, indent+"%s\t%d\t%d\t%d\n", kind, len(before[kind]), len(during[kind]), len(after[kind]))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	expiring := missingFrom(before, after)[claimable]
	if len(expiring) > 0 {
		_, _ = fmt.Fprintln(out, indent+"What is left belongs to the claimable database, which expires by itself.")
	}
	return compare(before, without(after, expiring))
}

// compare fails with a line for each thing that is in one world only.
func compare(before, after objects) error {
	var differences []error
	left, gone := missingFrom(before, after), missingFrom(after, before)
	for _, kind := range kinds(left, gone) {
		for _, o := range left[kind] {
			differences = append(differences, fmt.Errorf("left behind, of %s: %s %s", kind, o.key(), o.Name))
		}
		for _, o := range gone[kind] {
			differences = append(differences, fmt.Errorf("gone, of %s: %s %s", kind, o.key(), o.Name))
		}
	}
	return errors.Join(differences...)
}

// missingFrom returns what is in the second world but not in the first.
func missingFrom(first, second objects) objects {
	missing := objects{}
	for kind, list := range second {
		for _, o := range list {
			known := slices.ContainsFunc(first[kind], func(other object) bool { return other.key() == o.key() })
			if !known {
				missing[kind] = append(missing[kind], o)
			}
		}
	}
	return missing
}

// without leaves out claimable databases and the projects below them, with all
// that those hold.
func without(world objects, databases []object) objects {
	belongs := func(o object) bool {
		return slices.ContainsFunc(databases, func(database object) bool {
			project := cmp.Or(database.NeonProjectID, database.ProjectID)
			return o.key() == database.key() || project != "" && (o.key() == project || o.ProjectID == project)
		})
	}
	rest := objects{}
	for kind, list := range world {
		rest[kind] = slices.DeleteFunc(slices.Clone(list), belongs)
	}
	return rest
}

// kinds names all kinds in these worlds, sorted.
func kinds(worlds ...objects) []string {
	var names []string
	for _, world := range worlds {
		for kind := range world {
			names = append(names, kind)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
