resource "neon_org_invitation" "new" {
  org_id = var.org_id
  email  = "new@example.com"
  role   = "viewer"
}
