package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// withLaterKey is a configuration whose provider's settings are known only after apply
// whenever the version changes.
func (w *branchWorld) withLaterKey(version int, body string) string {
	return fmt.Sprintf(`
		provider "neon" {
		  api_key        = terraform_data.settings.output.key
		  claim_base_url = terraform_data.settings.output.address
		}
		resource "terraform_data" "settings" {
		  input = { key = %q, address = %q, version = %d }
		}
		resource "neon_api_key" "k" {
		  name = "k"
		}
		resource "neon_org_api_key" "o" {
		  name   = "o"
		  org_id = %q
		}
		resource "neon_claimable_database" "d" {
		  ref = "test"
		}`, w.apiKey, w.claimBaseURL, version, w.orgID) + branchBlock(w.projectID, body)
}

// What is managed already is planned as it is in the state while the provider's key isn't
// known, and the plan says so.
func TestAccTerraform_providerKnownAfterApply(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{})
	const first, second = `name = "b"
		endpoints = { app = { type = "read_write" } }`, `name = "b2"
		endpoints = { app = { type = "read_write" } }`
	r := newRun(t, w.world, w.withLaterKey(1, first))
	r.terraform(t, "apply", "-auto-approve")
	id := w.branchNamed(t, "b").ID
	r.configure(t, w.withLaterKey(2, first))
	said := inOneLine(r.terraform(t, "apply", "-auto-approve"))
	for _, wanted := range []string{"Not refreshed", "api_key of the provider is known only after apply", "3 more similar warnings", "0 added, 1 changed, 0 destroyed"} {
		if !strings.Contains(said, wanted) {
			t.Errorf("the apply doesn't say %q:\n%s", wanted, said)
		}
	}
	if said := r.terraform(t, "plan"); !strings.Contains(said, "No changes.") || strings.Contains(said, "Not refreshed") {
		t.Errorf("the next plan isn't empty, or warns:\n%s", said)
	}
	r.configure(t, w.withLaterKey(3, second))
	r.terraform(t, "apply", "-auto-approve")
	if renamed := w.branchNamed(t, "b2"); renamed.ID != id {
		t.Error("the branch was replaced")
	}
	r.terraform(t, "destroy", "-auto-approve")
	w.checkOnly(t, "main")
}

// An import can't do without the read.
func TestAccTerraform_importWithProviderKnownAfterApply(t *testing.T) {
	t.Parallel()
	w := branchWorldOf(t, emulator.Config{})
	branch := w.makeBranch(t, "b")
	r := newRun(t, w.world, w.withLaterKey(1, `name = "b"`)+importBlock(w.projectID, branch.ID))
	if said := r.fails(t, "apply", "-auto-approve"); !strings.Contains(said, "Provider configuration not known yet") {
		t.Errorf("it says:\n%s", said)
	}
	if w.branchNamed(t, "b").ID != branch.ID {
		t.Error("the branch was replaced")
	}
}

// A Terraform that can defer what it doesn't know yet is asked to.
func TestProviderDefersWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	w := newBranchWorld(t)
	branch := w.makeBranch(t, "b")
	known := compareWithFramework(t, w.world, "neon_branch")
	state, identity := known.stored(t, map[string]string{"project_id": w.projectID, "branch_id": branch.ID}, nil)

	server := NewServer("test").New()
	kind := known.schema.Provider.ValueType()
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: true},
		Config: dynamic(t, kind, object(kind, map[string]tftypes.Value{
			"api_key": tftypes.NewValue(tftypes.String, tftypes.UnknownValue), "base_url": text(w.baseURL),
		})),
	})
	noProblem(t, err, configured.Diagnostics)
	read, err := server.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: "neon_branch", CurrentState: state, CurrentIdentity: identity,
		ClientCapabilities: &tfprotov6.ReadResourceClientCapabilities{DeferralAllowed: true},
	})
	noProblem(t, err, read.Diagnostics)
	known.sameValue(t, "state", read.NewState, state)
	planned, err := server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: "neon_branch", PriorState: state, ProposedNewState: state, Config: state, PriorIdentity: identity,
		ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: true},
	})
	noProblem(t, err, planned.Diagnostics)
	for what, deferred := range map[string]*tfprotov6.Deferred{"read": read.Deferred, "plan": planned.Deferred} {
		if deferred == nil || deferred.Reason != tfprotov6.DeferredReasonProviderConfigUnknown {
			t.Errorf("the %s isn't deferred: %v", what, deferred)
		}
	}
}
