package acctest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// RunSteps runs steps in a world. A second plan after each is empty, or the
// testing framework complains.
func RunSteps(t *testing.T, w *World, steps ...resource.TestStep) {
	t.Helper()
	Test(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: steps})
}

// ExpectAction is the plan check of a step.
func ExpectAction(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

// Meanwhile is called between a plan and its apply.
type Meanwhile func()

// CheckPlan calls it.
func (m Meanwhile) CheckPlan(context.Context, plancheck.CheckPlanRequest, *plancheck.CheckPlanResponse) {
	m()
}

// InOrder matches an error message with several parts.
func InOrder(parts ...string) *regexp.Regexp {
	patterns := make([]string, len(parts))
	for i, part := range parts {
		patterns[i] = InWords(part).String()
	}
	return regexp.MustCompile(strings.Join(patterns, `(?s:.*)`))
}

// DataIs checks an attribute of the data source that dataBlock declares.
func DataIs(kind string, check knownvalue.Check, first string, path ...any) statecheck.StateCheck {
	at := tfjsonpath.New(first)
	for _, step := range path {
		switch step := step.(type) {
		case int:
			at = at.AtSliceIndex(step)
		case string:
			at = at.AtMapKey(step)
		}
	}
	return statecheck.ExpectKnownValue("data.neon_"+kind+".test", at, check)
}

// WithoutReplica is the body of a branch with one endpoint.
const WithoutReplica = `name = "b"
	endpoints = { app = { type = "read_write" } }`

// WithReplica adds a read_only endpoint with settings.
func WithReplica(settings string) string {
	return `name = "b"
	endpoints = {
		app = { type = "read_write" }
		ro  = { type = "read_only"` + settings + ` }
	}`
}

// InWords matches an error message wherever Terraform breaks its lines.
func InWords(text string) *regexp.Regexp {
	words := strings.Fields(text)
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	return regexp.MustCompile(strings.Join(words, `[\s│]+`))
}

// ImportBlock imports a branch.
func ImportBlock(branch client.BranchRef) string {
	return fmt.Sprintf("\nimport {\n to = %s\n id = \"%s/%s\"\n}\n", BranchAddress, branch.ProjectID, branch.ID)
}

const BranchAddress = "neon_branch.test"

// InDays is a moment so many days ahead, in RFC 3339.
func InDays(days int) string {
	return time.Now().UTC().Truncate(time.Second).AddDate(0, 0, days).Format(time.RFC3339)
}

// Planned makes a step that applies a configuration, and checks that the branch
// gets that action. The testing framework itself checks that a second plan is
// empty.
func Planned(config string, action plancheck.ResourceActionType, checks ...statecheck.StateCheck) resource.TestStep {
	return resource.TestStep{
		Config: config,
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(BranchAddress, action)},
		},
		ConfigStateChecks: checks,
	}
}

const ClaimableAddress = "neon_claimable_database.test"

// ClaimableBlock declares a claimable database.
func ClaimableBlock(lines ...string) string {
	return "resource \"neon_claimable_database\" \"test\" {\n" + strings.Join(lines, "\n") + "\n}\n"
}

// Matches checks a string against a regular expression.
func Matches(pattern string) knownvalue.Check {
	return knownvalue.StringRegexp(regexp.MustCompile(pattern))
}

// IDOf remembers the id in state.
func IDOf(address string, id *string) statecheck.StateCheck {
	return After(func(state State) error {
		*id = state.Texts(address)["id"]
		return nil
	})
}

// ListIs checks the ids of a list in state, one by one.
func ListIs(address, list string, want []string) statecheck.StateCheck {
	return After(func(state State) error {
		objects, _ := state.Resource(address)[list].([]any)
		var got []string
		for _, object := range objects {
			attributes, _ := object.(map[string]any)
			got = append(got, fmt.Sprint(attributes["id"]))
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("%s: %d ids, want %d, in order: got %.200q, want %.200q", address, len(got), len(want), got, want)
		}
		return nil
	})
}

// WantedList is what follows in the block of a data source, and the ids that it lists.
type WantedList struct {
	Kind, Lines string
	Want        []string
}

// RunLists reads data sources in one step, and checks the list of that name in each.
func RunLists(t *testing.T, w *World, list string, tests []WantedList) {
	t.Helper()
	config := w.ProviderConfig()
	checks := make([]statecheck.StateCheck, len(tests))
	for i, test := range tests {
		config += fmt.Sprintf("data \"neon_%s\" \"test%d\" {\n  %s\n}\n", test.Kind, i, test.Lines)
		checks[i] = ListIs(fmt.Sprintf("data.neon_%s.test%d", test.Kind, i), list, test.Want)
	}
	RunSteps(t, w, resource.TestStep{Config: config, ConfigStateChecks: checks})
}

// DataBlock declares a data source.
func DataBlock(kind, lines string) string {
	return fmt.Sprintf("data \"neon_%s\" \"test\" {\n  %s\n}\n", kind, lines)
}

const (
	PooledURL = "postgresql://neondb_owner:npg_s3cret@ep-cool-a1-pooler.c-2.us-east-2.aws.neon.tech/neondb" +
		"?channel_binding=require&sslmode=require"
	DirectURL = "postgresql://neondb_owner:npg_s3cret@ep-cool-a1.c-2.us-east-2.aws.neon.tech/neondb" +
		"?channel_binding=require&sslmode=require"
)
