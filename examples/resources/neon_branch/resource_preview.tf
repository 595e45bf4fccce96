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

### For a pull request, and deleted by itself
data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

resource "neon_branch" "preview" {
  project_id = var.project_id
  parent_id  = data.neon_branch.main.id
  name       = "preview/pr-42"
  expires_in = "72h"
  endpoints  = { app = { type = "read_write" } }
}
