variable "project_id" {
  type = string
}

list "neon_snapshot" "all" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
