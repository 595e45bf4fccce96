package apikey_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// forEachKeyKind runs a test for each kind of key, in a world that the kinds
// share.
func forEachKeyKind(t *testing.T, w *acctest.World, test func(t *testing.T, kind keyKind)) {
	t.Helper()
	for name, kind := range keyKinds(w) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, kind)
		})
	}
}

func TestAccAPIKey_life(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := uniqueName()
		renamed := name + strings.Repeat("ü", 64-len(name))
		changes := statecheck.CompareValue(compare.ValuesDiffer())
		changing := func(checks []statecheck.StateCheck) []statecheck.StateCheck {
			return append(checks, changes.AddStateValue(kind.address(), tfjsonpath.New("key")))
		}
		next := name + "-next"
		one := knownvalue.MapExact(map[string]knownvalue.Check{"year": knownvalue.StringExact("1")})
		two := knownvalue.MapExact(map[string]knownvalue.Check{"year": knownvalue.StringExact("2")})
		created := func(name string) resource.TestStep {
			return resource.TestStep{
				Config: w.ProviderConfig() + kind.block(name, `rotation_triggers = { year = "2" }`,
					"lifecycle { create_before_destroy = true }"),
				ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionCreateBeforeDestroy),
				ConfigStateChecks: append(changing(kind.checks(name, two)), kind.works(w)),
			}
		}
		underItsName := created(renamed)
		if w.Emulator != nil && w.Plays(t, "key-names", "once") {
			underItsName = resource.TestStep{
				Config: underItsName.Config,
				ExpectError: acctest.InOrder("Unable to create", "already exists", "choose another name",
					"remove create_before_destroy"),
			}
		}
		acctest.Test(t, resource.TestCase{
			ProtoV6ProviderFactories: w.Factories(),
			Steps: []resource.TestStep{
				{
					Config:            w.ProviderConfig() + kind.block(name),
					ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionCreate),
					ConfigStateChecks: append(changing(kind.checks(name, knownvalue.Null())), kind.works(w)),
				},
				{
					Config:           w.ProviderConfig() + kind.block(name),
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
				},
				kind.importAgain(resource.ImportCommandWithID),
				kind.importAgain(resource.ImportBlockWithID),
				{
					Config:            w.ProviderConfig() + kind.block(renamed),
					ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionReplace),
					ConfigStateChecks: changing(kind.checks(renamed, knownvalue.Null())),
				},
				{
					Config:            w.ProviderConfig() + kind.block(renamed, `rotation_triggers = { year = "1" }`),
					ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionReplace),
					ConfigStateChecks: changing(kind.checks(renamed, one)),
				},
				underItsName,
				created(next),
				{
					Config:            w.ProviderConfig() + kind.block(renamed),
					ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionReplace),
					ConfigStateChecks: changing(kind.checks(renamed, knownvalue.Null())),
				},
			},
		})
		kind.noneLeft(t, w, name, renamed, next)
	})
}

func TestAccAPIKey_imported(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := uniqueName()
		made, err := client.ObjectOf(w.Client(t).CreateAPIKey(context.Background(), kind.scope(), name))
		if err != nil {
			t.Fatal(err)
		}
		id := strconv.FormatInt(made.ID, 10)
		is := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
			return statecheck.ExpectKnownValue(kind.address(), tfjsonpath.New(attribute), check)
		}
		triggers := func(year string) string {
			return w.ProviderConfig() + kind.block(name, fmt.Sprintf("rotation_triggers = { year = %q }", year))
		}
		acctest.RunSteps(t, w,
			resource.TestStep{
				Config: w.ProviderConfig() + kind.block(name) +
					fmt.Sprintf("import {\n to = %s\n id = %q\n}\n", kind.address(), kind.importID(id)),
				ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionNoop),
				ConfigStateChecks: []statecheck.StateCheck{is("id", knownvalue.StringExact(id)), is("key", knownvalue.Null())},
			},
			// The key is in use somewhere: it isn't replaced for triggers that it
			// never had.
			resource.TestStep{
				Config:            triggers("1"),
				ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{is("id", knownvalue.StringExact(id)), is("key", knownvalue.Null())},
			},
			resource.TestStep{
				Config:            triggers("2"),
				ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionReplace),
				ConfigStateChecks: []statecheck.StateCheck{is("key", knownvalue.NotNull())},
			},
		)
	})
}

