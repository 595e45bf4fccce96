terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "partner_api_key" {
  type      = string
  sensitive = true
}

variable "partner_org_id" {
  type = string
}

# Configured by the environment.
provider "neon" {}

provider "neon" {
  alias   = "partner"
  api_key = var.partner_api_key
  org_id  = var.partner_org_id
}

data "neon_projects" "ours" {}

data "neon_projects" "theirs" {
  provider = neon.partner
}
