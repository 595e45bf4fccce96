package neonauth_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Users stay where they are: another database is refused, whatever is configured beside it, and so is the end of what
// is protected.
func TestAccAuth_usersStay(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, other := w.MainBranch(t).ID, w.MakeBranch(t, "other").ID
	config := func(branchID string, lines ...string) string {
		return w.ProviderConfig() + block(w, branchID, lines...) + beside
	}
	const elsewhere = `database_name = "two"`
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(branchID)},
		resource.TestStep{Config: config(branchID, elsewhere),
			ExpectError: acctest.InOrder("in the database", "neondb", `database_name = "neondb"`)},
		resource.TestStep{Config: config(branchID, elsewhere, "delete_data_on_destroy = true"),
			ExpectError: acctest.InWords("Users can't move to another database")},
		resource.TestStep{Config: config(branchID, "deletion_protection = true")},
		resource.TestStep{Config: config(branchID, "deletion_protection = true"), Destroy: true,
			ExpectError: acctest.InWords("The Neon Auth is protected")},
		resource.TestStep{Config: config(other, "deletion_protection = true"),
			ExpectError: acctest.InWords("The Neon Auth is protected")},
		resource.TestStep{Config: config(branchID, "delete_data_on_destroy = true")},
	)
}

// A database that a plan doesn't know yet is refused by the apply, before anything is destroyed.
func TestAccAuth_usersStayUnplanned(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	database := fmt.Sprintf("resource \"neon_database\" \"two\" {\n project_id = %q\n branch_id = %q\n name = \"two\"\n owner_name = %q\n}\n", w.ProjectID, branchID, "neondb_owner")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: w.ProviderConfig() + block(w, branchID, "delete_data_on_destroy = true")},
		resource.TestStep{
			Config: w.ProviderConfig() + database + block(w, branchID, "delete_data_on_destroy = true",
				`database_name = neon_database.two.id`),
			ExpectError: acctest.InWords("users of Neon Auth are in the database"),
		},
	)
}

// Whenever the type of the mail server changes, here or elsewhere, all of it is sent, with its password.
func TestAccAuth_mailServerReturns(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := func(lines ...string) string {
		return w.ProviderConfig() + block(w, branchID, append(lines, "delete_data_on_destroy = true")...)
	}
	const shared = `email_provider = { type = "shared" }`
	whole := func(sender string) statecheck.StateCheck {
		return acctest.After(func(acctest.State) error {
			got := settings(t, w, branchID)[client.AuthEmailProvider]
			want := map[string]any{
				"type": "standard", "host": "smtp.example.com", "port": 465.0, "username": "shop", "password": secret,
				"sender_email": sender, "sender_name": "Shop",
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				return fmt.Errorf("Neon has %v, want %v", got, want)
			}
			return nil
		})
	}
	gone := []statecheck.StateCheck{
		is(knownvalue.StringExact("shared"), "email_provider", "type"), is(knownvalue.Null(), "email_provider", "host"),
		is(knownvalue.Null(), "email_provider", "username"),
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(mail + "1"), ConfigStateChecks: []statecheck.StateCheck{whole("a@example.com")}},
		resource.TestStep{
			PreConfig: func() {
				w.Settle(t, nil, w.API.SetAuthGroup(t.Context(), w.Ref(branchID), client.AuthEmailProvider,
					map[string]any{"type": "shared"}))
			},
			Config: config(mail + "1"), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{whole("a@example.com")},
		},
		resource.TestStep{Config: config(shared), ConfigStateChecks: gone},
		resource.TestStep{Config: config(shared), ConfigPlanChecks: acctest.ExpectAction(address,
			plancheck.ResourceActionNoop), ConfigStateChecks: gone},
		resource.TestStep{
			Config:            config(strings.Replace(mail, "a@example.com", "b@example.com", 1) + "1"),
			ConfigStateChecks: []statecheck.StateCheck{whole("b@example.com")},
		},
	)
}

// With Terraform itself: who has tainted Neon Auth reads in the plan that its users go.
func TestAccTerraform_tainted(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+block(w, w.MainBranch(t).ID, "delete_data_on_destroy = true"))
	if said := r.Terraform(t, "apply", "-auto-approve"); strings.Contains(said, "would be lost") {
		t.Error(said)
	}
	r.Terraform(t, "taint", address)
	said := acctest.InOneLine(r.Terraform(t, "plan"))
	if !acctest.InOrder("Users of the application would be lost", "deleted for good", "terraform untaint").MatchString(said) {
		t.Error(said)
	}
	r.Terraform(t, "destroy", "-auto-approve")
}
