package stories_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// everyEphemeral is a configuration that uses each ephemeral resource: keys in a
// provider block, connection strings in a program that terraform starts.
func everyEphemeral(w *acctest.World) string {
	config := opened(w, "personal", "organization", "project-scoped") +
		branchWith("organization", w.ProjectID) + readWith(w, "personal") + readWith(w, "project-scoped")
	return config + fmt.Sprintf(`
ephemeral "neon_connection_uri" "direct" {
  project_id    = %[1]q
  branch_id     = neon_branch.test.id
  endpoint_id   = neon_branch.test.endpoints["app"].id
  database_name = %[2]q
  role_name     = %[3]q
}
ephemeral "neon_connection_uri" "pooled" {
  project_id    = %[1]q
  database_name = %[2]q
  role_name     = %[3]q
}
ephemeral "neon_claimable_database" "test" {
  ref = "test"
}
resource "terraform_data" "test" {
  provisioner "local-exec" {
    command = "test -n \"$DIRECT\" && test -n \"$POOLED\" && test -n \"$CLAIMABLE\" && test -n \"$CLAIM\""
    environment = {
      DIRECT    = ephemeral.neon_connection_uri.direct.uri
      POOLED    = ephemeral.neon_connection_uri.pooled.uri_pooled
      CLAIMABLE = ephemeral.neon_claimable_database.test.connection_string
      CLAIM     = ephemeral.neon_claimable_database.test.claim_url
    }
  }
}
`, w.ProjectID, w.Emulator.FirstWorld().DatabaseName, w.Emulator.FirstWorld().RoleName)
}

// Nothing that Neon handed out in secret is in the state, in a plan file,
// in the most talkative log, or on the terminal.
func TestAccEphemeralRun_leavesNoSecret(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	config := strings.Replace(everyEphemeral(w), `name       = "made"`, `name       = "made"
  endpoints  = { app = { type = "read_write" } }`, 1)
	traces := t.TempDir()
	r := acctest.NewRun(t, w, config, "TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(traces, "trace.log"))
	var said strings.Builder
	for _, command := range [][]string{
		{"plan", "-out=create.plan"}, {"apply", "create.plan"}, {"plan", "-out=nothing.plan"}, {"show", "-json", "create.plan"},
		{"apply", "-auto-approve", "-replace=terraform_data.test"}, {"show", "-json"},
		{"plan", "-destroy", "-out=destroy.plan"}, {"apply", "destroy.plan"},
	} {
		said.WriteString(r.Terraform(t, command...))
	}
	contents := leavesNoSecret(t, w, said.String(), r.Folder, traces)
	for _, wanted := range []string{"trace.log", "terraform.tfstate", "terraform.tfstate.backup", "create.plan!tfplan",
		"create.plan!tfstate"} {
		if !acctest.ContainsFile(contents, wanted) {
			t.Errorf("%s wasn't looked at", wanted)
		}
	}
	// The first key, three at least for each plan and apply, and as many URLs.
	if handed := len(w.Emulator.Secrets()); handed < 20 {
		t.Errorf("the emulator handed out %d secrets", handed)
	}
	w.OnlyTheFirst(t)
}
