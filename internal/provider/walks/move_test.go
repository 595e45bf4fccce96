package walks_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMovedKeys(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	p, api := acctest.NewProtocol(t, w), w.Client(t)
	for name, test := range map[string]struct {
		target string
		scope  client.APIKeyScope
		from   acctest.MovedSource
		// number says that the other provider keeps ids as numbers.
		number bool
	}{
		"kislerdm": {"neon_api_key", client.APIKeyScope{}, acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_api_key", Version: 1}, false},
		"kenchan0130": {
			"neon_api_key", client.APIKeyScope{}, acctest.MovedSource{Provider: "kenchan0130/neon", TypeName: "neon_api_key",
				Version: 0}, true,
		},
		"a later version": {"neon_api_key", client.APIKeyScope{}, acctest.MovedSource{Provider: "neondatabase/neon", TypeName: "neon_api_key", Version: 99}, false},
		"kislerdm, organization": {
			"neon_org_api_key", client.APIKeyScope{OrgID: w.OrgID},
			acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_org_api_key", Version: 1}, false,
		},
		"kenchan0130, project": {
			"neon_org_api_key", client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID},
			acctest.MovedSource{Provider: "kenchan0130/neon", TypeName: "neon_organization_api_key", Version: 0}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, err := client.ObjectOf(api.CreateAPIKey(t.Context(), test.scope, name))
			if err != nil {
				t.Fatal(err)
			}
			id := strconv.FormatInt(key.ID, 10)
			state := map[string]any{"id": id, "name": name, "key": key.Key}
			if test.number {
				state["id"], state["created_at"] = key.ID, "2026-01-02T03:04:05Z"
			}
			if test.scope.OrgID != "" {
				state["org_id"], state["project_id"] = test.scope.OrgID, test.scope.ProjectID
			}
			attributes, identity, problem := p.Move(t, test.target, test.from, state)
			if problem != "" {
				t.Fatal(problem)
			}
			want := map[string]string{"id": id, "name": name, "key": key.Key}
			wantIdentity := map[string]string{"id": id}
			if test.scope.OrgID != "" {
				want["org_id"], wantIdentity["org_id"] = test.scope.OrgID, test.scope.OrgID
			}
			if test.scope.ProjectID != "" {
				want["project_id"] = test.scope.ProjectID
			}
			want["created_at"], want["created_by"] = attributes["created_at"], attributes["created_by"]
			if !maps.Equal(attributes, want) || want["created_at"] == "" || want["created_by"] == "" {
				t.Error("the moved key isn't the one of the other provider")
			}
			if !maps.Equal(identity, wantIdentity) {
				t.Errorf("identity %v, want %v", identity, wantIdentity)
			}
		})
	}
}

func TestMovedBranches(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	branch := w.MakeBranch(t, "b")
	for from, more := range map[acctest.MovedSource]map[string]any{
		{Provider: "kislerdm/neon", TypeName: "neon_branch", Version: 8}: {
			"protected": "no", "parent_timestamp": 1700000000, "logical_size": 30, "parent_lsn": "0/1",
		},
		{Provider: "kenchan0130/neon", TypeName: "neon_branch", Version: 0}: {"protected": false, "parent_timestamp": "2026-01-02T03:04:05Z", "archived": nil},
	} {
		state := map[string]any{"id": branch.ID, "project_id": w.ProjectID, "name": "b", "parent_id": branch.ParentID}
		maps.Copy(state, more)
		attributes, identity, problem := p.Move(t, "neon_branch", from, state)
		if problem != "" || attributes["id"] != branch.ID || attributes["name"] != "b" ||
			attributes["parent_id"] != branch.ParentID {
			t.Errorf("%v: %v %s", from, attributes, problem)
		}
		if want := map[string]string{"project_id": w.ProjectID, "id": branch.ID}; !maps.Equal(identity, want) {
			t.Errorf("%v: identity %v, want %v", from, identity, want)
		}
	}
}

