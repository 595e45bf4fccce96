package walks_test

import (
	"context"
	"maps"
	"strconv"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Each resource is created with its identity, imported by it, and moved in from another provider.
func TestIdentities(t *testing.T) {
	t.Parallel()
	for name, resource := range acctest.NounResources(t) {
		if len(resource.Identity) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newChangeWorld(t, startQuick)
			p := acctest.NewProtocol(t, w.World)
			state, identity := p.Create(t, name, w.needed(t, p, name))
			want := map[string]string{}
			for _, part := range resource.Identity {
				want[part] = state[part]
			}
			if !maps.Equal(identity, want) {
				t.Errorf("made with identity %v, want %v", identity, want)
			}
			again, identityAgain := p.ImportAndRead(t, name, identity)
			if !maps.Equal(identityAgain, identity) {
				t.Errorf("read with identity %v, want %v", identityAgain, identity)
			}
			if again["id"] != state["id"] || again["name"] != state["name"] {
				t.Errorf("imported %v, want id %s and name %s", again, state["id"], state["name"])
			}
			if !resource.Unmoved {
				checkMoved(t, p, name, state, identity)
			}
		})
	}
}

// checkMoved moves the same object in from another provider.
func checkMoved(t *testing.T, p acctest.Protocol, resourceType string, state, identity map[string]string) {
	t.Helper()
	old := map[string]any{}
	for name, text := range state {
		old[name] = text
	}
	_, moved, problem := p.Move(t, resourceType, acctest.MovedSource{Provider: "neondatabase/neon",
		TypeName: resourceType}, old)
	if problem != "" || !maps.Equal(moved, identity) {
		t.Errorf("moved with identity %v, want %v: %s\nIf no other provider has such a resource, its noun.hcl says unmoved = true.", moved, identity, problem)
	}
}

// A database that is renamed, here or elsewhere, has another identity.
func TestIdentity_ofARenamedDatabase(t *testing.T) {
	t.Parallel()
	const resourceType = "neon_database"
	w := acctest.BranchWorldOf(t, emulator.Config{})
	p, branchID := acctest.NewProtocol(t, w.World), w.MainBranch(t).ID
	named := func(name string) map[string]string {
		return map[string]string{"project_id": w.ProjectID, "branch_id": branchID, "name": name}
	}
	before := p.Imported(t, resourceType, named("neondb"))
	config := acctest.Texts(named("renamed"))
	config["owner_name"] = acctest.Text("neondb_owner")
	after := p.Update(t, resourceType, before, config)
	checkIdentity(t, p, resourceType, after.NewIdentity, named("renamed"))

	name := "elsewhere"
	operations, err := client.OperationsOf(w.API.UpdateDatabase(t.Context(), w.Ref(branchID), "renamed", 0,
		client.DatabaseUpdate{Name: &name}))
	w.Settle(t, operations, err)
	read, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resourceType, CurrentState: after.NewState, Private: after.Private, CurrentIdentity: after.NewIdentity,
	})
	acctest.NoProblem(t, err, read.Diagnostics)
	checkIdentity(t, p, resourceType, read.NewIdentity, named("elsewhere"))
}

func checkIdentity(
	t *testing.T, p acctest.Protocol, resourceType string, identity *tfprotov6.ResourceIdentityData,
	want map[string]string,
) {
	t.Helper()
	of := p.IdentityType(resourceType)
	value, err := identity.IdentityData.Unmarshal(of)
	if err != nil || !value.Equal(acctest.Object(of, acctest.Texts(want))) {
		t.Errorf("the identity is %v, want %v: %v", value, want, err)
	}
}

// A wrong identity is refused with the right form.
func TestIdentitiesOfAWrongForm(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	p := acctest.NewProtocol(t, w)
	for resourceType, by := range map[string]map[string]string{
		"neon_api_key":     {"id": "one"},
		"neon_org_api_key": {"org_id": w.OrgID, "id": "-1"},
		"neon_branch":      {"project_id": w.ProjectID, "id": "no branch"},
	} {
		of := p.IdentityType(resourceType)
		given := map[string]tftypes.Value{}
		for name, value := range by {
			given[name] = tftypes.NewValue(tftypes.String, value)
		}
		answer, err := p.ImportResourceState(context.Background(), &tfprotov6.ImportResourceStateRequest{
			TypeName: resourceType, Identity: &tfprotov6.ResourceIdentityData{IdentityData: acctest.Dynamic(t, of,
				acctest.Object(of, given))},
		})
		if err != nil || len(answer.Diagnostics) != 1 || answer.Diagnostics[0].Summary != "Invalid import id" {
			t.Errorf("%s: %v %v", resourceType, err, answer.Diagnostics)
		}
	}
}

// With a Terraform that knows identities, import blocks name them.
func TestAccIdentity_import(t *testing.T) {
	acctest.NeedsTerraform(t, "1.12.0")
	w := acctest.NewBranchWorld(t)
	key, err := client.ObjectOf(w.API.CreateAPIKey(context.Background(), client.APIKeyScope{}, "k"))
	if err != nil {
		t.Fatal(err)
	}
	branch := w.MakeBranch(t, "b")
	acceptance.ParallelTest(t, acceptance.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []acceptance.TestStep{{
			Config: w.BranchConfig(`name = "b"`) + `
				resource "neon_api_key" "test" { name = "k" }
				import {
					to = neon_branch.test
					identity = { project_id = "` + w.ProjectID + `", id = "` + branch.ID + `" }
				}
				import {
					to = neon_api_key.test
					identity = { id = "` + strconv.FormatInt(key.ID, 10) + `" }
				}`,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectIdentity("neon_branch.test", map[string]knownvalue.Check{
					"project_id": knownvalue.StringExact(w.ProjectID), "id": knownvalue.StringExact(branch.ID),
				}),
			},
		}},
	})
}
