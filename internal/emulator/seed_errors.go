package emulator

import (
	"cmp"
	"errors"
	"reflect"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// seedParts are the parts of the file that describes a world, by their Go types.
var seedParts = map[string]struct {
	name string
	form any
}{
	"emulator.seedWorld":        {"a world", seedWorld{}},
	"emulator.seedOrganization": {"an organization", seedOrganization{}},
	"emulator.seedProject":      {"a project", seedProject{}},
	"emulator.seedBranch":       {"a branch", seedBranch{}},
	"emulator.seedDatabase":     {"a database", seedDatabase{}},
	"emulator.seedSQL":          {"a part of sql", seedSQL{}},
}

// The two errors that the YAML package has for a text that is well-formed.
var (
	unknownSeedField = regexp.MustCompile(`^(line \d+): field (\S+) not found in type (\S+)$`)
	wrongSeedKind    = regexp.MustCompile("(?s)^(line \\d+): cannot unmarshal !!(\\w+) ?(`.*`)? ?into (\\S+)$")
)

// readableSeedError says in the file's own terms what the YAML package says in terms of Go types.
func readableSeedError(err error) error {
	var wrong *yaml.TypeError
	if !errors.As(err, &wrong) {
		return err
	}
	var said []string
	for _, text := range wrong.Errors {
		if m := unknownSeedField.FindStringSubmatch(text); m != nil {
			text = m[1] + `: there is no field "` + m[2] + `" here; ` + seedParts[m[3]].name + " has " + seedFields(m[3])
		} else if m := wrongSeedKind.FindStringSubmatch(text); m != nil {
			text = m[1] + ": " + cmp.Or(m[3], seedKind(m[2])) + " can't be here; there must be " + seedKind(m[4])
		}
		said = append(said, text)
	}
	return errors.New(strings.Join(said, "; "))
}

// seedKind is what a type of Go, or a kind of YAML's, is in the file.
func seedKind(name string) string {
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
	if part, known := seedParts[name]; known {
		return part.name + ", with the fields " + seedFields(name)
	}
	return "a list"
}

// seedFields are the names of the fields of a part.
func seedFields(part string) string {
	form := reflect.TypeOf(seedParts[part].form)
	var names []string
	for i := range form.NumField() {
		names = append(names, form.Field(i).Tag.Get("yaml"))
	}
	return strings.Join(names, ", ")
}
