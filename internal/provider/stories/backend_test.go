package stories_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// backend is everything that runs and stores on a branch.
const backend = `
resource "neon_branch" "preview" {
  project_id = %[1]q
  name       = "preview"
}
resource "neon_service_credential" "app" {
  project_id = %[1]q
  branch_id  = neon_branch.preview.id
  name       = "app"
  scopes     = ["storage:write"]
}
ephemeral "neon_service_credential_secret" "app" {
  project_id = %[1]q
  branch_id  = neon_branch.preview.id
  token_id   = neon_service_credential.app.token_id
}
ephemeral "neon_service_credential" "run" {
  project_id = %[1]q
  branch_id  = neon_branch.preview.id
  scopes     = ["ai_gateway:invoke"]
}
data "neon_branch_storage" "preview" {
  project_id = %[1]q
  branch_id  = neon_branch.preview.id
}
data "neon_ai_gateway" "preview" {
  project_id = %[1]q
  branch_id  = neon_branch.preview.id
}
resource "neon_bucket" "uploads" {
  project_id    = %[1]q
  branch_id     = neon_branch.preview.id
  name          = "uploads"
  force_destroy = true
}
data "neon_bucket" "uploads" {
  project_id = %[1]q
  branch_id  = neon_branch.preview.id
  name       = neon_bucket.uploads.name
}
resource "neon_bucket_object" "logo" {
  project_id  = %[1]q
  branch_id   = neon_branch.preview.id
  bucket_name = neon_bucket.uploads.name
  key         = "img/logo.svg"
  source      = "${path.module}/api/index.mjs"
}
resource "neon_function" "api" {
  project_id             = %[1]q
  branch_id              = neon_branch.preview.id
  slug                   = "api"
  source                 = "${path.module}/api"
  environment            = { BUCKET = data.neon_bucket.uploads.name,
    S3 = data.neon_branch_storage.preview.s3_endpoint, AI = data.neon_ai_gateway.preview.base_url }
  environment_wo         = { KEY = ephemeral.neon_service_credential_secret.app.s3_secret_access_key,
    RUN = ephemeral.neon_service_credential.run.api_token }
  environment_wo_version = 1
  depends_on             = [neon_bucket_object.logo]
}
resource "neon_trigger" "uploaded" {
  project_id             = %[1]q
  branch_id              = neon_branch.preview.id
  name                   = "uploaded"
  function_slug          = neon_function.api.slug
  storage_object_created = { bucket_name = neon_bucket.uploads.name }
}
resource "neon_trigger" "nightly" {
  project_id    = %[1]q
  branch_id     = neon_branch.preview.id
  name          = "nightly"
  function_slug = neon_function.api.slug
  schedule      = { cron = "0 3 * * *" }
}
resource "neon_custom_domain" "api" {
  project_id    = %[1]q
  branch_id     = neon_branch.preview.id
  domain        = "api.example.com"
  function_slug = neon_function.api.slug
}
`

// A whole backend gets through lost answers, other work, Ctrl-C and what others change: each thing is there once, and
// no secret is anywhere.
func TestAccTerraform_backendAttacked(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	w := acctest.BranchWorldOf(t, emulator.Config{})
	const branch = "/api/v2/projects/{project_id}/branches/{branch_id}"
	attack{
		config: fmt.Sprintf(backend, w.ProjectID),
		creations: []string{
			"POST " + branch + "/credentials", "POST " + branch + "/credentials/{token_id}/reveal",
			"POST " + branch + "/buckets",
			"POST " + branch + "/buckets/{bucket_name}/objects/{object_key}/presign", "POST " + branch + "/triggers",
			"POST " + branch + "/custom-domains",
		},
		deletions: []string{
			"DELETE " + branch + "/credentials/{token_id}", "DELETE " + branch + "/buckets/{bucket_name}",
			"DELETE " + branch + "/buckets/{bucket_name}/objects/{object_key}",
			"DELETE " + branch + "/functions/{slug}", "DELETE " + branch + "/triggers/{trigger_id}",
			"DELETE " + branch + "/custom-domains/{domain}",
		},
		interrupted: "POST " + branch + "/functions/{slug}/deployments",
		drift: func() {
			branchID := w.BranchNamed(t, "preview").ID
			place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "img/logo.svg"}
			w.Upload(t, place, "", 1, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil })
			w.Settle(t, nil, w.API.RevokeCredential(t.Context(), w.Ref(branchID), fmt.Sprint(w.Objects(t).Credentials[0]["id"])))
			w.Settle(t, nil, w.API.RenameFunction(t.Context(), w.Ref(branchID), "api", "another name"))
			now, err := w.API.GetFunction(t.Context(), w.Ref(branchID), "api")
			w.Settle(t, nil, err)
			_, err = w.API.DeployFunction(t.Context(), w.Ref(branchID), now, client.FunctionDeploy{})
			w.Settle(t, nil, err)
			w.Settle(t, nil, w.API.DeleteCustomDomain(t.Context(), w.Ref(branchID), "api.example.com"))
			w.Settle(t, nil, w.API.DeleteTrigger(t.Context(), w.Ref(branchID), fmt.Sprint(w.Objects(t).Triggers[0]["id"])))
		},
		changes: "Resources: 3 added, 2 changed, 0 destroyed.",
		want: map[string]int{
			"branches": 1, "roles": 1, "databases": 1, // Those of the parent.
			"service_credentials": 1, "buckets": 1, "bucket_objects": 1, "functions": 1, "triggers": 2, "custom_domains": 1,
		},
	}.run(t, w)
}

