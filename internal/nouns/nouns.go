// Package nouns reads what each noun says of itself for those that walk over all nouns: tests of
// what is common to resources, and the pages of the documentation. It stands in the file noun.hcl of the
// noun's folder below internal/provider, in the language of the configurations that it quotes.
package nouns

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsimple"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Noun is what a folder says.
type Noun struct {
	Folder string
	// Group is where its pages stand in the documentation's menu.
	Group     string     `hcl:"group"`
	Pages     []Page     `hcl:"page,block"`
	Resources []Resource `hcl:"resource,block"`
}

// Page is what the pages of one name have in common: those of the resource, data source,
// ephemeral and list resource, action or function.
type Page struct {
	Name string `hcl:"name,label"`
	// Group is its own, where that isn't the noun's.
	Group string `hcl:"group,optional"`
	// Key says which API key it needs, where not any that sees the project; Keys by the kind of
	// what has the name.
	Key  string            `hcl:"key,optional"`
	Keys map[string]string `hcl:"keys,optional"`
}

// Resource is what tests need to know of a managed resource. In its lines, a text with $ stands for something of the
// Neon that the tests start: $project, $main (the default branch), $other_branch, $org, $max (a member), $tomorrow
// and the others of newChangeWorld.
type Resource struct {
	Name string `hcl:"name,label"`
	// Identity are the attributes of its identity, and of its import id, in this order; without any
	// it can't be imported.
	Identity []string `hcl:"identity,optional"`
	// Protects is the kind by which protect of the provider block names such objects.
	Protects string `hcl:"protects,optional"`
	// Unmoved is true where no other provider has such a resource.
	Unmoved bool `hcl:"unmoved,optional"`
	// NotListed says why it has no list resource.
	NotListed string `hcl:"not_listed,optional"`

	// Needs are the attributes without which there is no such resource, Whole all others that one object can have, but for
	// the Excluded ones, and Several those of many objects side by side, as far as they aren't those that it needs, with
	// $n for the number of each and $member for a member.
	Needs, Whole, Several Lines
	NeedsBlock            *block   `hcl:"needs,block"`
	WholeBlock            *block   `hcl:"whole,block"`
	SeveralBlock          *block   `hcl:"several,block"`
	Excluded              []string `hcl:"excluded,optional"`
	// FoundBy are the attributes by which an object is found, which can't change while it is the same: those of the
	// identity and the id where it doesn't say others. Fixed are the fields of Neon's answers for these; id by default.
	FoundBy []string `hcl:"found_by,optional"`
	Fixed   []string `hcl:"fixed,optional"`
	// Together are attributes of which each is configured with the others: a change of one, or of what is in one, leaves
	// them as they are needed or in Whole.
	Together [][]string `hcl:"together,optional"`
	// At is the call that returns it, with attributes of the state in braces, and after # where its
	// answer has the object.
	At string `hcl:"at,optional"`
	// Places are where Neon has attributes, with what is in them, that aren't fields of their names there.
	Places map[string]string `hcl:"places,optional"`
	// Changes are what each attribute can become. The timeouts of these kinds can be changed as well.
	Changes []Change `hcl:"change,block"`
	// Local are attributes of which Neon knows nothing, and Unreturned those that it doesn't return: after a change of
	// one of these, it is checked that the object is there.
	Local      []string `hcl:"local,optional"`
	Unreturned []string `hcl:"unreturned,optional"`
	Timeouts   []string `hcl:"timeouts,optional"`

	// ListedAs is the name that a list shows, with attributes in braces, of several the first that it has; {name} by
	// default. Where it has none of them, any name will do.
	ListedAs string `hcl:"listed_as,optional"`
	// ListedBy is the data source that returns the ids of such objects, which an error names: the one of its name in the
	// plural by default.
	ListedBy string `hcl:"listed_by,optional"`
	// Calls are those that tests let fail; NoCalls is the test of its folder that does it where they can't.
	Calls   *Calls `hcl:"calls,block"`
	NoCalls string `hcl:"no_calls,optional"`
	// Few says why a plan over many isn't counted. Each are the routes that a plan sends once for each of many, as Neon
	// has no list of what they return.
	Few  string   `hcl:"few,optional"`
	Each []string `hcl:"each,optional"`
	// GoesFirst says why one that is replaced may go before Neon refuses another where its place is taken.
	GoesFirst string `hcl:"goes_first,optional"`
	Chaos     Chaos  `hcl:"chaos,block"`
}

