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

data "neon_branch_storage" "staging" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
}

output "s3_endpoint" {
  value = data.neon_branch_storage.staging.s3_endpoint
}
