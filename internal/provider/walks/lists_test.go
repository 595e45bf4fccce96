package walks_test

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// listedWorld has something of everything that can be listed.
func listedWorld(t *testing.T) *acctest.BranchWorld {
	t.Helper()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	ids := w.BranchesOfEveryKind(t)
	for _, branchID := range []string{w.MainBranch(t).ID, ids["plain"]} {
		role := map[bool]string{true: "r/ö", false: "main"}[branchID == ids["plain"]]
		operations, err := client.OperationsOf(w.API.CreateRole(t.Context(), w.Ref(branchID), client.RoleCreate{Name: role, NoLogin: true}))
		w.Settle(t, operations, err)
		operations, err = client.OperationsOf(w.API.CreateDatabase(t.Context(), w.Ref(branchID), client.DatabaseCreate{Name: `d "x"`, OwnerName: "neondb_owner"}))
		w.Settle(t, operations, err)
	}
	for _, email := range []string{"gone@example.com", "anna@example.com"} {
		permission, err := w.API.GrantProjectPermission(t.Context(), w.ProjectID, email)
		if err == nil && email == "gone@example.com" {
			err = w.API.RevokeProjectPermission(t.Context(), client.Ref[client.ProjectPermission]{ProjectID: w.ProjectID, ID: permission.ID})
		}
		w.Settle(t, nil, err)
	}
	added, err := w.API.CreateJWKS(t.Context(), w.ProjectID, client.JWKSAdd{URL: "https://example.com/jwks.json", ProviderName: "Example", RoleNames: []string{"neondb_owner"}})
	w.Settle(t, added.Operations, err)
	masked, err := w.API.CreateAnonymizedBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: "masked"}, []client.MaskingRule{{
		DatabaseName: "neondb", SchemaName: "public", TableName: "people", ColumnName: "email", Function: "anon.fake_email()",
	}})
	w.Settle(t, masked.Operations, err)
	w.Settle(t, nil, w.API.Anonymize(t.Context(), w.Ref(masked.Object.ID)))
	_, err = w.API.EnableAuth(t.Context(), w.Ref(ids["plain"]), client.AuthEnable{Provider: "better_auth"})
	w.Settle(t, nil, err)
	w.Settle(t, nil, w.API.CreateAuthOAuthProvider(t.Context(), w.Ref(ids["plain"]), "github", client.AuthOAuthSettings{}))
	w.Settle(t, nil, w.API.CreateAuthDomain(t.Context(), w.Ref(ids["plain"]), client.AuthDomain{Domain: "https://a.example.com", Provider: "better_auth"}))
	makeBackend(t, w, ids["plain"], "api.example.com")
	for database, branchID := range map[string]string{"neondb": w.MainBranch(t).ID, `d "x"`: ids["plain"]} {
		_, err = w.API.CreateDataAPI(t.Context(), w.Ref(branchID), database, client.DataAPICreate{})
		w.Settle(t, nil, err)
	}
	memberID, _ := w.AddMember(t, "max@example.com", "viewer")
	_, err = w.API.SetProjectMemberRole(t.Context(), client.Ref[client.ProjectMember]{ProjectID: w.ProjectID, ID: memberID}, "editor", false)
	w.Settle(t, nil, err)
	_, err = w.API.CreateInvitation(t.Context(), w.OrgID, "new@example.com", "viewer")
	w.Settle(t, nil, err)
	expiry := time.Now().Add(48 * time.Hour)
	taken, err := w.API.CreateSnapshot(t.Context(), w.Ref(w.MainBranch(t).ID), client.SnapshotCreate{Name: "s", ExpiresAt: &expiry})
	w.Settle(t, taken.Operations, err)
	w.Settle(t, nil, w.API.SetBackupSchedule(t.Context(), w.Ref(w.MainBranch(t).ID), []client.BackupEntry{{Frequency: "daily"}}))
	w.AssignVPCEndpoints(t, "vpce-0a1", "vpce-0b2")
	w.Settle(t, nil, w.API.AssignVPCEndpoint(t.Context(), client.VPCEndpointRef{OrgID: w.OrgID, RegionID: "aws-eu-central-1", ID: "vpce-0c3"}, "office"))
	w.Settle(t, nil, w.API.CreateVPCEndpointRestriction(t.Context(), client.Ref[client.VPCEndpoint]{ProjectID: w.ProjectID, ID: "vpce-0a1"}, "payroll"))
	w.Settle(t, nil, w.API.CreateVPCEndpointRestriction(t.Context(), client.Ref[client.VPCEndpoint]{ProjectID: w.ProjectID, ID: "vpce-0b2"}, ""))
	for name, scope := range map[string]client.APIKeyScope{"mine": {}, "org": {OrgID: w.OrgID}, "scoped": {OrgID: w.OrgID, ProjectID: w.ProjectID}} {
		_, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(), scope, name))
		w.Settle(t, nil, err)
	}
	return w
}

