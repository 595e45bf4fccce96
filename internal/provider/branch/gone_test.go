package branch_test

import (
	"fmt"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A saved plan may be older than the deletion of what it changes.
func TestAccTerraform_branchDeletedAfterThePlan(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	config := func(name string) string { return w.BranchConfig(fmt.Sprintf("name = %q", name)) }
	r := acctest.NewRun(t, w.World, config("b"))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, config("renamed"))
	r.Terraform(t, "plan", "-out=saved.plan")
	w.DeleteBranch(t, w.BranchNamed(t, "b").ID)
	said := r.Fails(t, "apply", "saved.plan")
	if !acctest.InOrder("Unable to update branch", "deleted after this was planned, apply again").MatchString(said) {
		t.Error(said)
	}
	r.Terraform(t, "apply", "-auto-approve")
	w.CheckOnly(t, "main", "renamed")
}
