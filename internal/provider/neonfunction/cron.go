package neonfunction

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// cronFields are the five fields with their bounds.
var cronFields = []struct {
	name        string
	least, most int
}{{"minute", 0, 59}, {"hour", 0, 23}, {"day of the month", 1, 31}, {"month", 1, 12}, {"day of the week", 0, 7}}

// cronPart is one part of a field: *, a number or a range of them, and perhaps a step.
var cronPart = regexp.MustCompile(`^(\*|(\d+)(?:-(\d+))?)(?:/(\d+))?$`)

// cronProblem returns what is wrong with a schedule, or "".
func cronProblem(text string) string {
	fields := strings.Fields(text)
	if len(fields) != len(cronFields) {
		return "must have five fields of numbers, such as 0 3 * * 1"
	}
	for i, field := range fields {
		bounds := cronFields[i]
		for part := range strings.SplitSeq(field, ",") {
			found := cronPart.FindStringSubmatch(part)
			if found == nil {
				return fmt.Sprintf("must have five fields of numbers, such as 0 3 * * 1, and %s isn't one: a field is *, a "+
					"number or a range such as 1-5, perhaps with a step such as */15, or several of these with commas",
					kit.Quoted(part))
			}
			numbers := []int{}
			for _, text := range found[2:4] {
				if text == "" {
					continue
				}
				number, err := strconv.Atoi(text)
				if err != nil || number < bounds.least || number > bounds.most {
					return fmt.Sprintf("has %s as the %s, which must be %d to %d", text, bounds.name, bounds.least, bounds.most)
				}
				numbers = append(numbers, number)
			}
			if len(numbers) == 2 && numbers[0] > numbers[1] {
				return fmt.Sprintf("has %s as the %s, a range that ends before it begins", part, bounds.name)
			}
			if step := found[4]; step != "" && strings.Trim(step, "0") == "" {
				return fmt.Sprintf("has %s as the %s, whose step must be at least 1", part, bounds.name)
			}
		}
	}
	return ""
}

// checkCron refuses schedules that Neon refuses, before anything is destroyed for them.
func checkCron(at path.Path, schedule string, diags *diag.Diagnostics) {
	if problem := cronProblem(schedule); problem != "" {
		diags.AddAttributeError(at, "Invalid schedule", at.String()+" "+problem+", got: "+kit.Quoted(schedule)+".")
	}
}
