package kit

import (
	"cmp"
	"errors"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// AddConfigError is AddError for a write of what a configuration asks for. Where Neon's
// refusal names an attribute or quotes its value, the error is that attribute's.
func AddConfigError(diags *diag.Diagnostics, config tfsdk.Config, summary string, err error, hints ...string) {
	blamed := blamedFor(refusedValues(err), configured(config.Raw))
	if blamed == nil {
		AddError(diags, summary, err, hints...)
		return
	}
	if shown := blamed.shown(); shown != "" && len(hints) == 0 && !isAdvised(err) {
		hints = []string{adviceForValue(blamed, err)}
	}
	diags.AddAttributeError(blamed.at, summary, Describe(err, hints))
}

// refusedValues is what Neon says of the values that were sent; empty where the error may
// be about anything else.
func refusedValues(err error) string {
	var answer *client.Error
	var absent *client.AbsentError
	switch {
	case errors.As(err, &absent):
		return unquotedID.ReplaceAllString(absent.What, `"$1"`)
	case !errors.As(err, &answer) || answer.Foreign:
		return ""
	case slices.Contains([]int{http.StatusBadRequest, http.StatusNotFound, http.StatusPreconditionFailed, http.StatusUnprocessableEntity}, answer.StatusCode):
		return answer.Message
	}
	return ""
}

// unquotedID is the id at the end of what an absence is said with.
var unquotedID = regexp.MustCompile(`([^ "]+)$`)

// adviceForValue says what to configure instead of a value.
func adviceForValue(blamed *configuredValue, err error) string {
	var answer *client.Error
	isAnswer := errors.As(err, &answer)
	name, shown := blamed.name, blamed.shown()
	refused := "Neon doesn't accept " + name + " = " + shown
	switch {
	case client.HasStatus(err, http.StatusNotFound):
		return "Neon finds no " + name + " = " + shown + ". " + adviceFor(err)
	case isAnswer && adviceForPlan(answer) != "":
		return refused + ". " + adviceForPlan(answer)
	case name == "region_id":
		if awsRegion.MatchString(shown) {
			refused += `, and calls AWS's region "aws-` + shown[1:]
		}
		return refused + ": configure another. The data source neon_regions lists the regions that there are."
	case strings.HasPrefix(name, "autoscaling_limit_"):
		return refused + ": configure another size. " + ComputeSizesText
	}
	return refused + ": configure another value."
}

// awsRegion is what AWS itself calls a region.
var awsRegion = regexp.MustCompile(`^"[a-z]{2}-[a-z]+-\d"$`)

// configuredValue is an attribute as it is configured.
type configuredValue struct {
	at    path.Path
	name  string
	value tftypes.Value
}

// configured returns the attributes of a configuration, also those within others. The path of
// one in a set is that of the set.
func configured(config tftypes.Value) []configuredValue {
	var all []configuredValue
	_ = tftypes.Walk(config, func(steps *tftypes.AttributePath, value tftypes.Value) (bool, error) {
		at, name, inSet := path.Empty(), "", false
		for _, step := range steps.Steps() {
			name = ""
			switch step := step.(type) {
			case tftypes.AttributeName:
				if name = string(step); !inSet {
					at = at.AtName(name)
				}
			case tftypes.ElementKeyString:
				at = at.AtMapKey(string(step))
			default:
				inSet = true
			}
		}
		if name != "" {
			all = append(all, configuredValue{at, name, value})
		}
		return true, nil
	})
	return all
}

func (v configuredValue) shown() string { return Shown(v.value) }

// Shown is a value as an error repeats it; empty where there is none to show.
func Shown(value tftypes.Value) string {
	var text string
	var number big.Float
	var isOn bool
	switch {
	case value.IsNull() || !value.IsKnown():
		return ""
	case value.Type().Is(tftypes.String) && value.As(&text) == nil:
		return Quoted(text)
	case value.Type().Is(tftypes.Bool) && value.As(&isOn) == nil:
		return strconv.FormatBool(isOn)
	case value.Type().Is(tftypes.Number) && value.As(&number) == nil:
		return number.Text('f', -1)
	}
	return ""
}

// quoted is a value in a message of Neon's.
var quoted = regexp.MustCompile(`"[^"]+"`)

// blamedFor returns the attribute that a message of Neon's is about: the one whose value it
// quotes first, else the one that it names first, which is one with a value where there is any;
// nil where that can't be told.
func blamedFor(message string, attributes []configuredValue) *configuredValue {
	for _, value := range quoted.FindAllString(message, -1) {
		other := func(attribute configuredValue) bool { return attribute.shown() != value }
		if having := slices.DeleteFunc(slices.Clone(attributes), other); len(having) > 0 {
			return common(having)
		}
	}
	var named []mention
	for _, attribute := range attributes {
		if at, length := namedIn(message, attribute.name); length > 0 {
			named = append(named, mention{attribute, attribute.shown() != "", at, length})
		}
	}
	slices.SortFunc(named, mention.compare)
	var first []configuredValue
	for _, next := range named {
		if next.compare(named[0]) == 0 {
			first = append(first, next.configuredValue)
		}
	}
	return common(first)
}

// mention is an attribute's name in a message.
type mention struct {
	configuredValue

	hasValue   bool
	at, length int
}

// compare puts what is configured before what isn't, and then what is named first: of names that
// begin at the same place, the longest.
func (m mention) compare(other mention) int {
	if m.hasValue != other.hasValue {
		return map[bool]int{true: -1, false: 1}[m.hasValue]
	}
	return cmp.Or(cmp.Compare(m.at, other.at), cmp.Compare(other.length, m.length))
}

// common returns the attribute that is left, or the one that all that are left are in; nil
// for none.
func common(attributes []configuredValue) *configuredValue {
	if len(attributes) == 0 {
		return nil
	}
	if len(attributes) == 1 {
		return &attributes[0]
	}
	first := attributes[0].at.Steps()[0]
	if slices.ContainsFunc(attributes, func(attribute configuredValue) bool { return !attribute.at.Steps()[0].Equal(first) }) {
		return nil
	}
	return &configuredValue{at: path.Empty().AtName(first.String()), name: first.String()}
}

// calledByNeon is what Neon's messages call attributes that have another name in its API.
var calledByNeon = map[string]string{
	"autoscaling_limit_max_cu": "compute size", "suspend_timeout_seconds": "suspend interval", "org_id": "organization not found",
	"vpc_endpoint_id": "vpc endpoint",
}

// namedIn returns where a message has an attribute's name, with underscores or in words, and how
// long it is there; 0 for nothing. Names such as "type" may be any word of it.
func namedIn(message, name string) (at, length int) {
	if slices.Contains([]string{"name", "type", "id"}, name) {
		return 0, 0
	}
	words := strings.ReplaceAll(strings.TrimSuffix(name, "_seconds"), "_", " ")
	found := regexp.MustCompile(`(?i)\b(` + name + "|" + words + "|" + cmp.Or(calledByNeon[name], name) + `)\b`).FindStringIndex(message)
	if found == nil {
		return 0, 0
	}
	return found[0], found[1] - found[0]
}
