package invitation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	address = "neon_org_invitation.test"
	route   = "/api/v2/organizations/{org_id}/invitations"
)

func block(email, role, lines string) string {
	return fmt.Sprintf("resource \"neon_org_invitation\" \"test\" {\n email = %q\n role = %q\n %s\n}\n", email,
		role, lines)
}

func inOrg(w *acctest.World, key string) string {
	return w.ProviderConfigWith(key, fmt.Sprintf("org_id = %q", w.OrgID))
}

func is(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), check)
}

func sent(t *testing.T, w *acctest.World) []client.Invitation {
	t.Helper()
	invitations, err := client.All(w.Client(t).ListInvitations(t.Context(), w.OrgID))
	if err != nil {
		t.Fatal(err)
	}
	return invitations
}

func life(w *acctest.World) []resource.TestStep {
	config := func(email, role string) string { return inOrg(w, w.APIKey) + block(email, role, "") }
	importID := func(s *terraform.State) (string, error) {
		return w.OrgID + "/" + s.RootModule().Resources[address].Primary.ID, nil
	}
	return []resource.TestStep{
		{
			Config: config("new@example.com", "member"),
			ConfigStateChecks: []statecheck.StateCheck{
				is("org_id", knownvalue.StringExact(w.OrgID)), is("id", knownvalue.NotNull()),
				is("role", knownvalue.StringExact("member")),
				is("invited_at", knownvalue.NotNull()), is("invited_by", knownvalue.NotNull()),
			},
		},
		{
			ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: importID,
			ImportStateVerifyIgnore: []string{"role"}, // Neon has it by its newer name.
		},
		// The same, said differently.
		{Config: config("New@example.com", "editor"), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		{Config: config("new@example.com", "viewer"), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace)},
		{Config: config("other@example.com", "viewer"), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace)},
	}
}

func TestAccOrgInvitation_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.RunSteps(t, w, life(w)...)
	if left := sent(t, w); len(left) != 3 {
		t.Errorf("sent were %v, want 3, which can't be taken back", left)
	}
}

func TestAccTerraform_orgInvitationLife(t *testing.T) {
	w := acctest.StartEmulator(t, emulator.Config{})
	resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: life(w)})
}

// Who has an account joins at once, and can be given another role then; the invitation stays
// what it was. One that isn't listed any more was accepted as long as somebody of its address is
// a member.
func TestAccOrgInvitation_accepted(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	w.RemoveMember(t, memberID) // The account stays.
	config := inOrg(w, w.APIKey) + block("max@example.com", "viewer", "")
	promoted := config + "resource \"neon_org_member_role\" \"max\" {\n email = neon_org_invitation.test.email\n role = \"admin\"\n}\n"
	acctest.RunSteps(t, w,
		resource.TestStep{Config: config},
		resource.TestStep{Config: promoted, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		resource.TestStep{
			PreConfig: func() { forgetInvitations(t, w) }, Config: promoted,
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop),
		},
		resource.TestStep{
			PreConfig: func() {
				member, err := w.Client(t).GetSharedMemberByEmail(t.Context(), w.OrgID, "max@example.com")
				if err != nil {
					t.Fatal(err)
				}
				w.AddMember(t, "other-admin@example.com", "admin")
				w.RemoveMember(t, member.Member.ID)
			},
			Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
	)
}

func TestAccOrgInvitation_destroyForgets(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	said := acctest.NewProtocol(t, w).CreateAndDestroy(t, "neon_org_invitation",
		acctest.Texts(map[string]string{"org_id": w.OrgID, "email": "new@example.com", "role": "viewer"}))
	for _, want := range []string{"The invitation of new@example.com stays", w.OrgID, sent(t, w)[0].ID,
		"Neon takes no invitation back"} {
		if !strings.Contains(said, want) {
			t.Errorf("the destruction doesn't say %q: %s", want, said)
		}
	}
}

// None is forgotten to be sent again, which would be refused. Another role is another invitation.
func TestAccTerraform_orgInvitationIsNotReplacedByForce(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, inOrg(w, w.APIKey)+block("new@example.com", "viewer", ""))
	r.Terraform(t, "apply", "-auto-approve")
	if said := r.Fails(t, "apply", "-auto-approve", "-replace="+address); !acctest.InOrder("can't be created again",
		"takes no invitation back").MatchString(said) {
		t.Errorf("said is %s", said)
	}
	r.Terraform(t, "plan", "-detailed-exitcode")
	r.Configure(t, inOrg(w, w.APIKey)+block("new@example.com", "editor", ""))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
}

