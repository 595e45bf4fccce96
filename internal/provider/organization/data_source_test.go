package organization_test

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

func TestAccOrganizationsData(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.Control(t, http.MethodPost, "/_emulator/members", map[string]string{"email": "max@example.com",
		"role": "viewer"}, nil)
	id := knownvalue.StringExact(w.OrgID)
	organization := map[string]knownvalue.Check{
		"id": id, "name": knownvalue.NotNull(), "handle": knownvalue.NotNull(), "plan": knownvalue.StringExact("scale"),
		"managed_by": knownvalue.StringExact("console"), "allow_hipaa_projects": knownvalue.Bool(true),
		"require_mfa": knownvalue.Bool(false),
		"created_at":  knownvalue.NotNull(), "updated_at": knownvalue.NotNull(),
	}
	checks := []statecheck.StateCheck{
		acctest.DataIs("organizations", knownvalue.ListExact([]knownvalue.Check{knownvalue.ObjectExact(organization)}),
			"organizations"),
		acctest.DataIs("organization", id, "org_id"),
		acctest.DataIs("org_members", id, "org_id"),
		acctest.DataIs("org_members", knownvalue.ListSizeExact(2), "members"),
		acctest.DataIs("org_members", knownvalue.StringExact("admin"), "members", 0, "role"),
		acctest.DataIs("org_members", knownvalue.ObjectExact(map[string]knownvalue.Check{
			"id": knownvalue.NotNull(), "user_id": knownvalue.NotNull(), "email": knownvalue.StringExact("max@example.com"),
			"role": knownvalue.StringExact("viewer"), "has_mfa": knownvalue.Bool(false), "joined_at": knownvalue.NotNull(),
			"deactivated_at": knownvalue.Null(),
		}), "members", 1),
	}
	for name, check := range organization {
		checks = append(checks, acctest.DataIs("organization", check, name))
	}
	acctest.RunSteps(t, w, resource.TestStep{
		Config: w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID)) + acctest.DataBlock("organizations", "") +
			acctest.DataBlock("organization", "") + acctest.DataBlock("org_members", ""),
		ConfigStateChecks: checks,
	})
}

func TestAccOrganizationsData_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"none":        {Config: acctest.DataBlock("organization", ""), Want: acctest.InOrder("No organization", "Set org_id here")},
		"another":     {Config: acctest.DataBlock("organization", `org_id = "org-other-12345678"`), Want: acctest.InOrder("No such organization", "org_id", "404")},
		"its members": {Config: acctest.DataBlock("org_members", `org_id = "org-other-12345678"`), Want: acctest.InOrder("Unable to list members", "404", "organization not found")},
		"not an id":   {Config: acctest.DataBlock("org_members", `org_id = "A b"`), Want: acctest.InWords("must be the id")},
	})
}

// More members than a page has are all listed, each once.
func TestOrgMembersData_pages(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	for i := range 600 {
		w.Control(t, http.MethodPost, "/_emulator/members", map[string]string{"email": fmt.Sprintf("m%d@example.com",
			i)}, nil)
	}
	seen := map[string]bool{}
	for member, err := range w.Client(t).ListMembers(t.Context(), w.OrgID) {
		if err != nil {
			t.Fatal(err)
		}
		seen[member.User.Email] = true
	}
	if len(seen) != 601 {
		t.Errorf("%d members are listed, want 601", len(seen))
	}
}

// Keys of an organization and of a project see the one that owns them.
func TestOrganizationsData_otherKeys(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	for _, scope := range []client.APIKeyScope{{OrgID: w.OrgID}, {OrgID: w.OrgID, ProjectID: w.ProjectID}} {
		key, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), scope, "k"))
		if err != nil {
			t.Fatal(err)
		}
		found, err := client.All(w.ClientWith(t, key.Key).ListOrganizations(t.Context()))
		if err != nil || len(found) != 1 || found[0].ID != w.OrgID {
			t.Errorf("%v sees %v, %v", scope, found, err)
		}
	}
}
