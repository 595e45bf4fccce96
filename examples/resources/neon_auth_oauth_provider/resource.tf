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
  endpoints  = { primary = { type = "read_write" } }
}

resource "neon_auth" "shop" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
}

# Neon's own application, for trying out.
resource "neon_auth_oauth_provider" "google" {
  project_id     = var.project_id
  branch_id      = neon_auth.shop.branch_id
  oauth_provider = "google"

  lifecycle {
    replace_triggered_by = [neon_auth.shop.id] # Another Neon Auth begins without it.
  }
}
