terraform {
  required_version = ">= 1.14"

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

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
}

resource "neon_role" "app" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
  name       = "app"
}

# terraform apply -invoke=action.neon_reset_role_password.app
action "neon_reset_role_password" "app" {
  config {
    project_id = var.project_id
    branch_id  = neon_branch.staging.id
    role_name  = neon_role.app.name
  }
}
