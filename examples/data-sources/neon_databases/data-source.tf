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

data "neon_databases" "all" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
}

output "database_names" {
  value = [for database in data.neon_databases.all.databases : database.name]
}
