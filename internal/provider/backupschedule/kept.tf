resource "neon_branch_backup_schedule" "main" {
  project_id = neon_project.plain.id
  branch_id  = neon_project.plain.default_branch.id
  schedule   = [{ frequency = "daily", hour = 3 }]
}
