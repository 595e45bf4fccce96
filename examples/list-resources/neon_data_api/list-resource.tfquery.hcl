variable "project_id" {
  type = string
}

# The Data APIs of a project's default branch.
list "neon_data_api" "production" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
