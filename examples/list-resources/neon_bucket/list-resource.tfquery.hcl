variable "project_id" {
  type = string
}

# The buckets of the default branch.
list "neon_bucket" "main" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
