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
resource "neon_snapshot" "year_end" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "year end"

  deletion_protection = true # Terraform refuses to destroy or replace it
}
