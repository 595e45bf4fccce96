package provider

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// reword explains what is wrong with a moment, and takes the inputs that may be secrets out
// of diagnostics: the texts that look like secrets, and those that the schema says are some.
func reword(
	diags []*tfprotov6.Diagnostic, config *tfprotov6.DynamicValue, schema *tfprotov6.Schema,
) []*tfprotov6.Diagnostic {
	if len(diags) == 0 || config == nil || schema == nil {
		return diags
	}
	value, err := config.Unmarshal(schema.ValueType())
	if err != nil {
		return diags
	}
	diags = explainNumbers(diags, value)
	var secrets, long []string
	_ = tftypes.Walk(value, func(at *tftypes.AttributePath, value tftypes.Value) (bool, error) {
		var text string
		if value.As(&text) == nil && text != "" && (kit.MayBeSecret(text) || isSensitive(schema, at)) {
			secrets = append(secrets, text)
		}
		if len(text) > 2*shownOfLong {
			long = append(long, text, strings.Trim(strconv.Quote(text), `"`))
		}
		return true, nil
	})
	for _, problem := range diags {
		explainMoment(problem, value)
		problem.Detail = shortened(problem.Detail)
		nameAttribute(problem, value)
		problem.Summary = visible(kit.WithoutSecrets(problem.Summary, secrets))
		problem.Detail = visible(cutTo(kit.WithoutSecrets(problem.Detail, secrets), long))
		problem.Attribute = shownLine(problem.Attribute)
	}
	return diags
}

// shownOfLong is how many bytes are shown of a value that is more than twice as long.
const shownOfLong = 200

// cutTo cuts long values that a text repeats: what is wrong with one would be far above it, or below.
func cutTo(text string, long []string) string {
	for _, value := range long {
		text = strings.ReplaceAll(text, value, fmt.Sprintf("%s… (%d characters)",
			strings.TrimSpace(strings.ToValidUTF8(value[:shownOfLong], "")), utf8.RuneCountInString(value)))
	}
	return text
}

// invisible matches what a terminal doesn't show, or obeys.
var invisible = regexp.MustCompile(`[^\n\t\PC]|[^ \PZ]`)

// visible writes what a person wouldn't see in a text by its code.
func visible(text string) string {
	return invisible.ReplaceAllStringFunc(text, func(character string) string {
		return strings.Trim(strconv.QuoteToASCII(character), `"`)
	})
}

// notTaken is what the framework says, among much else, of a fraction in place of a whole number, and of one that is
// too large.
var notTaken = regexp.MustCompile(`\*big\.Float=(\S+)\) (is not an integer|cannot be represented)`)

// explainNumbers replaces what the framework says of each number that it doesn't take, which blames the provider.
func explainNumbers(diags []*tfprotov6.Diagnostic, config tftypes.Value) []*tfprotov6.Diagnostic {
	wholeOnly := map[string]bool{}
	others := slices.DeleteFunc(slices.Clone(diags), func(problem *tfprotov6.Diagnostic) bool {
		found := notTaken.FindStringSubmatch(problem.Detail)
		if found != nil {
			wholeOnly[found[1]] = found[2] == "is not an integer"
		}
		return found != nil
	})
	_ = tftypes.Walk(config, func(at *tftypes.AttributePath, value tftypes.Value) (bool, error) {
		var number big.Float
		isNumber := !value.IsNull() && value.IsKnown() && value.As(&number) == nil
		isWholeOnly, isRefused := wholeOnly[number.String()]
		_, accuracy := number.Int64()
		if !isNumber || !isRefused || isWholeOnly && number.IsInt() || accuracy == big.Exact {
			return true, nil
		}
		summary, must := "Not a whole number", "a whole number"
		if !isWholeOnly {
			summary, must = "Number out of range", "a number of 64 bits"
		}
		others = append(others, &tfprotov6.Diagnostic{
			Severity: tfprotov6.DiagnosticSeverityError, Attribute: outsideOfSets(at), Summary: summary,
			Detail: fmt.Sprintf("%s must be %s, got: %s.", written(at), must, number.Text('g', 20)),
		})
		return true, nil
	})
	return others
}

// outsideOfSets is a path as far as to a set, of whose elements terraform knows no place.
func outsideOfSets(at *tftypes.AttributePath) *tftypes.AttributePath {
	for i, step := range at.Steps() {
		if _, inSet := step.(tftypes.ElementKeyValue); inSet {
			return tftypes.NewAttributePathWithSteps(at.Steps()[:i])
		}
	}
	return at
}

var (
	// setElement is how stock validators call an element of a set: by its whole value.
	setElement = regexp.MustCompile(`\[Value\(.*?\)\]`)
	// fraction is how they write a number that need not be whole.
	fraction = regexp.MustCompile(`\b\d+\.\d{6}\b`)
)

// shortened is what a stock validator says, without the elements of sets and zeros that only
// get in the way.
func shortened(text string) string {
	return fraction.ReplaceAllStringFunc(setElement.ReplaceAllString(text, ""), func(number string) string {
		return strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
	})
}

