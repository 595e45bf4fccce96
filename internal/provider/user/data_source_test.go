package user_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// The user is whose key is configured, and nothing about payments is in the state.
func TestAccCurrentUserData(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	key, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), client.APIKeyScope{OrgID: w.OrgID}, "k"))
	if err != nil {
		t.Fatal(err)
	}
	config := acctest.DataBlock("current_user", "") + "output \"all\" {\n value = data.neon_current_user.test\n}\n"
	acctest.RunSteps(t, w,
		resource.TestStep{
			Config: w.ProviderConfig() + config,
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("all",
				knownvalue.ObjectExact(map[string]knownvalue.Check{
					"id": knownvalue.NotNull(), "email": acctest.Matches("@"), "name": knownvalue.NotNull(),
					"last_name":      knownvalue.NotNull(),
					"projects_limit": knownvalue.Int64Exact(1000), "branches_limit": knownvalue.Int64Exact(5000),
					"max_autoscaling_limit": knownvalue.Float64Exact(16),
				}))},
		},
		resource.TestStep{
			Config: w.ProviderConfigWith(key.Key) + config, ExpectError: acctest.InOrder("Unable to read the current user",
				"404", "only a personal key"),
		},
		resource.TestStep{ // A proxy's 404 says nothing of the key.
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "GET /api/v2/users/me", Kind: "status", Status: 404, Body: "<html>"})
			},
			Config: w.ProviderConfig() + config, ExpectError: acctest.InOrder("isn't Neon's", "base_url"),
		},
	)
}
