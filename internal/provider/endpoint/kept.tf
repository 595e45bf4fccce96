resource "neon_endpoint" "bare" {
  project_id        = neon_project.plain.id
  branch_id         = neon_branch.bare.id
  type              = "read_write"
  pg_settings       = { work_mem = "8MB" }
  preload_libraries = { use_defaults = true, enabled_libraries = ["pg_cron"] }
  timeouts          = { create = "5m", update = "5m", delete = "5m" }
}
