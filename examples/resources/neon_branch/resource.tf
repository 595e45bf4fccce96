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

# A copy of the project's default branch. You choose the endpoint's label, here app.
resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
  endpoints  = { app = { type = "read_write" } }
}

output "staging_host" {
  value = neon_branch.staging.endpoints["app"].pooler_host
}
