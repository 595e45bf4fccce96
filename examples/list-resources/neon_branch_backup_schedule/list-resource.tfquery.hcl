variable "project_id" {
  type = string
}

list "neon_branch_backup_schedule" "all" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
