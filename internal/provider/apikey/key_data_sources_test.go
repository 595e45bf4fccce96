package apikey_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestAccAPIKeys(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"key-names": "any"}})
	personal, org := client.APIKeyScope{}, client.APIKeyScope{OrgID: w.OrgID}
	two := []string{makeKey(t, w, personal, "twice"), makeKey(t, w, personal, "twice")}
	whole := makeKey(t, w, org, "whole")
	scoped := makeKey(t, w, client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "scoped")
	all := func(client.APIKey) bool { return true }
	named := keyIDs(t, w, personal, func(key client.APIKey) bool { return key.Name == "twice" })
	if slices.Sort(two); !slices.Equal(slices.Sorted(slices.Values(named)), two) {
		t.Fatalf("Neon lists %v, want %v", named, two)
	}
	inOrg := fmt.Sprintf("org_id = %q\n", w.OrgID)
	acctest.RunLists(t, w, "keys", []acctest.WantedList{
		{Kind: "api_keys", Lines: "", Want: keyIDs(t, w, personal, all)},
		{Kind: "api_keys", Lines: `name = "twice"`, Want: named},
		{Kind: "api_keys", Lines: `name = "twic"`, Want: nil},
		{Kind: "org_api_keys", Lines: inOrg, Want: keyIDs(t, w, org, all)},
		{Kind: "org_api_keys", Lines: inOrg + `name = "whole"`, Want: []string{whole}},
		{Kind: "org_api_keys", Lines: inOrg + fmt.Sprintf("project_id = %q", w.ProjectID), Want: []string{scoped}},
	})
}

func TestAccAPIKeys_attributes(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	id := w.MakeUnusedKey(t, "/organizations/"+w.OrgID+"/api_keys",
		map[string]string{"key_name": "scoped", "project_id": w.ProjectID})
	unused := w.MakeUnusedKey(t, "/api_keys", map[string]string{"key_name": "unused"})
	exactly := knownvalue.StringExact
	key := func(id, name string) map[string]knownvalue.Check {
		return map[string]knownvalue.Check{
			"id": exactly(id), "name": exactly(name), "created_at": acctest.Matches(`Z$`), "created_by": knownvalue.NotNull(),
			"last_used_at": knownvalue.Null(), "last_used_from_addr": knownvalue.Null(),
		}
	}
	scoped := key(id, "scoped")
	scoped["project_id"] = exactly(w.ProjectID)
	only := func(kind string, key map[string]knownvalue.Check) statecheck.StateCheck {
		return acctest.DataIs(kind, knownvalue.ListExact([]knownvalue.Check{knownvalue.ObjectExact(key)}), "keys")
	}
	acctest.RunSteps(t, w,
		resource.TestStep{
			Config:            w.ProviderConfig() + acctest.DataBlock("api_keys", `name = "unused"`),
			ConfigStateChecks: []statecheck.StateCheck{only("api_keys", key(unused, "unused"))},
		},
		resource.TestStep{
			// The organization is the provider's.
			Config: w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID)) +
				acctest.DataBlock("org_api_keys", `name = "scoped"`),
			ConfigStateChecks: []statecheck.StateCheck{
				only("org_api_keys", scoped), acctest.DataIs("org_api_keys", exactly(w.OrgID), "org_id"),
			},
		})
	own := keyIDs(t, w, client.APIKeyScope{}, func(key client.APIKey) bool { return key.LastUsedAt != nil })
	if len(own) == 0 {
		t.Error("the provider's own key was never used")
	}
}

func TestAccAPIKeys_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MaxRetries = 1
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"no organization":         {Config: acctest.DataBlock("org_api_keys", ""), Want: acctest.InOrder("No organization", "NEON_ORG_ID")},
		"no such organization":    {Config: acctest.DataBlock("org_api_keys", `org_id = "org-none-12345678"`), Want: acctest.InOrder("Unable to list API keys", "org-none-12345678")},
		"organization, not an id": {Config: acctest.DataBlock("org_api_keys", `org_id = "My Org"`), Want: acctest.InWords("org_id must be the id")},
		"empty name":              {Config: acctest.DataBlock("api_keys", `name = ""`), Want: acctest.InWords("name string length must be at least 1")},
	})
	t.Run("Neon fails", func(t *testing.T) {
		t.Parallel()
		w := acctest.StartEmulator(t, emulator.Config{})
		w.MaxRetries = 1
		w.AddFault(t, acctest.Fault{Route: "GET /api/v2/api_keys", Kind: "status", Status: http.StatusInternalServerError})
		acctest.RunErrors(t, w, map[string]acctest.Refusal{"personal": {Config: acctest.DataBlock("api_keys", ""),
			Want: acctest.InOrder("Unable to list API keys", "500")}})
	})
}
