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

variable "preview_expires_at" {
  description = "At most 30 days ahead, such as 2027-01-15T12:00:00Z."
  type        = string
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

# A short-lived branch of a branch that is named. Neon deletes it at expires_at.
resource "neon_branch" "preview" {
  project_id = var.project_id
  parent_id  = data.neon_branch.main.id
  name       = "preview/pr-42"
  expires_at = var.preview_expires_at
  endpoints  = { app = { type = "read_write" } }
}
