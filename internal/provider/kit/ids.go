package kit

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// idPattern is what Neon's ids of organizations, projects, branches and endpoints have in
// common.
var idPattern = regexp.MustCompile(`^[a-z0-9-]{1,60}$`)

// generatedPattern is an id with capitals, that of a trigger or of a credential. A limit in it would be repeated that
// often, which takes time whenever the provider starts.
var generatedPattern = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// IsGeneratedID reports whether a text can be an id that Neon makes up of letters, digits, "_" and "-", 128 at most.
func IsGeneratedID(text string) bool { return len(text) <= 128 && generatedPattern.MatchString(text) }

// takes reports whether an id can be one of the noun; of nil, any can.
func (n *Noun) takes(id string) bool {
	return n == nil || strings.HasPrefix(id, n.IDs.Prefix) && (n.IDs.Prefix != "" || nounOfID(id) == nil)
}

// IsID reports whether a text can be the id that an attribute of that name holds, such as
// "branch_id".
func IsID(attribute string) func(string) bool {
	return func(id string) bool { return idPattern.MatchString(id) && nounOf(attribute).takes(id) }
}

// IDProblem returns what is wrong with an id for the named attribute, or "".
func IDProblem(attribute, id string) string {
	noun := nounOf(attribute)
	switch {
	case noun.takes(id) && idPattern.MatchString(id):
		return ""
	case noun == nil:
		return fmt.Sprintf("must be an id as Neon assigns them: 1 to 60 lower-case letters, digits and hyphens, got: %s.",
			Quoted(id))
	}
	problem := fmt.Sprintf("must be the id of %s, such as %s, got: %s", withArticle(noun.Called), noun.IDs.Example,
		Quoted(id))
	if other := nounOfID(id); other != nil && other.Called != noun.Called {
		return problem + ", which is the id of " + withArticle(other.Called) + "."
	}
	if noun.IDs.LookUp == "" {
		return problem + ". The data source " + noun.IDs.elsewhere() + "neon_" + noun.ListedBy + " has the ids."
	}
	if id != "" && !MayBeSecret(id) {
		problem += fmt.Sprintf(". If that is its name, this finds its id:\n\n"+noun.IDs.LookUp+"\n\n"+
			"and %[2]s is then data.neon_%[3]s.NAME.id", Quoted(id), attribute, noun.Called)
	}
	return problem + "."
}

func (i IDs) elsewhere() string {
	if i.Elsewhere == "" {
		return ""
	}
	return i.Elsewhere + " or "
}

func withArticle(noun string) string {
	if strings.ContainsRune("aeio", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// IDValidators refuses what can't be an id of the kind that the attribute's name says.
func IDValidators() []validator.String {
	return []validator.String{TextRule(func(at path.Path, id string, diags *diag.Diagnostics) {
		if problem := IDProblem(lastName(at), id); problem != "" {
			diags.AddAttributeError(at, "Invalid id", at.String()+" "+problem)
		}
	})}
}

// lastName is the name of the innermost attribute of a path.
func lastName(at path.Path) string {
	steps := at.Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		if name, ok := steps[i].(path.PathStepAttributeName); ok {
			return string(name)
		}
	}
	return ""
}
