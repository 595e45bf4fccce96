resource "neon_project_permission" "anna" {
  project_id = neon_project.plain.id
  email      = "anna@example.com"
}