// A state that Neon's own provider wrote of what runs and stores on a branch is taken over: moved, also where the name
// is another here, and where the whole repository was left to this provider. No secret of it comes along.
func TestMovedBackend(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	p, projectID, branchID := acctest.NewProtocol(t, w.World), w.ProjectID, w.MainBranch(t).ID
	w.MakeFunction(t, client.BranchRef{ProjectID: projectID, ID: branchID}, "api")
	_, err := w.API.CreateCustomDomain(t.Context(), client.BranchRef{ProjectID: projectID, ID: branchID},
		"api.example.com", "api")
	w.Settle(t, nil, err)
	trigger, err := w.API.CreateTrigger(t.Context(), client.BranchRef{ProjectID: projectID, ID: branchID},
		client.TriggerSpec{
			Type: "schedule", FunctionSlug: "api", Name: "nightly", Path: "/",
			Schedule: &client.TriggerSchedule{Cron: "0 3 * * *"},
		})
	w.Settle(t, nil, err)
	credential, err := client.ObjectOf(w.API.CreateCredential(t.Context(),
		client.BranchRef{ProjectID: projectID, ID: branchID}, client.CredentialCreate{Name: "app",
			Scopes: []string{"storage:read"}}))
	w.Settle(t, nil, err)
	_, err = w.API.CreateBucket(t.Context(), client.BranchRef{ProjectID: projectID, ID: branchID}, "uploads", "")
	w.Settle(t, nil, err)
	object := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "img/logo.svg"}
	w.Upload(t, object, "", 1, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil })
	for target, test := range map[string]struct {
		from string
		// own are attributes of theirs, of which read is one of ours, with its value.
		own        map[string]any
		read, want string
	}{
		"neon_service_credential": {
			"", map[string]any{"token_id": credential.TokenID, "scopes": []string{"storage:read"},
				"api_token": credential.APIToken, "s3_secret_access_key": credential.S3SecretAccessKey}, "name", "app",
		},
		"neon_bucket":        {"", map[string]any{"name": "uploads", "access_level": "private"}, "access_level", "private"},
		"neon_bucket_object": {"", map[string]any{"bucket": "uploads", "key": "img/logo.svg"}, "key", "img/logo.svg"},
		"neon_function":      {"", map[string]any{"slug": "api", "environment_variables": map[string]string{"KEY": "hush"}, "zip_file": "api.zip"}, "runtime", "nodejs24"},
		"neon_trigger":       {"", map[string]any{"trigger_id": trigger.ID, "type": "schedule", "schedule": map[string]string{"cron": "0 3 * * *"}}, "name", "nightly"},
		"neon_custom_domain": {"neon_custom_branch_domain", map[string]any{"domain": "api.example.com", "entity_type": "function", "entity_id": "api"}, "function_slug", "api"},
	} {
		test.own["id"], test.own["project_id"], test.own["branch_id"] = "theirs", projectID, branchID
		attributes, identity, problem := p.Move(t, target, acctest.MovedSource{Provider: "neondatabase/neon",
			TypeName: cmp.Or(test.from, target)}, test.own)
		if problem != "" || identity["branch_id"] != branchID || attributes[test.read] != test.want {
			t.Errorf("%s is moved as %v, %v: %s", target, attributes, identity, problem)
		}
		if test.from != "" { // No state of theirs has its name.
			continue
		}
		kept := p.Upgrade(t, target, 3, test.own)
		if kept["branch_id"] != branchID || kept[test.read] != test.want {
			t.Errorf("%s is left as %v", target, kept)
		}
		for name, value := range kept {
			if strings.Contains(value, "hush") || strings.Contains(value, "nt_live_") || strings.Contains(value, "nsk_live_") {
				t.Errorf("%s has a secret in %s", target, name)
			}
		}
	}
}

