package stories_test

import (
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A mistake that is deeper than the attributes of a resource is shown where that begins, and says where it is.
func TestAccTerraform_linesOfDeepMistakes(t *testing.T) {
	t.Parallel()
	r := acctest.NewRun(t, acctest.StartEmulator(t, emulator.Config{}), `
resource "neon_project" "x" {
  name           = "of the project"
  default_branch = { name = "" }
}
resource "neon_branch" "x" {
  project_id = "calm-lake-12345678"
  name       = "b"
  endpoints = {
    app  = { type = "read_write" }
    jobs = { type = "read-only" }
  }
}
resource "neon_claimable_database" "x" {
  ref  = "terraform"
  seed = { type = "sql", path = "seed.sql" }
}
`)
	said := r.Fails(t, "validate")
	for at, line := range map[string]string{
		"default_branch.name":    `4: default_branch = { name = "" }`,
		`endpoints["jobs"].type`: `11: jobs = { type = "read-only" }`,
		"seed.type":              `16: seed = { type = "sql", path = "seed.sql" }`,
	} {
		if !strings.Contains(said, line+" Attribute "+at) {
			t.Errorf("the mistake at %s isn't shown at the line %q:\n%s", at, line, said)
		}
	}
}
