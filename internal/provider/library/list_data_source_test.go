package library_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

func block(projectID string) string {
	return acctest.DataBlock("preload_libraries", fmt.Sprintf("project_id = %q\n", projectID))
}

// A key of the project is enough.
func TestAccPreloadLibrariesData(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	key, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(),
		client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "ci"))
	if err != nil {
		t.Fatal(err)
	}
	acctest.RunSteps(t, w, resource.TestStep{
		Config: w.ProviderConfigWith(key.Key) + block(w.ProjectID),
		ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("preload_libraries",
			knownvalue.ListPartial(map[int]knownvalue.Check{
				0: knownvalue.ObjectExact(map[string]knownvalue.Check{
					"name": knownvalue.NotNull(), "description": knownvalue.NotNull(), "default": knownvalue.NotNull(),
					"experimental": knownvalue.NotNull(),
					"version":      knownvalue.NotNull(),
				}),
			}), "libraries")},
	})
}

// Each attribute is Neon's, and a name may be that of two libraries.
func TestAccPreloadLibrariesData_attributes(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{
		Route: "GET /api/v2/projects/{project_id}/available_preload_libraries", Kind: "status", Status: http.StatusOK,
		Body: `{"libraries":[{"library_name":"one,two","description":"Models","is_default":true,"is_experimental":false,"version":"1.6"}]}`,
	})
	acctest.RunSteps(t, w, resource.TestStep{
		Config: w.ProviderConfig() + block(w.ProjectID),
		ConfigStateChecks: []statecheck.StateCheck{acctest.DataIs("preload_libraries",
			knownvalue.ListExact([]knownvalue.Check{
				knownvalue.ObjectExact(map[string]knownvalue.Check{
					"name": knownvalue.StringExact("one,two"), "description": knownvalue.StringExact("Models"),
					"default": knownvalue.Bool(true), "experimental": knownvalue.Bool(false), "version": knownvalue.StringExact("1.6"),
				}),
			}), "libraries")},
	})
}

func TestAccPreloadLibrariesData_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"no such project": {
			Config: block("none-such-12345678"), Command: acctest.Plan, Want: acctest.InOrder("Unable to list libraries", "404"),
		},
	})
	w.AddFault(t, acctest.Fault{
		Route: "GET /api/v2/projects/{project_id}/available_preload_libraries", Kind: "status", Status: http.StatusOK,
		Body: "{}", Count: 1,
	})
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + block(w.ProjectID), Command: acctest.Plan,
		Want: acctest.InOrder("Unable to list libraries", "it has no libraries"),
	})
}
