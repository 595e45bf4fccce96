package provider_test

import (
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A newcomer goes through the guide: a database with no key, then a branch with one,
// in the same folder.
func TestAccExamples_gettingStarted(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewRun(t, w.World, "", "TF_VAR_project_id="+w.ProjectID)
	add := func(file string) { r.Write(t, file, acctest.ReadExample(t, "getting-started/"+file)) }

	keyless := r.With("NEON_API_KEY=", "NEON_ORG_ID=")
	add("versions.tf")
	add("database.tf")
	keyless.Terraform(t, "apply", "-auto-approve")
	if uri := keyless.Terraform(t, "output", "-raw", "connection_string"); !strings.HasPrefix(uri, "postgresql://") {
		t.Errorf("the connection string is %q", uri)
	}

	add("branch.tf")
	r.Terraform(t, "apply", "-auto-approve")
	staging := w.BranchNamed(t, "staging").ID
	if host := r.Terraform(t, "output", "-raw", "staging_host"); host != w.Endpoints(t, staging)[0].PoolerHost() {
		t.Errorf("the branch's host is %q", host)
	}
	r.Terraform(t, "plan", "-detailed-exitcode")
	r.Terraform(t, "destroy", "-auto-approve")
	w.CheckOnly(t, "main")
}