// makeBackend gives a branch one of each object that a backend consists of.
func makeBackend(t *testing.T, w *acctest.BranchWorld, branchID, domain string) {
	t.Helper()
	_, err := w.API.CreateBucket(t.Context(), w.Ref(branchID), "uploads", "")
	w.Settle(t, nil, err)
	_, err = client.ObjectOf(w.API.CreateCredential(t.Context(), w.Ref(branchID), client.CredentialCreate{Name: "app", Scopes: []string{"storage:read"}}))
	w.Settle(t, nil, err)
	w.MakeFunction(t, w.Ref(branchID), "api")
	_, err = w.API.CreateTrigger(t.Context(), w.Ref(branchID), client.TriggerSpec{
		Type: "schedule", FunctionSlug: "api", Name: "nightly", Path: "/", Schedule: &client.TriggerSchedule{Cron: "0 3 * * *"},
	})
	w.Settle(t, nil, err)
	_, err = w.API.CreateCustomDomain(t.Context(), w.Ref(branchID), domain, "api")
	w.Settle(t, nil, err)
}

// Every resource that can be listed is: with its identity, its name, and with the same
// state as an import and a read of it give.
func TestLists(t *testing.T) {
	t.Parallel()
	w := listedWorld(t)
	p := acctest.NewProtocol(t, w.World)
	plain, main := w.BranchNamed(t, "plain"), w.MainBranch(t)
	inProject := map[string]string{"project_id": w.ProjectID}
	inPlain := map[string]string{"project_id": w.ProjectID, "branch_id": plain.ID}
	branches := []string{"endpoints", "expiring", "main", "masked", "moment", "plain", "position", "protected", "schema_only"}
	project := []string{"first (" + w.ProjectID + ")"}
	var endpoints []string
	for _, branchID := range []string{main.ID, plain.ID, w.BranchNamed(t, "endpoints").ID, w.BranchNamed(t, "masked").ID} {
		for _, endpoint := range w.Endpoints(t, branchID) {
			endpoints = append(endpoints, cmp.Or(endpoint.Name, endpoint.ID)+" ("+endpoint.Type+")")
		}
	}
	slices.Sort(endpoints)
	tokens := []string{"anonymous", "authenticated", "authenticator"} // The roles of a Data API.
	tests := map[string][]struct {
		config map[string]string
		names  []string // sorted
	}{
		"neon_api_key":                {{nil, []string{"first", "mine"}}},
		"neon_org_api_key":            {{nil, []string{"org", "scoped"}}, {map[string]string{"org_id": w.OrgID}, []string{"org", "scoped"}}},
		"neon_branch":                 {{inProject, branches}, {map[string]string{"project_id": w.ProjectID, "search": "tion"}, []string{"position"}}},
		"neon_anonymized_branch":      {{inProject, []string{"masked"}}},
		"neon_endpoint":               {{inProject, endpoints}, {inPlain, []string{"a name (read_only)"}}},
		"neon_role":                   {{inProject, append(slices.Clone(tokens), "main", "neondb_owner")}, {inPlain, append(slices.Clone(tokens), "neondb_owner", "r/ö")}},
		"neon_database":               {{inProject, []string{`d "x"`, "neondb"}}, {inPlain, []string{`d "x"`, "neondb"}}},
		"neon_project_member_role":    {{inProject, []string{"max@example.com (editor)"}}},
		"neon_org_member_role":        {{nil, []string{"ada@example.com (admin)", "max@example.com (viewer)"}}},
		"neon_org_invitation":         {{nil, []string{"new@example.com"}}},
		"neon_jwks_url":               {{inProject, []string{"https://example.com/jwks.json"}}},
		"neon_data_api":               {{inProject, []string{"neondb"}}, {inPlain, []string{`d "x"`}}},
		"neon_auth":                   {{inProject, []string{"plain"}}},
		"neon_auth_oauth_provider":    {{inPlain, []string{"github"}}},
		"neon_auth_trusted_domain":    {{inPlain, []string{"https://a.example.com"}}},
		"neon_bucket":                 {{inPlain, []string{"uploads"}}},
		"neon_function":               {{inPlain, []string{"api"}}},
		"neon_trigger":                {{inPlain, []string{"nightly"}}},
		"neon_custom_domain":          {{inPlain, []string{"api.example.com"}}},
		"neon_service_credential":     {{inPlain, []string{"app"}}},
		"neon_snapshot":               {{inProject, []string{"s"}}},
		"neon_project_permission":     {{inProject, []string{"anna@example.com"}}},
		"neon_branch_backup_schedule": {{inProject, []string{"main"}}},
		"neon_vpc_endpoint_assignment": {
			{nil, []string{"office (aws-eu-central-1)", "vpce-0a1 (aws-us-east-2)", "vpce-0b2 (aws-us-east-2)"}},
		},
		"neon_vpc_endpoint_restriction": {{inProject, []string{"payroll", "vpce-0b2"}}},
		"neon_project": {
			{nil, project}, {map[string]string{"org_id": w.OrgID}, project}, {map[string]string{"search": "no such project"}, nil},
		},
	}
	for resourceType, rows := range tests {
		for _, test := range rows {
			t.Run(resourceType, func(t *testing.T) {
				t.Parallel()
				checkList(t, p, resourceType, acctest.Texts(test.config), test.names)
			})
		}
	}
	for resourceType := range p.Schema.ListResourceSchemas {
		if tests[resourceType] == nil {
			t.Run(resourceType, func(t *testing.T) {
				t.Parallel()
				listsNeeded(t, resourceType)
			})
		}
	}
}

