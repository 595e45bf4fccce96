terraform {
  required_version = ">= 1.8"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "name" {
  type = string
}

resource "neon_project" "this" {
  name = var.name
}

resource "neon_branch" "staging" {
  project_id = neon_project.this.id
  parent_id  = neon_project.this.default_branch.id
  name       = "staging"
  endpoints  = { app = { type = "read_write" } }
}

output "staging_host" {
  value = neon_branch.staging.endpoints["app"].pooler_host
}
