package stories_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// What is managed already is planned as it is in the state while the provider's key isn't
// known, and the plan says so.
func TestAccTerraform_providerKnownAfterApply(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	const first, second = `name = "b"
		endpoints = { app = { type = "read_write" } }`, `name = "b2"
		endpoints = { app = { type = "read_write" } }`
	r := acctest.NewRun(t, w.World, withLaterKey(w, 1, first))
	r.Terraform(t, "apply", "-auto-approve")
	id := w.BranchNamed(t, "b").ID
	r.Configure(t, withLaterKey(w, 2, first))
	said := acctest.InOneLine(r.Terraform(t, "apply", "-auto-approve"))
	for _, wanted := range []string{"Not refreshed", "api_key of the provider is known only after apply",
		"3 more similar warnings", "0 added, 1 changed, 0 destroyed"} {
		if !strings.Contains(said, wanted) {
			t.Errorf("the apply doesn't say %q:\n%s", wanted, said)
		}
	}
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") || strings.Contains(said, "Not refreshed") {
		t.Errorf("the next plan isn't empty, or warns:\n%s", said)
	}
	r.Configure(t, withLaterKey(w, 3, second))
	r.Terraform(t, "apply", "-auto-approve")
	if renamed := w.BranchNamed(t, "b2"); renamed.ID != id {
		t.Error("the branch was replaced")
	}
	r.Terraform(t, "destroy", "-auto-approve")
	w.CheckOnly(t, "main")
}

// An import can't do without the read.
func TestAccTerraform_importWithProviderKnownAfterApply(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	branch := w.MakeBranch(t, "b")
	r := acctest.NewRun(t, w.World, withLaterKey(w, 1, `name = "b"`)+acctest.ImportBlock(w.Ref(branch.ID)))
	said := r.Fails(t, "apply", "-auto-approve")
	for _, wanted := range []string{"Provider configuration not known yet", "that api_key refers to in the provider block",
		"provider = neon.ALIAS", "-target=ADDRESS"} {
		if !strings.Contains(said, wanted) {
			t.Errorf("it doesn't say %q:\n%s", wanted, said)
		}
	}
	if w.BranchNamed(t, "b").ID != branch.ID {
		t.Error("the branch was replaced")
	}
}

// A Terraform that can defer what it doesn't know yet is asked to.
func TestProviderDefersWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.MakeBranch(t, "b")
	known := acctest.NewProtocol(t, w.World)
	imported := known.Imported(t, "neon_branch", map[string]string{"project_id": w.ProjectID, "id": branch.ID})
	state, identity := imported.NewState, imported.NewIdentity

	server := provider.NewServer("test").New()
	kind := known.Schema.Provider.ValueType()
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: true},
		Config: acctest.Dynamic(t, kind, acctest.Object(kind, map[string]tftypes.Value{
			"api_key": tftypes.NewValue(tftypes.String, tftypes.UnknownValue), "base_url": acctest.Text(w.BaseURL),
		})),
	})
	acctest.NoProblem(t, err, configured.Diagnostics)
	read, err := server.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: "neon_branch", CurrentState: state, CurrentIdentity: identity,
		ClientCapabilities: &tfprotov6.ReadResourceClientCapabilities{DeferralAllowed: true},
	})
	acctest.NoProblem(t, err, read.Diagnostics)
	if !bytes.Equal(read.NewState.MsgPack, state.MsgPack) {
		t.Error("the deferred read changes the state")
	}
	planned, err := server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: "neon_branch", PriorState: state, ProposedNewState: state, Config: state, PriorIdentity: identity,
		ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: true},
	})
	acctest.NoProblem(t, err, planned.Diagnostics)
	for what, deferred := range map[string]*tfprotov6.Deferred{"read": read.Deferred, "plan": planned.Deferred} {
		if deferred == nil || deferred.Reason != tfprotov6.DeferredReasonProviderConfigUnknown {
			t.Errorf("the %s isn't deferred: %v", what, deferred)
		}
	}
}

// withLaterKey is a configuration whose provider's settings are known only after apply
// whenever the version changes.
func withLaterKey(w *acctest.BranchWorld, version int, body string) string {
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
		}`, w.APIKey, w.ClaimBaseURL, version, w.OrgID) + acctest.BranchBlock(w.ProjectID, body)
}
