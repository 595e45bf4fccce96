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

resource "neon_branch" "tests" {
  project_id = var.project_id
  name       = "tests"
  endpoints  = { app = { type = "read_write" } }
}

# terraform apply -invoke=action.neon_start_endpoint.tests
action "neon_start_endpoint" "tests" {
  config {
    project_id = var.project_id
    branch_id  = neon_branch.tests.id
  }
}
