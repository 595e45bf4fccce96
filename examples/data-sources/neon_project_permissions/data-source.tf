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

data "neon_project_permissions" "all" {
  project_id = var.project_id
}

output "shared_with" {
  value = [for permission in data.neon_project_permissions.all.permissions : permission.email]
}
