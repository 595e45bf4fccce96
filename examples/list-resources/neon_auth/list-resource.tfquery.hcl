variable "project_id" {
  type = string
}

# Neon Auth of a project's branches.
list "neon_auth" "all" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
