package provider

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/acctest"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// keyKind is one of the kinds of API key, all of which live alike.
type keyKind struct {
	resource string
	// own are the attributes that only this kind has.
	own string
	// orgID is empty for a personal key; projectID for one of all projects.
	orgID, projectID string
}

func keyKinds(w *world) map[string]keyKind {
	org := fmt.Sprintf("org_id = %q\n", w.orgID)
	return map[string]keyKind{
		"personal":       {resource: "neon_api_key"},
		"organization":   {resource: "neon_org_api_key", own: org, orgID: w.orgID},
		"project-scoped": {"neon_org_api_key", org + fmt.Sprintf("project_id = %q\n", w.projectID), w.orgID, w.projectID},
	}
}

func (k keyKind) address() string { return k.resource + ".test" }

// block is a resource with a name and more lines.
func (k keyKind) block(name string, lines ...string) string {
	return fmt.Sprintf("resource %q \"test\" {\n  name = %q\n  %s%s\n}\n", k.resource, name, k.own, strings.Join(lines, "\n"))
}

func (k keyKind) scope() client.APIKeyScope {
	return client.APIKeyScope{OrgID: k.orgID, ProjectID: k.projectID}
}

func (k keyKind) importID(id string) string {
	if k.orgID == "" {
		return id
	}
	return k.orgID + "/" + id
}

// route is the emulator's name of a call about this kind of key.
func (k keyKind) route(method string) string {
	if k.orgID == "" {
		return method + " /api/v2/api_keys"
	}
	return method + " /api/v2/organizations/{org_id}/api_keys"
}

