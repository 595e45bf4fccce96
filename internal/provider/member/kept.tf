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
