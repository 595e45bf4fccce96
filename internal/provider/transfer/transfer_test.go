package transfer_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// customer is somebody of an organization that the seller's key doesn't see.
type customer struct {
	OrgID string `json:"org_id"`
	Key   string `json:"api_key"`
}

func newCustomer(t *testing.T, w *acctest.World, plan string) (c customer) {
	t.Helper()
	w.Control(t, http.MethodPost, "/_emulator/organizations",
		map[string]string{"name": "shop", "email": "eve@example.com", "plan": plan}, &c)
	return c
}

// offer is what the seller's action shows a customer: p and tr of the link.
func offer(t *testing.T, w *acctest.World, seconds int) (projectID, requestID string) {
	t.Helper()
	action := acctest.ActionOf("create_project_transfer_request", "project_id", w.ProjectID)
	action.Given["ttl_seconds"] = tftypes.NewValue(tftypes.Number, seconds)
	invoked := acctest.NewProtocol(t, w).Invoke(t, action, nil)
	link := regexp.MustCompile(`/app/claim\?p=([\w-]+)&tr=([\w-]+)`).FindStringSubmatch(
		strings.Join(invoked.Progress, " "))
	if link == nil {
		t.Fatalf("no link in %q (%s)", invoked.Progress, invoked.Problem)
	}
	return link[1], link[2]
}

// accept has the customer's Terraform accept.
func (c customer) accept(t *testing.T, w *acctest.World, projectID, requestID, orgID string) acctest.Invoked {
	t.Helper()
	protocol := acctest.NewProtocolWith(t, w, map[string]tftypes.Value{"api_key": acctest.Text(c.Key)})
	return protocol.Invoke(t, acctest.ActionOf("accept_project_transfer", "project_id", projectID, "request_id", requestID,
		"org_id", orgID), nil)
}

func wants(t *testing.T, invoked acctest.Invoked, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(strings.Join(strings.Fields(invoked.Problem), " "), word) {
			t.Errorf("%q isn't in %q (%q)", word, invoked.Problem, invoked.Progress)
		}
	}
}

// A customer takes the project that was offered. Invoked again, the action says that it is done.
func TestAccTransfer(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	eve := newCustomer(t, w, "")
	project, request := offer(t, w, 3600)
	for _, says := range []string{"new passwords", "already"} {
		if invoked := eve.accept(t, w, project, request, eve.OrgID); invoked.Problem != "" ||
			!invoked.Says("is organization "+eve.OrgID+"'s", says) {
			t.Errorf("it says %q, %s", invoked.Progress, invoked.Problem)
		}
	}
	if found, err := w.ClientWith(t, eve.Key).GetProject(t.Context(), project); err != nil || found.OrgID != eve.OrgID {
		t.Errorf("the project is %+v, %v", found, err)
	}
	// The seller is told why there is nothing to offer any more.
	again := acctest.NewProtocol(t, w).Invoke(t, acctest.ActionOf("create_project_transfer_request", "project_id",
		project), nil)
	wants(t, again, "Unable to create project transfer request", "it is somebody else's", "destroy = false")
}

// What can't be accepted any more is refused with what to do, whatever status that has.
func TestAccTransfer_gone(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "transfer-request-gone", func(t *testing.T, reading emulator.Config) {
		t.Parallel()
		w := acctest.StartEmulator(t, reading)
		eve, ann := newCustomer(t, w, ""), newCustomer(t, w, "")
		project, late := offer(t, w, 60)
		w.Advance(t, time.Minute)
		wants(t, eve.accept(t, w, project, late, eve.OrgID), "Unable to accept project transfer", "once, until it expires",
			"ask whoever offers the project for another one")
		_, request := offer(t, w, 3600)
		wants(t, eve.accept(t, w, project, request, ann.OrgID), "a member of organization "+ann.OrgID)
		if taken := ann.accept(t, w, project, request, ann.OrgID); taken.Problem != "" {
			t.Fatal(taken.Problem)
		}
		wants(t, eve.accept(t, w, project, request, eve.OrgID), "once, until it expires")
	})
}

// A plan that doesn't suffice, and an integration, are refused with who can do what.
func TestAccTransfer_refused(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"transfer-request-plan": "rank"}})
	eve := newCustomer(t, w, "free")
	project, request := offer(t, w, 3600)
	wants(t, eve.accept(t, w, project, request, eve.OrgID), "406", "subscription_type: expected scale, got free",
		"The plan of organization "+eve.OrgID+" doesn't suffice")
	w.Control(t, http.MethodPost, "/_emulator/integrations",
		map[string]string{"project_id": project, "integration": "vercel"}, nil)
	wants(t, eve.accept(t, w, project, request, eve.OrgID), "422", "disconnect its integration")
}

