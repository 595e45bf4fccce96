package branch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const protectedBranch = "name = \"b\"\n protected = true\n"

// A branch is protected when all else is done, so that one whose creation fails can be
// replaced.
func TestAccBranch_protectedCreationFails(t *testing.T) {
	for action, body := range map[string]string{
		"create_branch": protectedBranch,
		"start_compute": protectedBranch + `endpoints = { app = { type = "read_write" } }`,
	} {
		t.Run(action, func(t *testing.T) {
			w := acctest.NewBranchWorld(t)
			acctest.ParallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					{
						PreConfig: func() { w.EndOperations(t, action, "cancelled", "") }, Config: w.BranchConfig(body),
						ExpectError: acctest.InWords("was cancelled"),
					},
					acctest.Planned(w.BranchConfig(body), plancheck.ResourceActionReplace, branchIs(knownvalue.Bool(true), "protected")),
					{PreConfig: func() { w.CheckProtected(t, "b", true) }, Config: w.BranchConfig(body), Destroy: true},
				},
			})
			w.CheckOnly(t, "main")
		})
	}
}

// What is replaced or destroyed is unprotected first, be it unprotected in the same
// apply or not.
func TestAccBranch_protectedIsReplaced(t *testing.T) {
	for name, protected := range map[string]bool{"stays protected": true, "is unprotected": false} {
		t.Run(name, func(t *testing.T) {
			w := acctest.NewBranchWorld(t)
			parent := w.MakeBranch(t, "parent")
			acctest.ParallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					acctest.Planned(w.BranchConfig(protectedBranch), plancheck.ResourceActionCreate),
					acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"b\"\n protected = %t\n parent_id = %q", protected, parent.ID)),
						plancheck.ResourceActionReplace, branchIs(knownvalue.Bool(protected), "protected")),
				},
			})
			w.CheckOnly(t, "main", "parent")
		})
	}
}

// Neon deletes no endpoint of a protected branch: protection is taken off before, and
// put on after, the endpoints change.
func TestAccBranch_protectionAroundEndpoints(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	config := func(protected bool, endpoints string) string {
		return w.BranchConfig(fmt.Sprintf("name = \"b\"\n protected = %t\n endpoints = { %s }", protected, endpoints))
	}
	const both, one, other = `app = { type = "read_write" }, ro = { type = "read_only" }`, `app = { type = "read_write" }`, `ro = { type = "read_only" }`
	id := newStaysTheSame("id")
	acctest.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config(true, both), plancheck.ResourceActionCreate, id.check()),
			acctest.Planned(config(true, one), plancheck.ResourceActionUpdate, id.check(), branchIs(knownvalue.MapSizeExact(1), "endpoints")),
			acctest.Planned(config(true, both), plancheck.ResourceActionUpdate, id.check()),
			acctest.Planned(config(false, other), plancheck.ResourceActionUpdate, id.check()),
			acctest.Planned(config(true, one), plancheck.ResourceActionUpdate, id.check()),
			{PreConfig: func() { w.CheckProtected(t, "b", true) }, Config: config(true, one), Destroy: true},
		},
	})
	w.CheckOnly(t, "main")
}

// A branch has one read_write endpoint. One that was created outside is managed from then on.
func TestAccTerraform_readWriteEndpointIsTakenIn(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	const unmanaged, managed = `name = "b"`, `name = "b"
		endpoints = { app = { type = "read_write", suspend_timeout_seconds = 600 } }`
	r := acctest.NewRun(t, w.World, w.BranchConfig(unmanaged))
	r.Terraform(t, "apply", "-auto-approve")
	branch := w.BranchNamed(t, "b")
	for _, situation := range []string{"not managed before", "created again outside"} {
		for _, endpoint := range w.Endpoints(t, branch.ID) {
			w.DeleteEndpoint(t, endpoint.ID)
		}
		outside := w.MakeEndpoint(t, branch.ID, client.EndpointReadWrite)
		r.Configure(t, w.BranchConfig(managed))
		said := acctest.InOneLine(r.Terraform(t, "apply", "-auto-approve"))
		if !strings.Contains(said, "An existing endpoint is managed from now on") || !strings.Contains(said, outside.ID) {
			t.Errorf("%s: the apply doesn't say that %s is managed now:\n%s", situation, outside.ID, said)
		}
		endpoints := w.Endpoints(t, branch.ID)
		if len(endpoints) != 1 || endpoints[0].ID != outside.ID || endpoints[0].SuspendTimeoutSeconds != 600 {
			t.Errorf("%s: the branch has the endpoints %v", situation, endpoints)
		}
		if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
			t.Errorf("%s: the next plan isn't empty:\n%s", situation, said)
		}
	}
	r.Terraform(t, "destroy", "-auto-approve")
	w.CheckOnly(t, "main")
}
