variable "project_id" {
  type = string
}

list "neon_jwks_url" "all" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