// What this provider manages under another address, that of OpenTofu's registry or of a mirror, comes along whole when
// a moved block gives it another name: it is none of another provider's.
func TestMovedOurs(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for name, schema := range p.Schema.ResourceSchemas {
		written := map[string]any{}
		for _, attribute := range schema.Block.Attributes {
			written[attribute.Name] = nil
			switch {
			case attribute.WriteOnly, attribute.Type == nil:
			case attribute.Type.Equal(tftypes.String):
				written[attribute.Name] = attribute.Name + " of ours"
			case attribute.Type.Equal(tftypes.Bool):
				written[attribute.Name] = true
			}
		}
		state, err := json.Marshal(written)
		if err != nil {
			t.Fatal(err)
		}
		raw, private := &tfprotov6.RawState{JSON: state}, []byte(`{"mark":"InNldCI="}`)
		upgraded, err := p.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
			TypeName: name, Version: schema.Version, RawState: raw,
		})
		acctest.NoProblem(t, err, upgraded.Diagnostics)
		want, err := upgraded.UpgradedState.Unmarshal(schema.ValueType())
		if err != nil {
			t.Fatal(err)
		}
		for _, address := range []string{"registry.opentofu.org/seed-a7382548/neon", "registry.example.com/shop/neon"} {
			moved, err := p.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
				SourceProviderAddress: address, SourceTypeName: name, SourceSchemaVersion: schema.Version,
				SourceState: raw, SourcePrivate: private, TargetTypeName: name,
			})
			acctest.NoProblem(t, err, moved.Diagnostics)
			got, err := moved.TargetState.Unmarshal(schema.ValueType())
			if err != nil || !got.Equal(want) || !bytes.Equal(moved.TargetPrivate, private) {
				t.Errorf("%s of %s: %s with %s, want %s (%v)", name, address, got, moved.TargetPrivate, want, err)
			}
			if p.Identities.IdentitySchemas[name] == nil {
				continue
			}
			identity, err := moved.TargetIdentity.IdentityData.Unmarshal(p.IdentityType(name))
			parts := map[string]string{}
			for _, part := range acctest.NounResource(t, name).Identity {
				parts[part] = part + " of ours"
			}
			if want := acctest.Object(p.IdentityType(name), acctest.Texts(parts)); err != nil || !identity.Equal(want) {
				t.Errorf("%s of %s: the identity is %s, want %s (%v)", name, address, identity, want, err)
			}
		}
	}
}

