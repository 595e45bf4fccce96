package nouns

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Versions are what a resource of an attack goes through, in which $n is its name, and $again what is behind that
// once the name is to be another. More is what each of them has besides.
func (r Resource) Versions(more Lines) []Lines {
	first := slices.Concat(r.Needs, r.Several)
	versions := []Lines{first}
	for i, version := range r.Chaos.versions {
		if i == 0 {
			versions = nil
		}
		versions = append(versions, slices.Concat(first, version))
	}
	if len(r.Chaos.versions) == 0 {
		for _, attribute := range r.becoming() {
			versions[0] = slices.Concat(versions[0], r.before(attribute))
		}
		for _, changes := range r.becomes() {
			next := slices.Clone(versions[len(versions)-1])
			for attribute := range strings.FieldsSeq(changes) {
				next = append(next, r.after(attribute)...)
			}
			versions = append(versions, next)
		}
	}
	for i := range versions {
		versions[i] = slices.Concat(versions[i], more)
	}
	return versions
}

// becomes are the changes of each version.
func (r Resource) becomes() []string {
	if r.Chaos.Becomes != nil {
		return r.Chaos.Becomes
	}
	for _, line := range r.Several {
		if _, ok := r.Change(line.Name); ok && isNumbered(line) {
			return []string{line.Name}
		}
	}
	return nil
}

// becoming are all attributes that change.
func (r Resource) becoming() []string { return strings.Fields(strings.Join(r.becomes(), " ")) }

func isNumbered(line Line) bool { return strings.Contains(line.Value, "$n") }

// numbered is the line of several for an attribute, if it is another one for each.
func (r Resource) numbered(attribute string) (Line, bool) {
	i := slices.IndexFunc(r.Several, func(line Line) bool { return line.Name == attribute && isNumbered(line) })
	if i < 0 {
		return Line{}, false
	}
	return r.Several[i], true
}

func (r Resource) before(attribute string) Lines {
	if _, ok := r.numbered(attribute); ok {
		return nil
	}
	change, _ := r.Change(attribute)
	i := slices.IndexFunc(r.Needs, func(line Line) bool { return line.Name == attribute })
	if len(change.Before) > 0 || i < 0 {
		return change.Before
	}
	return Lines{r.Needs[i]}
}

func (r Resource) after(attribute string) Lines {
	if line, ok := r.numbered(attribute); ok {
		return Lines{{attribute, strings.ReplaceAll(line.Value, "$n", "$n$again")}}
	}
	change, _ := r.Change(attribute)
	return change.After
}

// Checks are what Neon has of a version's values: of all that changes, and of what the resource needs that isn't its
// place.
func (r Resource) Checks(
	values map[string]cty.Value, isPlace func(Line) bool, texts *strings.Replacer,
) (checks []Check) {
	becoming := r.becoming()
	attributes := slices.Clone(becoming)
	for _, line := range slices.Concat(r.Needs.With(r.Several), slices.Concat(r.Chaos.versions...)) {
		if !isPlace(line) {
			attributes = append(attributes, line.Name)
		}
	}
	slices.Sort(attributes)
	for _, attribute := range slices.Compact(attributes) {
		change, ok := r.Change(attribute)
		name, nested, _ := strings.Cut(attribute, ".")
		value, isThere := values[name]
		if !isThere {
			value = none
		}
		check := change.checkOf(Within(value, nested), texts)
		_, differs := r.Chaos.Differs[attribute]
		switch {
		case !ok || check.Field == "" || differs:
		case change.Field != nil && len(r.Chaos.versions) > 0: // It is that of the change's own object.
		case check.IsNot && !slices.Contains(becoming, attribute):
		default:
			checks = append(checks, check)
		}
	}
	return checks
}
