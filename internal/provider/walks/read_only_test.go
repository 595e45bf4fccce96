package walks_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// readsByPost are the routes that change nothing, though their method doesn't say so.
var readsByPost = []string{
	"POST /api/v2/projects/{project_id}/branches/{branch_id}/credentials/{token_id}/reveal", "POST /v1/oauth2/token",
}

// wroteNothing fails the test over a request that changed something since ForgetRequests.
func wroteNothing(t *testing.T, w *acctest.World) {
	t.Helper()
	for route, count := range w.Requests(t).ByRoute {
		if !strings.HasPrefix(route, "GET ") && !slices.Contains(readsByPost, route) {
			t.Errorf("it sent %s %d times", route, count)
		}
	}
}

var (
	isReadOnly = map[string]tftypes.Value{"read_only": tftypes.NewValue(tftypes.Bool, true)}
	// refusesToWrite is the error with the words that say who asked for it.
	refusesToWrite = acctest.InWords("was not sent: read_only of the provider block allows only what reads")
)

// forgotten are the resources whose destruction concerns the state alone.
var forgotten = []string{"neon_claimable_database", "neon_org_invitation", "neon_org_member_role"}

// A provider that only reads plans each resource, and refuses to create, to change and to destroy one before anything
// is sent.
func TestReadOnly_resources(t *testing.T) {
	t.Parallel()
	for noun := range acctest.NounResources(t) {
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			w := newChangeWorld(t, startQuick)
			change := changeOnNeon(acctest.NounResource(t, noun))
			writable, changed := w.config(t, noun, change.Before), w.config(t, noun, change.After)
			readOnly := func(config string) string {
				return strings.Replace(config, "provider \"neon\" {\n", "provider \"neon\" {\n  read_only = true\n", 1)
			}
			refusal, left := refusesToWrite, writable
			if slices.Contains(forgotten, noun) {
				refusal, left = nil, w.ProviderConfig()
			}
			runHere(t, w,
				resource.TestStep{Config: readOnly(writable), ExpectError: refusesToWrite,
					PreConfig: func() { w.ForgetRequests(t) }},
				resource.TestStep{Config: writable, PreConfig: func() { wroteNothing(t, w.World) }},
				resource.TestStep{Config: readOnly(writable), PlanOnly: true, PreConfig: func() { w.ForgetRequests(t) }},
				resource.TestStep{Config: readOnly(changed), ExpectError: refusesToWrite},
				resource.TestStep{Config: readOnly(writable), Destroy: true, ExpectError: refusal},
				resource.TestStep{Config: left, PreConfig: func() { wroteNothing(t, w.World) }},
			)
		})
	}
}

// changeOnNeon is a change of what Neon has of a resource: a change in place, or one that replaces it.
func changeOnNeon(of nouns.Resource) nouns.Change {
	for _, change := range of.Changes {
		if change.Check(strings.NewReplacer()).Field != "" && len(change.Refused) == 0 {
			return change
		}
	}
	return of.Changes[0]
}

// All lists list.
func TestReadOnly_lists(t *testing.T) {
	t.Parallel()
	for name := range acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})).Schema.ListResourceSchemas {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newChangeWorld(t, startQuick)
			p := acctest.NewProtocol(t, w.World)
			state, _ := p.Create(t, name, w.needed(t, p, name))
			query := acctest.Query{Config: acctest.Texts(placesOf(p, name, state)), IncludeResource: true}
			w.ForgetRequests(t)
			listed := acctest.NewProtocolWith(t, w.World, isReadOnly).List(t, name, query)
			hasFailed := func(one acctest.ListedResource) bool { return one.Problem != "" }
			if len(listed) == 0 || slices.ContainsFunc(listed, hasFailed) {
				t.Errorf("listed is %v", listed)
			}
			wroteNothing(t, w.World)
		})
	}
}

// No action has an effect, nor sends what could have one.
func TestAccActions_readOnly(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		w.ForgetRequests(t)
		invoked := acctest.NewProtocolWith(t, w, isReadOnly).Invoke(t, a.Action, nil)
		if !refusesToWrite.MatchString(invoked.Problem) {
			t.Errorf("it ends with %q, and said %q", invoked.Problem, invoked.Progress)
		}
		wroteNothing(t, w)
		a.wantEffects(t, 0, invoked)
	})
}

// Ephemeral resources that create what they open are refused, and the others open.
func TestReadOnly_ephemeralResources(t *testing.T) {
	t.Parallel()
	creates := []string{"neon_api_key", "neon_claimable_database", "neon_org_api_key", "neon_project_transfer_request",
		"neon_service_credential"}
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for _, name := range slices.Sorted(maps.Keys(p.Schema.EphemeralResourceSchemas)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, emulator.Config{})
			given := whatItRequires(t, w, name)
			w.ForgetRequests(t)
			problem := openAndClose(t, acctest.NewProtocolWith(t, w, isReadOnly), name, given)
			wroteNothing(t, w)
			if isRefused := refusesToWrite.MatchString(problem); isRefused != slices.Contains(creates, name) ||
				!isRefused && problem != "" {
				t.Errorf("it says %q", problem)
			}
		})
	}
}
