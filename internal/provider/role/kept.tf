resource "neon_role" "reader" {
  project_id                 = neon_project.plain.id
  branch_id                  = neon_branch.bare.id
  name                       = "reader"
  password_rotation_triggers = { month = "1" }
  timeouts                   = { create = "5m", update = "5m", delete = "5m" }
}
