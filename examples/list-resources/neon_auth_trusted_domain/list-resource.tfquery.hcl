variable "project_id" {
  type = string
}

variable "branch_id" {
  type = string
}

# The trusted domains of a branch that has Neon Auth.
list "neon_auth_trusted_domain" "staging" {
  provider = neon

  config {
    project_id = var.project_id
    branch_id  = var.branch_id
  }
}