func TestAccAPIKey_importIDs(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	kinds := keyKinds(w)
	for id, test := range map[string]struct{ kind, want string }{
		"deploy":                   {"personal", "a whole number such as 1234567"},
		"0":                        {"personal", "a whole number such as 1234567"},
		"-1":                       {"personal", "a whole number such as 1234567"},
		"9999999999999999999":      {"personal", "a whole number such as 1234567"},
		"org-one/12":               {"personal", "a whole number such as 1234567"},
		"404404":                   {"personal", "No such"},
		"12":                       {"organization", "org_id/id, such as"},
		"org-one/deploy":           {"organization", "org_id/id, such as"},
		"org-one/12/13":            {"organization", "org_id/id, such as"},
		"Org One/12":               {"organization", "org_id/id, such as"},
		"/12":                      {"organization", "org_id/id, such as"},
		w.OrgID + "/404404":        {"organization", "No such"},
		"org-that-is-not-there/12": {"organization", "404"},
	} {
		t.Run(strings.ReplaceAll(id, "/", "|"), func(t *testing.T) {
			t.Parallel()
			kind := kinds[test.kind]
			w.Refuses(t, acctest.Refusal{
				Config: w.ProviderConfig() + kind.block("x"), Command: []string{"import", kind.address(), id},
				Want: acctest.InWords(test.want),
			})
		})
	}
}

func TestAccAPIKey_revokedOutside(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := uniqueName()
		config := w.ProviderConfig() + kind.block(name)
		acctest.RunSteps(t, w,
			resource.TestStep{Config: config},
			resource.TestStep{
				PreConfig:         func() { kind.revoke(t, w, name) },
				Config:            config,
				ConfigPlanChecks:  acctest.ExpectAction(kind.address(), plancheck.ResourceActionCreate),
				ConfigStateChecks: []statecheck.StateCheck{kind.works(w)},
			},
			// Gone already: destroying it is a success.
			resource.TestStep{
				PreConfig: func() { kind.revoke(t, w, name) },
				Config:    config,
				Destroy:   true,
			},
		)
	})
}

func TestAccAPIKey_severalOfOneName(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "key-names", severalOfOneName)
}

func severalOfOneName(t *testing.T, played emulator.Config) {
	t.Helper()
	t.Parallel()
	w := acctest.StartEmulator(t, played)
	var refused *regexp.Regexp
	if w.Plays(t, "key-names", "once") {
		refused = acctest.InOrder("Unable to create", "already exists", "choose another name")
	}
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		acctest.RunSteps(t, w, resource.TestStep{
			Config: w.ProviderConfig() + kind.block("same-"+kind.projectID+kind.orgID[:min(3, len(kind.orgID))],
				"count = 3"),
			ExpectError: refused,
		})
	})
	t.Cleanup(func() {
		if left := len(w.Objects(t).APIKeys); left != 1 {
			t.Errorf("%d keys are left, want the first one alone", left)
		}
	})
}

func TestAccAPIKey_errorsAtPlan(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	before := w.Requests(t).ByRoute
	kinds := keyKinds(w)
	org := keyKind{resource: "neon_org_api_key"}
	for name, test := range map[string]struct{ config, want string }{
		"personal, empty name":       {kinds["personal"].block(""), "name UTF-8 character count must be between 1 and 64"},
		"personal, long name":        {kinds["personal"].block(strings.Repeat("x", 65)), "name UTF-8 character count must be between 1 and 64"},
		"organization, empty name":   {kinds["organization"].block(""), "name UTF-8 character count must be between 1 and 64"},
		"organization, long name":    {kinds["organization"].block(strings.Repeat("x", 65)), "name UTF-8 character count must be between 1 and 64"},
		"organization that isn't":    {org.block("x", `org_id = "My Org"`), "org_id must be the id"},
		"organization without an id": {org.block("x", `org_id = ""`), "org_id must be the id"},
		"project that isn't":         {kinds["organization"].block("x", `project_id = "My Project"`), "project_id must be the id"},
		"no organization":            {org.block("x"), "NEON_ORG_ID"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: w.ProviderConfig() + test.config, Command: acctest.Plan,
				Want: acctest.InWords(test.want)})
		})
	}
	t.Cleanup(func() {
		if after := w.Requests(t).ByRoute; len(after) != len(before) {
			t.Errorf("Neon was asked: %v", after)
		}
	})
}

