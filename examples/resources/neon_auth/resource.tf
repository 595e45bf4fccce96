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

  email_and_password = {
    require_email_verification         = true
    send_verification_email_on_sign_up = true
  }
}

output "base_url" {
  value = neon_auth.shop.base_url
}
