package stories_test

import (
	"fmt"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Many modules that read the same project and the same connection ask Neon once for each. What was read is used for
// some seconds alone, so a slow machine may ask again.
func TestAccTerraform_dataSourcesAskOnce(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	first := w.Emulator.FirstWorld()
	run := acctest.NewRun(t, w, w.ProviderConfig()+fmt.Sprintf(`
data "neon_project" "p" {
  count = 20
  id    = %[1]q
}

data "neon_connection_uri" "c" {
  count         = 20
  project_id    = %[1]q
  database_name = %[2]q
  role_name     = %[3]q
}
`, w.ProjectID, first.DatabaseName, first.RoleName))
	w.ForgetRequests(t)
	run.Terraform(t, "plan")
	seen := w.Requests(t)
	for route, times := range seen.ByRoute {
		if times > 4 {
			t.Errorf("%s was sent %d times", route, times)
		}
	}
	if seen.Total == 0 {
		t.Error("nothing was asked")
	}
}
