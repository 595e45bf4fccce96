package member_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const (
	orgRole     = "neon_org_member_role.test"
	memberRoute = "/api/v2/organizations/{org_id}/members/{member_id}"
)

func orgRoleBlock(lines string) string {
	return "resource \"neon_org_member_role\" \"test\" {\n " + lines + "\n}\n"
}

// inOrg is a provider block with the organization.
func inOrg(w *acctest.World, key string) string {
	return w.ProviderConfigWith(key, fmt.Sprintf("org_id = %q", w.OrgID))
}

func roleInOrg(t *testing.T, w *acctest.World, memberID string) string {
	t.Helper()
	member, err := w.Client(t).GetSharedMember(t.Context(), client.OrgRef[client.Member]{OrgID: w.OrgID, ID: memberID})
	if err != nil {
		t.Fatal(err)
	}
	return member.Member.Role
}

func orgRoleLife(w *acctest.World, t *testing.T) []resource.TestStep {
	t.Helper()
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	config := func(lines string) string { return inOrg(w, w.APIKey) + orgRoleBlock(lines) }
	set := func(role string) func() {
		return func() {
			if err := w.Client(t).UpdateMemberRole(t.Context(), client.OrgRef[client.Member]{OrgID: w.OrgID, ID: memberID},
				role); err != nil {
				t.Error(err)
			}
		}
	}
	return []resource.TestStep{
		{
			Config: config("email = \"Max@example.com\"\n role = \"editor\""),
			ConfigStateChecks: []statecheck.StateCheck{
				has(orgRole, "org_id", w.OrgID), has(orgRole, "member_id", memberID), has(orgRole, "email", "Max@example.com"),
				has(orgRole, "role", "editor"),
			},
		},
		{
			ResourceName: orgRole, ImportState: true, ImportStateVerify: true, ImportStateVerifyIdentifierAttribute: "member_id",
			ImportStateVerifyIgnore: []string{"email", "role"},
			// They are as Neon writes them; the next step finds them the same.
			ImportStateIdFunc: func(*terraform.State) (string, error) { return w.OrgID + "/" + memberID, nil },
		},
		// The same member and the same role, said differently; terraform generates both of a member.
		{
			Config:           config(fmt.Sprintf("member_id = %q\n email = \"max@example.com\"\n role = \"editor\"", memberID)),
			ConfigPlanChecks: acctest.ExpectAction(orgRole, plancheck.ResourceActionNoop),
		},
		{Config: config(fmt.Sprintf("member_id = %q\n role = \"member\"", memberID)), ConfigPlanChecks: acctest.ExpectAction(orgRole, plancheck.ResourceActionNoop)},
		{Config: config("email = \"max@EXAMPLE.com\"\n role = \"editor\""), ConfigPlanChecks: acctest.ExpectAction(orgRole, plancheck.ResourceActionNoop)},
		{Config: config("email = \"max@example.com\"\n role = \"viewer\""), ConfigPlanChecks: acctest.ExpectAction(orgRole, plancheck.ResourceActionUpdate)},
		// Changed outside: set again.
		{
			PreConfig: set("collaborator"), Config: config("email = \"max@example.com\"\n role = \"member\""),
			ConfigPlanChecks:  acctest.ExpectAction(orgRole, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{has(orgRole, "role", "member")},
		},
		{Config: config("email = \"max@example.com\"\n role = \"member\""), ConfigPlanChecks: acctest.ExpectAction(orgRole, plancheck.ResourceActionNoop)},
	}
}

func TestAccOrgMemberRole_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"member-role": "editor"}})
	acctest.RunSteps(t, w, orgRoleLife(w, t)...)
	member, err := w.Client(t).GetSharedMemberByEmail(t.Context(), w.OrgID, "max@example.com")
	if err != nil || member.Member.Role != "editor" && member.Member.Role != "member" {
		t.Errorf("the destruction leaves %v, %v", member, err)
	}
}

func TestAccTerraform_orgMemberRoleLife(t *testing.T) {
	w := acctest.StartEmulator(t, emulator.Config{})
	resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: orgRoleLife(w, t)})
}

// Whoever left is noticed; that nobody of that address is there is an error then.
func TestAccOrgMemberRole_memberLeft(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	config := inOrg(w, w.APIKey) + orgRoleBlock("email = \"max@example.com\"\n role = \"editor\"")
	acctest.RunSteps(t, w,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() { w.RemoveMember(t, memberID) }, Config: config,
			ExpectError: acctest.InOrder("has no member max@example.com", "neon_org_invitation"),
		},
		resource.TestStep{
			PreConfig: func() { w.AddMember(t, "max@example.com", "viewer") }, Config: config,
			ConfigPlanChecks: acctest.ExpectAction(orgRole, plancheck.ResourceActionCreate),
		})
}

// A role can't be taken back, which is said.
func TestAccOrgMemberRole_destroyForgets(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"member-role": "editor"}})
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	said := acctest.NewProtocol(t, w).CreateAndDestroy(t, "neon_org_member_role",
		acctest.Texts(map[string]string{"org_id": w.OrgID, "email": "max@example.com", "role": "editor"}))
	for _, want := range []string{"The role of max@example.com stays", "remains editor in organization " + w.OrgID} {
		if !strings.Contains(said, want) {
			t.Errorf("the destruction doesn't say %q: %s", want, said)
		}
	}
	if role := roleInOrg(t, w, memberID); role != "editor" {
		t.Errorf("the role is %s", role)
	}
}

