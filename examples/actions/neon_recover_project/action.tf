variable "deleted_project_id" {
  type = string
}

# terraform apply -invoke=action.neon_recover_project.lost
action "neon_recover_project" "lost" {
  config {
    project_id = var.deleted_project_id
  }
}
