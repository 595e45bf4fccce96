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

data "neon_roles" "all" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
}

output "role_names" {
  value = [for role in data.neon_roles.all.roles : role.name]
}
