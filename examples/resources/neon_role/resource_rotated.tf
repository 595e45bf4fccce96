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

### To make Neon choose a new password
resource "neon_role" "reports" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "reports"

  # A later change here makes Neon choose a new password.
  password_rotation_triggers = {
    quarter = "2027-Q1"
  }
}
