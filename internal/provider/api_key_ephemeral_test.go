package provider

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/acctest"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// runEphemeral runs steps that use ephemeral resources, where terraform knows
// them. The provider echo writes what it is configured with to the state.
func runEphemeral(t *testing.T, w *world, steps ...resource.TestStep) {
	t.Helper()
	factories := w.factories()
	factories["echo"] = echoprovider.NewProviderServer()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_10_0)},
		Steps:                    steps,
	})
}

// echoed is a configuration that writes an expression to the state.
func echoed(expression string) string {
	return fmt.Sprintf("provider \"echo\" {\n  data = %s\n}\nresource \"echo\" \"test\" {}\n", expression)
}

func echoes(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue("echo.test", tfjsonpath.New("data").AtMapKey(attribute), check)
}

// ephemeralBlock opens a key of this kind.
func (k keyKind) ephemeralBlock(name string, lines ...string) string {
	return "ephemeral" + strings.TrimPrefix(k.block(name, lines...), "resource")
}

// What the opened key is like. That it works is seen in a run of the provider as
// a program: in process, one server serves all configurations of the provider,
// and takes the last for all.
func TestAccEphemeralAPIKey_attributes(t *testing.T) {
	t.Parallel()
	w := startAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		name := acctest.RandomWithPrefix("acc")
		checks := []statecheck.StateCheck{
			echoes("name", knownvalue.StringExact(name)),
			echoes("id", knownvalue.StringRegexp(keyIDPattern)),
			echoes("key", matches(`^\S{16,}$`)),
		}
		if kind.orgID != "" {
			checks = append(checks, echoes("org_id", knownvalue.StringExact(kind.orgID)))
		}
		runEphemeral(t, w, resource.TestStep{
			Config:            w.providerConfig() + kind.ephemeralBlock(name) + echoed("ephemeral."+kind.address()),
			ConfigStateChecks: checks,
			Check:             kind.noneLeft(t, w, name),
		})
	})
}

// The organization is the provider's where the block names none.
func TestAccEphemeralAPIKey_defaultOrganization(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	runEphemeral(t, w, resource.TestStep{
		Config: w.providerConfigWith(w.apiKey, fmt.Sprintf("org_id = %q", w.orgID)) +
			keyKind{resource: "neon_org_api_key"}.ephemeralBlock("default") + echoed("ephemeral.neon_org_api_key.test"),
		ConfigStateChecks: []statecheck.StateCheck{
			echoes("org_id", knownvalue.StringExact(w.orgID)), echoes("project_id", knownvalue.Null()),
		},
	})
}

func TestAccEphemeralAPIKey_errors(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	kinds := keyKinds(w)
	member := projectScopedKey(t, w)
	for name, test := range map[string]struct {
		apiKey, config string
		wants          []string
	}{
		"empty name":          {w.apiKey, kinds["personal"].ephemeralBlock(""), []string{"must be between 1 and 64"}},
		"long name":           {w.apiKey, kinds["organization"].ephemeralBlock(strings.Repeat("x", 65)), []string{"must be between 1 and 64"}},
		"no organization":     {w.apiKey, keyKind{resource: "neon_org_api_key"}.ephemeralBlock("x"), []string{"No organization", "NEON_ORG_ID"}},
		"no API key":          {"", kinds["personal"].ephemeralBlock("x"), []string{"No API key", "NEON_API_KEY"}},
		"key that may not":    {member, kinds["personal"].ephemeralBlock("x"), []string{"Unable to create API key", "only a personal key makes keys"}},
		"no such project":     {w.apiKey, kinds["organization"].ephemeralBlock("x", `project_id = "no-such-project"`), []string{"404", "Check the ids"}},
		"an unusable project": {w.apiKey, kinds["organization"].ephemeralBlock("x", `project_id = "My Project"`), []string{"project_id must be an id"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runEphemeral(t, w, resource.TestStep{Config: w.providerConfigWith(test.apiKey) + test.config, ExpectError: inOrder(test.wants...)})
		})
	}
	t.Cleanup(func() {
		// The first key, and the one that may not.
		if left := len(w.objects(t).APIKeys); left != 2 {
			t.Errorf("%d keys are left, want 2", left)
		}
	})
}

// Lost answers, refusals for a while and failures for a while are overcome: no
// key is left behind, also where the platform made one more than it told of.
func TestAccEphemeralAPIKey_faults(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]fault{
		"creation lost":       {{Route: http.MethodPost, Kind: "lost_after", Count: 1}},
		"creation refused":    {{Route: http.MethodPost, Kind: "status", Status: 503, Count: 3}},
		"revocation lost":     {{Route: http.MethodDelete, Kind: "lost_after", Count: 1}},
		"revocation not done": {{Route: http.MethodDelete, Kind: "lost_before", Count: 2}},
		"revocation fails":    {{Route: http.MethodDelete, Kind: "status", Status: 500, Count: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startEmulator(t, emulator.Config{})
			kind := keyKinds(w)["organization"]
			for _, f := range faults {
				f.Route = kind.route(f.Route)
				if strings.HasPrefix(f.Route, http.MethodDelete) {
					f.Route += "/{key_id}"
				}
				w.addFault(t, f)
			}
			runEphemeral(t, w, resource.TestStep{
				Config: w.providerConfig() + kind.ephemeralBlock("faults"),
				Check:  kind.noneLeft(t, w, "faults"),
			})
			if w.requests(t).ByRoute[kind.route(http.MethodPost)] == 0 {
				t.Error("no key was opened")
			}
		})
	}
}

func TestOutlast(t *testing.T) {
	t.Parallel()
	type mark struct{}
	ctx, interrupt := context.WithCancel(context.WithValue(t.Context(), mark{}, "kept"))
	lasting, stop := outlast(ctx, 0)
	defer stop()
	if lasting.Err() != nil || lasting.Value(mark{}) != "kept" {
		t.Errorf("it has ended (%v) or lost its values before an interruption", lasting.Err())
	}
	interrupt()
	<-lasting.Done()
}