// listsNeeded checks that a list has what its noun needs to exist, alone.
func listsNeeded(t *testing.T, resourceType string) {
	t.Helper()
	w := newChangeWorld(t, startQuick)
	p := acctest.NewProtocol(t, w.World)
	state, identity := p.Create(t, resourceType, w.needed(t, p, resourceType))
	config := map[string]tftypes.Value{}
	for _, attribute := range p.Schema.ListResourceSchemas[resourceType].Block.Attributes {
		if value, isPlace := state[attribute.Name]; isPlace && attribute.Required {
			config[attribute.Name] = acctest.Text(value)
		}
	}
	listed := p.List(t, resourceType, acctest.Query{Config: config, IncludeResource: true})
	if len(listed) != 1 || listed[0].DisplayName == "" || !maps.Equal(listed[0].Identity, identity) {
		t.Fatalf("listed is %v, want %v alone, with a name", listed, identity)
	}
	checkListed(t, p, resourceType, listed[0])
}

func checkList(t *testing.T, p acctest.Protocol, resourceType string, config map[string]tftypes.Value, names []string) {
	t.Helper()
	bare := p.List(t, resourceType, acctest.Query{Config: config})
	full := p.List(t, resourceType, acctest.Query{Config: config, IncludeResource: true})
	var listed []string
	for i, one := range full {
		listed = append(listed, one.DisplayName)
		if bare[i].DisplayName != one.DisplayName || bare[i].State != nil || !maps.Equal(bare[i].Identity, one.Identity) {
			t.Errorf("listed is %v, with its resource %v", bare[i], one)
		}
		checkListed(t, p, resourceType, one)
	}
	slices.Sort(listed)
	if !slices.Equal(listed, names) {
		t.Errorf("listed are %q, want %q", listed, names)
	}
	if first := p.List(t, resourceType, acctest.Query{Config: config, Limit: 1}); len(first) != min(1, len(names)) {
		t.Errorf("a list of at most 1 has %d", len(first))
	}
}

