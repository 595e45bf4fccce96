package stories_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// wholeOrganization is an organization with its private network, its limit, and a project with
// its backups and the access to it. The second version differs in all that changes in place.
func wholeOrganization(org string, version int) string {
	text := strings.ReplaceAll(`
resource "neon_org_spending_limit" "monthly" {
  org_id               = "$org"
  spending_limit_cents = $cents
}
resource "neon_vpc_endpoint_assignment" "office" {
  org_id              = "$org"
  region_id           = neon_project.shop.region_id
  vpc_endpoint_id     = "vpce-1234567890abcdef0"
  label               = $office
  deletion_protection = $protected
}
resource "neon_project" "shop" {
  org_id = "$org"
  name   = $shop
}
resource "neon_vpc_endpoint_restriction" "shop" {
  project_id      = neon_project.shop.id
  vpc_endpoint_id = neon_vpc_endpoint_assignment.office.vpc_endpoint_id
  label           = $restriction
}
resource "neon_project_permission" "anna" {
  project_id = neon_project.shop.id
  email      = "anna@example.com"
}
resource "neon_org_member_role" "max" {
  org_id = "$org"
  email  = "max@example.com"
  role   = $role
}
resource "neon_project_member_role" "max" {
  project_id = neon_project.shop.id
  member_id  = neon_org_member_role.max.member_id
  role       = $access
}
resource "neon_org_invitation" "new" {
  org_id = "$org"
  email  = "new@example.com"
  role   = "viewer"
}
resource "neon_jwks_url" "auth" {
  project_id    = neon_project.shop.id
  jwks_url      = "https://auth.example.com/.well-known/jwks.json"
  provider_name = "Example"
}
resource "neon_branch_backup_schedule" "main" {
  project_id = neon_project.shop.id
  branch_id  = neon_project.shop.default_branch.id
  schedule   = [{ frequency = "daily", hour = $hour }]
}
resource "neon_snapshot" "first" {
  project_id = neon_project.shop.id
  branch_id  = neon_project.shop.default_branch.id
  name       = $snapshot
}
resource "neon_branch" "preview" {
  project_id = neon_project.shop.id
  name       = $preview
}
resource "neon_org_api_key" "ci" {
  org_id     = "$org"
  project_id = neon_project.shop.id
  name       = "ci"
}

data "neon_vpc_endpoints" "all" {
  org_id     = "$org"
  depends_on = [neon_vpc_endpoint_assignment.office]
}
data "neon_vpc_endpoint_restrictions" "all" {
  project_id = neon_vpc_endpoint_restriction.shop.project_id
}
data "neon_snapshots" "all" {
  project_id = neon_snapshot.first.project_id
}
data "neon_preload_libraries" "all" {
  project_id = neon_project.shop.id
}
data "neon_consumption" "today" {
  org_id      = "$org"
  granularity = "daily"
  from        = plantimestamp()
  to          = timeadd(plantimestamp(), "24h")
}
output "seen" {
  value = [
    length(data.neon_vpc_endpoints.all.vpc_endpoints), length(data.neon_vpc_endpoint_restrictions.all.restrictions),
    length(data.neon_snapshots.all.snapshots), length(data.neon_preload_libraries.all.libraries) > 0,
  ]
}
`, "$org", org)
	for _, value := range [][3]string{
		{"$cents", `25000`, `50000`},
		{"$office", `"office"`, `"head office"`},
		{"$protected", `true`, `false`},
		{"$shop", `"shop"`, `"web shop"`},
		{"$restriction", `null`, `"shop"`},
		{"$hour", `3`, `4`},
		{"$snapshot", `"first"`, `"before the migration"`},
		{"$role", `"editor"`, `"viewer"`},
		{"$access", `"editor"`, `"viewer"`},
		{"$preview", `"preview"`, `"preview-2"`},
	} {
		text = strings.ReplaceAll(text, value[0], value[version])
	}
	return text
}

// existing counts what exists, by its kind.
func existing(t *testing.T, w *acctest.World) map[string]int {
	t.Helper()
	var all map[string][]any
	w.Control(t, http.MethodGet, "/_emulator/objects", nil, &all)
	counts := map[string]int{}
	for kind, objects := range all {
		counts[kind] = len(objects)
	}
	return counts
}

// One apply makes all of an organization that Terraform can make; the second plan is empty; all
// changes in place; and nothing is left at the end but what Neon can't take back, of which
// warnings speak.
func TestAccTerraform_wholeOrganization(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.Control(t, http.MethodPost, "/_emulator/members", map[string]string{"email": "max@example.com"}, nil)
	before := existing(t, w)
	r := acctest.NewRun(t, w, wholeOrganization(w.OrgID, 1))
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
	if refused := acctest.InOneLine(r.Fails(t, "destroy", "-auto-approve")); !strings.Contains(refused,
		"VPC endpoint assignment is protected") {
		t.Errorf("said is %s", refused)
	}
	r.Configure(t, wholeOrganization(w.OrgID, 2))
	if said := r.Terraform(t, "apply", "-auto-approve"); !strings.Contains(said, "0 added, 9 changed, 0 destroyed") {
		t.Errorf("not all changes are in place: %s", said)
	}
	r.Terraform(t, "plan", "-detailed-exitcode")
	said := acctest.InOneLine(r.Terraform(t, "destroy", "-auto-approve"))
	for _, warned := range []string{
		"Destroyed for good (" + w.OrgID + "/aws-us-east-1/vpce-1234567890abcdef0)", "Project deleted (",
		"can be recovered with its branches",
		"The role of max@example.com stays", "The invitation of new@example.com stays",
	} {
		if !strings.Contains(said, warned) {
			t.Errorf("no warning says %q: %s", warned, said)
		}
	}
	before["invitations"]++
	if after := existing(t, w); !maps.Equal(after, before) {
		t.Errorf("there is %v, and was %v", after, before)
	}
}
