# Every kind of resource, with what was lost once when a state was taken over.

variable "org_id" {
  type = string
}

resource "neon_project" "shop" {
  name                      = "shop"
  region_id                 = "aws-us-east-2"
  pg_version                = 17
  history_retention_seconds = 86400
  deletion_protection       = true
  allowed_ips               = ["10.0.0.1"]
  quota                     = { active_time_seconds = 360000 }
  maintenance_window        = { weekdays = [1], start_time = "01:00", end_time = "02:00" }
  preload_libraries         = { use_defaults = true, enabled_libraries = ["pg_cron"] }
  default_endpoint_settings = { suspend_timeout_seconds = 60, pg_settings = { work_mem = "8MB" } }
  default_branch = {
    name          = "main"
    protected     = true
    role_name     = "owner"
    database_name = "shop"
    endpoint      = { suspend_timeout_seconds = 120 }
  }
  timeouts = { create = "5m", update = "5m", delete = "5m" }
}

# Nothing but what a project needs.
resource "neon_project" "plain" {
  name = "plain"
}

resource "neon_branch" "dev" {
  project_id = neon_project.shop.id
  name       = "dev"
  protected  = true
  endpoints = {
    the_rw = { type = "read_write", autoscaling_limit_min_cu = 0.25, autoscaling_limit_max_cu = 1 }
    one    = { type = "read_only" }
    other  = { type = "read_only", suspend_timeout_seconds = 60 }
  }
  timeouts = { create = "5m", update = "5m", delete = "5m" }
}

resource "neon_branch" "schema" {
  project_id  = neon_project.shop.id
  parent_id   = neon_project.shop.default_branch.id
  name        = "schema"
  init_source = "schema-only"
}

resource "neon_branch" "bare" {
  project_id = neon_project.plain.id
  name       = "bare"
}

resource "neon_endpoint" "bare" {
  project_id        = neon_project.plain.id
  branch_id         = neon_branch.bare.id
  type              = "read_write"
  pg_settings       = { work_mem = "8MB" }
  preload_libraries = { use_defaults = true, enabled_libraries = ["pg_cron"] }
  timeouts          = { create = "5m", update = "5m", delete = "5m" }
}

resource "neon_role" "reader" {
  project_id                 = neon_project.plain.id
  branch_id                  = neon_branch.bare.id
  name                       = "reader"
  password_rotation_triggers = { month = "1" }
  timeouts                   = { create = "5m", update = "5m", delete = "5m" }
}

resource "neon_database" "orders" {
  project_id          = neon_project.plain.id
  branch_id           = neon_branch.bare.id
  name                = "orders"
  owner_name          = neon_role.reader.name
  deletion_protection = true
  timeouts            = { create = "5m", update = "5m", delete = "5m" }
}

resource "neon_snapshot" "first" {
  project_id = neon_project.plain.id
  branch_id  = neon_project.plain.default_branch.id
  name       = "first"
  timeouts   = { create = "5m", update = "5m", delete = "5m" }
}

resource "neon_branch_backup_schedule" "main" {
  project_id = neon_project.plain.id
  branch_id  = neon_project.plain.default_branch.id
  schedule   = [{ frequency = "daily", hour = 3 }]
}

resource "neon_jwks_url" "auth" {
  project_id    = neon_project.plain.id
  branch_id     = neon_branch.bare.id
  jwks_url      = "https://auth.example.com/.well-known/jwks.json"
  provider_name = "Example"
  jwt_audience  = "shop"
  role_names    = [neon_role.reader.name]
  timeouts      = { create = "5m" }
}

resource "neon_api_key" "ci" {
  name              = "ci"
  rotation_triggers = { month = "1" }
}

resource "neon_org_api_key" "ci" {
  org_id            = var.org_id
  project_id        = neon_project.plain.id
  name              = "ci"
  rotation_triggers = { month = "1" }
}

resource "neon_project_permission" "anna" {
  project_id = neon_project.plain.id
  email      = "anna@example.com"
}

resource "neon_org_member_role" "max" {
  org_id = var.org_id
  email  = "max@example.com"
  role   = "editor"
}

resource "neon_project_member_role" "max" {
  project_id = neon_project.plain.id
  member_id  = neon_org_member_role.max.member_id
  role       = "viewer"
}

resource "neon_org_invitation" "new" {
  org_id = var.org_id
  email  = "new@example.com"
  role   = "viewer"
}

resource "neon_org_spending_limit" "monthly" {
  org_id               = var.org_id
  spending_limit_cents = 25000
}

resource "neon_vpc_endpoint_assignment" "office" {
  org_id              = var.org_id
  region_id           = neon_project.plain.region_id
  vpc_endpoint_id     = "vpce-1234567890abcdef0"
  label               = "office"
  deletion_protection = true
}

resource "neon_vpc_endpoint_restriction" "plain" {
  project_id      = neon_project.plain.id
  vpc_endpoint_id = neon_vpc_endpoint_assignment.office.vpc_endpoint_id
  label           = "plain"
}

resource "neon_claimable_database" "trial" {
  ref = "museum"
}