// checkListed compares a listed state with that of an import.
func checkListed(t *testing.T, p acctest.Protocol, resourceType string, listed acctest.ListedResource) {
	t.Helper()
	kind := p.Schema.ResourceSchemas[resourceType].ValueType()
	imported, err := p.Imported(t, resourceType, listed.Identity).NewState.Unmarshal(kind)
	if err != nil {
		t.Fatal(err)
	}
	state, err := listed.State.Unmarshal(kind)
	if err != nil {
		t.Fatal(err)
	}
	differences, err := state.Diff(imported)
	if err != nil || len(differences) > 0 || listed.Problem != "" {
		t.Errorf("listed with another state than imported: %v %v %s", differences, err, listed.Problem)
	}
	config := generated(t, p.Schema.ResourceSchemas[resourceType], state)
	validated, err := p.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resourceType, Config: acctest.Dynamic(t, kind, config),
	})
	acctest.NoProblem(t, err, validated.Diagnostics)
}

// generated returns the configuration that terraform generates for a state: all but what is
// only computed.
func generated(t *testing.T, schema *tfprotov6.Schema, state tftypes.Value) tftypes.Value {
	t.Helper()
	config, err := tftypes.Transform(state, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		attributes, isComputed := schema.Block.Attributes, false
		for _, step := range at.Steps() {
			i := slices.IndexFunc(attributes, func(a *tfprotov6.SchemaAttribute) bool { return tftypes.AttributeName(a.Name) == step })
			if i < 0 {
				continue // An element.
			}
			if isComputed = attributes[i].Computed && !attributes[i].Optional; attributes[i].NestedType != nil {
				attributes = attributes[i].NestedType.Attributes
			}
		}
		if isComputed {
			return tftypes.NewValue(value.Type(), nil), nil
		}
		return value, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// A thousand branches take ten pages, and one list of their endpoints.
func TestLists_requests(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	var made struct {
		ProjectIDs []string `json:"project_ids"`
	}
	w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "large", "branches": 999}, &made)
	p := acctest.NewProtocol(t, w)
	list := func(query acctest.Query) (listed, requests int) {
		query.Config = acctest.Texts(map[string]string{"project_id": made.ProjectIDs[0]})
		w.ForgetRequests(t)
		all := p.List(t, "neon_branch", query)
		for _, one := range all {
			if one.Problem != "" || query.IncludeResource != (one.State != nil) {
				t.Fatalf("listed is %v", one)
			}
		}
		return len(all), w.Requests(t).Total
	}
	for name, test := range map[string]struct {
		query            acctest.Query
		listed, requests int
	}{
		"all":                {acctest.Query{}, 1000, 10},
		"all with resources": {acctest.Query{IncludeResource: true}, 1000, 11},
		"one page":           {acctest.Query{Limit: 100}, 100, 1},
		"two pages":          {acctest.Query{Limit: 101}, 101, 2},
	} {
		if listed, requests := list(test.query); listed != test.listed || requests > test.requests {
			t.Errorf("%s: listed are %d by %d requests, want %d by %d", name, listed, requests, test.listed, test.requests)
		}
	}
}

