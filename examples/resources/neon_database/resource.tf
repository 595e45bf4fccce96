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

resource "neon_role" "shop" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "shop"
}

resource "neon_database" "shop" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "shop"
  owner_name = neon_role.shop.name
}

output "database_id" {
  value = neon_database.shop.id
}
