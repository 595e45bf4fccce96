package project_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

func (w *projectWorld) integrate(t *testing.T, with string) func() {
	return func() {
		w.Control(t, http.MethodPost, "/_emulator/integrations",
			map[string]string{"project_id": w.id, "integration": with}, nil)
	}
}

// Another organization takes the project over in place; what is in its way is said.
func TestAccProject_transfer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	same := staysTheSame()
	other, small := w.MakeOrganization(t, "scale"), w.MakeOrganization(t, "free")
	in := func(orgID string) string { return w.config(fmt.Sprintf("org_id = %q", orgID)) }
	w.run(t,
		w.step(w.config(), plancheck.ResourceActionCreate, same(), is(text(w.OrgID), "org_id")),
		w.step(in(w.OrgID), plancheck.ResourceActionNoop),
		resource.TestStep{
			PreConfig: w.integrate(t, "github"), Config: in(other),
			ExpectError: acctest.InOrder("Unable to update project", "422", "has the integration github", "Disconnect"),
		},
		resource.TestStep{
			PreConfig: w.integrate(t, ""), Config: in(small),
			ExpectError: acctest.InOrder("Unable to update project", "406", "subscription_type", "doesn't fit"),
		},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "POST /api/v2/organizations/{source_org_id}/projects/transfer",
					Kind: "lost_after", Count: 1})
			},
			Config: in(other), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{same(), is(text(other), "org_id")},
		},
		// Left out, it stays where it is, whatever the provider's default.
		w.step(w.config(), plancheck.ResourceActionNoop, same(), is(text(other), "org_id")),
	)
}