// What runs and stores on a branch moves along in place with the branch that a restore puts there: what that branch has
// is taken over and made as configured, what it lacks is made there, and a domain changes over.
func TestAccSuccession_backend(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	folder := acctest.CodeFolder(t, "1")
	file := filepath.Join(folder, "index.mjs")
	config := w.ProviderConfig() + "resource \"neon_project\" \"p\" {\n}\nimport {\n to = neon_project.p\n id = \"" +
		w.ProjectID + "\"\n}\n"
	lines := map[string]string{
		"neon_bucket":             "name = \"uploads\"\n force_destroy = true",
		"neon_bucket_object":      fmt.Sprintf("bucket_name = neon_bucket.x.name\n key = \"logo\"\n source = %q", file),
		"neon_service_credential": `scopes = ["storage:read"]`,
		"neon_function":           fmt.Sprintf("slug = \"api\"\n source = %q\n environment = { LEVEL = \"info\" }", folder),
		"neon_trigger":            "name = \"nightly\"\n function_slug = neon_function.x.slug\n schedule = { cron = \"0 3 * * *\" }",
		"neon_custom_domain":      "domain = \"api.example.com\"\n function_slug = neon_function.x.slug",
	}
	for kind, own := range lines {
		config += fmt.Sprintf("resource %q \"x\" {\n project_id = neon_project.p.id\n branch_id = neon_project.p.default_branch.id\n %s\n}\n", kind, own)
	}
	follows := func(prepare func(replaced string), gone map[string]bool) resource.TestStep {
		step := resource.TestStep{Config: config, PreConfig: func() { prepare(restoreMain(t, w)) }}
		for kind := range lines {
			action := plancheck.ResourceActionUpdate
			if gone[kind] {
				action = plancheck.ResourceActionCreate
			}
			step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply,
				plancheck.ExpectResourceAction(kind+".x", action))
		}
		step.ConfigStateChecks = append(step.ConfigStateChecks,
			acctest.After(func(acctest.State) error { return isIn(t, w, w.MainBranch(t).ID, file) }))
		return step
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: func() {
			taken, err := w.API.CreateSnapshot(t.Context(), w.Ref(w.MainBranch(t).ID), client.SnapshotCreate{})
			w.Settle(t, taken.Operations, err)
			// The snapshot has older code and an older object than the branch.
			if err := os.WriteFile(file, []byte("export default {} // number 2"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, Config: config},
		follows(func(string) {}, nil),
		follows(func(replaced string) { w.DeleteBranch(t, replaced) },
			map[string]bool{"neon_service_credential": true, "neon_custom_domain": true}),
	)
}

// restoreMain restores the only snapshot in place of the default branch, and returns the replaced one.
func restoreMain(t *testing.T, w *acctest.BranchWorld) (replaced string) {
	t.Helper()
	main := w.MainBranch(t).ID
	snapshots, err := client.All(w.API.ListSnapshots(t.Context(), w.ProjectID))
	if err != nil || len(snapshots) != 1 {
		t.Fatalf("the snapshots are %v, %v", snapshots, err)
	}
	operations, err := client.OperationsOf(w.API.RestoreSnapshot(t.Context(),
		client.SnapshotRef{ProjectID: w.ProjectID, ID: snapshots[0].ID},
		client.SnapshotRestore{TargetBranchID: main, Finalize: true}))
	w.Settle(t, operations, err)
	return main
}

// isIn checks that a branch has the backend, with the present code and object, once.
func isIn(t *testing.T, w *acctest.BranchWorld, branchID, file string) error {
	t.Helper()
	all := w.Objects(t)
	at := func(objects []map[string]any) (found []map[string]any) {
		return slices.DeleteFunc(slices.Clone(objects),
			func(object map[string]any) bool { return object["branch_id"] != branchID })
	}
	content, err := os.Stat(file)
	if err != nil {
		return err
	}
	functions, objects, triggers := at(all.Functions), at(all.BucketObjects), at(all.Triggers)
	if len(functions) != 1 || len(objects) != 1 || objects[0]["size"] != float64(content.Size()) || len(triggers) != 1 ||
		triggers[0]["enabled"] != true ||
		len(at(all.Credentials)) != 1 || len(all.CustomDomains) != 1 || len(at(all.CustomDomains)) != 1 {
		return fmt.Errorf("branch %s has %v, %v, %v, %v and %v", branchID, functions, objects, triggers, at(all.Credentials),
			all.CustomDomains)
	}
	for _, other := range all.Functions {
		if other["environment"] == nil || other["bundle"] != all.Functions[len(all.Functions)-1]["bundle"] {
			return fmt.Errorf("the functions differ: %v", all.Functions)
		}
	}
	return nil
}