// What is wrong with one object is said of that one, and hides no other; what is wrong with
// a page ends the list.
func TestLists_problems(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{BranchPage: 2})
	const project = "GET /api/v2/projects/{project_id}"
	good := w.MakeBranch(t, "good")
	odd := `{"branches": [{"id": "br-odd", "name": 7}, {"id": "` + good.ID + `", "name": "good"}]}`
	inProject := acctest.Texts(map[string]string{"project_id": w.ProjectID})
	unreadable := acctest.Fault{Route: project + "/endpoints", Status: http.StatusOK, Body: `{"endpoints": [{"branch_id": "` + good.ID + `", "id": 7}]}`}
	const ofBranch = project + "/branches/{branch_id}/endpoints"
	for name, test := range map[string]struct {
		faults []acctest.Fault
		want   []string
	}{
		"a branch": {
			[]acctest.Fault{{Route: project + "/branches", Status: http.StatusOK, Body: odd}}, []string{"Unable to read neon_branch " + w.ProjectID + "/br-odd", ""},
		},
		"an endpoint": {
			[]acctest.Fault{unreadable, {Route: ofBranch, Status: http.StatusForbidden}}, []string{"Unable to read neon_branch " + w.ProjectID + "/" + good.ID, ""},
		},
		"a branch that is deleted meanwhile": {
			[]acctest.Fault{unreadable, {Route: ofBranch, Status: http.StatusNotFound, Body: `{"message": "branch not found"}`}}, []string{""},
		},
		"all branches":  {[]acctest.Fault{{Route: project + "/branches", Status: http.StatusForbidden}}, []string{"Unable to list neon_branch"}},
		"all endpoints": {[]acctest.Fault{{Route: project + "/endpoints", Status: http.StatusForbidden}}, []string{"Unable to list neon_branch"}},
	} {
		for _, fault := range test.faults {
			fault.Kind, fault.Count = "status", 1
			w.AddFault(t, fault)
		}
		p := acctest.NewProtocol(t, w.World)
		var said []string
		for _, one := range p.List(t, "neon_branch", acctest.Query{Config: inProject, IncludeResource: true}) {
			summary, _, _ := strings.Cut(one.Problem, "\n")
			said = append(said, summary)
		}
		if !slices.Equal(said, test.want) {
			t.Errorf("%s: said is %q, want %q", name, said, test.want)
		}
	}
}

// What keeps a list from beginning is one error that says what to do.
func TestLists_refusals(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	noOrg, noKey := *w, *w
	noOrg.OrgID, noKey.APIKey = "", ""
	nowhere := map[string]string{"project_id": "no-such-project-12345678"}
	deleted := w.MakeProject(t)
	if err := w.Client(t).DeleteProject(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		world        *acctest.World
		resourceType string
		config       map[string]string
		want         []string
	}{
		"no key":                      {&noKey, "neon_api_key", nil, []string{"No API key", "NEON_API_KEY"}},
		"keys of no organization":     {&noOrg, "neon_org_api_key", nil, []string{"No organization", "NEON_ORG_ID"}},
		"projects of no organization": {&noOrg, "neon_project", nil, []string{"Unable to list neon_project", "400", "NEON_ORG_ID"}},
		"no such project":             {w, "neon_role", nowhere, []string{"Unable to read the default branch", "404", "Check the id of the project"}},
		"a deleted project's branches": {
			w, "neon_branch_backup_schedule", map[string]string{"project_id": deleted}, []string{"Unable to list neon_branch_backup_schedule", deleted},
		},
		"a deleted project": {w, "neon_branch", map[string]string{"project_id": deleted}, []string{"Unable to list neon_branch", deleted}},
		"no permissions":    {w, "neon_project_permission", nowhere, []string{"Unable to list neon_project_permission", "404"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listed := acctest.NewProtocol(t, test.world).List(t, test.resourceType, acctest.Query{Config: acctest.Texts(test.config)})
			if len(listed) != 1 || !acctest.InOrder(test.want...).MatchString(listed[0].Problem) {
				t.Errorf("listed is %v, want %q", listed, test.want)
			}
		})
	}
}
