package kit

import (
	"cmp"
	"errors"
	"fmt"
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
		return refused + ": configure another. The data source neon_regions lists the regions that there are."
	case strings.HasPrefix(name, "autoscaling_limit_"):
		return refused + ": configure another size. " + ComputeSizesText
	}
	return refused + ": configure another value."
}

// configuredValue is an attribute as it is configured.
type configuredValue struct {
	at    path.Path
	name  string
	value tftypes.Value
}

// configured returns the attributes of a configuration, also those within others.
func configured(config tftypes.Value) []configuredValue {
	var all []configuredValue
	_ = tftypes.Walk(config, func(at *tftypes.AttributePath, value tftypes.Value) (bool, error) {
		steps := at.Steps()
		if len(steps) > 0 {
			if name, isAttribute := steps[len(steps)-1].(tftypes.AttributeName); isAttribute {
				all = append(all, configuredValue{pathOf(steps), string(name), value})
			}
		}
		return true, nil
	})
	return all
}

// pathOf is the framework's form of a path, as far as to the set that an element is in.
func pathOf(steps []tftypes.AttributePathStep) path.Path {
	at := path.Empty()
	for _, step := range steps {
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

// shown is the value as an error repeats it; empty where there is none to show.
func (v configuredValue) shown() string {
	var text string
	var number big.Float
	var isOn bool
	switch {
	case v.value.IsNull() || !v.value.IsKnown():
		return ""
	case v.value.Type().Is(tftypes.String) && v.value.As(&text) == nil:
		return Quoted(text)
	case v.value.Type().Is(tftypes.Bool) && v.value.As(&isOn) == nil:
		return strconv.FormatBool(isOn)
	case v.value.Type().Is(tftypes.Number) && v.value.As(&number) == nil:
		return number.Text('f', -1)
	}
	return ""
}

// quoted is a value in a message of Neon's.
var quoted = regexp.MustCompile(`"[^"]+"`)

// blamedFor returns the attribute that a message of Neon's is about: the one whose value it
// quotes first, else the one that it names; nil where that can't be told.
func blamedFor(message string, attributes []configuredValue) *configuredValue {
	for _, value := range quoted.FindAllString(message, -1) {
		having := slices.DeleteFunc(slices.Clone(attributes), func(attribute configuredValue) bool { return attribute.shown() != value })
		if len(having) > 0 {
			return only(having)
		}
	}
	longest := 0
	var named []configuredValue
	for _, attribute := range attributes {
		switch length := namedAs(attribute.name, message); {
		case length == 0 || length < longest:
		case length > longest:
			named, longest = []configuredValue{attribute}, length
		case attribute.name == named[0].name:
			named = append(named, attribute)
		}
	}
	return only(named)
}

// only returns the attribute that is left, or the one that all that are left are in; nil
// for none.
func only(attributes []configuredValue) *configuredValue {
	if len(attributes) == 1 {
		return &attributes[0]
	}
	var root path.PathStep
	for _, attribute := range attributes {
		first := attribute.at.Steps()[0]
		if root != nil && !first.Equal(root) {
			return nil
		}
		root = first
	}
	if name, isAttribute := root.(path.PathStepAttributeName); isAttribute {
		return &configuredValue{at: path.Root(string(name)), name: string(name)}
	}
	return nil
}

// calledByNeon is what Neon's messages call attributes that have another name in its API.
var calledByNeon = map[string]string{
	"autoscaling_limit_max_cu": "compute size", "suspend_timeout_seconds": "suspend interval", "org_id": "organization not found",
	"vpc_endpoint_id": "vpc endpoint",
}

// namedAs returns how much of a message is an attribute's name, with underscores or in
// words; 0 for nothing. Names such as "type" may be any word of it.
func namedAs(name, message string) int {
	message = strings.ToLower(message)
	words := strings.ReplaceAll(strings.TrimSuffix(name, "_seconds"), "_", " ")
	for _, called := range []string{name, words, cmp.Or(calledByNeon[name], name)} {
		isCommon := slices.Contains([]string{"name", "type", "id"}, called)
		if !isCommon && regexp.MustCompile(fmt.Sprintf(`\b%s\b`, regexp.QuoteMeta(called))).MatchString(message) {
			return len(called)
		}
	}
	return 0
}
