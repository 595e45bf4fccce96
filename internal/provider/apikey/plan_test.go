package apikey_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// No triggers, an empty map and null values mean the same: no key is replaced for the
// one in place of the other.
func TestAccAPIKey_noTriggersAreAlike(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	forEachKeyKind(t, w, func(t *testing.T, kind keyKind) {
		same, name := statecheck.CompareValue(compare.ValuesSame()), uniqueName()
		step := func(triggers string, action plancheck.ResourceActionType,
			checks ...statecheck.StateCheck) resource.TestStep {
			return resource.TestStep{
				Config:            w.ProviderConfig() + kind.block(name, "rotation_triggers = "+triggers),
				ConfigPlanChecks:  acctest.ExpectAction(kind.address(), action),
				ConfigStateChecks: checks,
			}
		}
		key := func() statecheck.StateCheck { return same.AddStateValue(kind.address(), tfjsonpath.New("key")) }
		acctest.RunSteps(t, w,
			step("null", plancheck.ResourceActionCreate, key()),
			step("{}", plancheck.ResourceActionUpdate, key()),
			step("{ a = null }", plancheck.ResourceActionUpdate, key()),
			step("null", plancheck.ResourceActionUpdate, key()),
			step("{ a = null }", plancheck.ResourceActionUpdate, key()),
			step(`{ a = "1", b = null }`, plancheck.ResourceActionReplace),
			step(`{ a = "1" }`, plancheck.ResourceActionUpdate),
			step("{}", plancheck.ResourceActionReplace),
		)
	})
}

// Whoever plans may have another organization in the environment. The plan says so, and
// replaces no key for it.
func TestAccTerraform_anotherDefaultOrganization(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, "resource \"neon_org_api_key\" \"k\" {\n name = \"k\"\n}\n")
	r.Terraform(t, "apply", "-auto-approve")
	if said := r.Terraform(t, "plan"); strings.Contains(said, "Warning: An API key") {
		t.Errorf("the plan warns without a reason:\n%s", said)
	}
	said := acctest.InOneLine(r.With("NEON_ORG_ID=org-another-12345678").Terraform(t, "plan"))
	for _, wanted := range []string{"No changes.", "Belongs to another organization", "org-another-12345678",
		fmt.Sprintf("org_id = %q", w.OrgID)} {
		if !strings.Contains(said, wanted) {
			t.Errorf("the plan doesn't say %q:\n%s", wanted, said)
		}
	}
}

// A key that can't be created isn't paid for with the one that exists.
func TestAccTerraform_missingProjectKeepsTheKey(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := func(projectID string) string {
		return fmt.Sprintf("resource \"neon_org_api_key\" \"k\" {\n name = \"kept\"\n project_id = %q\n}\n", projectID)
	}
	r := acctest.NewRun(t, w, config(w.ProjectID))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, config("not-there-12345678"))
	if said := r.Fails(t, "apply", "-auto-approve"); !strings.Contains(said, `project_id = "not-there-12345678"`) {
		t.Errorf("it says:\n%s", said)
	}
	if live := w.KeysNamed(t, "kept"); live != 1 {
		t.Errorf("%d keys of the name are live", live)
	}
}

// A project's key whose configuration leaves the project out stays as it is. Where it is replaced, the plan says
// that the new one may work in all projects.
func TestAccTerraform_projectLeftOut(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := func(attributes string) string {
		return "resource \"neon_org_api_key\" \"k\" {\n name = \"k\"\n" + attributes + "}\n"
	}
	const wider = "may do everything in all projects of the organization"
	project := fmt.Sprintf(" project_id = %q\n", w.ProjectID)
	r := acctest.NewRun(t, w, config(project))
	r.Terraform(t, "apply", "-auto-approve")
	for _, test := range []struct {
		attributes     string
		replaces, says bool
	}{
		{"", false, false},
		{" rotation_triggers = { a = \"1\" }\n", true, true},
		{" rotation_triggers = { a = \"1\" }\n" + project, true, false},
	} {
		r.Configure(t, config(test.attributes))
		said := acctest.InOneLine(r.Terraform(t, "plan"))
		if replaces := strings.Contains(said, "must be replaced"); replaces != test.replaces ||
			strings.Contains(said, wider) != test.says || test.says && !strings.Contains(said, strings.TrimSpace(project)) {
			t.Errorf("%q: the plan says:\n%s", test.attributes, said)
		}
	}
}
