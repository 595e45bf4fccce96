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

resource "neon_service_credential" "app" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
  name       = "app"
  scopes     = ["storage:write"]
}

# terraform apply -invoke=action.neon_rotate_service_credential.app
action "neon_rotate_service_credential" "app" {
  config {
    project_id = var.project_id
    branch_id  = neon_service_credential.app.branch_id
    token_id   = neon_service_credential.app.token_id
  }
}
