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

resource "neon_org_member_role" "max" {
  org_id = var.org_id
  email  = "max@example.com"
  role   = "editor"
}
