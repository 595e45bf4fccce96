variable "org_id" {
  type = string
}

list "neon_org_member_role" "all" {
  provider = neon

  config {
    org_id = var.org_id
  }
}
