terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "project_id" {
  type = string
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

resource "neon_branch" "feature" {
  project_id = var.project_id
  parent_id  = data.neon_branch.main.id
  name       = "feature"
  endpoints  = { app = { type = "read_write" } }
}

data "neon_schema_diff" "feature" {
  project_id     = var.project_id
  branch_id      = neon_branch.feature.id
  base_branch_id = data.neon_branch.main.id
  database_name  = "neondb"
}

output "schema_changes" {
  value = data.neon_schema_diff.feature.diff
}
