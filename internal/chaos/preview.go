package chaos

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// makeParent makes a project whose root has a backend, which each preview begins with.
func (p *platform) makeParent(ctx context.Context) (at place, err error) {
	if at, err = p.makePlace(ctx, told()["neon_auth_oauth_provider"], "parent"); err != nil { // It has Neon Auth.
		return at, err
	}
	delete(p.kinds, at.projectID) // Others are played there, too.
	branch := object{kind: branches, ProjectID: at.projectID, ID: at.branchID}.path()
	if err := p.insist(ctx, branch+"/auth/oauth_providers", map[string]string{"id": "google"}, nil); err != nil {
		return at, err
	}
	return at, p.call(ctx, http.MethodPost, branch+"/triggers", map[string]any{
		"type": "schedule", "name": "nightly", "function_slug": servedFunctions[0], "function_path": "/",
		"schedule": map[string]string{"cron": "0 3 * * *"}, "enabled": true,
	}, nil)
}

// previewConfiguration is that of a preview, which makes its own what its parent has by the same names.
func (k *killed) previewConfiguration(version int) string {
	const place = "project_id = neon_branch.preview.project_id\n  branch_id = neon_branch.preview.id"
	return fmt.Sprintf(`
resource "neon_branch" "preview" {
  project_id = %[1]q
  name       = "%[2]s-preview"
  endpoints  = { app = { type = "read_write" } }
}
resource "neon_bucket" "preview" {
  %[3]s
  name          = %[4]q
  force_destroy = true
}
resource "neon_function" "preview" {
  %[3]s
  slug        = %[5]q
  source      = "v%[6]d.zip"
  environment = { VERSION = "%[6]d" }
}
resource "neon_trigger" "preview" {
  %[3]s
  name          = "nightly"
  function_slug = neon_function.preview.slug
  enabled       = %[6]d == 1
  schedule      = { cron = "0 %[6]d * * *" }
}
resource "neon_auth" "preview" {
  %[3]s
  allow_localhost = %[6]d == 1
}
resource "neon_auth_oauth_provider" "preview" {
  project_id     = neon_auth.preview.project_id
  branch_id      = neon_auth.preview.branch_id
  oauth_provider = "google"
}
`, k.parent.projectID, k.name, place, sharedBucket, servedFunctions[0], version)
}

// ofParent are the settings of all that the previews' parent has.
func (k *killed) ofParent(ctx context.Context) ([]string, error) {
	all, err := k.platform.objects(ctx)
	var settings []string
	for _, o := range all {
		if o.ProjectID == k.parent.projectID && o.BranchID == k.parent.branchID && !o.isOnBranch() {
			settings = append(settings, o.String()+": "+o.settings())
		}
	}
	slices.Sort(settings)
	return settings, err
}

// checkParent finds the parent's backend as it was.
func (k *killed) checkParent(ctx context.Context, before []string) error {
	after, err := k.ofParent(ctx)
	if err == nil && !slices.Equal(before, after) {
		k.surprise("the parent of a preview had %q, and has %q", before, after)
	}
	return err
}
