package neonauth_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// withAuth enables Neon Auth on the default branch, with a provider, a domain and a webhook, and makes a child.
func withAuth(t *testing.T, w *acctest.BranchWorld, settings client.AuthOAuthSettings) (parentID, childID string) {
	t.Helper()
	parentID = w.MainBranch(t).ID
	enable(t, w, parentID)
	w.Settle(t, nil, errors.Join(
		w.API.CreateAuthOAuthProvider(t.Context(), w.Ref(parentID), "github", settings),
		w.API.CreateAuthDomain(t.Context(), w.Ref(parentID), client.AuthDomain{Domain: "https://shop.example.com",
			Provider: "better_auth"}),
		w.API.SetAuthGroup(t.Context(), w.Ref(parentID), client.AuthMagicLink,
			map[string]any{"enabled": true, "expires_in": 60}),
	))
	return parentID, w.MakeBranch(t, "child").ID
}

// What a branch has from its parent takes the settings that are configured, and the parent's stays as it is.
func TestAccAuth_ofParent(t *testing.T) {
	t.Parallel()
	for name, parents := range map[string]client.AuthOAuthSettings{
		"shared": {}, "another application": {ClientID: "parents", ClientSecret: "parents"},
	} {
		for _, isShared := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s to shared=%t", name, isShared), func(t *testing.T) {
				t.Parallel()
				w := acctest.NewBranchWorld(t)
				parentID, childID := withAuth(t, w, parents)
				for _, fault := range []acctest.Fault{
					{Route: "PATCH " + route + "/plugins/magic-link", Kind: "lost_after", Count: 1}, {Route: "PATCH " + route + "/allow_localhost", Kind: "lost_before", Count: 1},
				} {
					w.AddFault(t, fault)
				}
				config, clientID := w.ProviderConfig()+block(w, childID, "allow_localhost = true",
					"magic_link = { expires_in = 30 }")+beside, "client"
				if isShared {
					config, clientID = strings.NewReplacer("client_id", "# client_id", "client_secret",
						"# client_secret").Replace(config), ""
				}
				acctest.RunSteps(t, w.World,
					resource.TestStep{Config: config, ConfigStateChecks: []statecheck.StateCheck{acctest.After(
						func(acctest.State) error {
							provider, err := w.API.GetAuthOAuthProvider(t.Context(), w.Ref(childID), "github")
							w.Settle(t, nil, err)
							if link := settings(t, w, childID)[client.AuthMagicLink]; link["expires_in"] != 30.0 || link["enabled"] != true || provider.ClientID != clientID {
								return fmt.Errorf("the child has %v and %v", link, provider)
							}
							return nil
						})}},
					resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
					resource.TestStep{Config: w.ProviderConfig()},
				)
				provider, err := w.API.GetAuthOAuthProvider(t.Context(), w.Ref(parentID), "github")
				w.Settle(t, nil, err)
				if link := settings(t, w, parentID)[client.AuthMagicLink]; link["expires_in"] != 60.0 || provider.ClientID != parents.ClientID {
					t.Errorf("the parent has %v and %v", link, provider)
				}
				_, err = w.API.GetSharedAuthDomain(t.Context(), w.Ref(parentID), "https://shop.example.com")
				w.Settle(t, nil, err)
				if _, err := w.API.GetAuth(t.Context(), w.Ref(childID)); !client.IsAbsent(err) {
					t.Errorf("the child still has it: %v", err)
				}
			})
		}
	}
}

// Users stay in their database, and what the parent doesn't have is the branch's own.
func TestAccAuth_ofChildRefused(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	_, childID := withAuth(t, w, client.AuthOAuthSettings{})
	database, err := w.API.CreateDatabase(t.Context(), w.Ref(childID),
		client.DatabaseCreate{Name: "other", OwnerName: "neondb_owner"})
	w.Settle(t, database.Operations, err)
	w.Settle(t, nil, errors.Join(
		w.API.CreateAuthOAuthProvider(t.Context(), w.Ref(childID), "google", client.AuthOAuthSettings{}),
		w.API.CreateAuthDomain(t.Context(), w.Ref(childID), client.AuthDomain{Domain: "https://a.example.com",
			Provider: "better_auth"}),
	))
	of := func(kind, line string) string {
		return w.ProviderConfig() + fmt.Sprintf("resource %q \"test\" {\n project_id = %q\n branch_id = %q\n %s\n}\n", kind,
			w.ProjectID, childID, line)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w, childID,
			fmt.Sprintf("database_name = %q", database.Object.Name)),
			ExpectError: acctest.InOrder("from its parent", `"neondb"`, "Leave database_name out")},
		resource.TestStep{Config: of("neon_auth_oauth_provider", `oauth_provider = "google"`),
			ExpectError: acctest.InOrder("google is there already", "import {")},
		resource.TestStep{Config: of("neon_auth_trusted_domain", `domain = "https://a.example.com"`),
			ExpectError: acctest.InOrder("is there already", "import {")},
	)
}

// What a branch has from its parent becomes one resource's.
func TestAccAuth_ofParentTwice(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	_, childID := withAuth(t, w, client.AuthOAuthSettings{})
	for kind, line := range map[string]string{
		"neon_auth": "", "neon_auth_oauth_provider": `oauth_provider = "github"`,
		"neon_auth_trusted_domain": `domain = "https://shop.example.com"`,
	} {
		config := w.ProviderConfig()
		for _, name := range []string{"one", "other"} {
			config += fmt.Sprintf("resource %q %q {\n project_id = %q\n branch_id = %q\n %s\n}\n", kind, name, w.ProjectID,
				childID, line)
		}
		acctest.RunSteps(t, w.World, resource.TestStep{Config: config, ExpectError: acctest.InOrder("Two resources for one")},
			resource.TestStep{Config: w.ProviderConfig()})
		childID = w.MakeBranch(t, "after "+kind).ID
	}
}

// What nobody configured of a webhook stays as the branch has it from its parent.
func TestAccAuth_webhookOfParent(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	parentID := w.MainBranch(t).ID
	enable(t, w, parentID)
	w.Settle(t, nil, w.API.SetAuthGroup(t.Context(), w.Ref(parentID), client.AuthWebhook, map[string]any{
		"enabled": true, "webhook_url": "https://example.com/hook", "enabled_events": []string{"user.created"},
		"timeout_seconds": 9,
	}))
	childID := w.MakeBranch(t, "child").ID
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + block(w, childID, `webhook = { url = "https://preview.example.com/hook" }`),
		ConfigStateChecks: []statecheck.StateCheck{
			is(knownvalue.StringExact("https://preview.example.com/hook"), "webhook", "url"),
			is(knownvalue.Bool(true), "webhook", "enabled"),
			is(knownvalue.Int64Exact(9), "webhook", "timeout_seconds"),
			is(knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("user.created")}), "webhook", "events"),
		},
	})
}
