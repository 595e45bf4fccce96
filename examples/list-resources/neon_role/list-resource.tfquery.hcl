variable "project_id" {
  type = string
}

variable "branch_id" {
  type = string
}

# The roles of a project's default branch.
list "neon_role" "production" {
  provider = neon

  config {
    project_id = var.project_id
  }
}

# Those of another branch.
list "neon_role" "staging" {
  provider = neon

  config {
    project_id = var.project_id
    branch_id  = var.branch_id
  }
}
