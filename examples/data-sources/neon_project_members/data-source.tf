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

data "neon_project_members" "all" {
  project_id = var.project_id
}

output "administrators" {
  value = [for member in data.neon_project_members.all.members : member.email if member.role == "admin"]
}
