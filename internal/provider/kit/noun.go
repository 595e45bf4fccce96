package kit

import (
	"errors"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Noun is a kind of Neon's objects, as all messages know it. A noun that others name, or that Neon's messages are
// about, introduces itself.
type Noun struct {
	Called   string // what errors of the client call one of its objects
	ListedBy string // the data source that lists them, by what follows neon_; empty for none
	// IDs say what ids look like that Neon assigns; the zero value where they look like no others.
	IDs IDs
	// NamedIn is the attribute in which data sources name an object that has what they read; empty for none.
	NamedIn string
	// InMessages has what Neon's messages call attributes that have another name in its API.
	InMessages map[string]string
	// Instead has what to do, after a colon, about a value that Neon refuses, by the name of its attribute.
	Instead map[string]string
	// Advise says what to do about an error that is this noun's alone; empty where the general advice fits.
	Advise func(err error) string
}

// IDs are those of a noun.
type IDs struct {
	Prefix  string // that no other noun's have; empty for none
	Example string
	In      []string // the attributes that hold one
	// LookUp is the block of the data source NAME that finds an id by a name, which %s stands for; empty where none does.
	LookUp string
	// Elsewhere is the data source of another provider that has them too; empty for none.
	Elsewhere string
}

// LookUpInProject is the LookUp of what the data source with that name finds in a project.
func LookUpInProject(dataSource string) string {
	return "data \"neon_" + dataSource + "\" \"NAME\" {\n  project_id = ...\n  name       = %s\n}"
}

// introduced is complete before main begins.
var introduced []Noun

// Introduce has messages know a noun. It is called while packages are initialized, and returns the noun.
func Introduce(noun Noun) Noun {
	introduced = append(introduced, noun)
	return noun
}

// nounWhere returns the noun of which something holds; nil for none.
func nounWhere(holds func(Noun) bool) *Noun {
	i := slices.IndexFunc(introduced, holds)
	if i < 0 {
		return nil
	}
	return &introduced[i]
}

// nounCalled is the noun of which an object has that name in errors; the zero value for one that isn't introduced.
func nounCalled(called string) Noun {
	if noun := nounWhere(func(noun Noun) bool { return noun.Called == called }); noun != nil {
		return *noun
	}
	return Noun{}
}

// nounOf is the noun whose ids an attribute of that name holds; nil where that isn't known.
func nounOf(attribute string) *Noun {
	return nounWhere(func(noun Noun) bool { return slices.Contains(noun.IDs.In, attribute) })
}

// nounOfID is the noun whose prefix an id has; nil for none.
func nounOfID(id string) *Noun {
	return nounWhere(func(noun Noun) bool { return noun.IDs.Prefix != "" && strings.HasPrefix(id, noun.IDs.Prefix) })
}

// inMessages is what Neon's messages call an attribute; its name where no noun says otherwise.
func inMessages(attribute string) string {
	if noun := nounWhere(func(noun Noun) bool { return noun.InMessages[attribute] != "" }); noun != nil {
		return noun.InMessages[attribute]
	}
	return attribute
}

// insteadOf says what to do about a value that Neon refuses.
func insteadOf(attribute string) string {
	if noun := nounWhere(func(noun Noun) bool { return noun.Instead[attribute] != "" }); noun != nil {
		return noun.Instead[attribute]
	}
	return "configure another value."
}

// adviceOfNoun returns the advice of the noun that the error is about, or "".
func adviceOfNoun(err error) string {
	if answer, is := errors.AsType[*client.Error](err); is && (answer.Foreign || adviceForPlan(answer) != "") {
		return ""
	}
	for _, noun := range introduced {
		if noun.Advise == nil {
			continue
		}
		if advice := noun.Advise(err); advice != "" {
			return advice
		}
	}
	return ""
}
