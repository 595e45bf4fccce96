package provider

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// makeProjects makes some of one name.
func (w *world) makeProjects(t *testing.T, name string, count int) {
	t.Helper()
	for range count {
		w.control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": name}, nil)
	}
}

func TestAccProjectData(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	w.makeProjects(t, "shop", 1)
	w.makeProjects(t, "shop-2", 2)
	withOrg := w.providerConfigWith(w.apiKey, fmt.Sprintf("org_id = %q", w.orgID))
	for name, test := range map[string]struct {
		config string
		checks []statecheck.StateCheck
	}{
		"id": {w.providerConfig() + dataBlock("project", fmt.Sprintf("id = %q", w.projectID)), []statecheck.StateCheck{
			dataIs("project", knownvalue.StringExact(w.projectID), "id"), dataIs("project", knownvalue.StringExact(w.orgID), "org_id"),
			dataIs("project", knownvalue.NotNull(), "name"), dataIs("project", knownvalue.NotNull(), "region_id"),
			dataIs("project", knownvalue.NotNull(), "compute_provisioner"),
			dataIs("project", knownvalue.NotNull(), "pg_version"), dataIs("project", matches(`Z$`), "created_at"),
		}},
		"id and organization": {w.providerConfig() + dataBlock("project", fmt.Sprintf("id = %q\norg_id = %q", w.projectID, w.orgID)), nil},
		"name": {withOrg + dataBlock("project", `name = "shop"`), []statecheck.StateCheck{
			dataIs("project", knownvalue.StringExact("shop"), "name"), dataIs("project", knownvalue.StringRegexp(idPattern), "id"),
		}},
		"name and organization": {w.providerConfig() + dataBlock("project", fmt.Sprintf("name = \"shop\"\norg_id = %q", w.orgID)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runSteps(t, w, resource.TestStep{Config: test.config, ConfigStateChecks: test.checks})
		})
	}
}

func TestAccProjectData_errors(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	w.maxRetries = 1
	w.makeProjects(t, "twins", 2)
	inOrg := fmt.Sprintf("org_id = %q\n", w.orgID)
	runErrors(t, w, map[string]failingConfig{
		"neither id nor name": {dataBlock("project", ""), inWords("No attribute specified when one (and only one) of [id,name] is required")},
		"both":                {dataBlock("project", "id = \"x\"\nname = \"x\""), inWords("2 attributes specified when one (and only one)")},
		"no such id":          {dataBlock("project", `id = "none-12345678"`), inOrder("No such project", "404")},
		"no such name":        {dataBlock("project", inOrg+`name = "twin"`), inOrder("No such project", `named "twin"`, "neon_projects")},
		"two of the name":     {dataBlock("project", inOrg+`name = "twins"`), inOrder("Several projects have the name", "Set id instead")},
		"no organization":     {dataBlock("project", `name = "twins"`), inOrder("Unable to look for project", "400", "NEON_ORG_ID")},
		"another organization": {
			dataBlock("project", fmt.Sprintf("id = %q\norg_id = \"org-other-12345678\"", w.projectID)),
			inOrder("No such project", "belongs to organization "+w.orgID),
		},
	})
}
