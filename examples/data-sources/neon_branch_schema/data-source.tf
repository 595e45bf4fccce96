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

data "neon_branch_schema" "main" {
  project_id    = var.project_id
  branch_id     = data.neon_branch.main.id
  database_name = "neondb"
}

output "tables" {
  value = [for table in jsondecode(data.neon_branch_schema.main.json).tables : "${table.schema}.${table.name}"]
}
