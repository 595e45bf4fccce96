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

resource "neon_branch" "good" {
  project_id = var.project_id
  name       = "good"
}

# terraform apply -invoke=action.neon_restore_branch.staging
action "neon_restore_branch" "staging" {
  config {
    project_id          = var.project_id
    branch_id           = neon_branch.staging.id
    source_branch_id    = neon_branch.good.id
    preserve_under_name = "staging-before-restore"
  }
}
