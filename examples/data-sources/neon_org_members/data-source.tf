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

data "neon_org_members" "team" {
  org_id = var.org_id
}

output "administrators" {
  value = [for member in data.neon_org_members.team.members : member.email if member.role == "admin"]
}
