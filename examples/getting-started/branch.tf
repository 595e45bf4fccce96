data "neon_projects" "all" {}

output "projects" {
  value = { for project in data.neon_projects.all.projects : project.id => project.name }
}

variable "project_id" {
  type = string
}

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"

  endpoints = {
    app = { type = "read_write" }
  }
}

output "staging_host" {
  value = neon_branch.staging.endpoints["app"].pooler_host
}
