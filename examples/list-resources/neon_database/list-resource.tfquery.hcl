variable "project_id" {
  type = string
}

variable "branch_id" {
  type = string
}

# The databases of a project's default branch.
list "neon_database" "production" {
  provider = neon

  config {
    project_id = var.project_id
  }
}

# Those of another branch.
list "neon_database" "staging" {
  provider = neon

  config {
    project_id = var.project_id
    branch_id  = var.branch_id
  }
}