func TestAccAPIKey_errorsAtApply(t *testing.T) {
	t.Parallel()
	everyKind := []string{"personal", "organization", "project-scoped"}
	for name, test := range map[string]struct {
		kinds []string
		// faults, on calls about the kind's keys.
		faults []acctest.Fault
		apiKey func(t *testing.T, w *acctest.World) string
		lines  string
		wants  []string
	}{
		"no API key": {
			kinds: everyKind, apiKey: func(*testing.T, *acctest.World) string { return "" },
			wants: []string{"No API key", "NEON_API_KEY"},
		},
		"revoked API key": {
			kinds: everyKind, apiKey: revokedKey, wants: []string{"401", "request id",
				"The API key in api_key of the provider block is mistyped, expired or revoked"},
		},
		"an API key that may not": {
			kinds: everyKind, apiKey: projectScopedKey, wants: []string{"Unable to create",
				"set api_key (NEON_API_KEY) to a personal key"},
		},
		"forbidden": {
			kinds: everyKind, faults: []acctest.Fault{{Route: "POST", Kind: "status", Status: 403}},
			wants: []string{"403", "isn't allowed to do this"},
		},
		"no such project": {
			kinds: []string{"organization"}, lines: `project_id = "no-such-project-12345678"`,
			wants: []string{"404", "is allowed to see the project"},
		},
		// Nothing is created where it couldn't be found again, unless Neon itself says that this key may list none.
		"a proxy that refuses the list": {
			kinds: everyKind, faults: []acctest.Fault{{Route: "GET", Kind: "status", Status: 403, Body: "<html>"}},
			wants: []string{"Unable to create", "403", "isn't Neon's", "any proxy on the way"},
		},
		"a proxy that finds no list": {
			kinds: everyKind, faults: []acctest.Fault{{Route: "GET", Kind: "status", Status: 404, Body: "<html>"}},
			wants: []string{"Unable to create", "404", "isn't Neon's", "any proxy on the way"},
		},
		"lost answer": {
			kinds: everyKind,
			// Keys that can't be listed can't be looked for afterwards.
			faults: []acctest.Fault{{Route: "GET", Kind: "status", Status: 403}, {Route: "POST", Kind: "lost_after", Count: 1}},
			wants:  []string{"its answer was lost", `An API key named "lost"`, "may have taken effect", "revoke it there"},
		},
		"an answer that is cut off": {
			kinds: everyKind, faults: []acctest.Fault{{Route: "GET", Kind: "cut_body"}},
			wants: []string{"can't be used: it was cut off", "Check the network"},
		},
		"an answer that isn't JSON": {
			kinds:  everyKind,
			faults: []acctest.Fault{{Route: "GET", Kind: "status", Status: 200, Body: "<html>"}},
			wants:  []string{"can't be used: it isn't JSON", "base_url"},
		},
		"a success that isn't JSON": {
			kinds: everyKind,
			faults: []acctest.Fault{{Route: "GET", Kind: "status", Status: 403},
				{Route: "POST", Kind: "status", Status: 200, Body: "<html>", Count: 1}},
			wants: []string{"the answer can't be used: it isn't JSON", "may have taken effect", "base_url"},
		},
		"a platform that fails": {
			kinds: everyKind, faults: []acctest.Fault{{Route: "GET", Kind: "status", Status: 500}},
			wants: []string{"500", "Apply again later"},
		},
	} {
		for _, kind := range test.kinds {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				w := acctest.StartEmulator(t, emulator.Config{})
				w.MaxRetries = 1
				apiKey := w.APIKey
				if test.apiKey != nil {
					apiKey = test.apiKey(t, w)
				}
				kind := keyKinds(w)[kind]
				for _, f := range test.faults {
					f.Route = kind.route(f.Route)
					w.AddFault(t, f)
				}
				w.Refuses(t, acctest.Refusal{
					Config: w.ProviderConfigWith(apiKey) + kind.block("lost", test.lines), Want: acctest.InOrder(test.wants...),
				})
			})
		}
	}
}

