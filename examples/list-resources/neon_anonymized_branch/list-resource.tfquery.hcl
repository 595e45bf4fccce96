variable "project_id" {
  type = string
}

# The anonymized branches of a project.
list "neon_anonymized_branch" "all" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
