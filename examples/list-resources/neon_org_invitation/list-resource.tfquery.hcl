variable "org_id" {
  type = string
}

list "neon_org_invitation" "all" {
  provider = neon

  config {
    org_id = var.org_id
  }
}
