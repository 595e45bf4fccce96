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

// reword explains invalid numbers and times, and removes possible secrets from diagnostics: values that look like
// secrets, and values of sensitive attributes.
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

// shownOfLong is how many bytes are shown of a value that is longer than twice that.
const shownOfLong = 200

// cutTo shortens long values in a text, so that the message about one isn't far above or below it.
func cutTo(text string, long []string) string {
	for _, value := range long {
		text = strings.ReplaceAll(text, value, fmt.Sprintf("%s… (%d characters)",
			strings.TrimSpace(strings.ToValidUTF8(value[:shownOfLong], "")), utf8.RuneCountInString(value)))
	}
	return text
}

// invisible matches characters that a terminal doesn't show, or that control it.
var invisible = regexp.MustCompile(`[^\n\t\PC]|[^ \PZ]`)

// visible replaces invisible characters with their codes.
func visible(text string) string {
	return invisible.ReplaceAllStringFunc(text, func(character string) string {
		return strings.Trim(strconv.QuoteToASCII(character), `"`)
	})
}

// notTaken matches the framework's messages about a fraction in place of a whole number, and about a number that is too
// large.
var notTaken = regexp.MustCompile(`\*big\.Float=(\S+)\) (is not an integer|cannot be represented)`)

// explainNumbers replaces the framework's messages about invalid numbers, which blame the provider.
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

// outsideOfSets cuts a path at the first set: Terraform can't locate elements of sets.
func outsideOfSets(at *tftypes.AttributePath) *tftypes.AttributePath {
	for i, step := range at.Steps() {
		if _, inSet := step.(tftypes.ElementKeyValue); inSet {
			return tftypes.NewAttributePathWithSteps(at.Steps()[:i])
		}
	}
	return at
}

var (
	// setElement matches a set's element as stock validators write it: by its whole value.
	setElement = regexp.MustCompile(`\[Value\(.*?\)\]`)
	// fraction matches a number as stock validators write it: always with six decimals.
	fraction = regexp.MustCompile(`\b\d+\.\d{6}\b`)
)

// shortened removes elements of sets and trailing zeros from a stock validator's message.
func shortened(text string) string {
	return fraction.ReplaceAllStringFunc(setElement.ReplaceAllString(text, ""), func(number string) string {
		return strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
	})
}

// explainMoment replaces the message of the type RFC3339, which speaks of Go. If expires_in exists, it names that for
// durations.
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

// shownLine cuts a path to an attribute and perhaps an element, for which Terraform finds the line. For a longer path
// it would show the resource, or another attribute with the last step's name.
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

// nameAttribute puts the attribute and its value before a message that doesn't name the attribute. OpenTofu doesn't
// always show the line, and elements of a map have the same attributes.
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

// written returns a path as a configuration would write it, up to an element of a set.
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

// attributeName returns the innermost attribute of a path.
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

// mocked matches the random texts of mock_provider, in Terraform and OpenTofu.
var mocked = regexp.MustCompile(`^[A-Za-z0-9]{4,16}$`)

// returned matches names of attributes that usually come from another object: ids, log positions and times.
var returned = regexp.MustCompile(`^(.*_)?(id|ids|lsn|at|timestamp)$`)

// withoutMocks drops diagnostics about values that may come from a mock. For a mocked provider, Terraform only
// validates and never configures; a real plan or read validates again with a configured provider.
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

// reworded applies withoutMocks and reword.
func (s *redactingServer) reworded(
	diags []*tfprotov6.Diagnostic, config *tfprotov6.DynamicValue, schema *tfprotov6.Schema,
) []*tfprotov6.Diagnostic {
	return reword(s.withoutMocks(diags, config, schema), config, schema)
}
