variable "project_id" {
  type = string
}

# The valid service credentials of the default branch.
list "neon_service_credential" "main" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
