package seed

import (
	"cmp"
	"errors"
	"reflect"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// parts are the parts of the file that describes a world, by their Go types.
var parts = map[string]struct {
	name string
	form any
}{
	"seed.World":        {"a world", World{}},
	"seed.organization": {"an organization", organization{}},
	"seed.project":      {"a project", project{}},
	"seed.branch":       {"a branch", branch{}},
	"seed.database":     {"a database", database{}},
	"seed.statements":   {"a part of sql", statements{}},
}

// The two errors that the YAML package has for a text that is well-formed.
var (
	unknownField = regexp.MustCompile(`^(line \d+): field (\S+) not found in type (\S+)$`)
	wrongKind    = regexp.MustCompile("(?s)^(line \\d+): cannot unmarshal !!(\\w+) ?(`.*`)? ?into (\\S+)$")
)

// readable says in the file's own terms what the YAML package says in terms of Go types.
func readable(err error) error {
	var wrong *yaml.TypeError
	if !errors.As(err, &wrong) {
		return err
	}
	var said []string
	for _, text := range wrong.Errors {
		if m := unknownField.FindStringSubmatch(text); m != nil {
			text = m[1] + `: there is no field "` + m[2] + `" here; ` + parts[m[3]].name + " has " + fieldsOf(m[3])
		} else if m := wrongKind.FindStringSubmatch(text); m != nil {
			text = m[1] + ": " + cmp.Or(m[3], kindOf(m[2])) + " can't be here; there must be " + kindOf(m[4])
		}
		said = append(said, text)
	}
	return errors.New(strings.Join(said, "; "))
}

// kindOf is what a type of Go, or a kind of YAML's, is in the file.
func kindOf(name string) string {
	switch name {
	case "string", "str":
		return "a text"
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	case "map":
		return "a mapping"
	}
	if part, known := parts[name]; known {
		return part.name + ", with the fields " + fieldsOf(name)
	}
	return "a list"
}

// fieldsOf are the names of the fields of a part.
func fieldsOf(part string) string {
	form := reflect.TypeOf(parts[part].form)
	var names []string
	for i := range form.NumField() {
		names = append(names, form.Field(i).Tag.Get("yaml"))
	}
	return strings.Join(names, ", ")
}
