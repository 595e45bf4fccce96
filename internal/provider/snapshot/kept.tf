resource "neon_snapshot" "first" {
  project_id = neon_project.plain.id
  branch_id  = neon_project.plain.default_branch.id
  name       = "first"
  timeouts   = { create = "5m", update = "5m", delete = "5m" }
}
