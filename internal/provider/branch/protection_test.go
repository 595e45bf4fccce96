package branch_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const (
	protectedBranch = "name = \"b\"\n protected = true\n"
	patchBranch     = "PATCH /api/v2/projects/{project_id}/branches/{branch_id}"
)

// A branch is protected when all else is done, so that one whose creation fails can be
// replaced.
func TestAccBranch_protectedCreationFails(t *testing.T) {
	t.Parallel()
	for action, body := range map[string]string{
		"create_branch": protectedBranch,
		"start_compute": protectedBranch + `endpoints = { app = { type = "read_write" } }`,
	} {
		t.Run(action, func(t *testing.T) {
			w := acctest.NewBranchWorld(t)
			parallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					{
						PreConfig: func() { w.EndOperations(t, action, "cancelled", "") }, Config: w.BranchConfig(body),
						ExpectError: acctest.InWords("was cancelled"),
					},
					acctest.Planned(w.BranchConfig(body), plancheck.ResourceActionReplace,
						branchIs(knownvalue.Bool(true), "protected")),
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
	t.Parallel()
	acctest.EachReading(t, "delete-protected", protectedIsReplaced)
}

func protectedIsReplaced(t *testing.T, played emulator.Config) {
	t.Helper()
	for name, protected := range map[string]bool{"stays protected": true, "is unprotected": false} {
		t.Run(name, func(t *testing.T) {
			w := acctest.BranchWorldOf(t, played)
			parent := w.MakeBranch(t, "parent")
			parallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					acctest.Planned(w.BranchConfig(protectedBranch), plancheck.ResourceActionCreate),
					acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"b\"\n protected = %t\n parent_id = %q", protected,
						parent.ID)),
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
	t.Parallel()
	acctest.EachReading(t, "delete-protected", protectionAroundEndpoints)
}

func protectionAroundEndpoints(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	config := func(protected bool, endpoints string) string {
		return w.BranchConfig(fmt.Sprintf("name = \"b\"\n protected = %t\n endpoints = { %s }", protected, endpoints))
	}
	const both, one, other = `app = { type = "read_write" }, ro = { type = "read_only" }`, `app = { type = "read_write" }`,
		`ro = { type = "read_only" }`
	id := newStaysTheSame("id")
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config(true, both), plancheck.ResourceActionCreate, id.check()),
			acctest.Planned(config(true, one), plancheck.ResourceActionUpdate, id.check(),
				branchIs(knownvalue.MapSizeExact(1), "endpoints")),
			acctest.Planned(config(true, both), plancheck.ResourceActionUpdate, id.check()),
			acctest.Planned(config(false, other), plancheck.ResourceActionUpdate, id.check()),
			acctest.Planned(config(true, one), plancheck.ResourceActionUpdate, id.check()),
			{PreConfig: func() { w.CheckProtected(t, "b", true) }, Config: config(true, one), Destroy: true},
		},
	})
	w.CheckOnly(t, "main")
}

// What somebody else protects keeps its endpoints: the plan refuses to delete them, and so does Neon later.
func TestAccBranch_protectedKeepsEndpoints(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(endpoints string) string {
		return w.BranchConfig("name = \"b\"\n endpoints = { " + endpoints + " }")
	}
	protect := func() {
		yes := true
		operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(w.BranchNamed(t, "b").ID),
			client.BranchUpdate{Protected: &yes}))
		w.Settle(t, operations, err)
	}
	const both, one = `app = { type = "read_write" }, ro = { type = "read_only" }`, `app = { type = "read_write" }`
	refuse := func() {
		w.AddFault(t, acctest.Fault{
			Route: "DELETE /api/v2/projects/{project_id}/endpoints/{endpoint_id}", Kind: "status",
			Status: http.StatusUnprocessableEntity,
			Body:   `{"message":"the branch is protected"}`, Count: 1,
		})
	}
	said := acctest.InOrder("Somebody has protected the branch", "would delete these endpoints: ro", "protected = false")
	acctest.RunSteps(t, w.World,
		acctest.Planned(config(both), plancheck.ResourceActionCreate),
		resource.TestStep{PreConfig: protect, Config: config(one), ExpectError: said},
		acctest.Planned(w.BranchConfig("name = \"b\"\n protected = false\n endpoints = { "+one+" }"),
			plancheck.ResourceActionUpdate, branchIs(knownvalue.MapSizeExact(1), "endpoints")),
		acctest.Planned(config(both), plancheck.ResourceActionUpdate),
		resource.TestStep{
			PreConfig: refuse, Config: config(one),
			ExpectError: acctest.InOrder("the branch is protected", "Neon deletes no endpoint of a protected branch",
				"protected = false"),
		},
		resource.TestStep{ // With -refresh=false, what is in the state may be no longer so.
			PreConfig: refuse, Config: w.BranchConfig("name = \"b\"\n protected = false\n endpoints = { " + one + " }"),
			ExpectError: acctest.InOrder("the branch is protected",
				"was protected after it was last read, apply again, without -refresh=false"),
		},
	)
}

