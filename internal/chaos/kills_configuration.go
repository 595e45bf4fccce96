package chaos

import (
	"fmt"
	"strings"
)

// configure writes the configuration of all resources, in one of two versions.
func (k *killed) configure(version int) error {
	project := k.platform.ProjectID
	return k.write("main.tf", k.settingsConfiguration(version)+k.previewConfiguration(version)+k.backendConfiguration(version)+k.applicationConfiguration(version)+fmt.Sprintf(`
terraform {
  required_providers {
    neon = { source = %[1]q }
  }
}
resource "neon_branch" "plain" {
  project_id = %[2]q
  name       = "%[3]s-plain"
  endpoints  = {
    app   = { type = "read_write", suspend_timeout_seconds = %[4]d }
    named = { type = "read_only", name = "named" }
  }
}
resource "neon_branch" "renamed" {
  project_id = %[2]q
  name       = "%[3]s-renamed%[5]s"
  endpoints  = { app = { type = "read_write" } }
}
resource "neon_api_key" "personal" {
  name              = "%[3]s-personal"
  rotation_triggers = { version = "%[4]d" }
}
resource "neon_org_api_key" "org" {
  name = "%[3]s-org%[5]s"
}
resource "neon_claimable_database" "trial" {
  ref = "%[3]s"
}
resource "neon_endpoint" "reader" {
  project_id              = %[2]q
  branch_id               = %[6]q
  name                    = "%[3]s-reader"
  type                    = "read_only"
  suspend_timeout_seconds = %[4]d
}
resource "neon_role" "app" {
  project_id                 = %[2]q
  branch_id                  = neon_branch.plain.id
  name                       = "%[3]s-app"
  password_rotation_triggers = { version = "%[4]d" }
}
resource "neon_database" "app" {
  project_id = %[2]q
  branch_id  = neon_branch.plain.id
  name       = "%[3]s-app%[5]s"
  owner_name = neon_role.app.name
}
resource "neon_snapshot" "before" {
  project_id = %[2]q
  branch_id  = %[6]q
  name       = "%[3]s-before%[5]s"
}
resource "neon_project" "shop" {
  name      = "%[3]s-shop%[5]s"
  region_id = %[7]q
}
resource "neon_jwks_url" "tokens" {
  project_id    = %[2]q
  jwks_url      = "https://%[3]s.example.com/jwks.json"
  provider_name = "%[3]s%[5]s"
}
resource "neon_project_permission" "colleague" {
  project_id = %[2]q
  email      = "%[3]s%[5]s@example.com"
}
`, k.Address, project, k.name, 300*(version+1), strings.Repeat("-renamed", version), k.platform.BranchID, vpcRegion))
}

// settingsConfiguration is that of resources which set what is there by itself. Who was invited
// is invited once: a run that is killed may not say what it forgot.
func (k *killed) settingsConfiguration(version int) string {
	at := k.settings
	return fmt.Sprintf(`
resource "neon_branch_backup_schedule" "nightly" {
  project_id = %q
  branch_id  = %q
  schedule   = [{ frequency = "daily", hour = %d }]
}
resource "neon_project_member_role" "max" {
  project_id = %q
  member_id  = %q
  role       = %[6]q
}
resource "neon_org_member_role" "max" {
  member_id = %[7]q
  role      = %[6]q
}
resource "neon_org_spending_limit" "month" {
  org_id               = %[8]q
  spending_limit_cents = %[9]d
}
resource "neon_org_invitation" "new" {
  email = %[10]q
  role  = "viewer"
}
`, at[schedule].projectID, at[schedule].branchID, scheduledHours(1)[version], k.platform.ProjectID, at[projectRole].memberID,
		settingRoles[version], at[organizationRole].memberID, at[spendingLimit].orgID, spendingLimits[version], addressOf(k.name))
}

// applicationConfiguration is that of Neon Auth with what is beside it, in a project of its own. Its domain is
// another one in the second version, which replaces it.
func (k *killed) applicationConfiguration(version int) string {
	const beside = "project_id = neon_auth.app.project_id\n  branch_id = neon_auth.app.branch_id"
	return fmt.Sprintf(`
resource "neon_auth" "app" {
  project_id             = %[1]q
  branch_id              = %[2]q
  delete_data_on_destroy = true
  allow_localhost        = %[3]d == 1
}
resource "neon_auth_oauth_provider" "google" {
  %[4]s
  oauth_provider = "google"
}
resource "neon_auth_trusted_domain" "app" {
  %[4]s
  domain = "https://v%[3]d.example.com"
}
resource "neon_data_api" "app" {
  %[4]s
  database_name = %[5]q
  settings      = { db_max_rows = %[6]d }
}
`, k.settings[auth].projectID, k.settings[auth].branchID, version, beside, servedDatabase, servedRows[version]) + k.networkConfiguration(version)
}

// networkConfiguration is that of a branch that is masked, and of who may connect to the project "shop".
func (k *killed) networkConfiguration(version int) string {
	return fmt.Sprintf(`
resource "neon_anonymized_branch" "test" {
  project_id    = %[1]q
  name          = "%[2]s-test%[3]s"
  endpoint      = { suspend_timeout_seconds = %[4]d }
  masking_rules = [{ database_name = "neondb", schema_name = "public", table_name = "people", column_name = "email", masking_value = "NULL" }]
}
resource "neon_vpc_endpoint_assignment" "app" {
  region_id           = %[5]q
  vpc_endpoint_id     = "vpce-%[2]s"
  label               = "%[2]s%[3]s"
  deletion_protection = false
}
resource "neon_vpc_endpoint_restriction" "shop" {
  project_id      = neon_project.shop.id
  vpc_endpoint_id = neon_vpc_endpoint_assignment.app.vpc_endpoint_id
  label           = "%[2]s%[3]s"
}
`, k.platform.ProjectID, k.name, strings.Repeat("-renamed", version), 300*(version+1), vpcRegion)
}
