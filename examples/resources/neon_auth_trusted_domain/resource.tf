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

resource "neon_auth_trusted_domain" "shop" {
  project_id = var.project_id
  branch_id  = neon_auth.shop.branch_id
  domain     = "https://shop.example.com"

  lifecycle {
    replace_triggered_by = [neon_auth.shop.id] # Another Neon Auth begins without it.
  }
}