// The ephemeral resource hands the link on: each opening makes a request, also where the first answer was lost.
func TestAccEphemeralTransferRequest(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]acctest.Fault{
		"no fault": {Route: "GET /none", Kind: "slow", Delay: "1ms"},
		"lost":     {Route: "POST /api/v2/projects/{project_id}/transfer_requests", Kind: "lost_after", Count: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, emulator.Config{})
			if name != "no fault" {
				w.AddFault(t, fault)
			}
			config := w.ProviderConfig() +
				fmt.Sprintf("ephemeral \"neon_project_transfer_request\" \"test\" {\n project_id = %q\n ttl_seconds = 3600\n"+
					" redirect_url = \"https://shop.example.com/?a=b\"\n}\n", w.ProjectID)
			acctest.RunEphemeral(t, w, resource.TestStep{
				Config: config + acctest.Echoed("ephemeral.neon_project_transfer_request.test"),
				ConfigStateChecks: []statecheck.StateCheck{
					acctest.Echoes("claim_url", knownvalue.StringRegexp(regexp.MustCompile(
						`/app/claim\?p=`+w.ProjectID+`&tr=[0-9a-f-]{36}&ru=https%3A%2F%2Fshop\.example\.com%2F%3Fa%3Db$`))),
					acctest.After(func(state acctest.State) error {
						echoed, _ := state.Resource("echo.test")["data"].(map[string]any)
						id, _ := echoed["id"].(string)
						for _, request := range w.Objects(t).TransferRequests {
							if request["id"] == id && request["expires_at"] == echoed["expires_at"] {
								return nil
							}
						}
						return fmt.Errorf("%v isn't among %v", echoed, w.Objects(t).TransferRequests)
					}),
				},
			})
		})
	}
}

// Nothing of it is in a state or in a plan file, and what it can't be is refused.
func TestAccTerraform_transferRequestLeavesNothing(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, acctest.ReadExample(t,
		"ephemeral-resources/neon_project_transfer_request/ephemeral-resource.tf"), "TF_VAR_org_id="+w.OrgID)
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-out=plan.out")
	kept := r.Terraform(t, "show", "-json", "plan.out") + r.Terraform(t, "state", "pull")
	requests := w.Objects(t).TransferRequests
	if len(requests) < 2 {
		t.Errorf("the apply and the plan made %v", requests)
	}
	for _, request := range requests {
		if id, _ := request["id"].(string); strings.Contains(kept, id) {
			t.Errorf("%s is kept in %s", id, kept)
		}
	}
}

func TestAccEphemeralTransferRequest_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	eve := newCustomer(t, w, "")
	for name, test := range map[string]struct{ lines, key, want string }{
		"no time":   {"ttl_seconds = 0", w.APIKey, "at least 1"},
		"no https":  {`redirect_url = "http://shop.example.com"`, w.APIKey, "https://"},
		"another's": {"", eve.Key, "Only an administrator of the project"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{
				Config: w.ProviderConfigWith(test.key) + fmt.Sprintf(
					"ephemeral \"neon_project_transfer_request\" \"test\" {\n project_id = %q\n %s\n}\n", w.ProjectID, test.lines),
				Want: acctest.InOrder(test.want),
			})
		})
	}
}

// What a proxy doesn't find says nothing about who may offer the project.
func TestAccEphemeralTransferRequest_foreign(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{Route: "POST /api/v2/projects/{project_id}/transfer_requests", Kind: "status", Status: 404,
		Body: "<html>Not here</html>"})
	w.Refuses(t, acctest.Refusal{
		Config: w.ProviderConfig() + fmt.Sprintf(
			"ephemeral \"neon_project_transfer_request\" \"test\" {\n project_id = %q\n}\n", w.ProjectID),
		Want: acctest.InOrder("the answer isn't Neon's", "check the provider's base_url"),
	})
}

// The id is a secret: nothing that the acceptance says has it.
func TestAccTransfer_noSecrets(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	eve := newCustomer(t, w, "")
	project, request := offer(t, w, 3600)
	w.AddFault(t, acctest.Fault{Route: "PUT /api/v2/projects/{project_id}/transfer_requests/{request_id}", Kind: "status",
		Status: 500, Count: 1})
	accepted := eve.accept(t, w, project, request, eve.OrgID)
	refused := eve.accept(t, w, project, request, "org-none")
	said := strings.Join(append(accepted.Progress, refused.Problem), " ")
	if !strings.Contains(said, "/transfer_requests/***") || strings.Contains(said, request) {
		t.Errorf("it says %s", said)
	}
}
