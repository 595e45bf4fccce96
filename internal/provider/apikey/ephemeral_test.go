package apikey_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What the opened key is like. That it works is seen in a run of the provider as
// a program: in process, one server serves all configurations of the provider,
// and takes the last for all.
func TestAccEphemeralAPIKey_attributes(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := uniqueName()
		checks := []statecheck.StateCheck{
			acctest.Echoes("name", knownvalue.StringExact(name)),
			acctest.Echoes("id", acctest.Matches(`^[1-9][0-9]{0,18}$`)),
			acctest.Echoes("key", acctest.Matches(`^\S{16,}$`)),
		}
		if kind.orgID != "" {
			checks = append(checks, acctest.Echoes("org_id", knownvalue.StringExact(kind.orgID)))
		}
		acctest.RunEphemeral(t, w, resource.TestStep{
			Config:            w.ProviderConfig() + kind.ephemeralBlock(name) + acctest.Echoed("ephemeral."+kind.address()),
			ConfigStateChecks: checks,
		})
		kind.noneLeft(t, w, name)
	})
}

// The organization is the provider's where the block names none.
func TestAccEphemeralAPIKey_defaultOrganization(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.RunEphemeral(t, w, resource.TestStep{
		Config: w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID)) +
			keyKind{resource: "neon_org_api_key"}.ephemeralBlock("default") +
			acctest.Echoed("ephemeral.neon_org_api_key.test"),
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.Echoes("org_id", knownvalue.StringExact(w.OrgID)), acctest.Echoes("project_id", knownvalue.Null()),
		},
	})
}

func TestAccEphemeralAPIKey_errors(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	kinds := keyKinds(w)
	member := projectScopedKey(t, w)
	for name, test := range map[string]struct {
		apiKey, config string
		wants          []string
	}{
		"empty name":          {w.APIKey, kinds["personal"].ephemeralBlock(""), []string{"must be between 1 and 64"}},
		"long name":           {w.APIKey, kinds["organization"].ephemeralBlock(strings.Repeat("x", 65)), []string{"must be between 1 and 64"}},
		"no organization":     {w.APIKey, keyKind{resource: "neon_org_api_key"}.ephemeralBlock("x"), []string{"No organization", "NEON_ORG_ID"}},
		"no API key":          {"", kinds["personal"].ephemeralBlock("x"), []string{"No API key", "NEON_API_KEY"}},
		"key that may not":    {member, kinds["personal"].ephemeralBlock("x"), []string{"Unable to create API key", "only a personal key may do this"}},
		"no such project":     {w.APIKey, kinds["organization"].ephemeralBlock("x", `project_id = "no-such-project"`), []string{"404", "Check the ids and names"}},
		"an unusable project": {w.APIKey, kinds["organization"].ephemeralBlock("x", `project_id = "My Project"`), []string{"project_id must be the id"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: w.ProviderConfigWith(test.apiKey) + test.config,
				Want: acctest.InOrder(test.wants...)})
		})
	}
	t.Cleanup(func() {
		// The first key, and the one that may not.
		if left := len(w.Objects(t).APIKeys); left != 2 {
			t.Errorf("%d keys are left, want 2", left)
		}
	})
}

// Lost answers, refusals for a while and failures for a while are overcome: no
// key is left behind, also where Neon made one more than it told of.
func TestAccEphemeralAPIKey_faults(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]acctest.Fault{
		"creation lost":       {{Route: http.MethodPost, Kind: "lost_after", Count: 1}},
		"creation refused":    {{Route: http.MethodPost, Kind: "status", Status: 503, Count: 3}},
		"revocation lost":     {{Route: http.MethodDelete, Kind: "lost_after", Count: 1}},
		"revocation not done": {{Route: http.MethodDelete, Kind: "lost_before", Count: 2}},
		"revocation fails":    {{Route: http.MethodDelete, Kind: "status", Status: 500, Count: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, emulator.Config{})
			kind := keyKinds(w)["organization"]
			for _, f := range faults {
				f.Route = kind.route(f.Route)
				if strings.HasPrefix(f.Route, http.MethodDelete) {
					f.Route += "/{key_id}"
				}
				w.AddFault(t, f)
			}
			acctest.RunEphemeral(t, w, resource.TestStep{
				Config: w.ProviderConfig() + kind.ephemeralBlock("faults"),
			})
			kind.noneLeft(t, w, "faults")
			if w.Requests(t).ByRoute[kind.route(http.MethodPost)] == 0 {
				t.Error("no key was opened")
			}
		})
	}
}
