terraform {
  required_version = ">= 1.10"

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

resource "neon_database" "shop" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "shop"
  owner_name = neon_role.shop.name
}

resource "neon_role" "shop" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "shop"
}

# How to connect to it: no state holds the password.
ephemeral "neon_connection_uri" "shop" {
  project_id    = var.project_id
  database_name = neon_database.shop.name
  role_name     = neon_role.shop.name
  after         = [neon_database.shop.id]
}
