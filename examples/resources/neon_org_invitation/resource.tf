variable "org_id" {
  type = string
}

resource "neon_org_invitation" "anna" {
  org_id = var.org_id
  email  = "anna@example.com"
  role   = "viewer"
}
