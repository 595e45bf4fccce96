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

resource "neon_role" "app" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "app"
}

output "role_created_at" {
  value = neon_role.app.created_at
}
