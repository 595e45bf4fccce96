variable "project_id" {
  type = string
}

# The functions of the default branch.
list "neon_function" "main" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
