package provider_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

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
  environment            = { BUCKET = data.neon_bucket.uploads.name, S3 = data.neon_branch_storage.preview.s3_endpoint, AI = data.neon_ai_gateway.preview.base_url }
  environment_wo         = { KEY = ephemeral.neon_service_credential_secret.app.s3_secret_access_key, RUN = ephemeral.neon_service_credential.run.api_token }
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
			"POST " + branch + "/credentials", "POST " + branch + "/credentials/{token_id}/reveal", "POST " + branch + "/buckets",
			"POST " + branch + "/buckets/{bucket_name}/objects/{object_key}/presign", "POST " + branch + "/triggers", "POST " + branch + "/custom-domains",
		},
		deletions: []string{
			"DELETE " + branch + "/credentials/{token_id}", "DELETE " + branch + "/buckets/{bucket_name}", "DELETE " + branch + "/buckets/{bucket_name}/objects/{object_key}",
			"DELETE " + branch + "/functions/{slug}", "DELETE " + branch + "/triggers/{trigger_id}", "DELETE " + branch + "/custom-domains/{domain}",
		},
		interrupted: "POST " + branch + "/functions/{slug}/deployments",
		drift: func() {
			branchID := w.BranchNamed(t, "preview").ID
			place := client.BucketPlace{ProjectID: w.ProjectID, BranchID: branchID, Bucket: "uploads", Key: "img/logo.svg"}
			w.Settle(t, nil, w.API.UploadBucketObject(t.Context(), place, "", 1, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil }))
			w.Settle(t, nil, w.API.RevokeCredential(t.Context(), w.ProjectID, branchID, fmt.Sprint(w.Objects(t).Credentials[0]["id"])))
			w.Settle(t, nil, w.API.RenameFunction(t.Context(), w.ProjectID, branchID, "api", "another name"))
			w.Settle(t, nil, w.API.DeleteCustomDomain(t.Context(), w.ProjectID, branchID, "api.example.com"))
			w.Settle(t, nil, w.API.DeleteTrigger(t.Context(), w.ProjectID, branchID, fmt.Sprint(w.Objects(t).Triggers[0]["id"])))
		},
		changes: "Resources: 3 added, 2 changed, 0 destroyed.",
		want: map[string]int{
			"branches": 1, "roles": 1, "databases": 1, // Those of the parent.
			"service_credentials": 1, "buckets": 1, "bucket_objects": 1, "functions": 1, "triggers": 2, "custom_domains": 1,
		},
	}.run(t, w)
}
