// Package nouns reads what each noun says of itself for those that walk over all nouns: tests of
// what is common to resources, and the pages of the documentation. It stands in the file noun.hcl of the
// noun's folder below internal/provider, in the language of the configurations that it quotes.
package nouns

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsimple"
)

// Noun is what a folder says.
type Noun struct {
	Folder string
	// Group is where its pages stand in the documentation's menu.
	Group string `hcl:"group"`
	// LeadsTo are the folders of the nouns whose pages its own lead on to.
	LeadsTo   []string   `hcl:"leads_to,optional"`
	Pages     []Page     `hcl:"page,block"`
	Resources []Resource `hcl:"resource,block"`
}

// Page is what the pages of one name have in common: those of the resource, data source,
// ephemeral and list resource, action or function.
type Page struct {
	Name string `hcl:"name,label"`
	// Group is its own, where that isn't the noun's.
	Group string `hcl:"group,optional"`
	// LeadsTo are its own, where they aren't the noun's.
	LeadsTo []string `hcl:"leads_to,optional"`
	// Key says which API key it needs, where not any that sees the project; Keys by the kind of
	// what has the name.
	Key  string            `hcl:"key,optional"`
	Keys map[string]string `hcl:"keys,optional"`
}

// Resource is what tests need to know of a managed resource. Its texts are lines of its block, in
// which a name with $ stands for something of the Neon that the tests start: $project, $main (the
// default branch), $other_branch, $org, $max (a member), $tomorrow and the others of newChangeWorld.
type Resource struct {
	Name string `hcl:"name,label"`
	// Identity are the attributes of its identity, and of its import id, in this order; without any
	// it can't be imported.
	Identity []string `hcl:"identity,optional"`
	// Unmoved is true where no other provider has such a resource.
	Unmoved bool `hcl:"unmoved,optional"`
	// NotListed says why it has no list resource.
	NotListed string `hcl:"not_listed,optional"`

	// Needs are the lines without which there is no such resource, and Whole those for all other attributes
	// that one object can have, but for the Excluded ones.
	Needs    string   `hcl:"needs"`
	Whole    string   `hcl:"whole,optional"`
	Excluded []string `hcl:"excluded,optional"`
	// FoundBy are the attributes, and Fixed the fields of Neon's answers, by which an object is
	// found: they can't change while it is the same.
	FoundBy []string `hcl:"found_by,optional"`
	Fixed   []string `hcl:"fixed,optional"`
	// At is the call that returns it, with attributes of the state in braces, and after # where its
	// answer has the object.
	At string `hcl:"at,optional"`
	// Changes are what each attribute can become, but for the timeouts of these kinds.
	Changes  []Change `hcl:"change,block"`
	Timeouts []string `hcl:"timeouts,optional"`

	// Calls are those that tests let fail; NoCalls says why there are none.
	Calls   *Calls `hcl:"calls,block"`
	NoCalls string `hcl:"no_calls,optional"`
	// Several are the lines of many objects side by side, with $n for the number of each, and
	// $member for a member; Few says why a plan over many isn't counted. Each are the routes that a plan
	// sends once for each, as Neon has no list of what they return.
	Several string   `hcl:"several,optional"`
	Few     string   `hcl:"few,optional"`
	Each    []string `hcl:"each,optional"`
}

// Change is an attribute before and after a change of it. Its lines take the place of what the
// noun needs by the same name.
type Change struct {
	Attribute string `hcl:"attribute,label"`
	Before    string `hcl:"before,optional"`
	After     string `hcl:"after,optional"`
	// Field is where Neon has the value Want afterwards, in what the noun's call returns or, with
	// a slash, in what another one does; empty where Neon knows nothing of the attribute.
	Field string `hcl:"field,optional"`
	Want  string `hcl:"want,optional"`
	// Refused is a change of what is after, which is an error of the plan.
	Refused string `hcl:"refused,optional"`
	// Only says why there is no other value to change to.
	Only string `hcl:"only,optional"`
}

// Calls are the routes of Neon's API below a project, with attributes of the state in braces.
type Calls struct {
	List   string `hcl:"list"`
	Single string `hcl:"single"`
	// Creation is what is posted to, where that isn't the list.
	Creation string `hcl:"creation,optional"`
	// ReadsAlone is true where one of them is read by the single route, and looked for in the
	// list where that says that it isn't there.
	ReadsAlone bool `hcl:"reads_alone,optional"`
	// Work are the operations of a creation, of which it has one at least; none for those without.
	Work []string `hcl:"work,optional"`
}

// Read returns all nouns of a clone of the repository, by the names of their folders.
func Read(repository string) (map[string]Noun, error) {
	files, err := filepath.Glob(filepath.Join(repository, "internal", "provider", "*", "noun.hcl"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there are no nouns in %s: %w", repository, err)
	}
	all := map[string]Noun{}
	for _, file := range files {
		noun := Noun{Folder: filepath.Base(filepath.Dir(file))}
		if err := hclsimple.DecodeFile(file, nil, &noun); err != nil {
			return nil, err
		}
		for i := range noun.Resources {
			resource := &noun.Resources[i]
			resource.Changes = append(resource.Changes, changesOfTimeouts(resource.Timeouts)...)
		}
		all[noun.Folder] = noun
	}
	return all, nil
}

// changesOfTimeouts are the changes of timeouts, of which only Terraform knows.
func changesOfTimeouts(kinds []string) (changes []Change) {
	lines := func(kind, duration string) string { return fmt.Sprintf("timeouts = { %s = %q }", kind, duration) }
	for i, kind := range kinds {
		if i == 0 {
			changes = append(changes, Change{Attribute: "timeouts", Before: lines(kind, "5m"), After: "timeouts = null"})
		}
		changes = append(changes, Change{Attribute: "timeouts." + kind, Before: lines(kind, "5m"), After: lines(kind, "6m")})
	}
	return changes
}

// GroupOf is where a page stands.
func (n Noun) GroupOf(page Page) string {
	if page.Group != "" {
		return page.Group
	}
	return n.Group
}

// KeyOf says which API key a page's kind needs, such as "Data Source"; empty for any that sees
// the project.
func (p Page) KeyOf(kind string) string {
	if key, ok := p.Keys[kind]; ok {
		return key
	}
	return p.Key
}

// Change returns the change of an attribute.
func (r Resource) Change(attribute string) (Change, bool) {
	i := slices.IndexFunc(r.Changes, func(change Change) bool { return change.Attribute == attribute })
	if i < 0 {
		return Change{}, false
	}
	return r.Changes[i], true
}