// A branch that keeps its protection can't expire, and the plan says so, whoever has protected it.
func TestAccBranch_protectedDoesNotExpire(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	refused := func(lines string) resource.TestStep {
		return resource.TestStep{Config: w.BranchConfig("name = \"b\"\n" + lines),
			ExpectError: acctest.InOrder("Protected branches can't expire", "set protected = false")}
	}
	expires := fmt.Sprintf("expires_at = %q", acctest.InDays(3))
	byAnother := refused(expires)
	byAnother.PreConfig = func() {
		yes := true
		operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(w.BranchNamed(t, "b").ID),
			client.BranchUpdate{Protected: &yes}))
		w.Settle(t, operations, err)
	}
	acctest.RunSteps(t, w.World,
		acctest.Planned(w.BranchConfig(protectedBranch), plancheck.ResourceActionCreate),
		refused(expires), refused(`expires_in = "72h"`),
		acctest.Planned(w.BranchConfig("name = \"b\"\n protected = false\n"+expires), plancheck.ResourceActionUpdate,
			branchIs(knownvalue.Bool(false), "protected")),
		acctest.Planned(w.BranchConfig(`name = "b"`), plancheck.ResourceActionUpdate,
			branchIs(knownvalue.Null(), "expires_at")),
		byAnother,
		acctest.Planned(w.BranchConfig("name = \"b\"\n protected = false\n expires_in = \"72h\""),
			plancheck.ResourceActionUpdate, branchIs(knownvalue.Bool(false), "protected")),
	)
}

// Where the branch is protected only after the plan, the error says what to do.
func TestAccBranch_protectedBeforeItExpires(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World,
		acctest.Planned(w.BranchConfig(`name = "b"`), plancheck.ResourceActionCreate),
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{
					Route: patchBranch, Kind: "status", Status: http.StatusUnprocessableEntity,
					Body: `{"message":"cannot set expiration on a protected branch"}`, Count: 1,
				})
			},
			Config:      w.BranchConfig(fmt.Sprintf("name = \"b\"\n expires_at = %q", acctest.InDays(3))),
			ExpectError: acctest.InOrder("cannot set expiration on a protected branch", "set protected = false"),
		},
	)
}

// A protection that an update puts on is its own where the answer says that it failed, and keeps no one
// from destroying the branch.
func TestAccBranch_protectedByAFailedUpdate(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World,
		acctest.Planned(w.BranchConfig(`name = "b"`), plancheck.ResourceActionCreate),
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: patchBranch, Kind: "status_after", Status: http.StatusBadRequest,
					Body: `{"message":"broken"}`, Count: 1})
			},
			Config: w.BranchConfig(protectedBranch), ExpectError: acctest.InWords("broken"),
		},
		resource.TestStep{PreConfig: func() { w.CheckProtected(t, "b", true) }, Config: w.BranchConfig(protectedBranch),
			Destroy: true},
	)
	w.CheckOnly(t, "main")
}

