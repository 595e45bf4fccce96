variable "project_id" {
  type = string
}

variable "branch_id" {
  type = string
}

# All endpoints of a project.
list "neon_endpoint" "all" {
  provider = neon

  config {
    project_id = var.project_id
  }
}

# Those of one branch.
list "neon_endpoint" "production" {
  provider = neon

  config {
    project_id = var.project_id
    branch_id  = var.branch_id
  }
}