// Chaos is what internal/chaos needs to know besides. Texts have fields of the objects in braces, and {key} for the
// last part of an id.
type Chaos struct {
	// Objects is the list of the emulator's GET /_emulator/objects that has such objects.
	Objects string `hcl:"objects"`
	// Called is what errors call one whose id they can't know, as the answer to its creation was lost.
	Called string `hcl:"called,optional"`
	// Creation is the call that creates one, whose effect may come late: by default that of the noun's calls.
	Creation string `hcl:"creation,optional"`
	// Path is where Neon has one, and Body what is sent with its deletion; by default it is where the noun's calls read
	// one, else in its project, by its id.
	Path string `hcl:"path,optional"`
	// IsEmptied is true where Neon has no deletion, and Body is put instead.
	Body      hcl.Expression `hcl:"body,optional"`
	IsEmptied bool           `hcl:"is_emptied,optional"`
	// Often is how many of the lives are those of such resources.
	Often int `hcl:"often,optional"`
	// Marked is true where something on Neon says which run created one, Alike where nothing tells an object of a name
	// from others of it, and Siblings where a configuration may have two that nothing tells apart.
	Marked   bool `hcl:"marked,optional"`
	Alike    bool `hcl:"alike,optional"`
	Siblings bool `hcl:"siblings,optional"`
	// Unique is true where only one of two runs can have one of a name, beyond those whose id is made of it, and Twinless
	// where two runs can't want the same.
	Unique   bool `hcl:"unique,optional"`
	Twinless bool `hcl:"twinless,optional"`
	// Stays is true where Neon has no call that deletes one: a destroy forgets it, and says so. SometimesGoes is true
	// where there is such a call for those whose state is as the first of Sometimes says.
	Stays         bool `hcl:"stays,optional"`
	SometimesGoes bool `hcl:"sometimes_goes,optional"`
	// First is true where there are states of version 0 that this provider wrote.
	First bool `hcl:"first,optional"`
	// StaysBehind is true of what isn't on the branch that a restore puts in the place of its own.
	StaysBehind bool `hcl:"stays_behind,optional"`
	// Once is true where Neon takes nothing again that was removed.
	Once bool `hcl:"once,optional"`
	// Single is the reading under which Neon has one of a kind, as name=alternative.
	Single string `hcl:"single,optional"`
	// Ephemeral is true where an ephemeral resource of its name makes one for the time of a run.
	Ephemeral bool `hcl:"ephemeral,optional"`

	// Becomes are the versions that one goes through, each by the changes that it makes, with spaces between them. By
	// default what is other in each of several changes once. VersionBlocks say instead of that what each version has.
	Becomes       []string `hcl:"becomes,optional"`
	VersionBlocks []*block `hcl:"version,block"`
	versions      []Lines
	// Sometimes is what every other one has besides, and each on a branch of its own: one of several blocks in turn.
	Sometimes       []Lines
	SometimesBlocks []*block `hcl:"sometimes,block"`
	// Leaves is the list of objects that has what a destruction leaves on purpose, by the name in the resource's
	// final_snapshot: one for each branch.
	Leaves string `hcl:"leaves,optional"`
	// Differs are fields of the emulator's objects, by the attributes with which each becomes another.
	Differs map[string]string `hcl:"differs,optional"`
}

// IsNamed reports whether a configuration says all of its identity, so that its id is known before it exists.
func (r Resource) IsNamed() bool {
	return len(r.Identity) > 0 && !slices.ContainsFunc(r.Identity,
		func(part string) bool { return part != "org_id" && !r.Needs.Has(part) })
}

// CreationRoute is the route that creates one; empty where none does, or one that also changes it.
func (r Resource) CreationRoute() string {
	if r.Chaos.Creation != "" || r.Calls == nil {
		return r.Chaos.Creation
	}
	if r.Calls.Creation == r.Calls.Single {
		return ""
	}
	return cmp.Or(r.Calls.Creation, r.Calls.List)
}

