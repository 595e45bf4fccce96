package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A newcomer goes through the guide: a database with no key, then a branch with one,
// in the same folder.
func TestAccExamples_gettingStarted(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{})
	r := newRun(t, w.world, "", "TF_VAR_project_id="+w.projectID)
	add := func(file string) { r.write(t, file, readExample(t, "getting-started/"+file)) }

	keyless := r.with("NEON_API_KEY=", "NEON_ORG_ID=")
	add("versions.tf")
	add("database.tf")
	keyless.terraform(t, "apply", "-auto-approve")
	if uri := keyless.terraform(t, "output", "-raw", "connection_string"); !strings.HasPrefix(uri, "postgresql://") {
		t.Errorf("the connection string is %q", uri)
	}

	add("branch.tf")
	r.terraform(t, "apply", "-auto-approve")
	staging := w.branchNamed(t, "staging").ID
	if host := r.terraform(t, "output", "-raw", "staging_host"); host != w.endpoints(t, staging)[0].PoolerHost() {
		t.Errorf("the branch's host is %q", host)
	}
	r.terraform(t, "plan", "-detailed-exitcode")
	r.terraform(t, "destroy", "-auto-approve")
	w.checkOnly(t, "main")
}

// with is the same folder with more in its environment.
func (r run) with(environment ...string) run {
	return run{r.folder, slices.Concat(r.environment, environment)}
}
