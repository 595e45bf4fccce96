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
