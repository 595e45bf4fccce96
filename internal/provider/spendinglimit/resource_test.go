package spendinglimit_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	address = "neon_org_spending_limit.test"
	route   = "/api/v2/organizations/{org_id}/billing/spending_limit"
)

func block(orgID string, cents int) string {
	return fmt.Sprintf("resource \"neon_org_spending_limit\" \"test\" {\n org_id = %q\n spending_limit_cents = %d\n}\n",
		orgID, cents)
}

func isLeft(t *testing.T, w *acctest.World) bool {
	t.Helper()
	_, err := w.Client(t).GetSpendingLimit(t.Context(), w.OrgID)
	if err != nil && !client.IsAbsent(err) {
		t.Fatal(err)
	}
	return err == nil
}

func life(t *testing.T, w *acctest.World) []resource.TestStep {
	t.Helper()
	config := func(cents int) string { return w.ProviderConfig() + block(w.OrgID, cents) }
	return append([]resource.TestStep{
		{Config: config(10000), ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact(w.OrgID)),
		}},
		{ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: w.OrgID},
		{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateId: w.OrgID},
		{Config: config(20000), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate)},
	}, changedOutside(t, w, config(20000))...)
}

// changedOutside are steps before which somebody else changes the limit, and removes it.
func changedOutside(t *testing.T, w *acctest.World, config string) []resource.TestStep {
	t.Helper()
	step := func(change func(*client.Client) error, action plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			PreConfig: func() {
				if err := change(w.Client(t)); err != nil {
					t.Error(err)
				}
			},
			Config: config, ConfigPlanChecks: acctest.ExpectAction(address, action),
		}
	}
	return []resource.TestStep{
		step(func(c *client.Client) error { return c.SetSpendingLimit(t.Context(), w.OrgID, 1) },
			plancheck.ResourceActionUpdate),
		step(func(c *client.Client) error { return c.DeleteSpendingLimit(t.Context(), w.OrgID) },
			plancheck.ResourceActionCreate),
	}
}

func TestAccOrgSpendingLimit_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.RunSteps(t, w, life(t, w)...)
	if isLeft(t, w) {
		t.Error("the limit is left")
	}
}

func TestAccTerraform_orgSpendingLimitLife(t *testing.T) {
	w := acctest.StartEmulator(t, emulator.Config{})
	resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: life(t, w)})
}

func TestAccOrgSpendingLimit_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	if err := w.Client(t).SetSpendingLimit(t.Context(), w.OrgID, 5000); err != nil {
		t.Fatal(err)
	}
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"set already": {
			Config: block(w.OrgID, 10000),
			Want: acctest.InOrder("Unable to create org spending limit", "already, of 5000 cents",
				"another resource of this configuration",
				"to = neon_org_spending_limit.NAME", w.OrgID),
		},
		"nothing":              {Config: block(w.OrgID, 0), Command: acctest.Plan, Want: acctest.InWords("must be at least 1")},
		"another organization": {Config: block("org-none-12345678", 1), Want: acctest.InOrder("Unable to create org spending limit", "404")},
		"import id": {
			Config: block(w.OrgID, 1), Command: []string{"import", address, "Org"},
			Want: acctest.InWords("A spending limit is imported by org_id"),
		},
	})
}

func TestAccOrgSpendingLimit_importOfNone(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + block(w.OrgID, 1), Command: []string{"import", address, w.OrgID},
		Want: acctest.InWords("No such"),
	})
}

func TestAccOrgSpendingLimit_plan(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Plan: emulator.PlanFree})
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + block(w.OrgID, 1), Want: acctest.InOrder("Unable to create org spending limit",
			"on your plan", "choose another plan"),
	})
}

// Who doesn't administer the organization reads who may set its limit, and nothing about keys.
func TestAccOrgSpendingLimit_notAnAdministrator(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	_, key := w.AddMember(t, "max@example.com", "viewer")
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfigWith(key) + block(w.OrgID, 1),
		Want: acctest.InOrder("Unable to create org spending limit", "403", "an administrator of the organization",
			"NEON_API_KEY"),
	})
}

func TestOrgSpendingLimit_moves(t *testing.T) {
	w := acctest.StartEmulator(t, emulator.Config{})
	if err := w.Client(t).SetSpendingLimit(t.Context(), w.OrgID, 100); err != nil {
		t.Fatal(err)
	}
	from := acctest.MovedSource{Provider: "neondatabase/neon", TypeName: "neon_org_spending_limit", Version: 3}
	state, identity, problem := acctest.NewProtocol(t, w).Move(t, "neon_org_spending_limit", from,
		map[string]any{"org_id": w.OrgID})
	if problem != "" || state["id"] != w.OrgID || identity["org_id"] != w.OrgID {
		t.Errorf("moved to %v, %v: %s", state, identity, problem)
	}
}