// What isn't known is refused, with the blocks that take the object in.
func TestMovesThatAreRefused(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	key := map[string]any{"id": "1", "name": "k", "key": "napi_secret", "org_id": "org-a"}
	for name, test := range map[string]struct {
		target string
		from   acctest.MovedSource
		state  map[string]any
		want   string
	}{
		"another provider": {"neon_api_key", acctest.MovedSource{Provider: "somebody/neon", TypeName: "neon_api_key", Version: 1}, key, "Known are: neon_api_key of kenchan0130/neon; neon_api_key of kislerdm/neon"},
		"left to us":       {"neon_api_key", acctest.MovedSource{Provider: "hashicorp/neon", TypeName: "neon_organization_api_key", Version: 0}, key, "Known are: neon_api_key of kenchan0130/neon; neon_api_key of kislerdm/neon"},
		"another type":     {"neon_api_key", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_role", Version: 1}, key, "from = neon_role.OLD"},
		"our own of another type": {"neon_org_api_key", acctest.MovedSource{Provider: "seed-a7382548/neon", TypeName: "neon_api_key", Version: 0}, key,
			"A state of neon_api_key of seed-a7382548/neon can't be moved here"},
		"another shape":    {"neon_api_key", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_api_key", Version: 1}, map[string]any{"id": []string{"napi_secret"}}, "another shape"},
		"a type of ours":   {"neon_org_invitation", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_org_invitation", Version: 1}, key, "No other provider that is known has such a resource."},
		"no id":            {"neon_api_key", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_api_key", Version: 1}, map[string]any{"name": "k"}, "Its id is missing"},
		"no organization":  {"neon_org_api_key", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_org_api_key", Version: 1}, map[string]any{"id": "1", "name": "k"}, `id = "org_id/id"`},
		"of another type":  {"neon_org_api_key", acctest.MovedSource{Provider: "kenchan0130/neon", TypeName: "neon_organization_api_key", Version: 0}, map[string]any{"id": "1"}, "from = neon_organization_api_key.OLD"},
		"a branch of none": {"neon_branch", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_branch", Version: 8}, map[string]any{"id": "br-a"}, "its project is missing"},
	} {
		_, _, problem := p.Move(t, test.target, test.from, test.state)
		for _, want := range []string{"Unable to move the resource", "import {", "removed {", test.want} {
			if !strings.Contains(problem, want) {
				t.Errorf("%s: the error doesn't say %q: %s", name, want, problem)
			}
		}
		if strings.Contains(problem, "napi_secret") {
			t.Errorf("%s: the error tells a key", name)
		}
	}
}

// A repository that used another provider: a branch, its endpoint as a resource
// of its own, its role and database, a permission and a key go on as they are.
func TestAccTerraform_movesIn(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	created, err := w.API.CreateBranch(t.Context(), w.ProjectID, client.BranchCreate{
		Name: "b", Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(t, created.Operations, nil)
	key, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(), client.APIKeyScope{}, "k"))
	if err != nil {
		t.Fatal(err)
	}
	branchID := created.Object.ID
	operations, err := client.OperationsOf(w.API.CreateRole(t.Context(), w.Ref(branchID),
		client.RoleCreate{Name: "reader"}))
	w.Settle(t, operations, err)
	operations, err = client.OperationsOf(w.API.CreateDatabase(t.Context(), w.Ref(branchID),
		client.DatabaseCreate{Name: "orders", OwnerName: "reader"}))
	w.Settle(t, operations, err)
	permission, err := w.API.GrantProjectPermission(t.Context(), w.ProjectID, "anna@example.com")
	if err != nil {
		t.Fatal(err)
	}
	inBranch := func(name string, more map[string]any) map[string]any {
		whole := w.ProjectID + "/" + branchID + "/" + name
		state := map[string]any{"id": whole, "project_id": w.ProjectID, "branch_id": branchID, "name": name}
		maps.Copy(state, more)
		return state
	}
	r := acctest.NewRun(t, w.World, w.BranchConfig(`
		name      = "b"
		endpoints = { primary = { type = "read_write" } }`)+`
		resource "neon_api_key" "test" { name = "k" }
		resource "neon_role" "test" {
			project_id = neon_branch.test.project_id
			branch_id  = neon_branch.test.id
			name       = "reader"
		}
		resource "neon_database" "test" {
			project_id = neon_branch.test.project_id
			branch_id  = neon_branch.test.id
			name       = "orders"
			owner_name = neon_role.test.name
		}
		resource "neon_project_permission" "test" {
			project_id = neon_branch.test.project_id
			email      = "Anna@example.com"
		}
`+movedBlocks("neon_branch", "neon_api_key", "neon_role", "neon_database", "neon_project_permission"))
	useOtherProvider(t, r, "kislerdm/neon")
	r.Write(t, "terraform.tfstate", otherState(t, map[string]otherResource{
		"neon_branch":   {8, map[string]any{"id": created.Object.ID, "project_id": w.ProjectID, "name": "b", "protected": ""}},
		"neon_endpoint": {8, map[string]any{"id": created.Object.Endpoints[0].ID, "project_id": w.ProjectID, "branch_id": created.Object.ID}},
		"neon_api_key":  {1, map[string]any{"id": strconv.FormatInt(key.ID, 10), "name": "k", "key": key.Key}},
		"neon_role":     {7, inBranch("reader", map[string]any{"password": "npg_secret", "protected": false})},
		"neon_database": {7, inBranch("orders", map[string]any{"owner_name": "reader"})},
		"neon_project_permission": {0, map[string]any{
			"id": w.ProjectID + "/" + permission.ID, "project_id": w.ProjectID, "grantee": "Anna@example.com",
		}},
	}))
	// The endpoint belongs to the branch here.
	r.Terraform(t, "state", "rm", "neon_endpoint.old")
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "0 to add, 1 to change, 0 to destroy") {
		t.Errorf("the plan does more than to take over the endpoint:\n%s", said)
	}
	r.Terraform(t, "apply", "-auto-approve")
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
		t.Errorf("the plan after isn't empty:\n%s", said)
	}
	state, err := os.ReadFile(filepath.Join(r.Folder, "terraform.tfstate"))
	if err != nil || !strings.Contains(string(state), key.Key) || strings.Contains(string(state), "npg_secret") {
		t.Errorf("the key isn't in state any more, or the password still is (%v)", err)
	}
	r.Terraform(t, "destroy", "-auto-approve")
	w.CheckOnly(t, "main")
}

// movedBlocks move the resource named old of each type to the one named test.
func movedBlocks(types ...string) string {
	var text strings.Builder
	for _, name := range types {
		fmt.Fprintf(&text, "moved {\n from = %[1]s.old\n to = %[1]s.test\n}\n", name)
	}
	return text.String()
}

type otherResource struct {
	version    int
	attributes map[string]any
}

// otherState is a state file with resources named old, of kislerdm/neon.
func otherState(t *testing.T, resources map[string]otherResource) string {
	t.Helper()
	var blocks []map[string]any
	for name, resource := range resources {
		blocks = append(blocks, map[string]any{
			"mode": "managed", "type": name, "name": "old", "provider": `provider["registry.terraform.io/kislerdm/neon"]`,
			"instances": []any{map[string]any{"schema_version": resource.version, "attributes": resource.attributes}},
		})
	}
	text, err := json.Marshal(map[string]any{"version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "test",
		"resources": blocks})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
