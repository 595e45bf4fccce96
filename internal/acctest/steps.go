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
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// EphemeralBlock opens a key of this kind.
func (k KeyKind) EphemeralBlock(name string, lines ...string) string {
	return "ephemeral" + strings.TrimPrefix(k.Block(name, lines...), "resource")
}

// KeyKind is one of the kinds of API key, all of which live alike.
type KeyKind struct {
	Resource string
	// own are the attributes that only this kind has.
	own string
	// orgID is empty for a personal key; projectID for one of all projects.
	OrgID, ProjectID string
}

// KeyKinds are the kinds of API keys, by name.
func KeyKinds(w *World) map[string]KeyKind {
	org := fmt.Sprintf("org_id = %q\n", w.OrgID)
	return map[string]KeyKind{
		"personal":       {Resource: "neon_api_key"},
		"organization":   {Resource: "neon_org_api_key", own: org, OrgID: w.OrgID},
		"project-scoped": {"neon_org_api_key", org + fmt.Sprintf("project_id = %q\n", w.ProjectID), w.OrgID, w.ProjectID},
	}
}

// Address is the resource's in the configuration.
func (k KeyKind) Address() string { return k.Resource + ".test" }

// Block is a resource with a name and more lines.
func (k KeyKind) Block(name string, lines ...string) string {
	return fmt.Sprintf("resource %q \"test\" {\n  name = %q\n  %s%s\n}\n", k.Resource, name, k.own,
		strings.Join(lines, "\n"))
}

// Scope is where the client finds the key.
func (k KeyKind) Scope() client.APIKeyScope {
	return client.APIKeyScope{OrgID: k.OrgID, ProjectID: k.ProjectID}
}

// ImportID is what the key is imported by.
func (k KeyKind) ImportID(id string) string {
	if k.OrgID == "" {
		return id
	}
	return k.OrgID + "/" + id
}

// Route is the emulator's name of a call about this kind of key.
func (k KeyKind) Route(method string) string {
	if k.OrgID == "" {
		return method + " /api/v2/api_keys"
	}
	return method + " /api/v2/organizations/{org_id}/api_keys"
}

// Checks are those of every attribute.
func (k KeyKind) Checks(name string, triggers knownvalue.Check) []statecheck.StateCheck {
	is := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
		return statecheck.ExpectKnownValue(k.Address(), tfjsonpath.New(attribute), check)
	}
	checks := []statecheck.StateCheck{
		is("id", Matches(`^[1-9][0-9]{0,18}$`)),
		is("name", knownvalue.StringExact(name)),
		is("rotation_triggers", triggers),
		is("key", knownvalue.StringRegexp(regexp.MustCompile(`^\S{16,}$`))),
		is("created_at", knownvalue.StringRegexp(regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`))),
		is("created_by", knownvalue.StringRegexp(regexp.MustCompile(`.`))),
	}
	if k.OrgID == "" {
		return checks
	}
	project := knownvalue.Null()
	if k.ProjectID != "" {
		return append(checks, is("org_id", knownvalue.StringExact(k.OrgID)),
			is("project_id", knownvalue.StringExact(k.ProjectID)))
	}
	return append(checks, is("org_id", knownvalue.StringExact(k.OrgID)), is("project_id", project))
}

// Revoke revokes all live keys of a name, past Terraform.
func (k KeyKind) Revoke(t *testing.T, w *World, name string) {
	t.Helper()
	api := w.Client(t)
	keys, err := client.All(api.ListAPIKeys(context.Background(), k.Scope()))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if key.Name != name {
			continue
		}
		if err := api.RevokeAPIKey(context.Background(), k.Scope(), key.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// NoneLeft checks that a test leaves no live key of these names.
func (k KeyKind) NoneLeft(t *testing.T, w *World, names ...string) {
	t.Helper()
	keys, err := client.All(w.Client(t).ListAPIKeys(context.Background(), k.Scope()))
	if err != nil {
		t.Error(err)
	}
	for _, key := range keys {
		if slices.Contains(names, key.Name) {
			t.Errorf("API key %d (%s) was left behind", key.ID, key.Name)
		}
	}
}

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

// Works checks that the key in state is one that the platform takes.
func (k KeyKind) Works(w *World, wanted bool) statecheck.StateCheck {
	return After(func(state State) error {
		token := state.Texts(k.Address())["key"]
		api, err := client.New(client.Config{BaseURL: w.BaseURL, APIKey: token})
		if err != nil {
			return err
		}
		_, err = client.All(api.ListEndpoints(context.Background(), w.Ref("")))
		if works := err == nil; works != wanted {
			return fmt.Errorf("the key works: %t, want %t (%w)", works, wanted, err)
		}
		return nil
	})
}

// ImportAgain imports what is in state once more, and compares: only the token
// can't be had again.
func (k KeyKind) ImportAgain(kind resource.ImportStateKind) resource.TestStep {
	step := resource.TestStep{
		ResourceName: k.Address(), ImportState: true, ImportStateKind: kind,
		ImportStateIdFunc: func(state *terraform.State) (string, error) {
			return k.ImportID(state.RootModule().Resources[k.Address()].Primary.ID), nil
		},
	}
	if kind == resource.ImportCommandWithID {
		step.ImportStateVerify = true
		step.ImportStateVerifyIgnore = []string{"key"}
	}
	return step
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
