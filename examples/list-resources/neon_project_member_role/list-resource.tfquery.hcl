variable "project_id" {
  type = string
}

list "neon_project_member_role" "all" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