// Many invitations are planned from one list of the members.
func TestAccOrgInvitation_planOfMany(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := inOrg(w, w.APIKey)
	for i := range 20 {
		config += strings.Replace(block(fmt.Sprintf("new%d@example.com", i), "viewer", ""), `"test"`,
			fmt.Sprintf(`"new%d"`, i), 1)
	}
	acctest.RunSteps(t, w, resource.TestStep{Config: config, PlanOnly: true, ExpectNonEmptyPlan: true})
	const members = "GET /api/v2/organizations/{org_id}/members"
	if sent := w.Requests(t).ByRoute[members]; sent < 1 || sent > 4 {
		t.Errorf("two plans sent %s %d times, want one for each", members, sent)
	}
}

func TestAccOrgInvitation_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, key := w.AddMember(t, "max@example.com", "viewer")
	pending, err := w.Client(t).CreateInvitation(t.Context(), w.OrgID, "pending@example.com", "editor")
	if err != nil {
		t.Fatal(err)
	}
	org := fmt.Sprintf("org_id = %q", w.OrgID)
	fine := block("new@example.com", "viewer", org)
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"invited already": {
			Config: block("Pending@example.com", "member", org),
			Want: acctest.InOrder("was invited to organization", "another resource of this configuration",
				"to = neon_org_invitation.NAME",
				w.OrgID+"/"+pending.ID, "in the web console"),
		},
		"a member":        {Config: block("MAX@example.com", "viewer", org), Want: acctest.InOrder("email", "neon_org_member_role")},
		"no address":      {Config: block("max", "viewer", org), Command: acctest.Plan, Want: acctest.InWords("must be an email address")},
		"no such role":    {Config: block("new@example.com", "owner", org), Command: acctest.Plan, Want: acctest.InWords("value must be one of")},
		"no organization": {Config: block("new@example.com", "viewer", ""), Command: acctest.Plan, Want: acctest.InOrder("No organization", "Set org_id here")},
		"another's":       {Config: block("new@example.com", "viewer", `org_id = "org-other-12345678"`), Want: acctest.InOrder("404", "org_id")},
		"import id":       {Config: fine, Command: []string{"import", address, memberID}, Want: acctest.InWords("org_id/id, such as")},
		"import: none":    {Config: fine, Command: []string{"import", address, w.OrgID + "/" + memberID}, Want: acctest.InWords("No such")},
	})
	w.Refuses(t, acctest.Refusal{Config: inOrg(w, key) + fine,
		Want: acctest.InOrder("403", "Only an administrator of the organization invites")})
}

// Nor is a member whose address is known only after the plan.
func TestAccOrgInvitation_memberKnownLater(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddMember(t, "max@example.com", "viewer")
	unknown := inOrg(w, w.APIKey) + "resource \"neon_api_key\" \"k\" {\n name = \"max\"\n}\n" +
		"resource \"neon_org_invitation\" \"test\" {\n email = \"${neon_api_key.k.created_by == \"\" ? \"\" : \"max\"}@example.com\"\n role = \"viewer\"\n}\n"
	w.Refuses(t, acctest.Refusal{Config: unknown, Want: acctest.InOrder("Unable to create org invitation",
		"is a member of organization", "neon_org_member_role")})
}

// Whatever becomes of the answers, an address is invited once.
func TestAccOrgInvitation_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	for _, kind := range []string{"lost_before", "lost_after"} {
		w.AddFault(t, acctest.Fault{Route: "POST " + route, Kind: kind, Count: 1})
	}
	config := inOrg(w, w.APIKey) + block("new@example.com", "viewer", "")
	acctest.RunSteps(t, w,
		resource.TestStep{Config: config, ExpectError: acctest.InWords("may still have one")},
		resource.TestStep{Config: config},
	)
	if all := sent(t, w); len(all) != 1 {
		t.Errorf("sent were %v", all)
	}
}

func TestAccOrgInvitationsData(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	invited, err := w.Client(t).CreateInvitation(t.Context(), w.OrgID, "new@example.com", "member")
	if err != nil {
		t.Fatal(err)
	}
	acctest.RunSteps(t, w, resource.TestStep{
		Config: inOrg(w, w.APIKey) + acctest.DataBlock("org_invitations", ""),
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("org_invitations", knownvalue.StringExact(w.OrgID), "org_id"),
			acctest.DataIs("org_invitations", knownvalue.ListExact(
				[]knownvalue.Check{knownvalue.ObjectExact(map[string]knownvalue.Check{
					"id": knownvalue.StringExact(invited.ID), "email": knownvalue.StringExact("new@example.com"),
					"role":       knownvalue.StringExact("editor"),
					"invited_at": knownvalue.NotNull(), "invited_by": knownvalue.NotNull(),
				})}), "invitations"),
		},
	})
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"none":      {Config: acctest.DataBlock("org_invitations", ""), Want: acctest.InOrder("No organization", "Set org_id here")},
		"another's": {Config: acctest.DataBlock("org_invitations", `org_id = "org-other-12345678"`), Want: acctest.InOrder("Unable to list invitations", "404")},
	})
}
