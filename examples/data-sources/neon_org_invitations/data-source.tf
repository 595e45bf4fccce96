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

data "neon_org_invitations" "all" {
  org_id = var.org_id
}

data "neon_org_members" "all" {
  org_id = var.org_id
}

output "not_yet_members" {
  value = setsubtract(
    [for invitation in data.neon_org_invitations.all.invitations : invitation.email],
    [for member in data.neon_org_members.all.members : member.email],
  )
}
