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

resource "neon_branch" "reports" {
  project_id = var.project_id
  name       = "reports"
  endpoints  = { app = { type = "read_write" } }
}

# terraform apply -invoke=action.neon_suspend_endpoint.reports
action "neon_suspend_endpoint" "reports" {
  config {
    project_id  = var.project_id
    endpoint_id = neon_branch.reports.endpoints.app.id
  }
}
