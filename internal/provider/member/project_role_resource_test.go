package member_test

import (
	"fmt"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
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

const (
	projectRole  = "neon_project_member_role.test"
	membersRoute = "/api/v2/projects/{project_id}/members"
	nobody       = "00000000-0000-4000-8000-000000000000"
)

func projectRoleBlock(projectID, memberID, role, lines string) string {
	return fmt.Sprintf("resource \"neon_project_member_role\" \"test\" {\n project_id = %q\n member_id = %q\n role = %q\n %s\n}\n", projectID, memberID, role, lines)
}

// explicitRole is the role of a member in the project, empty for none of its own.
func explicitRole(t *testing.T, w *acctest.World, memberID string) string {
	t.Helper()
	member, err := w.Client(t).GetSharedProjectMember(t.Context(),
		client.Ref[client.ProjectMember]{ProjectID: w.ProjectID, ID: memberID})
	if err != nil {
		t.Fatal(err)
	}
	return member.ExplicitRole()
}

func has(address, attribute, value string) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), knownvalue.StringExact(value))
}

func projectRoleLife(w *acctest.World, t *testing.T) []resource.TestStep {
	t.Helper()
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	config := func(role string) string {
		return w.ProviderConfig() + projectRoleBlock(w.ProjectID, memberID, role, "")
	}
	importID := func(*terraform.State) (string, error) { return w.ProjectID + "/" + memberID, nil }
	return []resource.TestStep{
		{Config: config("admin"), ConfigStateChecks: []statecheck.StateCheck{has(projectRole, "role", "admin"), has(projectRole, "email", "max@example.com")}},
		{
			ResourceName: projectRole, ImportState: true, ImportStateVerify: true, ImportStateIdFunc: importID,
			ImportStateVerifyIdentifierAttribute: "member_id",
		},
		{Config: config("editor"), ConfigPlanChecks: acctest.ExpectAction(projectRole, plancheck.ResourceActionUpdate)},
		{
			PreConfig: func() {
				if _, err := w.Client(t).DeleteProjectMemberRole(t.Context(),
					client.Ref[client.ProjectMember]{ProjectID: w.ProjectID, ID: memberID}, false); err != nil {
					t.Error(err)
				}
			},
			Config: config("editor"), ConfigPlanChecks: acctest.ExpectAction(projectRole, plancheck.ResourceActionCreate),
		},
		// The role in the organization is another thing.
		{
			PreConfig: func() {
				if err := w.Client(t).UpdateMemberRole(t.Context(), client.OrgRef[client.Member]{OrgID: w.OrgID, ID: memberID},
					"collaborator"); err != nil {
					t.Error(err)
				}
			},
			Config: config("editor"), ConfigPlanChecks: acctest.ExpectAction(projectRole, plancheck.ResourceActionNoop),
		},
	}
}

func TestAccProjectMemberRole_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.RunSteps(t, w, projectRoleLife(w, t)...)
	for member, err := range w.Client(t).ListProjectMembers(t.Context(), w.ProjectID) {
		if err != nil || member.ExplicitRole() != "" {
			t.Errorf("left is %v, %v", member, err)
		}
	}
}

// A key of the project alone is enough, also to read and to import.
func TestAccProjectMemberRole_aProjectsKey(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	key, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(),
		client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "ci"))
	if err != nil {
		t.Fatal(err)
	}
	config := func(role string) string {
		return w.ProviderConfigWith(key.Key) + projectRoleBlock(w.ProjectID, memberID, role, "")
	}
	w.ForgetRequests(t)
	acctest.RunSteps(t, w,
		resource.TestStep{Config: config("admin")},
		resource.TestStep{
			ResourceName: projectRole, ImportState: true, ImportStateVerify: true,
			ImportStateVerifyIdentifierAttribute: "member_id",
			ImportStateIdFunc: func(*terraform.State) (string,
				error) {
				return w.ProjectID + "/" + memberID, nil
			},
		},
		resource.TestStep{Config: config("editor")})
	w.SentNothingWide(t, "/organizations/")
}

