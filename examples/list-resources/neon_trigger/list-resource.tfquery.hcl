variable "project_id" {
  type = string
}

# The triggers of the default branch.
list "neon_trigger" "main" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
