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
