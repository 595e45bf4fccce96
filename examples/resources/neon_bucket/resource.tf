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

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
}

resource "neon_bucket" "uploads" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
  name       = "uploads"
}