// checks are those of every attribute.
func (k keyKind) checks(name string, triggers knownvalue.Check) []statecheck.StateCheck {
	is := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
		return statecheck.ExpectKnownValue(k.address(), tfjsonpath.New(attribute), check)
	}
	checks := []statecheck.StateCheck{
		is("id", knownvalue.StringRegexp(keyIDPattern)),
		is("name", knownvalue.StringExact(name)),
		is("rotation_triggers", triggers),
		is("key", knownvalue.StringRegexp(regexp.MustCompile(`^\S{16,}$`))),
		is("created_at", knownvalue.StringRegexp(regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`))),
		is("created_by", knownvalue.StringRegexp(regexp.MustCompile(`.`))),
	}
	if k.orgID == "" {
		return checks
	}
	project := knownvalue.Null()
	if k.projectID != "" {
		return append(checks, is("org_id", knownvalue.StringExact(k.orgID)), is("project_id", knownvalue.StringExact(k.projectID)))
	}
	return append(checks, is("org_id", knownvalue.StringExact(k.orgID)), is("project_id", project))
}

// revoke revokes all live keys of a name, past Terraform.
func (k keyKind) revoke(t *testing.T, w *world, name string) {
	t.Helper()
	api := w.client(t)
	keys, err := api.APIKeys(context.Background(), k.scope())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if key.Name != name {
			continue
		}
		if err := api.RevokeAPIKey(context.Background(), k.scope(), key.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// noneLeft checks that a test leaves no live key of a name.
func (k keyKind) noneLeft(t *testing.T, w *world, name string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		keys, err := w.client(t).APIKeys(context.Background(), k.scope())
		for _, key := range keys {
			if key.Name == name {
				return fmt.Errorf("API key %d (%s) was left behind", key.ID, key.Name)
			}
		}
		return err
	}
}

// forEachKeyKind runs a test for each kind of key, in a world that the kinds
// share.
func forEachKeyKind(t *testing.T, w *world, test func(t *testing.T, kind keyKind)) {
	t.Helper()
	for name, kind := range keyKinds(w) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, kind)
		})
	}
}

// runSteps runs steps in a world. A second plan after each is empty, or the
// testing framework complains.
func runSteps(t *testing.T, w *world, steps ...resource.TestStep) {
	t.Helper()
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: w.factories(), Steps: steps})
}

// expectAction is the plan check of a step.
func expectAction(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

func TestAccAPIKey_life(t *testing.T) {
	t.Parallel()
	w := startAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := acctest.RandomWithPrefix("acc")
		renamed := strings.Repeat("ü", 64-len(name)) + name
		changes := statecheck.CompareValue(compare.ValuesDiffer())
		changing := func(checks []statecheck.StateCheck) []statecheck.StateCheck {
			return append(checks, changes.AddStateValue(kind.address(), tfjsonpath.New("key")))
		}
		one := knownvalue.MapExact(map[string]knownvalue.Check{"year": knownvalue.StringExact("1")})
		two := knownvalue.MapExact(map[string]knownvalue.Check{"year": knownvalue.StringExact("2")})
		resource.Test(t, resource.TestCase{
			ProtoV6ProviderFactories: w.factories(),
			CheckDestroy: resource.ComposeAggregateTestCheckFunc(
				kind.noneLeft(t, w, name), kind.noneLeft(t, w, renamed)),
			Steps: []resource.TestStep{
				{
					Config:            w.providerConfig() + kind.block(name),
					ConfigPlanChecks:  expectAction(kind.address(), plancheck.ResourceActionCreate),
					ConfigStateChecks: changing(kind.checks(name, knownvalue.Null())),
					Check:             kind.works(w, true),
				},
				{
					Config:           w.providerConfig() + kind.block(name),
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
				},
				kind.importAgain(resource.ImportCommandWithID),
				kind.importAgain(resource.ImportBlockWithID),
				{
					Config:            w.providerConfig() + kind.block(renamed),
					ConfigPlanChecks:  expectAction(kind.address(), plancheck.ResourceActionReplace),
					ConfigStateChecks: changing(kind.checks(renamed, knownvalue.Null())),
				},
				{
					Config:            w.providerConfig() + kind.block(renamed, `rotation_triggers = { year = "1" }`),
					ConfigPlanChecks:  expectAction(kind.address(), plancheck.ResourceActionReplace),
					ConfigStateChecks: changing(kind.checks(renamed, one)),
				},
				{
					Config: w.providerConfig() + kind.block(renamed, `rotation_triggers = { year = "2" }`,
						"lifecycle { create_before_destroy = true }"),
					ConfigPlanChecks:  expectAction(kind.address(), plancheck.ResourceActionCreateBeforeDestroy),
					ConfigStateChecks: changing(kind.checks(renamed, two)),
					Check:             kind.works(w, true),
				},
				{
					Config:            w.providerConfig() + kind.block(renamed),
					ConfigPlanChecks:  expectAction(kind.address(), plancheck.ResourceActionReplace),
					ConfigStateChecks: changing(kind.checks(renamed, knownvalue.Null())),
				},
			},
		})
	})
}

// works checks that the key in state is one that the platform takes.
func (k keyKind) works(w *world, wanted bool) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		token := state.RootModule().Resources[k.address()].Primary.Attributes["key"]
		api, err := client.New(client.Config{BaseURL: w.baseURL, APIKey: token})
		if err != nil {
			return err
		}
		_, err = api.ProjectEndpoints(context.Background(), w.projectID)
		if works := err == nil; works != wanted {
			return fmt.Errorf("the key works: %t, want %t (%w)", works, wanted, err)
		}
		return nil
	}
}

// importAgain imports what is in state once more, and compares: only the token
// can't be had again.
func (k keyKind) importAgain(kind resource.ImportStateKind) resource.TestStep {
	step := resource.TestStep{
		ResourceName: k.address(), ImportState: true, ImportStateKind: kind,
		ImportStateIdFunc: func(state *terraform.State) (string, error) {
			return k.importID(state.RootModule().Resources[k.address()].Primary.ID), nil
		},
	}
	if kind == resource.ImportCommandWithID {
		step.ImportStateVerify = true
		step.ImportStateVerifyIgnore = []string{"key"}
	}
	return step
}

func TestAccAPIKey_imported(t *testing.T) {
	t.Parallel()
	w := startAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := acctest.RandomWithPrefix("acc")
		made, err := w.client(t).CreateAPIKey(context.Background(), kind.scope(), name)
		if err != nil {
			t.Fatal(err)
		}
		id := strconv.FormatInt(made.ID, 10)
		is := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
			return statecheck.ExpectKnownValue(kind.address(), tfjsonpath.New(attribute), check)
		}
		triggers := func(year string) string {
			return w.providerConfig() + kind.block(name, fmt.Sprintf("rotation_triggers = { year = %q }", year))
		}
		runSteps(t, w,
			resource.TestStep{
				Config:            w.providerConfig() + kind.block(name) + fmt.Sprintf("import {\n to = %s\n id = %q\n}\n", kind.address(), kind.importID(id)),
				ConfigPlanChecks:  expectAction(kind.address(), plancheck.ResourceActionNoop),
				ConfigStateChecks: []statecheck.StateCheck{is("id", knownvalue.StringExact(id)), is("key", knownvalue.Null())},
			},
			// The key is in use somewhere: it isn't replaced for triggers that it
			// never had.
			resource.TestStep{
				Config:            triggers("1"),
				ConfigPlanChecks:  expectAction(kind.address(), plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{is("id", knownvalue.StringExact(id)), is("key", knownvalue.Null())},
			},
			resource.TestStep{
				Config:            triggers("2"),
				ConfigPlanChecks:  expectAction(kind.address(), plancheck.ResourceActionReplace),
				ConfigStateChecks: []statecheck.StateCheck{is("key", knownvalue.NotNull())},
			},
		)
	})
}

func TestAccAPIKey_importIDs(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	kinds := keyKinds(w)
	for id, test := range map[string]struct{ kind, want string }{
		"deploy":                   {"personal", "a whole number such as 1234567"},
		"0":                        {"personal", "a whole number such as 1234567"},
		"-1":                       {"personal", "a whole number such as 1234567"},
		"9999999999999999999":      {"personal", "a whole number such as 1234567"},
		"org-one/12":               {"personal", "a whole number such as 1234567"},
		"404404":                   {"personal", "Cannot import non-existent remote object"},
		"12":                       {"organization", "org_id/key_id, such as"},
		"org-one/deploy":           {"organization", "org_id/key_id, such as"},
		"org-one/12/13":            {"organization", "org_id/key_id, such as"},
		"Org One/12":               {"organization", "org_id/key_id, such as"},
		"/12":                      {"organization", "org_id/key_id, such as"},
		w.orgID + "/404404":        {"organization", "Cannot import non-existent remote object"},
		"org-that-is-not-there/12": {"organization", "404"},
	} {
		t.Run(strings.ReplaceAll(id, "/", "|"), func(t *testing.T) {
			t.Parallel()
			kind := kinds[test.kind]
			runSteps(t, w, resource.TestStep{
				Config: w.providerConfig() + kind.block("x"), ResourceName: kind.address(),
				ImportState: true, ImportStateId: id, ExpectError: inWords(test.want),
			})
		})
	}
}

func TestAccAPIKey_revokedOutside(t *testing.T) {
	t.Parallel()
	w := startAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := acctest.RandomWithPrefix("acc")
		config := w.providerConfig() + kind.block(name)
		runSteps(t, w,
			resource.TestStep{Config: config},
			resource.TestStep{
				PreConfig:        func() { kind.revoke(t, w, name) },
				Config:           config,
				ConfigPlanChecks: expectAction(kind.address(), plancheck.ResourceActionCreate),
				Check:            kind.works(w, true),
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
	w := startEmulator(t, emulator.Config{})
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		runSteps(t, w, resource.TestStep{
			Config: w.providerConfig() + kind.block("same-"+kind.projectID+kind.orgID[:min(3, len(kind.orgID))], "count = 3"),
		})
	})
	t.Cleanup(func() {
		if left := len(w.objects(t).APIKeys); left != 1 {
			t.Errorf("%d keys are left, want the first one alone", left)
		}
	})
}

func TestAccAPIKey_errorsAtPlan(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	before := w.requests(t).ByRoute
	kinds := keyKinds(w)
	org := keyKind{resource: "neon_org_api_key"}
	for name, test := range map[string]struct{ config, want string }{
		"personal, empty name":       {kinds["personal"].block(""), "name UTF-8 character count must be between 1 and 64"},
		"personal, long name":        {kinds["personal"].block(strings.Repeat("x", 65)), "name UTF-8 character count must be between 1 and 64"},
		"organization, empty name":   {kinds["organization"].block(""), "name UTF-8 character count must be between 1 and 64"},
		"organization, long name":    {kinds["organization"].block(strings.Repeat("x", 65)), "name UTF-8 character count must be between 1 and 64"},
		"organization that isn't":    {org.block("x", `org_id = "My Org"`), "org_id must be an id"},
		"organization without an id": {org.block("x", `org_id = ""`), "org_id must be an id"},
		"project that isn't":         {kinds["organization"].block("x", `project_id = "My Project"`), "project_id must be an id"},
		"no organization":            {org.block("x"), "NEON_ORG_ID"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runSteps(t, w, resource.TestStep{Config: w.providerConfig() + test.config, PlanOnly: true, ExpectError: inWords(test.want)})
		})
	}
	t.Cleanup(func() {
		if after := w.requests(t).ByRoute; len(after) != len(before) {
			t.Errorf("the platform was asked: %v", after)
		}
	})
}

func TestAccAPIKey_errorsAtApply(t *testing.T) {
	t.Parallel()
	everyKind := []string{"personal", "organization", "project-scoped"}
	for name, test := range map[string]struct {
		kinds []string
		// faults, on calls about the kind's keys.
		faults []fault
		apiKey func(t *testing.T, w *world) string
		lines  string
		wants  []string
	}{
		"no API key": {
			kinds: everyKind, apiKey: func(*testing.T, *world) string { return "" }, wants: []string{"No API key", "NEON_API_KEY"},
		},
		"revoked API key": {
			kinds: everyKind, apiKey: revokedKey, wants: []string{"401", "request id", "The API key is missing, invalid or revoked"},
		},
		"an API key that may not": {
			kinds: everyKind, apiKey: projectScopedKey, wants: []string{"Unable to create", "only a personal key makes keys"},
		},
		"forbidden": {
			kinds: everyKind, faults: []fault{{Route: "POST", Kind: "status", Status: 403}}, wants: []string{"403", "isn't allowed to do this"},
		},
		"no such project": {
			kinds: []string{"organization"}, lines: `project_id = "no-such-project-12345678"`, wants: []string{"404", "is allowed to see the project"},
		},
		"lost answer": {
			kinds: everyKind,
			// Keys that can't be listed can't be looked for afterwards.
			faults: []fault{{Route: "GET", Kind: "status", Status: 403}, {Route: "POST", Kind: "lost_after", Count: 1}},
			wants:  []string{"its answer was lost", `An API key named "lost"`, "may have taken effect", "revoke it there"},
		},
		"an answer that is cut off": {
			kinds: everyKind, faults: []fault{{Route: "GET", Kind: "cut_body"}}, wants: []string{"can't be used: it was cut off", "base_url"},
		},
		"an answer that isn't JSON": {
			kinds:  everyKind,
			faults: []fault{{Route: "GET", Kind: "status", Status: 200, Body: "<html>"}},
			wants:  []string{"can't be used: it isn't JSON", "base_url"},
		},
		"a success that isn't JSON": {
			kinds:  everyKind,
			faults: []fault{{Route: "GET", Kind: "status", Status: 403}, {Route: "POST", Kind: "status", Status: 200, Body: "<html>", Count: 1}},
			wants:  []string{"the answer can't be used: it isn't JSON", "may have taken effect", "base_url"},
		},
		"a platform that fails": {
			kinds: everyKind, faults: []fault{{Route: "GET", Kind: "status", Status: 500}}, wants: []string{"500", "Apply again later"},
		},
	} {
		for _, kind := range test.kinds {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				w := startEmulator(t, emulator.Config{})
				w.maxRetries = 1
				apiKey := w.apiKey
				if test.apiKey != nil {
					apiKey = test.apiKey(t, w)
				}
				kind := keyKinds(w)[kind]
				for _, f := range test.faults {
					f.Route = kind.route(f.Route)
					w.addFault(t, f)
				}
				runSteps(t, w, resource.TestStep{
					Config: w.providerConfigWith(apiKey) + kind.block("lost", test.lines), ExpectError: inOrder(test.wants...),
				})
			})
		}
	}
}

// inOrder matches an error message with several parts.
func inOrder(parts ...string) *regexp.Regexp {
	patterns := make([]string, len(parts))
	for i, part := range parts {
		patterns[i] = inWords(part).String()
	}
	return regexp.MustCompile(strings.Join(patterns, `(?s:.*)`))
}

// revokedKey makes a key that has been revoked.
func revokedKey(t *testing.T, w *world) string {
	t.Helper()
	key, err := w.client(t).CreateAPIKey(t.Context(), client.APIKeyScope{}, "revoked")
	if err == nil {
		err = w.client(t).RevokeAPIKey(t.Context(), client.APIKeyScope{}, key.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return key.Key
}

// projectScopedKey makes a key that may make no keys.
func projectScopedKey(t *testing.T, w *world) string {
	t.Helper()
	key, err := w.client(t).CreateAPIKey(t.Context(), client.APIKeyScope{OrgID: w.orgID, ProjectID: w.projectID}, "project")
	if err != nil {
		t.Fatal(err)
	}
	return key.Key
}

// A key isn't forgotten because the provider's own key may not see it.
func TestAccAPIKey_staysWhereItCanNotBeSeen(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	blind := projectScopedKey(t, w)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		block := kind.block("seen-" + kind.resource + kind.projectID)
		runSteps(t, w,
			resource.TestStep{Config: w.providerConfig() + block},
			resource.TestStep{Config: w.providerConfigWith(blind) + block, ExpectError: inWords("Unable to read")},
			resource.TestStep{
				Config:           w.providerConfig() + block,
				ConfigPlanChecks: expectAction(kind.address(), plancheck.ResourceActionNoop),
			},
		)
	})
}

// A token that is lost with its answer leaves no key behind.
func TestAccAPIKey_lostAnswerIsMadeUpFor(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := "lost-" + kind.resource + kind.projectID
		w.addFault(t, fault{Route: kind.route("POST"), Kind: "lost_after", Count: 1})
		runSteps(t, w, resource.TestStep{
			Config: w.providerConfig() + kind.block(name),
			Check: func(state *terraform.State) error {
				if count := w.keysNamed(t, name); count != 1 {
					return fmt.Errorf("there are %d keys of the name", count)
				}
				return kind.works(w, true)(state)
			},
		})
	})
}

func TestAccAPIKey_defaultOrganization(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	kind := keyKind{resource: "neon_org_api_key", orgID: w.orgID}
	withDefault := func(orgID string) string { return w.providerConfigWith(w.apiKey, fmt.Sprintf("org_id = %q", orgID)) }
	fromElsewhere := fmt.Sprintf("resource \"terraform_data\" \"org\" {\n input = %q\n}\n", w.orgID)
	unknownDefault := w.providerConfigWith(w.apiKey, "org_id = terraform_data.org.output") + fromElsewhere
	step := func(config string, action plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			Config:           config,
			ConfigPlanChecks: expectAction(kind.address(), action),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(kind.address(), tfjsonpath.New("org_id"), knownvalue.StringExact(w.orgID)),
			},
		}
	}
	runSteps(t, w,
		step(withDefault(w.orgID)+kind.block("d"), plancheck.ResourceActionCreate),
		step(w.providerConfig()+kind.block("d", fmt.Sprintf("org_id = %q", w.orgID)), plancheck.ResourceActionNoop),
		// Without a default it stays in its organization.
		step(w.providerConfig()+kind.block("d"), plancheck.ResourceActionNoop),
		// So it does with another one, which counts for new keys only.
		step(withDefault("org-another-12345678")+kind.block("d"), plancheck.ResourceActionNoop),
	)
	runSteps(t, w, step(unknownDefault+kind.block("u"), plancheck.ResourceActionCreate))
	runSteps(t, w, step(w.providerConfig()+fromElsewhere+kind.block("v", "org_id = terraform_data.org.output"),
		plancheck.ResourceActionCreate))
}

// An API key that is made in the same run is no error until it is needed.
func TestAccAPIKey_unknownProviderKey(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	config := w.providerConfigWith("", "api_key = terraform_data.key.output") +
		fmt.Sprintf("resource \"terraform_data\" \"key\" {\n input = %q\n}\n", w.apiKey)
	kind := keyKind{resource: "neon_api_key"}
	runSteps(t, w, resource.TestStep{Config: config + kind.block("later")})
	runSteps(t, w, resource.TestStep{
		Config: config + "data \"neon_operations\" \"now\" {\n project_id = \"p\"\n}\n", ExpectError: inWords("api_key of the provider depends on a resource"),
	})
}
