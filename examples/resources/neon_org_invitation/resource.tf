terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "org_id" {
  type = string
}

resource "neon_org_invitation" "anna" {
  org_id = var.org_id
  email  = "anna@example.com"
  role   = "viewer"
}
