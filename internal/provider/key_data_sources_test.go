package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// makeKey makes a key past Terraform, and gives its id.
func (w *world) makeKey(t *testing.T, scope client.APIKeyScope, name string) string {
	t.Helper()
	made, err := w.client(t).CreateAPIKey(t.Context(), scope, name)
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatInt(made.ID, 10)
}

// makeUnusedKey does so past the client too, which uses what it creates.
func (w *world) makeUnusedKey(t *testing.T, path string, body map[string]string) string {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.baseURL+"/api/v2"+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+w.apiKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var made struct{ ID int64 }
	if err := json.NewDecoder(response.Body).Decode(&made); err != nil || made.ID == 0 {
		t.Fatalf("%s: %v", response.Status, err)
	}
	return strconv.FormatInt(made.ID, 10)
}

func (w *world) keyIDs(t *testing.T, scope client.APIKeyScope, wants func(client.APIKey) bool) []string {
	t.Helper()
	keys, err := w.client(t).APIKeys(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, key := range keys {
		if wants(key) {
			ids = append(ids, strconv.FormatInt(key.ID, 10))
		}
	}
	return ids
}

func TestAccAPIKeys(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	personal, org := client.APIKeyScope{}, client.APIKeyScope{OrgID: w.orgID}
	two := []string{w.makeKey(t, personal, "twice"), w.makeKey(t, personal, "twice")}
	whole := w.makeKey(t, org, "whole")
	scoped := w.makeKey(t, client.APIKeyScope{OrgID: w.orgID, ProjectID: w.projectID}, "scoped")
	all := func(client.APIKey) bool { return true }
	named := w.keyIDs(t, personal, func(key client.APIKey) bool { return key.Name == "twice" })
	if slices.Sort(two); !slices.Equal(slices.Sorted(slices.Values(named)), two) {
		t.Fatalf("the platform lists %v, want %v", named, two)
	}
	list := func(kind, lines string, want []string) resource.TestStep {
		return resource.TestStep{Config: w.providerConfig() + dataBlock(kind, lines), Check: listIs("data.neon_"+kind+".test", "keys", want)}
	}
	inOrg := fmt.Sprintf("org_id = %q\n", w.orgID)
	runSteps(t, w,
		list("api_keys", "", w.keyIDs(t, personal, all)),
		list("api_keys", `name = "twice"`, named),
		list("api_keys", `name = "twic"`, nil),
		list("org_api_keys", inOrg, w.keyIDs(t, org, all)),
		list("org_api_keys", inOrg+`name = "whole"`, []string{whole}),
		list("org_api_keys", inOrg+fmt.Sprintf("project_id = %q", w.projectID), []string{scoped}),
	)
}

func TestAccAPIKeys_attributes(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	id := w.makeUnusedKey(t, "/organizations/"+w.orgID+"/api_keys", map[string]string{"key_name": "scoped", "project_id": w.projectID})
	unused := w.makeUnusedKey(t, "/api_keys", map[string]string{"key_name": "unused"})
	exactly := knownvalue.StringExact
	key := func(id, name string) map[string]knownvalue.Check {
		return map[string]knownvalue.Check{
			"id": exactly(id), "name": exactly(name), "created_at": matches(`Z$`), "created_by": knownvalue.NotNull(),
			"last_used_at": knownvalue.Null(), "last_used_from_addr": knownvalue.Null(),
		}
	}
	scoped := key(id, "scoped")
	scoped["project_id"] = exactly(w.projectID)
	only := func(kind string, key map[string]knownvalue.Check) statecheck.StateCheck {
		return dataIs(kind, knownvalue.ListExact([]knownvalue.Check{knownvalue.ObjectExact(key)}), "keys")
	}
	runSteps(t, w,
		resource.TestStep{
			Config:            w.providerConfig() + dataBlock("api_keys", `name = "unused"`),
			ConfigStateChecks: []statecheck.StateCheck{only("api_keys", key(unused, "unused"))},
		},
		resource.TestStep{
			// The organization is the provider's.
			Config: w.providerConfigWith(w.apiKey, fmt.Sprintf("org_id = %q", w.orgID)) + dataBlock("org_api_keys", `name = "scoped"`),
			ConfigStateChecks: []statecheck.StateCheck{
				only("org_api_keys", scoped), dataIs("org_api_keys", exactly(w.orgID), "org_id"),
			},
		})
	own := w.keyIDs(t, client.APIKeyScope{}, func(key client.APIKey) bool { return key.LastUsedAt != nil })
	if len(own) == 0 {
		t.Error("the provider's own key was never used")
	}
}

func TestAccAPIKeys_errors(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	w.maxRetries = 1
	runErrors(t, w, map[string]failingConfig{
		"no organization":         {dataBlock("org_api_keys", ""), inOrder("No organization", "NEON_ORG_ID")},
		"no such organization":    {dataBlock("org_api_keys", `org_id = "org-none-12345678"`), inOrder("Unable to list API keys", "org-none-12345678")},
		"organization, not an id": {dataBlock("org_api_keys", `org_id = "My Org"`), inWords("org_id must be an id")},
		"empty name":              {dataBlock("api_keys", `name = ""`), inWords("name string length must be at least 1")},
	})
	t.Run("the platform fails", func(t *testing.T) {
		w.addFault(t, fault{Route: "GET /api/v2/api_keys", Kind: "status", Status: http.StatusInternalServerError})
		runErrors(t, w, map[string]failingConfig{"personal": {dataBlock("api_keys", ""), inOrder("Unable to list API keys", "500")}})
	})
}
