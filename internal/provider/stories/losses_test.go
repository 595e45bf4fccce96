package stories_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A replacement says what goes with the object, also where that is no data. One because of a value that
// isn't known yet says nothing of the kind.
func TestAccTerraform_replacementsSayWhatGoes(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	config := func(name, kind string) string {
		return fmt.Sprintf(`
resource "neon_branch" "b" {
  project_id = %[1]q
  name       = "b"
}
resource "neon_endpoint" "e" {
  project_id = %[1]q
  branch_id  = neon_branch.b.id
  type       = %[3]s
}
resource "neon_role" "r" {
  project_id = %[1]q
  branch_id  = neon_branch.b.id
  name       = %[2]s
}
resource "neon_role" "silent" {
  project_id = %[1]q
  branch_id  = neon_branch.b.id
  name       = "${%[2]s}-silent"
  no_login   = true
}
resource "neon_api_key" "k" {
  name = %[2]s
}
resource "neon_org_api_key" "k" {
  org_id = %[4]q
  name   = %[2]s
}
resource "neon_jwks_url" "j" {
  project_id    = %[1]q
  provider_name = %[2]s
  jwks_url      = "https://example.com/jwks.json"
}
resource "neon_claimable_database" "c" {
  ref = %[2]s
}
`, w.ProjectID, name, kind, w.OrgID)
	}
	r := acctest.NewRun(t, w.World, config(`"a"`, `"read_only"`))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, config(`"other"`, `"read_write"`))
	said := acctest.InOneLine(r.Terraform(t, "plan"))
	for _, want := range []string{
		"A host name will be lost (ep-", "The new endpoint has another host name",
		`type = "read_write" instead of "read_only" replaces it`,
		"A password will be lost (" + w.ProjectID, `Neon deletes role "a", and its password stops working`,
		"An API key will be revoked (", "its token is refused at once",
		"Tokens will be refused meanwhile (", "Another claimable database takes the place of one (project ",
		"lives on until it expires",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the plan doesn't say %q", want)
		}
	}
	for summary, want := range map[string]int{"An API key will be revoked (": 2, "A password will be lost (": 1} {
		if got := strings.Count(said, summary); got != want {
			t.Errorf("%q is there %d times, want %d", summary, got, want)
		}
	}
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
	unknown := "resource \"terraform_data\" \"t\" {\n  input = \"once more\"\n}\n"
	r.Configure(t, unknown+config("terraform_data.t.output", `"read_write"`))
	if said := acctest.InOneLine(r.Terraform(t, "plan")); strings.Contains(said, "replaces it:") {
		t.Errorf("a value that isn't known is said to have changed:\n%s", said)
	}
}
