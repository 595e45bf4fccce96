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

# Copies production's data into the branch again: terraform apply -invoke=action.neon_reset_branch.staging
action "neon_reset_branch" "staging" {
  config {
    project_id = var.project_id
    branch_id  = neon_branch.staging.id
  }
}
