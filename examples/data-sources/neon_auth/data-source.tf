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

# One that is there. Here it is enabled first, so that the example is whole.
data "neon_auth" "shop" {
  project_id = var.project_id
  branch_id  = neon_auth.shop.branch_id
}

output "jwks_url" {
  value = data.neon_auth.shop.jwks_url
}