func TestAccTerraform_projectMemberRoleLife(t *testing.T) {
	w := acctest.StartEmulator(t, emulator.Config{})
	resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: projectRoleLife(w, t)})
}

// A role that is lowered or taken back leaves secrets behind, which is said.
func TestAccProjectMemberRole_warnsOfSecrets(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"rotation-hints": "given"}})
	p := acctest.NewProtocol(t, w)
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	said := p.CreateAndDestroy(t, "neon_project_member_role",
		acctest.Texts(map[string]string{"project_id": w.ProjectID, "member_id": memberID, "role": "admin"}))
	for _, want := range []string{"password_rotation_triggers", "rotation_triggers of neon_org_api_key", memberID} {
		if !acctest.InWords(want).MatchString(said) {
			t.Errorf("the destruction doesn't say %s: %s", want, said)
		}
	}
	if role := explicitRole(t, w, memberID); role != "" {
		t.Errorf("the role is %s still", role)
	}
}

func TestAccProjectMemberRole_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	taken, _ := w.AddMember(t, "max@example.com", "viewer")
	boss, _ := w.AddMember(t, "boss@example.com", "admin")
	if _, err := w.Client(t).SetProjectMemberRole(t.Context(),
		client.Ref[client.ProjectMember]{ProjectID: w.ProjectID, ID: taken}, "admin", false); err != nil {
		t.Fatal(err)
	}
	block := func(memberID, role string) string { return projectRoleBlock(w.ProjectID, memberID, role, "") }
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"has one already": {
			Config: block(taken, "viewer"), Want: acctest.InOrder("has the role admin", "another resource of this configuration",
				"to = neon_project_member_role.NAME", w.ProjectID+"/"+taken),
		},
		"no member":       {Config: block(nobody, "viewer"), Want: acctest.InOrder(nobody, "neon_org_members")},
		"administrator":   {Config: block(boss, "viewer"), Want: acctest.InOrder("administers the organization", "Nothing was changed", "neon_org_member_role")},
		"no such role":    {Config: block(boss, "owner"), Command: acctest.Plan, Want: acctest.InWords("value must be one of")},
		"not an id":       {Config: block("max", "viewer"), Command: acctest.Plan, Want: acctest.InWords("must be a UUID")},
		"no such project": {Config: projectRoleBlock("none-such-12345678", boss, "admin", ""), Want: acctest.InOrder("Unable to read project", "404")},
		"import id":       {Config: block(boss, "admin"), Command: []string{"import", projectRole, boss}, Want: acctest.InWords("project_id/member_id, such as")},
		"import: none":    {Config: block(boss, "admin"), Command: []string{"import", projectRole, w.ProjectID + "/" + boss}, Want: acctest.InWords("No such")},
	})
}

// A role below the one that the organization gives has no effect, which is said: Neon keeps it, or
// the apply ends in an error. It is never planned again and again.
func TestAccProjectMemberRole_below(t *testing.T) {
	t.Parallel()
	for kept, said := range map[string]string{"kept": "The role has no effect", "dropped": "didn't keep the role viewer"} {
		t.Run(kept, func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"project-role-below": kept}})
			memberID, _ := w.AddMember(t, "max@example.com", "editor")
			config := w.ProviderConfig() + projectRoleBlock(w.ProjectID, memberID, "viewer", "")
			if kept == "dropped" {
				w.Refuses(t, acctest.Refusal{Config: config, Want: acctest.InOrder(said, "is editor in the organization",
					"neon_org_member_role")})
				return
			}
			r := acctest.NewRun(t, w, config)
			if warned := r.Terraform(t, "apply", "-auto-approve"); !acctest.InWords(said).MatchString(warned) {
				t.Errorf("said is %s", warned)
			}
			r.Terraform(t, "plan", "-detailed-exitcode")
		})
	}
}