// An update that fails after it has taken a protection off has taken it off all the same: a protection that somebody
// else puts on later isn't this resource's, and keeps the branch.
func TestAccBranch_unprotectedByAFailedUpdate(t *testing.T) {
	t.Parallel()
	yes := true
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World,
		acctest.Planned(w.BranchConfig(protectedBranch), plancheck.ResourceActionCreate),
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects/{project_id}/endpoints", Kind: "status", Status: 422,
					Body: `{"code":"","message":"not now"}`, Count: 1})
			},
			Config:      w.BranchConfig("name = \"b\"\n protected = false\n endpoints = { app = { type = \"read_write\" } }"),
			ExpectError: acctest.InWords("not now"),
		},
		resource.TestStep{
			PreConfig: func() {
				w.CheckProtected(t, "b", false)
				operations, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(w.BranchNamed(t, "b").ID),
					client.BranchUpdate{Protected: &yes}))
				w.Settle(t, operations, err)
			},
			Config: w.BranchConfig(`name = "b"`),
		},
		resource.TestStep{Config: w.BranchConfig(`name = "b"`), Destroy: true,
			ExpectError: acctest.InWords("this resource hasn't put that on")},
		resource.TestStep{Config: w.BranchConfig("name = \"b\"\n protected = false\n")},
	)
}

// A branch has one read_write endpoint. One that was created outside is managed from then on.
func TestAccBranch_readWriteEndpointIsTakenIn(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	managed := w.BranchConfig(`name = "b"
		endpoints = { app = { type = "read_write", suspend_timeout_seconds = 600 } }`)
	var heard acctest.Heard
	takenIn := func(situation string) resource.TestStep {
		outside := client.Endpoint{}
		return resource.TestStep{
			PreConfig: func() {
				branch := w.BranchNamed(t, "b")
				for _, endpoint := range w.Endpoints(t, branch.ID) {
					w.DeleteEndpoint(t, endpoint.ID)
				}
				outside = w.MakeEndpoint(t, branch.ID, client.EndpointReadWrite)
				heard.Take()
			},
			Config: managed,
			ConfigStateChecks: []statecheck.StateCheck{checked(func() {
				said := heard.Take()
				if !strings.Contains(said, "An existing endpoint is managed from now on") || !strings.Contains(said, outside.ID) {
					t.Errorf("%s: the apply doesn't say that %s is managed now: %s", situation, outside.ID, said)
				}
				endpoints := w.Endpoints(t, w.BranchNamed(t, "b").ID)
				if len(endpoints) != 1 || endpoints[0].ID != outside.ID || endpoints[0].SuspendTimeoutSeconds != 600 {
					t.Errorf("%s: the branch has the endpoints %v", situation, endpoints)
				}
			})},
		}
	}
	acctest.HearSteps(t, w.World, &heard, []resource.TestStep{
		{Config: w.BranchConfig(`name = "b"`)}, takenIn("not managed before"), takenIn("created again outside"),
	}...)
	w.CheckOnly(t, "main")
}

// A protection that is taken off for an endpoint to go is put back where that fails, also if nothing is configured, and
// if the time for the update is up.
func TestAccBranch_protectionAfterFailure(t *testing.T) {
	t.Parallel()
	const app, deletion = `app = { type = "read_write" }`, "DELETE /api/v2/projects/{project_id}/endpoints/{endpoint_id}"
	for name, test := range map[string]struct {
		fault       acctest.Fault
		body, wants string
	}{
		"refused": {acctest.Fault{Route: deletion, Kind: "status", Status: 422, Body: `{"code":"","message":"not now"}`,
			Count: 1}, "", "not now"},
		"too late": {acctest.Fault{Route: deletion, Kind: "slow", Delay: "3s", Count: 1}, "\ntimeouts = { update = \"2s\" }",
			"Unable to update branch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			fewer := w.BranchConfig("name = \"b\"\n endpoints = { " + app + " }" + test.body)
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: w.BranchConfig("name = \"b\"\n protected = true\n endpoints = { " + app +
					", replica = { type = \"read_only\" } }")},
				resource.TestStep{PreConfig: func() { w.AddFault(t, test.fault) }, Config: fewer,
					ExpectError: acctest.InWords(test.wants)},
				resource.TestStep{Config: fewer, ConfigStateChecks: []statecheck.StateCheck{branchIs(knownvalue.Bool(true),
					"protected")}},
			)
		})
	}
}
