package provider

import (
	"context"
	"testing"

	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// What an interrupted run left is taken over whole: settings are set, endpoints
// that fit are used, and those that nobody asked for are left alone.
func TestAccBranch_adopt(t *testing.T) {
	w := newBranchWorld(t)
	created, err := w.api.CreateBranch(context.Background(), w.projectID, client.BranchCreate{
		Name: "b", Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}, {Type: client.EndpointReadOnly}},
	})
	if err != nil {
		t.Fatal(err)
	}
	config := w.branchConfig(`name = "b"
		on_conflict = "adopt"
		expires_at = "` + inDays(2) + `"
		endpoints = { app = { type = "read_write", suspend_timeout_seconds = 300 } }`)
	acceptance.ParallelTest(t, acceptance.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []acceptance.TestStep{{
			Config: config,
			ConfigStateChecks: []statecheck.StateCheck{
				branchIs(knownvalue.StringExact(created.Branch.ID), "id"),
				branchIs(knownvalue.MapSizeExact(1), "endpoints"),
				branchIs(knownvalue.StringExact(readWriteOf(created)), "endpoints", "app", "id"),
				branchIs(knownvalue.Int64Exact(300), "endpoints", "app", "suspend_timeout_seconds"),
			},
		}, planned(config, plancheck.ResourceActionNoop)},
	})
	w.checkOnly(t, "main")
}

func readWriteOf(created *client.BranchCreated) string {
	for _, endpoint := range created.Endpoints {
		if endpoint.Type == client.EndpointReadWrite {
			return endpoint.ID
		}
	}
	return ""
}

// A branch that begins elsewhere is another branch, and isn't touched.
func TestAccBranch_adoptRefusesAnother(t *testing.T) {
	w := newBranchWorld(t)
	parent := w.makeBranch(t, "parent")
	w.makeChild(t, "b", parent.ID)
	config := func(body string) string {
		return w.branchConfig("name = \"b\"\n on_conflict = \"adopt\"\n" + body)
	}
	for name, test := range map[string]struct{ config, want string }{
		"the default parent": {config(""), "its parent is " + parent.ID + " rather than the default branch"},
		"a named parent":     {config(`parent_id = "` + w.mainBranch(t).ID + `"`), "its parent is " + parent.ID + " rather than"},
		"a position":         {config("parent_id = \"" + parent.ID + "\"\n parent_lsn = \"0/1\""), "begins at another parent_lsn"},
		"another word":       {w.branchConfig("name = \"b\"\n on_conflict = \"replace\""), `"error" "adopt"`},
	} {
		t.Run(name, func(t *testing.T) {
			acceptance.ParallelTest(t, acceptance.TestCase{
				ProtoV6ProviderFactories: w.factories(),
				Steps:                    []acceptance.TestStep{{Config: test.config, ExpectError: inWords(test.want)}},
			})
		})
	}
}

// A failure while a branch is taken over must not taint it: the next apply would
// delete what was there before.
func TestAccBranch_adoptionFails(t *testing.T) {
	w := newBranchWorld(t)
	before := w.makeBranch(t, "b")
	config := w.branchConfig(`name = "b"
		on_conflict = "adopt"
		endpoints = { app = { type = "read_write" } }`)
	acceptance.ParallelTest(t, acceptance.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps: []acceptance.TestStep{
			{
				PreConfig:   func() { w.endOperations(t, "start_compute", "cancelled", "") },
				Config:      config,
				ExpectError: inWords("was cancelled"),
			},
			{
				Config: config,
				ConfigStateChecks: []statecheck.StateCheck{
					branchIs(knownvalue.StringExact(before.ID), "id"),
				},
			},
		},
	})
}