// A role that was set is in the state, even where it couldn't be found out whether Neon has kept it.
func TestAccProjectMemberRole_belowUnread(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"project-role-below": "kept"}})
	memberID, _ := w.AddMember(t, "max@example.com", "editor")
	var wasSet atomic.Bool
	behind := w.Behind(t, func(neon *httputil.ReverseProxy) http.Handler {
		return http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
			if request.Method == http.MethodGet && wasSet.Swap(false) {
				response.WriteHeader(http.StatusForbidden)
				return
			}
			neon.ServeHTTP(response, request)
			wasSet.Store(request.Method == http.MethodPut)
		})
	})
	config := behind.ProviderConfig() + projectRoleBlock(w.ProjectID, memberID, "viewer", "")
	acctest.RunSteps(t, behind, resource.TestStep{Config: config,
		ConfigStateChecks: []statecheck.StateCheck{has(projectRole, "role", "viewer")}})
	if sent := w.Requests(t).ByRoute["PUT "+membersRoute+"/{member_id}/role"]; sent != 1 {
		t.Errorf("it was set %d times", sent)
	}
}

// Where Neon has no roles in projects, it says so with a 404 that proves nothing.
func TestAccProjectMemberRole_notTurnedOn(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	off := func(reads int) func() {
		return func() {
			w.AddFault(t, acctest.Fault{Route: "GET " + membersRoute, Kind: "status", Status: http.StatusNotFound,
				Body: `{"code":"","message":"not found"}`, Count: reads})
		}
	}
	config := w.ProviderConfig() + projectRoleBlock(w.ProjectID, memberID, "editor", "")
	said := acctest.InOrder("404", "not found",
		"only where it belongs to an organization for which Neon has turned that on")
	acctest.RunSteps(t, w,
		// The plan and the apply look whether it is there, and then the creation does.
		resource.TestStep{PreConfig: off(3), Config: config, ExpectError: said},
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: off(1), Config: config, ExpectError: said},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(projectRole, plancheck.ResourceActionNoop)},
		resource.TestStep{
			PreConfig:   off(1),
			Config:      config + acctest.DataBlock("project_members", fmt.Sprintf("project_id = %q", w.ProjectID)),
			ExpectError: said,
		},
	)
}

// A page of a proxy says nothing of roles, and nothing of who may change them.
func TestAccProjectMemberRole_foreignAnswer(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	config := w.ProviderConfig() + projectRoleBlock(w.ProjectID, memberID, "editor", "")
	var steps []resource.TestStep
	for route, fault := range map[string]acctest.Fault{
		// The plan and the apply look whether it is there, and then the creation does.
		"GET " + membersRoute:                       {Status: http.StatusNotFound, Count: 3},
		"PUT " + membersRoute + "/{member_id}/role": {Status: http.StatusForbidden, Count: 1},
	} {
		fault.Route, fault.Kind, fault.Body = route, "status", "<html>"
		steps = append(steps, resource.TestStep{
			PreConfig: func() { w.AddFault(t, fault) },
			Config:    config, ExpectError: acctest.InOrder("isn't Neon's", "any proxy on the way"),
		})
	}
	acctest.RunSteps(t, w, steps...)
}

