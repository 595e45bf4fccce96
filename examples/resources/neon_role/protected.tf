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
resource "neon_role" "owner" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "owner"

  lifecycle {
    prevent_destroy = true # Terraform refuses any plan that deletes or replaces it
  }
}