type block struct {
	Body hcl.Body `hcl:",remain"`
}

// Change is an attribute before and after a change of it. Before, after and refused are the attribute's own value, with
// those that it is configured together with, or blocks with all attributes that change with it; values are both of its
// own. They take the place of what the noun needs by the same names.
type Change struct {
	Attribute    string `hcl:"attribute,label"`
	Before       Lines
	After        Lines
	BeforeValue  hcl.Expression `hcl:"before,optional"`
	AfterValue   hcl.Expression `hcl:"after,optional"`
	RefusedValue hcl.Expression `hcl:"refused,optional"`
	Values       hcl.Expression `hcl:"values,optional"`
	BeforeBlock  *block         `hcl:"before,block"`
	AfterBlock   *block         `hcl:"after,block"`
	// Field is where Neon has the value Want afterwards, in what the noun's call returns or, with a slash, in what another
	// one does: of the attribute's name and with its value, where it isn't said. It is empty where Neon knows nothing of
	// the attribute.
	Field *string `hcl:"field,optional"`
	Want  *string `hcl:"want,optional"`
	// Refused is a change of what is after, which is an error of the plan.
	Refused Lines
	// Only says why there is no other value to change to.
	Only string `hcl:"only,optional"`
}

// Calls are the routes of Neon's API below a project, with attributes of the state in braces. The list is what the
// single one is in, where it isn't said.
type Calls struct {
	List   string `hcl:"list,optional"`
	Single string `hcl:"single"`
	// Creation is what is posted to, where that isn't the list.
	Creation string `hcl:"creation,optional"`
	// ReadsAlone is true where one of them is read by the single route, and looked for in the
	// list where that says that it isn't there.
	ReadsAlone bool `hcl:"reads_alone,optional"`
	// Work are the operations of a creation, of which it has one at least; none for those without.
	Work []string `hcl:"work,optional"`
}

// Repository is the root of the repository, in whichever folder of it a program or test runs.
func Repository() string {
	start, _ := filepath.Abs(".") // Without a working directory, nothing of the repository is found anyway.
	for folder := start; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "terraform-registry-manifest.json")); err == nil {
			return folder
		}
	}
	return start
}

