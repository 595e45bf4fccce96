variable "project_id" {
  type = string
}

list "neon_project_permission" "people" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
