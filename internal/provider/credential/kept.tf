resource "neon_service_credential" "app" {
  project_id        = neon_project.plain.id
  branch_id         = neon_project.plain.default_branch.id
  scopes            = ["storage:read"]
  name              = "app"
  rotation_triggers = { month = "1" }
}
