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

data "neon_organization" "team" {
  org_id = var.org_id
}

output "team_plan" {
  value = data.neon_organization.team.plan
}
