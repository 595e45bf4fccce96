package connectionuri_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A URL without a password comes with a warning that says why, and what to do.
func TestAccConnectionURI_withoutPassword(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	lines := `
  project_id    = neon_project.test.id
  database_name = "neondb"
  role_name     = "neondb_owner"
`
	unstored := w.ProviderConfig() + fmt.Sprintf(`
resource "neon_project" "test" {
  org_id          = %q
  name            = "no-passwords"
  store_passwords = false
}
`, w.OrgID)
	r := acctest.NewRun(t, w, unstored+acctest.DataBlock("connection_uri", lines))
	expect := func(wants ...string) {
		t.Helper()
		if said := r.Terraform(t, "apply", "-auto-approve"); !acctest.InOrder(wants...).MatchString(said) {
			t.Errorf("want %q in: %s", wants, said)
		}
	}
	const warning = "Warning: Connection URI without a password"
	expect(warning, `role_name = "neondb_owner"`, "store_passwords = false", "Reset the role's password in Neon's console")

	group := w.ProviderConfig() + fmt.Sprintf(`
resource "neon_role" "test" {
  project_id = %q
  branch_id  = %q
  name       = "group"
  no_login   = true
}
`, w.ProjectID, w.Emulator.FirstWorld().BranchID)
	r.Configure(t, group+acctest.DataBlock("connection_uri", strings.Replace(connectionLines(w),
		fmt.Sprintf("%q", w.Emulator.FirstWorld().RoleName), "neon_role.test.name", 1)))
	expect(warning, "no_login = true")

	acctest.NeedsTerraform(t, "1.10.0")
	r.Configure(t, unstored+"ephemeral \"neon_connection_uri\" \"test\" {"+lines+"}\n"+`
resource "terraform_data" "test" {
  provisioner "local-exec" {
    command = "echo ${ephemeral.neon_connection_uri.test.password == null ? "no password" : "a password"}"
  }
}
`)
	expect(warning, "store_passwords = false", "Apply complete")
}