// revokedKey makes a key that has been revoked.
func revokedKey(t *testing.T, w *acctest.World) string {
	t.Helper()
	key, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), client.APIKeyScope{}, "revoked"))
	if err == nil {
		err = w.Client(t).RevokeAPIKey(t.Context(), client.APIKeyScope{}, key.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return key.Key
}

// projectScopedKey makes a key that may make no keys.
func projectScopedKey(t *testing.T, w *acctest.World) string {
	t.Helper()
	key, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(),
		client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "project"))
	if err != nil {
		t.Fatal(err)
	}
	return key.Key
}

// A key isn't forgotten because the provider's own key may not see it.
func TestAccAPIKey_staysWhereItCanNotBeSeen(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	blind := projectScopedKey(t, w)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		block := kind.block("seen-" + kind.resource + kind.projectID)
		acctest.RunSteps(t, w,
			resource.TestStep{Config: w.ProviderConfig() + block},
			resource.TestStep{Config: w.ProviderConfigWith(blind) + block, ExpectError: acctest.InWords("Unable to read")},
			resource.TestStep{
				Config:           w.ProviderConfig() + block,
				ConfigPlanChecks: acctest.ExpectAction(kind.address(), plancheck.ResourceActionNoop),
			},
		)
	})
}

// A token that is lost with its answer leaves no key behind.
func TestAccAPIKey_lostAnswerIsMadeUpFor(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := "lost-" + kind.resource + kind.projectID
		w.AddFault(t, acctest.Fault{Route: kind.route("POST"), Kind: "lost_after", Count: 1})
		acctest.RunSteps(t, w, resource.TestStep{
			Config: w.ProviderConfig() + kind.block(name),
			ConfigStateChecks: []statecheck.StateCheck{kind.works(w), acctest.After(func(acctest.State) error {
				if count := w.KeysNamed(t, name); count != 1 {
					return fmt.Errorf("there are %d keys of the name", count)
				}
				return nil
			})},
		})
	})
}

func TestAccAPIKey_defaultOrganization(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	kind := keyKind{resource: "neon_org_api_key", orgID: w.OrgID}
	withDefault := func(orgID string) string { return w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", orgID)) }
	fromElsewhere := fmt.Sprintf("resource \"terraform_data\" \"org\" {\n input = %q\n}\n", w.OrgID)
	unknownDefault := w.ProviderConfigWith(w.APIKey, "org_id = terraform_data.org.output") + fromElsewhere
	step := func(config string, action plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			Config:           config,
			ConfigPlanChecks: acctest.ExpectAction(kind.address(), action),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(kind.address(), tfjsonpath.New("org_id"), knownvalue.StringExact(w.OrgID)),
			},
		}
	}
	acctest.RunSteps(t, w,
		step(withDefault(w.OrgID)+kind.block("d"), plancheck.ResourceActionCreate),
		step(w.ProviderConfig()+kind.block("d", fmt.Sprintf("org_id = %q", w.OrgID)), plancheck.ResourceActionNoop),
		// Without a default it stays in its organization.
		step(w.ProviderConfig()+kind.block("d"), plancheck.ResourceActionNoop),
		// So it does with another one, which counts for new keys only.
		step(withDefault("org-another-12345678")+kind.block("d"), plancheck.ResourceActionNoop),
	)
	acctest.RunSteps(t, w, step(unknownDefault+kind.block("u"), plancheck.ResourceActionCreate))
	acctest.RunSteps(t, w, step(w.ProviderConfig()+fromElsewhere+kind.block("v", "org_id = terraform_data.org.output"),
		plancheck.ResourceActionCreate))
}

// An API key that is made in the same run is no error until it is needed.
func TestAccAPIKey_unknownProviderKey(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := w.ProviderConfigWith("", "api_key = terraform_data.key.output") +
		fmt.Sprintf("resource \"terraform_data\" \"key\" {\n input = %q\n}\n", w.APIKey)
	kind := keyKind{resource: "neon_api_key"}
	acctest.RunSteps(t, w, resource.TestStep{Config: config + kind.block("later")})
	w.Refuses(t, acctest.Refusal{
		Config: config + "data \"neon_operations\" \"now\" {\n project_id = \"p\"\n}\n",
		Want:   acctest.InWords("api_key of the provider depends on a resource"),
	})
}
