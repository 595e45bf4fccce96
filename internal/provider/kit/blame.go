package kit

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// AddConfigError is AddError for a write of a configuration. If Neon's refusal names an attribute or quotes its value,
// the error is on that attribute.
func AddConfigError(diags *diag.Diagnostics, config tfsdk.Config, summary string, err error, hints ...string) {
	blamed := blamedFor(refusedValues(err), configured(config.Raw))
	if blamed == nil {
		AddError(diags, summary, err, hints...)
		return
	}
	if shown := blamed.shown(); shown != "" && len(hints) == 0 && !isAdvised(err) {
		hints = []string{adviceForValue(blamed, err)}
	}
	diags.AddAttributeError(blamed.path(), summary, Describe(err, hints))
}

// refusedValues returns Neon's message about refused values, or "" if the error may be about something else.
func refusedValues(err error) string {
	absent, isAbsent := errors.AsType[*client.AbsentError](err)
	answer, isAnswer := errors.AsType[*client.Error](err)
	switch {
	case isAbsent:
		return unquotedID.ReplaceAllString(absent.What, `"$1"`)
	case !isAnswer || answer.Foreign:
		return ""
	case slices.Contains([]int{http.StatusBadRequest, http.StatusNotFound, http.StatusPreconditionFailed,
		http.StatusUnprocessableEntity}, answer.StatusCode):
		return answer.Message
	}
	return ""
}

// unquotedID matches the id at the end of an AbsentError's text, such as `Project p has no branch br-1`.
var unquotedID = regexp.MustCompile(`([^ "]+)$`)

// adviceForValue says what to configure instead of a value.
func adviceForValue(blamed *configuredValue, err error) string {
	answer, isAnswer := errors.AsType[*client.Error](err)
	name, shown := blamed.name, blamed.shown()
	refused := "Neon doesn't accept " + name + " = " + shown
	switch {
	case client.HasStatus(err, http.StatusNotFound):
		return "Neon finds no " + name + " = " + shown + ". " + adviceFor(err)
	case isAnswer && adviceForPlan(answer) != "":
		return refused + ". " + adviceForPlan(answer)
	}
	return refused + ": " + insteadOf(name)
}

// configuredValue is an attribute as it is configured.
type configuredValue struct {
	steps []tftypes.AttributePathStep
	name  string
	value tftypes.Value
}

// configured returns the attributes of a configuration, also those within others.
func configured(config tftypes.Value) []configuredValue {
	var all []configuredValue
	_ = tftypes.Walk(config, func(at *tftypes.AttributePath, value tftypes.Value) (bool, error) {
		if name, ok := at.LastStep().(tftypes.AttributeName); ok {
			all = append(all, configuredValue{at.Steps(), string(name), value})
		}
		return true, nil
	})
	return all
}

// path returns the attribute's path; for an element of a set, which has no address, the path of the set.
func (v configuredValue) path() path.Path {
	at := path.Empty()
	for _, step := range v.steps {
		switch step := step.(type) {
		case tftypes.AttributeName:
			at = at.AtName(string(step))
		case tftypes.ElementKeyString:
			at = at.AtMapKey(string(step))
		default:
			return at
		}
	}
	return at
}

func (v configuredValue) shown() string { return Shown(v.value) }

// blamedFor returns the attribute that a message of Neon's is about: the one whose value it quotes first, or else the
// one that it names first, preferably one with a value; nil if there is none.
func blamedFor(message string, attributes []configuredValue) *configuredValue {
	var first []configuredValue
	var best []int
	for _, attribute := range attributes {
		rank := attribute.rankIn(message)
		switch compared := slices.Compare(rank, best); {
		case rank == nil || best != nil && compared > 0:
		case best != nil && compared == 0:
			first = append(first, attribute)
		default:
			first, best = []configuredValue{attribute}, rank
		}
	}
	return common(first)
}

// common returns the only attribute left, or the one that contains all that are left; nil if there is none.
func common(attributes []configuredValue) *configuredValue {
	if len(attributes) == 1 {
		return &attributes[0]
	}
	for _, attribute := range attributes {
		if attribute.steps[0] != attributes[0].steps[0] {
			return nil
		}
	}
	if len(attributes) == 0 {
		return nil
	}
	return &configuredValue{steps: attributes[0].steps[:1]}
}

// rankIn ranks how a message mentions the attribute: first by a quoted value, then by the name of an attribute with a
// value, then by any name; within a rank by position, and at one position by the longest name. It returns nil if the
// message doesn't mention the attribute. Names such as "type" may be ordinary words.
func (v configuredValue) rankIn(message string) []int {
	shown, rank := v.shown(), 1
	if at := strings.Index(message, shown); at >= 0 && strings.HasPrefix(shown, `"`) {
		return []int{0, at}
	}
	if shown == "" {
		rank = 2
	}
	words := strings.ReplaceAll(strings.TrimSuffix(v.name, "_seconds"), "_", " ")
	found := regexp.MustCompile(`(?i)\b(` + v.name + "|" + words + "|" + inMessages(v.name) +
		`)\b`).FindStringIndex(message)
	if found == nil || slices.Contains([]string{"name", "type", "id"}, v.name) {
		return nil
	}
	return []int{rank, found[0], found[0] - found[1]}
}
