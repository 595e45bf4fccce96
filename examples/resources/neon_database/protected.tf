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

### Guarded
resource "neon_database" "accounts" {
  project_id          = var.project_id
  branch_id           = data.neon_branch.main.id
  name                = "accounts"
  owner_name          = "neondb_owner"
  deletion_protection = true # Terraform refuses to destroy or replace it
}