// explainMoment replaces what the type of moments says of a value, which is about Go. A duration has an attribute of
// its own.
func explainMoment(problem *tfprotov6.Diagnostic, config tftypes.Value) {
	if problem.Summary != "Invalid RFC3339 String Value" || problem.Attribute == nil {
		return
	}
	_, rest, _ := strings.Cut(problem.Detail, "Given Value: ")
	given, _, _ := strings.Cut(rest, "\n")
	problem.Summary = "Invalid moment"
	problem.Detail = fmt.Sprintf("%s must be a moment in RFC 3339, such as 2030-01-31T12:00:00Z, got: %q.",
		attributeName(problem.Attribute), given)
	at := tftypes.NewAttributePath().WithAttributeName("expires_in")
	_, _, absent := tftypes.WalkAttributePath(config, at)
	if _, err := kit.ParseDuration(given); err == nil && absent == nil &&
		attributeName(problem.Attribute) == "expires_at" {
		problem.Detail += " For a time that counts from the creation, write expires_in = " + strconv.Quote(given) +
			" instead."
	}
}

// shownLine is as much of a path as Terraform finds the line of: an attribute, and an element of it. Of a longer path
// it shows the resource, or an attribute of the resource that happens to have the name at the path's end.
func shownLine(at *tftypes.AttributePath) *tftypes.AttributePath {
	steps := at.Steps()
	if len(steps) < 2 {
		return at
	}
	if _, isMember := steps[1].(tftypes.AttributeName); isMember {
		return tftypes.NewAttributePathWithSteps(steps[:1])
	}
	return tftypes.NewAttributePathWithSteps(steps[:2])
}

// nameAttribute begins a message with the attribute that it is about, and its value, where it
// doesn't name that: OpenTofu doesn't always show the line of the configuration, and several elements of a map have
// the same attributes.
func nameAttribute(problem *tfprotov6.Diagnostic, config tftypes.Value) {
	if problem.Attribute == nil || len(problem.Attribute.Steps()) == 0 {
		return
	}
	name, text := written(problem.Attribute), problem.Summary+"\n"+problem.Detail
	isNamed := strings.Contains(text, name)
	if !strings.Contains(name, "].") {
		isNamed = regexp.MustCompile(`\b` + regexp.QuoteMeta(attributeName(problem.Attribute)) + `\b`).MatchString(text)
	}
	if isNamed {
		return
	}
	found, _, _ := tftypes.WalkAttributePath(config, problem.Attribute)
	value, _ := found.(tftypes.Value)
	if shown := kit.Shown(value); shown != "" {
		name += " = " + shown
	}
	problem.Detail = name + ": " + problem.Detail
}

// written is a path as it would be written in a configuration, as far as to an element of a set.
func written(at *tftypes.AttributePath) string {
	text := ""
	for _, step := range at.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			text += "." + string(step)
		case tftypes.ElementKeyString:
			text += fmt.Sprintf("[%q]", string(step))
		case tftypes.ElementKeyInt:
			text += fmt.Sprintf("[%d]", int64(step))
		}
	}
	return strings.TrimPrefix(text, ".")
}

// attributeName is the innermost attribute of a path.
func attributeName(at *tftypes.AttributePath) string {
	for _, step := range slices.Backward(at.Steps()) {
		if name, ok := step.(tftypes.AttributeName); ok {
			return string(name)
		}
	}
	return "It"
}

func isSensitive(schema *tfprotov6.Schema, at *tftypes.AttributePath) bool {
	return slices.ContainsFunc(schema.Block.Attributes, func(attribute *tfprotov6.SchemaAttribute) bool {
		return attribute.Sensitive && at.Steps()[0] == tftypes.AttributeName(attribute.Name)
	})
}

// mocked is how mock_provider writes a computed text, in Terraform and OpenTofu.
var mocked = regexp.MustCompile(`^[A-Za-z0-9]{4,16}$`)

// returned matches the names of attributes whose value mostly is what another object returns: ids,
// positions in a log and moments.
var returned = regexp.MustCompile(`^(.*_)?(id|ids|lsn|at|timestamp)$`)

// withoutMocks leaves out what is wrong with such a value that may come from a mock. A mocked
// provider validates with this program, and does nothing else with it: no mock configures it, while each
// plan and each read validates once more with a provider that is configured.
func (s *redactingServer) withoutMocks(
	diags []*tfprotov6.Diagnostic, config *tfprotov6.DynamicValue, schema *tfprotov6.Schema,
) []*tfprotov6.Diagnostic {
	if len(diags) == 0 || config == nil || schema == nil || s.isConfigured.Load() {
		return diags
	}
	value, err := config.Unmarshal(schema.ValueType())
	if err != nil {
		return diags
	}
	return slices.DeleteFunc(diags, func(problem *tfprotov6.Diagnostic) bool {
		found, _, err := tftypes.WalkAttributePath(value, problem.Attribute)
		given, isValue := found.(tftypes.Value)
		var text string
		return err == nil && isValue && given.IsKnown() && given.As(&text) == nil && mocked.MatchString(text) &&
			returned.MatchString(attributeName(problem.Attribute))
	})
}

// reworded is reword of what a validation says.
func (s *redactingServer) reworded(
	diags []*tfprotov6.Diagnostic, config *tfprotov6.DynamicValue, schema *tfprotov6.Schema,
) []*tfprotov6.Diagnostic {
	return reword(s.withoutMocks(diags, config, schema), config, schema)
}