func TestAccOrgMemberRole_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, key := w.AddMember(t, "max@example.com", "viewer")
	w.AddMember(t, "eve@example.com", "viewer")
	org := fmt.Sprintf("org_id = %q\n ", w.OrgID)
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"nobody":          {Config: orgRoleBlock(org + "email = \"none@example.com\"\n role = \"viewer\""), Want: acctest.InOrder("has no member none@example.com", "neon_org_invitation")},
		"no such member":  {Config: orgRoleBlock(org + fmt.Sprintf("member_id = %q\n role = \"viewer\"", nobody)), Want: acctest.InOrder(nobody, "neon_org_invitation")},
		"last admin":      {Config: orgRoleBlock(org + "email = \"ada@example.com\"\n role = \"viewer\""), Want: acctest.InOrder("422", "keeps its last administrator", "user whose API key the provider has is lowered by another administrator")},
		"no such role":    {Config: orgRoleBlock(org + "email = \"eve@example.com\"\n role = \"owner\""), Command: acctest.Plan, Want: acctest.InWords("value must be one of")},
		"neither":         {Config: orgRoleBlock(org + "role = \"viewer\""), Command: acctest.Plan, Want: acctest.InWords("[member_id,email]")},
		"two members":     {Config: orgRoleBlock(org + fmt.Sprintf("email = \"eve@example.com\"\n member_id = %q\n role = \"editor\"", memberID)), Want: acctest.InOrder("has no member "+memberID+" with the address eve@example.com", "is max@example.com", "both of the same member")},
		"upper case":      {Config: orgRoleBlock(org + fmt.Sprintf("member_id = %q\n role = \"editor\"", strings.ToUpper(memberID))), Command: acctest.Plan, Want: acctest.InWords("must be a UUID in lower case")},
		"blank in front":  {Config: orgRoleBlock(org + "email = \" eve@example.com\"\n role = \"editor\""), Command: acctest.Plan, Want: acctest.InWords("must be an email address")},
		"one twice":       {Config: orgRoleBlock(org+"email = \"eve@example.com\"\n role = \"editor\"") + strings.Replace(orgRoleBlock(org+"email = \"Eve@example.com\"\n role = \"viewer\""), `"test"`, `"other"`, 1), Want: acctest.InOrder("sets the role of eve@example.com already", "remove one of them")},
		"no organization": {Config: orgRoleBlock("email = \"eve@example.com\"\n role = \"viewer\""), Command: acctest.Plan, Want: acctest.InOrder("No organization", "Set org_id here")},
		"another's":       {Config: orgRoleBlock("org_id = \"org-other-12345678\"\n email = \"eve@example.com\"\n role = \"viewer\""), Want: acctest.InOrder("404", "organization not found")},
		"import id":       {Config: orgRoleBlock(org + "email = \"eve@example.com\"\n role = \"viewer\""), Command: []string{"import", orgRole, nobody}, Want: acctest.InWords("org_id/member_id, such as")},
		"import: nobody":  {Config: orgRoleBlock(org + "email = \"eve@example.com\"\n role = \"viewer\""), Command: []string{"import", orgRole, w.OrgID + "/" + nobody}, Want: acctest.InWords("No such")},
	})
	w.Refuses(t, acctest.Refusal{
		Config: inOrg(w, key) + orgRoleBlock("email = \"eve@example.com\"\n role = \"editor\""),
		Want:   acctest.InOrder("403", "Only an administrator of the organization"),
	})
}

// Whatever becomes of the answer, the role is set. A refusal to list members proves nothing.
func TestAccOrgMemberRole_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"member-role": "editor"}})
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	for _, kind := range []string{"lost_before", "lost_after"} {
		w.AddFault(t, acctest.Fault{Route: "PATCH " + memberRoute, Kind: kind, Count: 1})
	}
	config := inOrg(w, w.APIKey) + orgRoleBlock("email = \"max@example.com\"\n role = \"editor\"")
	acctest.RunSteps(t, w,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				w.AddFault(t, acctest.Fault{Route: "GET /api/v2/organizations/{org_id}/members", Kind: "status", Status: 404,
					Count: 1})
			},
			Config: config, ExpectError: acctest.InOrder("Unable to read org member role", "404"),
		},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(orgRole, plancheck.ResourceActionNoop)})
	if role := roleInOrg(t, w, memberID); role != "editor" {
		t.Errorf("the role is %s", role)
	}
}

func TestOrgMemberRole_moves(t *testing.T) {
	w := acctest.StartEmulator(t, emulator.Config{})
	p := acctest.NewProtocol(t, w)
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	for _, from := range []acctest.MovedSource{
		{Provider: "neondatabase/neon", TypeName: "neon_org_member_role", Version: 3}, {Provider: "kenchan0130/neon", TypeName: "neon_organization_member_role"},
		{TypeName: "neon_organization_member_role"},
	} {
		state, identity, problem := p.Move(t, "neon_org_member_role", from,
			map[string]any{"org_id": w.OrgID, "member_id": memberID, "role": "viewer"})
		if problem != "" || state["email"] != "max@example.com" || state["role"] != "viewer" ||
			identity["member_id"] != memberID {
			t.Errorf("moved from %v to %v, %v: %s", from, state, identity, problem)
		}
	}
}
