variable "project_id" {
  type = string
}

# The custom domains of the default branch.
list "neon_custom_domain" "main" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
