package project_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

func TestAccProjectData(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MakeProjects(t, "shop", 1)
	w.MakeProjects(t, "shop-2", 2)
	withOrg := w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID))
	for name, test := range map[string]struct {
		config string
		checks []statecheck.StateCheck
	}{
		"id": {w.ProviderConfig() + acctest.DataBlock("project", fmt.Sprintf("id = %q", w.ProjectID)), []statecheck.StateCheck{
			acctest.DataIs("project", knownvalue.StringExact(w.ProjectID), "id"), acctest.DataIs("project", knownvalue.StringExact(w.OrgID), "org_id"),
			acctest.DataIs("project", knownvalue.NotNull(), "name"), acctest.DataIs("project", knownvalue.NotNull(), "region_id"),
			acctest.DataIs("project", knownvalue.NotNull(), "compute_provisioner"),
			acctest.DataIs("project", knownvalue.NotNull(), "pg_version"), acctest.DataIs("project", acctest.Matches(`Z$`), "created_at"),
		}},
		"id and organization": {w.ProviderConfig() + acctest.DataBlock("project", fmt.Sprintf("id = %q\norg_id = %q", w.ProjectID, w.OrgID)), nil},
		"name": {withOrg + acctest.DataBlock("project", `name = "shop"`), []statecheck.StateCheck{
			acctest.DataIs("project", knownvalue.StringExact("shop"), "name"), acctest.DataIs("project", knownvalue.StringRegexp(kit.IDPattern), "id"),
		}},
		"name and organization": {w.ProviderConfig() + acctest.DataBlock("project", fmt.Sprintf("name = \"shop\"\norg_id = %q", w.OrgID)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunSteps(t, w, resource.TestStep{Config: test.config, ConfigStateChecks: test.checks})
		})
	}
}

func TestAccProjectData_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MaxRetries = 1
	w.MakeProjects(t, "twins", 2)
	inOrg := fmt.Sprintf("org_id = %q\n", w.OrgID)
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"neither id nor name": {Config: acctest.DataBlock("project", ""), Want: acctest.InWords("No attribute specified when one (and only one) of [id,name] is required")},
		"both":                {Config: acctest.DataBlock("project", "id = \"x\"\nname = \"x\""), Want: acctest.InWords("2 attributes specified when one (and only one)")},
		"no such id":          {Config: acctest.DataBlock("project", `id = "none-12345678"`), Want: acctest.InOrder("No such project", "404")},
		"no such name":        {Config: acctest.DataBlock("project", inOrg+`name = "twin"`), Want: acctest.InOrder("No such project", `named "twin"`, "neon_projects")},
		"two of the name":     {Config: acctest.DataBlock("project", inOrg+`name = "twins"`), Want: acctest.InOrder("Several projects have the name", "Set id instead")},
		"no organization":     {Config: acctest.DataBlock("project", `name = "twins"`), Want: acctest.InOrder("Unable to look for project", "400", "NEON_ORG_ID")},
		"another organization": {
			Config: acctest.DataBlock("project", fmt.Sprintf("id = %q\norg_id = \"org-other-12345678\"", w.ProjectID)),
			Want:   acctest.InOrder("No such project", "belongs to organization "+w.OrgID),
		},
	})
}