// Who administers a project by a role of its own lowers it only when that is confirmed.
func TestAccProjectMemberRole_ownRole(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, key := w.AddMember(t, "max@example.com", "viewer")
	config := func(key, role, lines string) string {
		return w.ProviderConfigWith(key) + projectRoleBlock(w.ProjectID, memberID, role, lines)
	}
	const confirmed = "confirm_self_demotion = true"
	acctest.RunSteps(t, w,
		resource.TestStep{Config: config(w.APIKey, "admin", "")},
		resource.TestStep{Config: config(key, "editor", ""), ExpectError: acctest.InOrder("Unable to update",
			"confirm_self_demotion = true")},
		resource.TestStep{Config: w.ProviderConfigWith(key), ExpectError: acctest.InOrder("Unable to delete",
			"apply that first")},
		resource.TestStep{Config: config(key, "admin", confirmed),
			ConfigPlanChecks: acctest.ExpectAction(projectRole, plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: config(key, "editor", confirmed),
			ConfigStateChecks: []statecheck.StateCheck{has(projectRole, "role", "editor")}},
		resource.TestStep{Config: config(key, "admin", confirmed),
			ExpectError: acctest.InOrder("403", "Only who administers the project")},
		resource.TestStep{Config: config(w.APIKey, "admin", confirmed)},
		resource.TestStep{Config: w.ProviderConfigWith(key)},
	)
	if role := explicitRole(t, w, memberID); role != "" {
		t.Errorf("the role is %s still", role)
	}
}

// Whatever becomes of the answers, the role is as configured, and gone in the end.
func TestAccProjectMemberRole_lostAnswers(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	for _, kind := range []string{"lost_before", "lost_after"} {
		for _, method := range []string{"PUT ", "DELETE "} {
			w.AddFault(t, acctest.Fault{Route: method + membersRoute + "/{member_id}/role", Kind: kind, Count: 1})
		}
	}
	acctest.RunSteps(t, w,
		resource.TestStep{Config: w.ProviderConfig() + projectRoleBlock(w.ProjectID, memberID, "editor", "")},
		resource.TestStep{Config: w.ProviderConfig()})
	if role := explicitRole(t, w, memberID); role != "" {
		t.Errorf("the role is %s still", role)
	}
}

// Of another provider, the two ids are enough.
func TestProjectMemberRole_moves(t *testing.T) {
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	if _, err := w.Client(t).SetProjectMemberRole(t.Context(),
		client.Ref[client.ProjectMember]{ProjectID: w.ProjectID, ID: memberID}, "editor", false); err != nil {
		t.Fatal(err)
	}
	state, identity, problem := acctest.NewProtocol(t, w).Move(t, "neon_project_member_role",
		acctest.MovedSource{Provider: "neondatabase/neon", TypeName: "neon_project_member_role", Version: 1},
		map[string]any{"id": w.ProjectID + "/" + memberID, "project_id": w.ProjectID, "member_id": memberID,
			"role": "editor"})
	if problem != "" || state["role"] != "editor" || identity["member_id"] != memberID {
		t.Errorf("moved to %v, %v: %s", state, identity, problem)
	}
}

func TestAccProjectMembersData(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	memberID, key := w.AddMember(t, "max@example.com", "viewer")
	w.AddMember(t, "nobody@example.com", "collaborator")
	if _, err := w.Client(t).SetProjectMemberRole(t.Context(),
		client.Ref[client.ProjectMember]{ProjectID: w.ProjectID, ID: memberID}, "editor", false); err != nil {
		t.Fatal(err)
	}
	invited := knownvalue.ObjectExact(map[string]knownvalue.Check{
		"id": knownvalue.StringExact(memberID), "user_id": knownvalue.NotNull(),
		"email": knownvalue.StringExact("max@example.com"), "name": knownvalue.NotNull(),
		"org_role": knownvalue.StringExact("viewer"), "role": knownvalue.StringExact("editor"),
		"explicit_role": knownvalue.StringExact("editor"),
		"grant_source":  knownvalue.StringExact("explicit"),
	})
	data := acctest.DataBlock("project_members", fmt.Sprintf("project_id = %q", w.ProjectID))
	acctest.RunSteps(t, w,
		resource.TestStep{Config: w.ProviderConfig() + data, ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("project_members", knownvalue.ListSizeExact(3), "members"),
			acctest.DataIs("project_members", invited, "members", 1),
			acctest.DataIs("project_members", knownvalue.StringExact("org_admin_override"), "members", 0, "grant_source"),
			acctest.DataIs("project_members", knownvalue.Null(), "members", 2, "role"),
		}},
		// Who doesn't administer the project sees only those with a role in it.
		resource.TestStep{Config: w.ProviderConfigWith(key) + data, ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("project_members", knownvalue.ListSizeExact(2), "members"),
		}},
	)
}

// More members than a page has are all listed, and a key of the project is enough.
func TestProjectMembersData_pages(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	for i := range 600 {
		w.Control(t, http.MethodPost, "/_emulator/members", map[string]string{"email": fmt.Sprintf("m%d@example.com",
			i)}, nil)
	}
	key, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(),
		client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}, "k"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for member, err := range w.ClientWith(t, key.Key).ListProjectMembers(t.Context(), w.ProjectID) {
		if err != nil {
			t.Fatal(err)
		}
		seen[member.Email] = true
	}
	if len(seen) != 601 {
		t.Errorf("%d members are listed, want 601", len(seen))
	}
}