// Read returns all nouns of a clone of the repository, by the names of their folders.
func Read(repository string) (map[string]Noun, error) {
	files, err := filepath.Glob(filepath.Join(repository, "internal", "provider", "*", "noun.hcl"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there are no nouns in %s: %w", repository, err)
	}
	all := map[string]Noun{}
	for _, file := range files {
		source, err := os.ReadFile(file) // #nosec G304 -- a file of the repository
		if err != nil {
			return nil, err
		}
		noun := Noun{Folder: filepath.Base(filepath.Dir(file))}
		if err := hclsimple.Decode(file, source, nil, &noun); err != nil {
			return nil, err
		}
		for i := range noun.Resources {
			resource := &noun.Resources[i]
			resource.complete(source)
			isList := func(page Page) bool { return page.Name == resource.Name+"s" }
			if resource.ListedBy == "" && slices.ContainsFunc(noun.Pages, isList) {
				resource.ListedBy = resource.Name + "s"
			}
		}
		all[noun.Folder] = noun
	}
	return all, nil
}

// Resources are those of all nouns, by their names.
func Resources(of map[string]Noun) map[string]Resource {
	all := map[string]Resource{}
	for _, noun := range of {
		for _, resource := range noun.Resources {
			all[resource.Name] = resource
		}
	}
	return all
}

// complete reads what is written in blocks, and adds what isn't said because it is so of most.
func (r *Resource) complete(source []byte) {
	r.Needs, r.Whole = linesOf(source, r.NeedsBlock), linesOf(source, r.WholeBlock)
	if r.SeveralBlock != nil {
		r.Several = r.Needs.With(linesOf(source, r.SeveralBlock))
	}
	for _, more := range r.Chaos.SometimesBlocks {
		r.Chaos.Sometimes = append(r.Chaos.Sometimes, linesOf(source, more))
	}
	for _, version := range r.Chaos.VersionBlocks {
		r.Chaos.versions = append(r.Chaos.versions, linesOf(source, version))
	}
	if r.FoundBy == nil {
		r.FoundBy = append([]string{"id"}, r.Identity...)
	}
	if r.Fixed == nil {
		r.Fixed = []string{"id"}
	}
	if r.Calls != nil {
		r.Calls.List = cmp.Or(r.Calls.List, path.Dir(r.Calls.Single))
		r.Chaos.Path = cmp.Or(r.Chaos.Path, strings.TrimPrefix(path.Dir(r.Calls.Single), "/api/v2")+"/{key}")
	}
	for i := range r.Changes {
		change := &r.Changes[i]
		if pair, ok := change.Values.(*hclsyntax.TupleConsExpr); ok && len(pair.Exprs) == 2 {
			change.BeforeValue, change.AfterValue = pair.Exprs[0], pair.Exprs[1]
		}
		change.Before = r.linesOf(change.Attribute, source, change.BeforeValue, change.BeforeBlock)
		change.After = r.linesOf(change.Attribute, source, change.AfterValue, change.AfterBlock)
		change.Refused = r.linesOf(change.Attribute, source, change.RefusedValue, nil)
		if change.Field == nil {
			change.Field = r.fieldOf(change)
		}
	}
	if len(r.Timeouts) > 0 {
		var durations []string
		for _, kind := range r.Timeouts {
			durations = append(durations, kind+` = "5m"`)
		}
		r.Whole = append(r.Whole, Line{"timeouts", "{ " + strings.Join(durations, ", ") + " }"})
		r.Changes = append(r.Changes, changesOfTimeouts(r.Timeouts)...)
	}
}

// fieldOf is where Neon has what changes if that isn't a field of its name. What is in a list is compared with the
// list.
func (r *Resource) fieldOf(change *Change) *string {
	switch attribute := change.Attribute; {
	case change.Want == nil && slices.Contains(r.Local, attribute):
		return new("")
	case change.Want == nil && slices.Contains(r.Unreturned, attribute):
		return new(itself)
	default:
		for within := attribute; within != ""; within = within[:max(0, strings.LastIndex(within, "."))] {
			place, isPlaced := r.Places[within]
			if isList := change.After.valueAt(within, asWritten).Type().IsTupleType(); isPlaced && isList {
				return &place
			}
			if isPlaced {
				return new(place + strings.TrimPrefix(attribute, within))
			}
		}
		return nil
	}
}

// linesOf are those of an attribute's value or of a block, with what they are configured together with.
func (r *Resource) linesOf(attribute string, source []byte, value hcl.Expression, lines *block) Lines {
	own := linesOf(source, lines)
	if isWritten(value) {
		own = Lines{lineAt(attribute, textOf(source, value))}
	}
	isWith := func(line Line) bool {
		return slices.ContainsFunc(r.Together, func(all []string) bool {
			return slices.Contains(all, line.Name) && slices.ContainsFunc(all, own.Has)
		})
	}
	all := slices.DeleteFunc(r.Needs.With(r.Whole), func(line Line) bool { return !isWith(line) })
	for _, line := range own {
		all = all.over(line, isWritten(value) && line.Name != attribute)
	}
	if isElsewhere := slices.Contains(own, Line{"project_id", `"$other_project"`}); isElsewhere && len(own) == 1 &&
		r.Needs.Has("branch_id") {
		all = append(all, Line{"branch_id", `"$other_main"`})
	}
	return all
}

// changesOfTimeouts are the changes of timeouts, of which only Terraform knows.
func changesOfTimeouts(kinds []string) (changes []Change) {
	lines := func(kind, duration string) Lines { return Lines{lineAt("timeouts."+kind, strconv.Quote(duration))} }
	for i, kind := range kinds {
		if i == 0 {
			changes = append(changes, Change{Attribute: "timeouts", Before: lines(kind, "5m"),
				After: Lines{{"timeouts", "null"}}, Field: new("")})
		}
		changes = append(changes, Change{Attribute: "timeouts." + kind, Before: lines(kind, "5m"), After: lines(kind, "6m"),
			Field: new("")})
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
