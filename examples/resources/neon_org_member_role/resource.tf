variable "org_id" {
  type = string
}

resource "neon_org_member_role" "max" {
  org_id = var.org_id
  email  = "max@example.com"
  role   = "editor"
}
