package project_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
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
		"id": {w.ProviderConfig() + acctest.DataBlock("project", fmt.Sprintf("id = %q", w.ProjectID)),
			[]statecheck.StateCheck{
				acctest.DataIs("project", knownvalue.StringExact(w.ProjectID), "id"),
				acctest.DataIs("project", knownvalue.StringExact(w.OrgID), "org_id"),
				acctest.DataIs("project", knownvalue.NotNull(), "name"),
				acctest.DataIs("project", knownvalue.NotNull(), "region_id"),
				acctest.DataIs("project", knownvalue.NotNull(), "compute_provisioner"),
				acctest.DataIs("project", knownvalue.NotNull(), "pg_version"),
				acctest.DataIs("project", acctest.Matches(`Z$`), "created_at"),
			}},
		"id and organization": {w.ProviderConfig() + acctest.DataBlock("project", fmt.Sprintf("id = %q\norg_id = %q", w.ProjectID, w.OrgID)), nil},
		"name": {withOrg + acctest.DataBlock("project", `name = "shop"`), []statecheck.StateCheck{
			acctest.DataIs("project", knownvalue.StringExact("shop"), "name"),
			acctest.DataIs("project", knownvalue.StringRegexp(regexp.MustCompile(`^[a-z0-9-]+-[0-9]{8}$`)), "id"),
		}},
		"name and organization": {w.ProviderConfig() + acctest.DataBlock("project", fmt.Sprintf("name = \"shop\"\norg_id = %q", w.OrgID)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunSteps(t, w, resource.TestStep{Config: test.config, ConfigStateChecks: test.checks})
		})
	}
}

// The data source has the settings and the default branch; the list has those that are
// deleted or shared, too.
func TestAccProjectData_settings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.MakeOrganization(t, "scale")
	var member struct {
		APIKey string `json:"api_key"`
	}
	w.Control(t, http.MethodPost, "/_emulator/members", map[string]string{"org_id": other, "email": "max@example.com"},
		&member)
	if _, err := w.api.GrantProjectPermission(t.Context(), w.ProjectID, "max@example.com"); err != nil {
		t.Fatal(err)
	}
	list := fmt.Sprintf("org_id = %q\n", w.OrgID)
	one := "data \"neon_project\" \"test\" {\n id = neon_project.test.id\n}\n"
	setting := func(check knownvalue.Check, first string, rest ...any) statecheck.StateCheck {
		return acctest.DataIs("project", check, first, rest...)
	}
	gone := func() {
		if err := w.api.DeleteProject(t.Context(), w.id); err != nil {
			t.Fatal(err)
		}
	}
	w.run(t,
		resource.TestStep{
			Config: w.config(everything) + one,

			ConfigStateChecks: []statecheck.StateCheck{
				setting(number(3600), "history_retention_seconds"), setting(yes, "store_passwords"),
				setting(number(1000), "quota", "active_time_seconds"),
				setting(number(0), "quota", "written_data_bytes"), setting(knownvalue.SetSizeExact(2), "allowed_ips"),
				setting(yes, "hipaa"),
				setting(yes, "allowed_ips_protected_branches_only"), setting(yes, "block_public_connections"),
				setting(yes, "block_vpc_connections"),
				setting(yes, "enable_logical_replication"), setting(text("extended"), "audit_log_level"),
				setting(text("01:00"), "maintenance_window", "start_time"), setting(yes, "preload_libraries", "use_defaults"),
				setting(number(120), "default_endpoint_settings", "suspend_timeout_seconds"),
				setting(text("production"), "default_branch", "name"),
				setting(yes, "default_branch", "protected"), setting(text("app"), "default_branch", "role_name"),
				setting(text("shop"), "default_branch", "database_name"),
				setting(number(600), "default_branch", "endpoint", "suspend_timeout_seconds"),
				acctest.IDOf(address, &w.id),
			},
		},
		resource.TestStep{Config: w.config(`default_branch = { protected = false }`, `enable_logical_replication = true`,
			`hipaa = true`, `name = "shop"`)},
		resource.TestStep{
			PreConfig: gone,
			Config:    w.ProviderConfig() + acctest.DataBlock("projects", list+"recoverable = true"),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.DataIs("projects", knownvalue.ListSizeExact(1), "projects"),
				acctest.DataIs("projects", acctest.Matches("^20"), "projects", 0, "deleted_at"),
				acctest.DataIs("projects", acctest.Matches("^20"), "projects", 0, "recoverable_until"),
				acctest.DataIs("projects", text("extended"), "projects", 0, "audit_log_level"),
			},
		},
		resource.TestStep{
			Config: w.ProviderConfigWith(member.APIKey, fmt.Sprintf("org_id = %q", other)) +
				acctest.DataBlock("projects", "shared = true"),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.DataIs("projects", knownvalue.ListSizeExact(1), "projects"),
				acctest.DataIs("projects", text(w.ProjectID), "projects", 0, "id"),
				acctest.DataIs("projects", null, "org_id"),
			},
		},
	)
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
		"shared in one":       {Config: acctest.DataBlock("projects", inOrg+"shared = true"), Want: acctest.InWords("cannot be specified when")},
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
